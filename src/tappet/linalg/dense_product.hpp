// Products of dense matrices that are large enough to be worth packing: C += f · A B, where A and B may be
// transposed and lie anywhere in others.
//
// Blocks of A and B are copied into strips, in the order in which they are read, and tiles of 8 × 6 numbers
// of C are summed up in registers [Goto & van de Geijn 2008]. Sums go over the inner dimension in ascending
// order, 256 at a time, whatever the processor: the same bits everywhere (linalg/wide.hpp).
#pragma once

#include <cstddef>
#include <vector>

namespace tappet {

/// A matrix whose number (i, j) stands at data[i · row + j · column]; one of both steps is 1.
struct DenseView {
  const double* data = nullptr;
  std::ptrdiff_t row = 1, column = 0;
};
/// A column-major matrix with so many numbers from column to column, and its transpose.
inline DenseView plain(const double* data, std::ptrdiff_t stride) {
  return {data, 1, stride};
}
inline DenseView transposed(const double* data, std::ptrdiff_t stride) {
  return {data, stride, 1};
}

/// Which part of the result is wanted. Of `lower`, numbers above the diagonal may change or not.
enum class Triangle { all, lower };

/// Keeps its memory from one product to the next.
class DenseProduct {
 public:
  /// C += factor · A B; A is m × k, B is k × n, and C is column-major.
  void add(double factor, const DenseView& a, const DenseView& b, int m, int n, int k, double* c,
           std::ptrdiff_t stride, Triangle part = Triangle::all);

 private:
  std::vector<double> a_, b_;  // strips
};

}  // namespace tappet
