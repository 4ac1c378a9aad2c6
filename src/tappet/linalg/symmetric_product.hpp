// A sparse symmetric matrix made ready for many products with vectors.
//
// One triangle is kept, rows of equal pattern (the unknowns of a node) together, column by column: each
// number is read once in one stream, for both triangles, and four rows are one operation.
#pragma once

#include <cstddef>
#include <vector>

#include "tappet/linalg/symmetric_csr.hpp"

namespace tappet {

class SymmetricProduct {
 public:
  SymmetricProduct() = default;
  explicit SymmetricProduct(const SymmetricCsr& a);

  /// y += factor · A x.
  void multiply_add(double factor, const double* x, double* y) const;
  /// xᵀ A x, to the precision of its terms: if A x is far smaller than these, use A x.
  double form(const double* x) const;
  /// y += factor · A x, and zᵀ A z, with the matrix read once.
  double multiply_add_and_form(double factor, const double* x, double* y, const double* z) const;

 private:
  struct Group {  // of rows
    int first = 0, rows = 0;
    int left = 0;            // columns left of the diagonal block, filled up to a multiple of four
    std::size_t column = 0;  // the first of these in columns_
    std::size_t value = 0;   // `rows` numbers for each, then for those of the diagonal block
  };
  template <bool multiplies, bool forms>
  double visit(double factor, const double* x, double* y, const double* z) const;

  std::vector<Group> groups_;
  std::vector<int> columns_;
  std::vector<double> values_;
};

}  // namespace tappet
