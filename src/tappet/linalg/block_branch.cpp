// Right-hand sides of a block factorisation that begin in few blocks: block_cholesky.hpp says what for.
#include <algorithm>
#include <cassert>
#include <cstring>

#include "tappet/linalg/block_cholesky.hpp"
#include "tappet/linalg/small_blocks.hpp"
#include "tappet/linalg/wide.hpp"

namespace tappet {
namespace {

using Row = RegisterRow<lanes>;

}  // namespace

void BlockCholesky::grow(std::span<const int> blocks, Branch& branch) {
  if (!branch.parts.empty() &&
      std::equal(blocks.begin(), blocks.end(), branch.blocks.begin(), branch.blocks.end())) {
    std::fill(branch.y.begin(), branch.y.end(), 0.0);
    return;
  }
  branch.blocks.assign(blocks.begin(), blocks.end());
  branch.parts.clear();
  branch.targets.clear();

  // From each block on to the first that it is coupled with later: that one is coupled with all the others.
  for (const int block : blocks)
    for (int step = position_[block]; reached_[step] < 0;) {
      reached_[step] = 0;
      branch.parts.push_back({step, 0});
      const Column& column = columns_[step];
      if (column.right_begin < column.right_end) step = position_[right_[column.right_begin].block];
    }
  std::sort(branch.parts.begin(), branch.parts.end(),
            [](const auto& a, const auto& b) { return a.step < b.step; });

  int rows = 0;
  for (Branch::Part& part : branch.parts) {
    part.first = reached_[part.step] = rows;
    rows += columns_[part.step].size;
  }
  for (const Branch::Part& part : branch.parts)
    for (int b = columns_[part.step].right_begin; b < columns_[part.step].right_end; ++b)
      branch.targets.push_back(reached_[position_[right_[b].block]]);
  for (const Branch::Part& part : branch.parts) reached_[part.step] = -1;
  branch.y.assign(static_cast<std::size_t>(rows) * lanes, 0.0);
}

double* BlockCholesky::part(Branch& branch, int block) const {
  const auto at = std::lower_bound(branch.parts.begin(), branch.parts.end(), position_[block],
                                   [](const Branch::Part& part, int step) { return part.step < step; });
  assert(at != branch.parts.end() && at->step == position_[block]);
  return branch.y.data() + static_cast<std::size_t>(at->first) * lanes;
}

TAPPET_WIDE void BlockCholesky::forward(Branch& branch) const {
  const double* const values = values_.data();
  double* const y = branch.y.data();
  const int* target = branch.targets.data();
  for (const Branch::Part& part : branch.parts) {
    const Column& column = columns_[part.step];
    double* const yj = y + part.first * lanes;
    with_size(
        column.size, [&](auto m) __attribute__((always_inline)) {
          const double* const l = values + column.diagonal;
          for (int c = 1; c < m; ++c) {
            Row row(yj + c * lanes);
            for (int k = 0; k < c; ++k) row.subtract(l[c * m + k], Row(yj + k * lanes));
            row.store(yj + c * lanes);
          }
          for (int b = column.right_begin; b < column.right_end; ++b) {
            const double* const u = values + right_[b].offset;
            const int cols = right_[b].size;
            double* const yi = y + *target++ * lanes;
            for (int i = 0; i < cols; ++i) {
              Row row(yi + i * lanes);
              for (int c = 0; c < m; ++c) row.subtract(u[c * cols + i], Row(yj + c * lanes));
              row.store(yi + i * lanes);
            }
          }
        });
  }
}

TAPPET_WIDE void BlockCholesky::subtract_inner(const Branch& a, const Branch& b, double* out) const {
  auto left = a.parts.begin(), right = b.parts.begin();
  const auto left_end = a.parts.end(), right_end = b.parts.end();
  Row sum[lanes] = {Row(out), Row(out + lanes), Row(out + 2 * lanes), Row(out + 3 * lanes)};
  while (left != left_end && right != right_end) {
    if (left->step != right->step) {
      ++(left->step < right->step ? left : right);
      continue;
    }
    const Column& column = columns_[left->step];
    const double *ya = a.y.data() + left->first * lanes, *yb = b.y.data() + right->first * lanes;
    for (int r = 0; r < column.size; ++r, ya += lanes, yb += lanes) {
      Row row(yb);
      row *= column.sign * inverse_diagonal_[column.row + r];
      for (int k = 0; k < lanes; ++k) sum[k].subtract(ya[k], row);
    }
    ++left, ++right;
  }
  for (int k = 0; k < lanes; ++k) sum[k].store(out + k * lanes);
}

}  // namespace tappet
