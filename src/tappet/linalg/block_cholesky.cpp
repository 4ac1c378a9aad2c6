#include "tappet/linalg/block_cholesky.hpp"

#include <algorithm>
#include <array>
#include <cassert>
#include <cmath>
#include <queue>
#include <set>

#include "tappet/linalg/small_blocks.hpp"
#include "tappet/linalg/wide.hpp"

namespace tappet {
namespace {

// Minimum-degree order of elimination; returns for each step the block and its neighbours that are still
// there.
struct Elimination {
  std::vector<int> order;
  std::vector<std::vector<int>> neighbours;  // by step
};

Elimination minimum_degree(const BlockPattern& pattern) {
  const int n = static_cast<int>(pattern.size.size());
  std::vector<std::set<int>> graph(n);
  for (auto [i, j] : pattern.couples) {
    if (i == j) continue;
    graph[i].insert(j);
    graph[j].insert(i);
  }
  std::vector<int> waits(n, 0);
  std::vector<std::vector<int>> frees(n);
  for (auto [i, j] : pattern.after) {
    ++waits[i];
    frees[j].push_back(i);
  }

  // A lazy heap of (degree in rows, age, block): stale entries are skipped when they surface. Of equals the oldest goes
  // first, so that a chain is taken from both its ends in turn: neighbours in the order then do not wait for each
  // other, which halves the time a processor takes that works on several at once.
  auto degree = [&](int i) {
    int rows = 0;
    for (int j : graph[i]) rows += pattern.size[j];
    return rows;
  };
  using Entry = std::array<int, 3>;
  std::priority_queue<Entry, std::vector<Entry>, std::greater<>> heap;
  int age = 0;
  const auto offer = [&](int rows, int i) { heap.push({rows, age++, i}); };
  std::vector<int> current(n);
  for (int i = 0; i < n; ++i) {
    current[i] = degree(i);
    if (waits[i] == 0) offer(current[i], i);
  }

  Elimination out;
  std::vector<char> gone(n, 0);
  while (!heap.empty()) {
    const auto [d, since, i] = heap.top();
    heap.pop();
    if (gone[i] || d != current[i] || waits[i] > 0) continue;
    gone[i] = 1;
    out.order.push_back(i);
    out.neighbours.emplace_back(graph[i].begin(), graph[i].end());
    const std::vector<int>& ring = out.neighbours.back();
    for (int j : ring) {
      graph[j].erase(i);
      for (int k : ring)
        if (k != j) graph[j].insert(k);
    }
    for (int j : ring) {
      const int updated = degree(j);
      if (updated == current[j]) continue;
      current[j] = updated;
      if (waits[j] == 0) offer(updated, j);
    }
    for (int j : frees[i])
      if (--waits[j] == 0) offer(current[j], j);
  }
  assert(static_cast<int>(out.order.size()) == n && "cyclic `after`");
  return out;
}

// A block right of the diagonal, m × cols: L V = sign·A, then A := P⁻¹ V. V is kept for the updates.
template <class M, class N>
TAPPET_INLINE void eliminate(M m, N cols, double sign, const double* __restrict l,
                             const double* __restrict inverse, double* __restrict a, double* __restrict v) {
  by_columns(
      cols, [&](auto width, int j) __attribute__((always_inline)) {
        using Row = RegisterRow<width()>;
        for (int c = 0; c < m; ++c) {
          Row row(a + c * cols + j);
          row *= sign;
          for (int k = 0; k < c; ++k) row.subtract(l[c * m + k], Row(v + k * cols + j));
          row.store(v + c * cols + j);
          row *= inverse[c];
          row.store(a + c * cols + j);
        }
      });
}

// C −= sign · Aᵀ B with A m × rows, B m × cols, C rows × cols; of a diagonal block the lower triangle counts.
template <class M, class Rows, class N>
TAPPET_INLINE void subtract_product(M m, Rows rows, N cols, double sign, const double* __restrict a,
                                    const double* __restrict b, double* __restrict c, bool diagonal) {
  const auto columns = [&](auto width, int j, int first) __attribute__((always_inline)) {
    using Row = RegisterRow<width()>;
    for (int i = first; i < rows; ++i) {
      Row row(c + i * cols + j);
      for (int k = 0; k < m; ++k) row.subtract(sign * a[k * rows + i], Row(b + k * cols + j));
      row.store(c + i * cols + j);
    }
  };
  if (diagonal)
    by_lower_columns(
        cols, [&](auto width, int j) __attribute__((always_inline)) { columns(width, j, j); });
  else
    by_columns(
        cols, [&](auto width, int j) __attribute__((always_inline)) { columns(width, j, 0); });
}

// As with_size() beside blocks of size m: joints of one type have blocks of one size.
template <class M, class F>
TAPPET_INLINE void with_size_beside(M m, int size, F&& f) {
  if (size == m)
    f(m);
  else
    with_size(size, f);
}

}  // namespace

void BlockCholesky::analyse(const BlockPattern& pattern) {
  const int n = static_cast<int>(pattern.size.size());
  const Elimination elimination = minimum_degree(pattern);
  size_ = pattern.size;
  first_.assign(n, 0);
  position_.assign(n, 0);
  int rows = 0;
  for (int i = 0; i < n; ++i) {
    first_[i] = rows;
    rows += size_[i];
  }
  for (int step = 0; step < n; ++step) position_[elimination.order[step]] = step;

  // Storage in the order of elimination: a diagonal block, then the blocks right of it.
  columns_.clear();
  right_.clear();
  updates_.clear();
  lookup_.assign(n, {});
  int offset = 0;
  for (int step = 0; step < n; ++step) {
    const int j = elimination.order[step];
    Column column{};
    column.block = j;
    column.size = size_[j];
    column.sign = pattern.sign[j];
    column.row = first_[j];
    column.diagonal = offset;
    offset += size_[j] * size_[j];
    column.right_begin = static_cast<int>(right_.size());
    std::vector<int> ring = elimination.neighbours[step];
    std::sort(ring.begin(), ring.end(), [&](int a, int b) { return position_[a] < position_[b]; });
    for (int i : ring) {
      right_.push_back({offset, size_[i], first_[i], i});
      lookup_[j].emplace_back(i, offset);
      offset += size_[i] * size_[j];
    }
    column.right_end = static_cast<int>(right_.size());
    std::sort(lookup_[j].begin(), lookup_[j].end());
    columns_.push_back(column);
  }
  values_.assign(offset, 0.0);
  int widest = 0;
  for (const Column& column : columns_) {
    int total = column.size;
    for (int b = column.right_begin; b < column.right_end; ++b) total += right_[b].size * column.size;
    widest = std::max(widest, total);
  }
  scratch_.assign(widest, 0.0);
  inverse_diagonal_.assign(rows, 0.0);
  reference_.assign(rows, 0.0);
  reached_.assign(n, -1);

  // The products that each column subtracts from the rest.
  for (int step = 0; step < n; ++step) {
    Column& column = columns_[step];
    column.update_begin = static_cast<int>(updates_.size());
    std::vector<int> ring = elimination.neighbours[step];
    std::sort(ring.begin(), ring.end(), [&](int a, int b) { return position_[a] < position_[b]; });
    for (std::size_t a = 0; a < ring.size(); ++a) {
      for (std::size_t b = 0; b <= a; ++b) {
        const int i = ring[a], k = ring[b];  // target block (k, i), k eliminated first
        updates_.push_back({.target = slot(k, i).offset,
                            .left = right_[column.right_begin + b].offset,
                            .right = right_[column.right_begin + a].offset,
                            .rows = size_[k],
                            .cols = size_[i]});
      }
    }
    column.update_end = static_cast<int>(updates_.size());
  }
}

BlockCholesky::Slot BlockCholesky::slot(int i, int j) const {
  if (i == j) return {columns_[position_[i]].diagonal, size_[i], false};
  const bool transposed = position_[i] > position_[j];
  const int first = transposed ? j : i, second = transposed ? i : j;
  const auto& list = lookup_[first];
  auto at = std::lower_bound(list.begin(), list.end(), std::make_pair(second, -1));
  assert(at != list.end() && at->first == second);
  return {at->second, size_[second], transposed};
}

void BlockCholesky::set_zero() {
  std::fill(values_.begin(), values_.end(), 0.0);
}

TAPPET_WIDE int BlockCholesky::factor(double threshold) {
  Pivots pivots{threshold};
  double* const values = values_.data();
  double* const scratch = scratch_.data();

  // Diagonals before elimination: what a pivot is compared with.
  for (const Column& column : columns_)
    for (int r = 0; r < column.size; ++r)
      reference_[column.row + r] = std::abs(values[column.diagonal + r * column.size + r]);

  for (const Column& column : columns_) {
    const double sign = column.sign;
    with_size(
        column.size, [&](auto m) __attribute__((always_inline)) {
          const double* const l = values + column.diagonal;
          double* const inverse = inverse_diagonal_.data() + column.row;
          factor_block(m, sign, values + column.diagonal, reference_.data() + column.row, inverse, pivots);

          // The blocks right of it: U = P⁻¹ V, and V = L⁻¹ A for the updates.
          const int first = column.right_begin < column.right_end ? right_[column.right_begin].offset : 0;
          for (int b = column.right_begin; b < column.right_end; ++b) {
            const Right& right = right_[b];
            with_size_beside(
                m, right.size, [&](auto cols) __attribute__((always_inline)) {
                  eliminate(m, cols, sign, l, inverse, values + right.offset,
                            scratch + (right.offset - first));
                });
          }

          // What is left: A_ki −= sign · U_jkᵀ V_ji.
          for (int u = column.update_begin; u < column.update_end; ++u) {
            const Update& update = updates_[u];
            const double *const left = values + update.left, *const right = scratch + (update.right - first);
            double* const target = values + update.target;
            if (update.rows == m && update.cols == m) {
              update.left == update.right ? subtract_product(m, m, m, sign, left, right, target, true)
                                          : subtract_product(m, m, m, sign, left, right, target, false);
              continue;
            }
            with_size(
                update.cols, [&](auto cols) __attribute__((always_inline)) {
                  subtract_product(m, update.rows, cols, sign, left, right, target,
                                   update.left == update.right);
                });
          }
        });

    // A hub adds its freedom to the joints that come after it: that is what their pivots are to be compared with.
    if (sign < 0)
      for (int b = column.right_begin; b < column.right_end; ++b) {
        const Right& right = right_[b];
        const double* const d_i = values + columns_[position_[right.block]].diagonal;
        for (int r = 0; r < right.size; ++r)
          reference_[right.row + r] = std::max(reference_[right.row + r], std::abs(d_i[r * right.size + r]));
      }
  }
  smallest_pivot_ = pivots.smallest;
  return pivots.dropped;
}

TAPPET_WIDE void BlockCholesky::solve(double* x) const {
  const double* const values = values_.data();
  // Forward: L y = x, then y := D⁻¹ y.
  for (const Column& column : columns_)
    with_size(
        column.size, [&](auto m) __attribute__((always_inline)) {
          const double* const __restrict l = values + column.diagonal;
          double* const __restrict xj = x + column.row;
          solve_lower(m, l, xj);
          for (int b = column.right_begin; b < column.right_end; ++b)
            with_size_beside(
                m, right_[b].size, [&](auto cols) __attribute__((always_inline)) {
                  const double* const __restrict u = values + right_[b].offset;
                  double* const __restrict xi = x + right_[b].row;
                  by_columns(
                      cols, [&](auto width, int j) __attribute__((always_inline)) {
                        using Row = RegisterRow<width()>;
                        Row row(xi + j);
                        for (int c = 0; c < m; ++c) row.subtract(xj[c], Row(u + c * cols + j));
                        row.store(xi + j);
                      });
                });
          for (int c = 0; c < m; ++c) xj[c] *= column.sign * inverse_diagonal_[column.row + c];
        });
  // Backward: Lᵀ x = y.
  for (auto column = columns_.rbegin(); column != columns_.rend(); ++column)
    with_size(
        column->size, [&](auto m) __attribute__((always_inline)) {
          const double* const __restrict l = values + column->diagonal;
          double* const __restrict xj = x + column->row;
          for (int b = column->right_begin; b < column->right_end; ++b)
            with_size_beside(
                m, right_[b].size, [&](auto cols) __attribute__((always_inline)) {
                  const double* const __restrict u = values + right_[b].offset;
                  const double* const __restrict xi = x + right_[b].row;
                  for (int c = 0; c < m; ++c) {
                    double sum = 0;
                    for (int r = 0; r < cols; ++r) sum += u[c * cols + r] * xi[r];
                    xj[c] -= sum;
                  }
                });
          solve_upper(m, l, xj);
        });
}

}  // namespace tappet
