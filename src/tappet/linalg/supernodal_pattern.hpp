// The order in which a sparse symmetric matrix is eliminated, and where its Cholesky factor has numbers.
//
// Rows of equal pattern (the unknowns of a node) are one vertex of a graph, which METIS orders by nested
// dissection. Columns of the factor with the same pattern below the diagonal form a supernode, a dense panel;
// small ones join their parents where that adds few zeros [Duff & Reid 1983; Liu 1992].
#pragma once

#include <cstddef>
#include <vector>

#include "tappet/linalg/symmetric_csr.hpp"

namespace tappet {

struct SupernodalPattern {
  std::vector<int> order;   ///< order[k]: the row that is eliminated as number k, its place
  std::vector<int> place;   ///< its inverse
  std::vector<int> first;   ///< columns (places) of supernode s: first[s] … first[s+1]
  std::vector<int> parent;  ///< of supernodes, a larger number; −1: root
  std::vector<std::size_t> below_ptr;
  std::vector<int> below;  ///< of each supernode, rows (places) below its diagonal block, ascending

  int rows() const { return static_cast<int>(order.size()); }
  int supernodes() const { return static_cast<int>(parent.size()); }
  int width(int s) const { return first[s + 1] - first[s]; }
  int below_count(int s) const { return static_cast<int>(below_ptr[s + 1] - below_ptr[s]); }
  const int* below_of(int s) const { return below.data() + below_ptr[s]; }
  /// Supernode of each place.
  std::vector<int> supernode_of() const;
};

/// Rows in `last` are eliminated after all others, so that a change on the right in these rows alone changes
/// only the end of the forward substitution. That is free when they are few.
SupernodalPattern supernodal_pattern(const SymmetricCsr& a, const std::vector<int>& last = {});

}  // namespace tappet
