// The near part of a dense symmetric matrix of contacts: blocks that are not small beside their diagonals, in
// single precision. What an impulse does to nodes of an elastic body fades with the distance, quickly within
// one short step; a Gauss–Seidel sweep over the near part then reads a sixth of the matrix, and two thirds
// of its bytes where nothing fades.
//
//   W = N + F,   block (i, j) in N where |W_ab| > ε √(W_aa W_bb) for one of its entries
//
// ε is the largest of 10⁻³, 10⁻⁴, 10⁻⁵ and 0 for which every row sum of |F| is below a fiftieth of the
// diagonal: with N solved, F then leaves a few hundredths of an error at most. The rounding to single
// precision counts as part of F.
#pragma once

#include <vector>

#include <Eigen/Core>

namespace tappet::lcp {

class NearRows {
 public:
  /// Of a matrix with `dimension` (2 or 3) rows per contact.
  void build(const Eigen::MatrixXd& w, int dimension);

  int contacts() const { return static_cast<int>(start_.size()) - 1; }
  /// Part of the blocks that is near.
  double density() const;

  /// u += row i of N times r, which holds four numbers per contact, the last ones 0. `u` has room for four.
  void add_row(int i, const double* r, double* u) const;

 private:
  int dimension_ = 3;
  double scale_ = 1;            // of the values: what they are divided by
  std::vector<char> nearness_;  // of each pair of contacts
  std::vector<int> start_{0};   // of each contact's blocks
  std::vector<int> column_;     // contact of each block, times four
  std::vector<float> value_;    // dimension rows of four a block
};

}  // namespace tappet::lcp
