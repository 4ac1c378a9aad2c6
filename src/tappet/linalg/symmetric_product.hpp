// A sparse symmetric matrix made ready for many products with vectors.
//
// Both triangles are kept, rows of equal pattern (the unknowns of a node) together, column by column: each
// number is read once in one stream, nothing is scattered, and four rows are one operation.
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

 private:
  struct Group {  // of rows
    int first = 0, rows = 0;
    std::size_t column = 0;  // first of its columns in columns_
    std::size_t value = 0;   // `rows` numbers for each
  };
  std::vector<Group> groups_;  // and one that ends the lists
  std::vector<int> columns_;
  std::vector<double> values_;
};

}  // namespace tappet
