// Many solutions at once, and parts of the inverse.
//
// With A = L S⁻¹ Lᵀ (panel_kernels.hpp: L has units on the diagonal, S blocks of four) and the unit vectors E
// of some rows,
//
//   Eᵀ A⁻¹ E = Yᵀ S Y,   Y = L⁻¹ E.
//
// A column of Y is zero but in the supernodes between its row and the root. Columns are ordered like their
// rows are eliminated; since subtrees are runs, each supernode knows its columns by the first and the last.
// It adds its part of Yᵀ S Y and leaves to its parent what it does to the rows below, as fronts do in the
// factorisation.
#include <algorithm>
#include <numeric>

#include "tappet/linalg/dense_product.hpp"
#include "tappet/linalg/supernodal_cholesky.hpp"

namespace tappet {

using Eigen::MatrixXd;

std::vector<int> SupernodalCholesky::path(const int* rows, int count) const {
  const std::vector<int> node_of = pattern_.supernode_of();
  std::vector<char> seen(supernodes(), 0);
  for (const int* i = rows; i != rows + count; ++i)
    for (int s = node_of[pattern_.place[*i]]; s >= 0 && !seen[s]; s = pattern_.parent[s]) seen[s] = 1;
  std::vector<int> out;
  for (int s = 0; s < supernodes(); ++s)
    if (seen[s]) out.push_back(s);
  return out;
}

namespace {

/// x := L⁻¹ x for the first w rows of a panel with units on its diagonal, by blocks of rows; the others take
/// their part. `begun(i)`: so many columns of x are not zero above row i.
template <class Begun>
void solve_down(const MatrixXd& panel, int w, MatrixXd& x, const Begun& begun, DenseProduct& product) {
  constexpr int block = 64;
  const int rows = static_cast<int>(panel.rows());
  for (int i = 0; i < w; i += block) {
    const int n = std::min(block, w - i), columns = begun(i + n), after = i + n;
    auto head = x.block(i, 0, n, columns);
    panel.block(i, i, n, n).triangularView<Eigen::UnitLower>().solveInPlace(head);
    if (after < rows)
      product.add(-1, plain(panel.data() + after + static_cast<std::ptrdiff_t>(i) * rows, rows),
                  plain(x.data() + i, x.rows()), rows - after, columns, n, x.data() + after, x.rows());
  }
}

}  // namespace

MatrixXd SupernodalCholesky::inverse_among(const std::vector<int>& rows) const {
  const int count = static_cast<int>(rows.size());
  std::vector<int> sorted(count), place(count);  // number of each among `rows`, and its place
  std::iota(sorted.begin(), sorted.end(), 0);
  std::sort(sorted.begin(), sorted.end(),
            [&](int a, int b) { return pattern_.place[rows[a]] < pattern_.place[rows[b]]; });
  for (int k = 0; k < count; ++k) place[k] = pattern_.place[rows[sorted[k]]];

  struct Left {  // for the parent
    MatrixXd update;
    int from = 0;  // its first column
  };
  std::vector<Left> left(supernodes());
  std::vector<std::vector<int>> children(supernodes());
  MatrixXd sum = MatrixXd::Zero(count, count), panel, front, scaled;
  std::vector<int> local(this->rows(), -1), to;
  DenseProduct product;
  for (int s : path(rows.data(), count)) {
    const int first = pattern_.first[s], w = pattern_.width(s), r = pattern_.below_count(s);
    const int* under = pattern_.below_of(s);
    // Columns of the subtree: those of the children, then its own.
    const int own = static_cast<int>(std::lower_bound(place.begin(), place.end(), first) - place.begin()),
              end = static_cast<int>(std::lower_bound(place.begin(), place.end(), first + w) - place.begin());
    int from = own;
    for (int c : children[s]) from = std::min(from, left[c].from);
    const int columns = end - from;
    front.setZero(w + r, columns);
    for (int i = 0; i < r; ++i) local[under[i]] = w + i;
    for (int c : children[s]) {
      const int* rows_c = pattern_.below_of(c);
      const MatrixXd& update = left[c].update;
      to.resize(update.rows());
      for (int i = 0; i < update.rows(); ++i)
        to[i] = rows_c[i] < first + w ? rows_c[i] - first : local[rows_c[i]];
      for (int j = 0; j < update.cols(); ++j) {
        double* target = front.col(left[c].from - from + j).data();
        for (int i = 0; i < update.rows(); ++i) target[to[i]] += update(i, j);
      }
      left[c].update.resize(0, 0);
    }
    for (int k = own; k < end; ++k) front(place[k] - first, k - from) = 1;

    panel.resize(w + r, w);
    unpack_panel(values_.data() + panels_[s].start, w + r, w, panel.data());
    const auto begun = [&](int row) {
      return static_cast<int>(std::lower_bound(place.begin() + own, place.begin() + end, first + row) -
                              place.begin()) -
             from;
    };
    solve_down(panel, w, front, begun, product);
    scaled = front.topRows(w);
    apply_pivots(values_.data() + panels_[s].start, w + r, w, scaled.data(), static_cast<std::size_t>(w),
                 columns);
    double* target = sum.data() + from + static_cast<std::ptrdiff_t>(from) * count;
    for (int i = 0; i < w; i += 256) {
      const int n = std::min(256, w - i), there = begun(i + n);
      product.add(1, transposed(front.data() + i, w + r), plain(scaled.data() + i, w), there, there, n,
                  target, count, Triangle::lower);
    }
    if (r == 0) continue;
    left[s] = {front.bottomRows(r), from};
    children[pattern_.parent[s]].push_back(s);
  }

  // In the order asked for, and the upper triangle like the lower.
  MatrixXd out(count, count);
  for (int j = 0; j < count; ++j)
    for (int i = j; i < count; ++i) out(sorted[i], sorted[j]) = out(sorted[j], sorted[i]) = sum(i, j);
  return out;
}

void SupernodalCholesky::forward(const std::vector<int>& nodes, MatrixXd& y) const {
  const int columns = static_cast<int>(y.cols());
  MatrixXd panel, front;
  DenseProduct product;
  for (int s : nodes) {
    const int w = pattern_.width(s), r = pattern_.below_count(s);
    panel.resize(w + r, w);
    unpack_panel(values_.data() + panels_[s].start, w + r, w, panel.data());
    front.setZero(w + r, columns);
    front.topRows(w) = y.middleRows(pattern_.first[s], w);
    solve_down(
        panel, w, front, [&](int) { return columns; }, product);
    y.middleRows(pattern_.first[s], w) = front.topRows(w);
    const int* under = pattern_.below_of(s);
    for (int j = 0; j < columns; ++j)
      for (int i = 0; i < r; ++i) y(under[i], j) += front(w + i, j);
  }
}

void SupernodalCholesky::backward(const std::vector<int>& nodes, MatrixXd& y) const {
  const int columns = static_cast<int>(y.cols());
  MatrixXd panel, known;
  DenseProduct product;
  for (auto node = nodes.rbegin(); node != nodes.rend(); ++node) {
    const int s = *node, first = pattern_.first[s], w = pattern_.width(s), r = pattern_.below_count(s);
    panel.resize(w + r, w);
    unpack_panel(values_.data() + panels_[s].start, w + r, w, panel.data());
    apply_pivots(values_.data() + panels_[s].start, w + r, w, y.data() + first,
                 static_cast<std::size_t>(rows()), columns);
    known.resize(w + r, columns);
    known.topRows(w) = y.middleRows(first, w);
    const int* under = pattern_.below_of(s);
    for (int j = 0; j < columns; ++j)
      for (int i = 0; i < r; ++i) known(w + i, j) = y(under[i], j);
    // Blocks of rows from the last to the first, each with all that is known below.
    constexpr int block = 64;
    for (int i = (w - 1) / block * block; i >= 0; i -= block) {
      const int n = std::min(block, w - i), after = i + n;
      auto head = known.middleRows(i, n);
      product.add(-1, transposed(panel.data() + after + static_cast<std::ptrdiff_t>(i) * (w + r), w + r),
                  plain(known.data() + after, w + r), n, columns, w + r - after, known.data() + i, w + r);
      panel.block(i, i, n, n).triangularView<Eigen::UnitLower>().transpose().solveInPlace(head);
    }
    y.middleRows(first, w) = known.topRows(w);
  }
}

void SupernodalCholesky::solve(MatrixXd& x) const {
  std::vector<int> all(supernodes());
  std::iota(all.begin(), all.end(), 0);
  MatrixXd y(rows(), x.cols());
  for (int k = 0; k < rows(); ++k) y.row(k) = x.row(pattern_.order[k]);
  forward(all, y);
  backward(all, y);
  for (int k = 0; k < rows(); ++k) x.row(pattern_.order[k]) = y.row(k);
}

MatrixXd SupernodalCholesky::inverse_columns(const std::vector<int>& rows, int first) const {
  const int count = static_cast<int>(rows.size()), columns = count - first;
  MatrixXd out(count, columns), y;
  const std::vector<int> all = path(rows.data(), count);
  constexpr int at_once = 96;
  for (int begin = 0; begin < columns; begin += at_once) {
    const int width = std::min(at_once, columns - begin);
    y.setZero(this->rows(), width);
    for (int j = 0; j < width; ++j) y(pattern_.place[rows[first + begin + j]], j) = 1;
    forward(path(rows.data() + first + begin, width), y);
    backward(all, y);
    for (int j = 0; j < width; ++j)
      for (int i = 0; i < count; ++i) out(i, begin + j) = y(pattern_.place[rows[i]], j);
  }
  return out;
}

}  // namespace tappet
