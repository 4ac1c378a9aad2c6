// Signed Cholesky factorisation of symmetric matrices made of small blocks, for a pattern that never changes.
//
//   A = L D Lᵀ,  L unit lower triangular, D diagonal with the blocks' signs (no square roots)
//
// Blocks off the diagonal are kept as those of U = Lᵀ, so that every inner loop runs along a row.
//
// A is the matrix of a constrained mechanism after its ordinary bodies have been eliminated:
//
//   A = [ S     J_h  ]     S = J M⁻¹ Jᵀ   (one block row per joint, positive semidefinite)
//       [ J_hᵀ  −M_h ]     M_h mass of hub bodies that many joints share (negative definite pivot)
//
// It is quasi-definite, so every order of elimination has nonsingular pivots as long as a positive block comes after
// something that makes it definite; the caller says so with `after`. The order is minimum degree, so that a chain
// of n links, or n loops in a row, is factorised in O(n).
//
// A row of a positive block that depends on earlier rows shows as a pivot at rounding level. Such a row is dropped (its
// unknown becomes 0): redundant but consistent constraints are solved without the user doing anything.
//
// analyse() turns the pattern into a list of block operations once; factor() and solve() walk through it and
// allocate nothing.
//
// Symmetric products Bᵀ A⁻¹ C = (L⁻¹ B)ᵀ D⁻¹ (L⁻¹ C) need no backward solution, and of L⁻¹ B only the blocks that it reaches: those
// where B is not 0 and what is coupled with them later on, their branch of the tree of elimination.
#pragma once

#include <span>
#include <utility>
#include <vector>

#include "tappet/linalg/wide.hpp"

namespace tappet {

/// The pattern of a symmetric block matrix.
struct BlockPattern {
  std::vector<int> size;  ///< rows of each block
  std::vector<int> sign;  ///< +1: semidefinite, rows may be dropped; −1: negative definite
  std::vector<std::pair<int, int>>
      couples;  ///< pairs i ≠ j with a nonzero block (either order, repeats allowed)
  std::vector<std::pair<int, int>> after;  ///< (i, j): i must be eliminated after j
};

class BlockCholesky {
 public:
  void analyse(const BlockPattern& pattern);

  /// Where the values of block (i, j) go; `transposed` tells that it is stored as block (j, i). Row-major with
  /// `stride` columns. Diagonal blocks: the lower triangle counts.
  struct Slot {
    int offset = -1;
    int stride = 0;
    bool transposed = false;
  };
  Slot slot(int i, int j) const;

  double* values() { return values_.data(); }
  void set_zero();

  /// Factorises the values in place. `threshold`: a pivot below threshold × (its diagonal before elimination) is a
  /// dependent row. Returns the number of rows dropped.
  int factor(double threshold);
  /// Smallest pivot of the last factor() against its diagonal before elimination, among the rows that were kept.
  double smallest_pivot() const { return smallest_pivot_; }
  /// Whether scalar row `row` of block `i` was dropped by the last factor().
  bool dropped(int i, int row) const { return inverse_diagonal_[first_[i] + row] == 0; }

  /// x := A⁻¹ x; x is ordered by block as given to analyse().
  void solve(double* x) const;

  /// Up to four right-hand sides that begin in the same few blocks.
  struct Branch {
    struct Part {
      int step;   ///< of elimination
      int first;  ///< row of y
    };
    std::vector<int> blocks;   ///< where it begins
    std::vector<Part> parts;   ///< what it reaches, in the order of elimination
    std::vector<int> targets;  ///< rows of y that stand for the blocks right of each part's diagonal
    std::vector<double> y;     ///< lanes numbers per row
  };
  static constexpr int lanes = tappet::lanes;

  /// The branch that begins in these blocks, with right-hand sides 0. One that is grown again from the same blocks is only cleared.
  void grow(std::span<const int> blocks, Branch& branch);
  /// Its right-hand sides in a block that it reaches, row by row.
  double* part(Branch& branch, int block) const;
  /// y := L⁻¹ y
  void forward(Branch& branch) const;
  /// out −= aᵀ D⁻¹ b, lanes × lanes, of branches after forward().
  void subtract_inner(const Branch& a, const Branch& b, double* out) const;

  int rows() const { return static_cast<int>(inverse_diagonal_.size()); }
  int first_row(int i) const { return first_[i]; }

 private:
  struct Column {  // one step of elimination
    int block;     // which block
    int size;      // its rows
    int sign;
    int row;                       // first scalar row of x
    int diagonal;                  // offset of its diagonal block in values_
    int right_begin, right_end;    // its blocks right of the diagonal, in right_
    int update_begin, update_end;  // the products it subtracts, in updates_
  };
  struct Right {
    int offset;  // block (column, i) in values_
    int size;    // rows of i
    int row;     // first scalar row of x of i
    int block;   // i
  };
  struct Update {
    int target = 0, left = 0, right = 0;  // values_[target] −= sign · leftᵀ · right
    int rows = 0, cols = 0;
  };

  std::vector<int> size_, first_, position_;
  std::vector<std::vector<std::pair<int, int>>>
      lookup_;  // for each eliminated block: (later neighbour, offset)
  std::vector<Column> columns_;
  std::vector<Right> right_;
  std::vector<Update> updates_;
  std::vector<double> values_, inverse_diagonal_, reference_;
  std::vector<double> scratch_;  ///< V = P U of the column being eliminated; factor()
  std::vector<int> reached_;     ///< by step: row of a branch, −1: not reached; grow()
  double smallest_pivot_ = 1;
};

}  // namespace tappet
