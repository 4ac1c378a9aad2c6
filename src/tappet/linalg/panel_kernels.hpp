// The loops in which a solution with a large factor spends its time: dense panels times a vector, down and
// up, with the panels' numbers one after the other in memory as they are read.
//
// A panel holds w columns of a lower triangular matrix and `rows` rows, of which the first w form a triangle.
// Packed, its columns are in groups of four, the first group of w mod 4. Of each group of C columns, with the
// C × C triangle D on the diagonal and the rows L under it,
//
//   S = D⁻ᵀ D⁻¹,   L D⁻¹
//
// follow each other, four rows by four; each four by C such numbers column by column, and zeros where the
// panel ends. So the factor is one stream, which the processor fetches ahead, and no number waits for a
// division.
#pragma once

#include <cstddef>

namespace tappet {

/// Numbers that a packed panel takes.
std::size_t packed_size(int rows, int w);
/// From a column-major panel, `rows` numbers per column; what stands above its diagonal is not read.
void pack_panel(const double* panel, int rows, int w, double* packed);
/// The matrix with L D⁻¹ below and units on the diagonal, column-major, and S of each group: x := S x for the
/// first w numbers of each of `columns` vectors that are `stride` apart.
void unpack_panel(const double* packed, int rows, int w, double* panel);
void apply_pivots(const double* packed, int rows, int w, double* x, std::size_t stride, int columns);

/// A panel among others.
struct PanelPlace {
  std::size_t start = 0, end = 0;  ///< of its numbers
  std::size_t below = 0;           ///< of its list of rows below the triangle
  int first = 0;                   ///< row of its first column
  int width = 0, below_count = 0;
};
/// Work that the following need for a panel with so many rows below its triangle.
constexpr int panel_work(int below_count) {
  return below_count + 3;
}
/// x := L⁻¹ x, one panel after the other.
void forward_panels(const PanelPlace* panels, int count, const double* values, const int* below, double* x,
                    double* work);
/// x := L⁻ᵀ S x, the last panel first.
void backward_panels(const PanelPlace* panels, int count, const double* values, const int* below, double* x,
                     double* work);

}  // namespace tappet
