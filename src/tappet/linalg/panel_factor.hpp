// Cholesky's factorisation of one dense panel: w columns, of which the first w rows become a triangle and the
// others are divided by it. Column blocks of 64, the rest by products (linalg/dense_product.hpp).
#pragma once

#include "tappet/linalg/dense_product.hpp"

namespace tappet {

/// The panel is column-major with `rows` numbers per column; only what stands on and below its diagonal is
/// read. Returns the first column whose pivot is not positive, or −1 when all went well.
int factor_panel(double* panel, int rows, int w, DenseProduct& product);

}  // namespace tappet
