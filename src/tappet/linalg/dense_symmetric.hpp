// A dense symmetric matrix times a vector, with each number read once: half the memory of a plain product,
// which is what a large one takes its time for.
#pragma once

#include <cstddef>

namespace tappet {

/// y += A x for a column-major n × n matrix, of which what stands above the diagonal is not read.
void add_symmetric_product(const double* a, std::ptrdiff_t n, const double* x, double* y);

}  // namespace tappet
