#include "tappet/linalg/supernodal_cholesky.hpp"

#include <algorithm>

#include "tappet/linalg/panel_factor.hpp"

namespace tappet {

using Eigen::MatrixXd;

void SupernodalCholesky::analyse(const SymmetricCsr& a, const std::vector<int>& last) {
  pattern_ = supernodal_pattern(a, last);
  panels_.clear();
  std::size_t size = 0;
  int longest = 0;
  for (int s = 0; s < supernodes(); ++s) {
    const int w = pattern_.width(s), r = pattern_.below_count(s);
    const std::size_t end = size + packed_size(w + r, w);
    panels_.push_back({size, end, pattern_.below_ptr[s], pattern_.first[s], w, r});
    size = end;
    longest = std::max(longest, r);
  }
  values_.assign(size, 0.0);
  half_.assign(rows(), 0.0);
  x_ = half_;
  work_.assign(panel_work(longest), 0.0);
  watched_.clear();

  // Where each entry of the matrix goes.
  const std::vector<int> node_of = pattern_.supernode_of();
  std::vector<std::vector<Entry>> lists(supernodes());
  for (int i = 0; i < a.rows(); ++i)
    for (int k = a.row_ptr[i]; k < a.row_ptr[i + 1]; ++k) {
      int r = pattern_.place[i], c = pattern_.place[a.col[k]];
      if (r < c) std::swap(r, c);
      const int s = node_of[c], w = pattern_.width(s);
      int row = r - pattern_.first[s];
      if (row >= w) {
        const int* begin = pattern_.below_of(s);
        row = w + static_cast<int>(std::lower_bound(begin, begin + pattern_.below_count(s), r) - begin);
      }
      lists[s].push_back({k, row, c - pattern_.first[s]});
    }
  entries_.clear();
  entry_ptr_.assign(1, 0);
  for (const auto& list : lists) {
    entries_.insert(entries_.end(), list.begin(), list.end());
    entry_ptr_.push_back(entries_.size());
  }
}

int SupernodalCholesky::factor(const SymmetricCsr& a, double threshold) {
  std::vector<std::vector<int>> children(supernodes());
  for (int s = 0; s < supernodes(); ++s)
    if (pattern_.parent[s] >= 0) children[pattern_.parent[s]].push_back(s);
  std::vector<MatrixXd> updates(supernodes());  // of fronts whose parent has not been reached
  std::vector<int> local(rows(), -1), to;
  Eigen::VectorXd diagonal;
  MatrixXd panel;
  DenseProduct product;
  for (int s = 0; s < supernodes(); ++s) {
    const int first = pattern_.first[s], w = pattern_.width(s), r = pattern_.below_count(s);
    const int* under = pattern_.below_of(s);
    panel.setZero(w + r, w);
    for (std::size_t e = entry_ptr_[s]; e < entry_ptr_[s + 1]; ++e)
      panel(entries_[e].row, entries_[e].column) = a.value[entries_[e].at];
    // Pivots are judged by what their row held at first.
    diagonal = panel.diagonal().cwiseAbs();

    // What the children left for this front: rows ascend in both.
    MatrixXd update = MatrixXd::Zero(r, r);
    for (int i = 0; i < r; ++i) local[under[i]] = w + i;
    for (int c : children[s]) {
      const MatrixXd& from = updates[c];
      const int* rows_c = pattern_.below_of(c);
      const int n = pattern_.below_count(c);
      to.resize(n);
      for (int i = 0; i < n; ++i) to[i] = rows_c[i] < first + w ? rows_c[i] - first : local[rows_c[i]];
      for (int j = 0; j < n; ++j)
        for (int i = j; i < n; ++i) {
          if (to[j] < w)
            panel(to[i], to[j]) += from(i, j);
          else
            update(to[i] - w, to[j] - w) += from(i, j);
        }
      updates[c].resize(0, 0);
    }

    const int failed = factor_panel(panel.data(), w + r, w, product);
    if (failed >= 0) return pattern_.order[first + failed];
    for (int i = 0; i < w; ++i)
      if (!(panel(i, i) * panel(i, i) > threshold * diagonal[i])) return pattern_.order[first + i];
    if (r > 0) {
      const double* under_head = panel.data() + w;
      product.add(-1, plain(under_head, w + r), transposed(under_head, w + r), r, r, w, update.data(), r,
                  Triangle::lower);
      updates[s] = std::move(update);
    }
    pack_panel(panel.data(), w + r, w, values_.data() + panels_[s].start);
  }
  return -1;
}

void SupernodalCholesky::begin(const double* b) {
  complete_ = false;
  for (int k = 0; k < rows(); ++k) half_[k] = b[pattern_.order[k]];
  forward_panels(panels_.data(), supernodes(), values_.data(), pattern_.below.data(), half_.data(),
                 work_.data());
}

void SupernodalCholesky::finish(double* x) {
  if (complete_)
    half_.swap(x_);
  else
    backward_panels(panels_.data(), supernodes(), values_.data(), pattern_.below.data(), half_.data(),
                    work_.data());
  for (int k = 0; k < rows(); ++k) x[pattern_.order[k]] = half_[k];
}

void SupernodalCholesky::solve(double* x) {
  begin(x);
  finish(x);
}

void SupernodalCholesky::watch(const std::vector<int>& rows) {
  watched_rows_ = rows;
  const std::vector<int> node_of = pattern_.supernode_of();
  std::vector<char> seen(supernodes(), 0);
  for (int i : rows)
    for (int s = node_of[pattern_.place[i]]; s >= 0 && !seen[s]; s = pattern_.parent[s]) seen[s] = 1;
  watched_.clear();
  for (int s = 0; s < supernodes(); ++s)
    if (seen[s]) watched_.push_back(panels_[s]);
}

// Rows below a watched panel are columns of watched ones: its ancestors.
void SupernodalCholesky::peek(double* x) {
  for (const PanelPlace& p : watched_)
    std::copy(half_.data() + p.first, half_.data() + p.first + p.width, x_.data() + p.first);
  backward_panels(watched_.data(), static_cast<int>(watched_.size()), values_.data(), pattern_.below.data(),
                  x_.data(), work_.data());
  for (int i : watched_rows_) x[i] = x_[pattern_.place[i]];
  complete_ = watched_.size() == panels_.size();
}

void SupernodalCholesky::add(const double* b) {
  complete_ = false;
  for (const PanelPlace& p : watched_) std::fill(x_.data() + p.first, x_.data() + p.first + p.width, 0.0);
  for (int i : watched_rows_) x_[pattern_.place[i]] = b[i];
  forward_panels(watched_.data(), static_cast<int>(watched_.size()), values_.data(), pattern_.below.data(),
                 x_.data(), work_.data());
  for (const PanelPlace& p : watched_)
    for (int k = p.first; k < p.first + p.width; ++k) half_[k] += x_[k];
}

std::size_t SupernodalCholesky::watched_size() const {
  std::size_t size = 0;
  for (const PanelPlace& p : watched_) size += p.end - p.start;
  return size;
}

std::size_t SupernodalCholesky::true_size() const {
  std::size_t size = 0;
  for (int s = 0; s < supernodes(); ++s) {
    const auto w = static_cast<std::size_t>(pattern_.width(s)),
               r = static_cast<std::size_t>(pattern_.below_count(s));
    size += w * (w + 1) / 2 + w * r;
  }
  return size;
}

}  // namespace tappet
