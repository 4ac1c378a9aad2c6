#include "tappet/linalg/block_cholesky.hpp"

#include <algorithm>
#include <array>
#include <cassert>
#include <cmath>
#include <queue>
#include <set>
#include <type_traits>

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

// Calls f with the size as a compile-time constant where it is a usual one, so that the small loops unroll (a
// planar slider-crank's factorisation and solution take half the time of loops with a running bound).
template <class F>
[[gnu::always_inline]] inline void with_size(int m, F&& f) {
  switch (m) {
    case 1:
      return f(std::integral_constant<int, 1>{});
    case 2:
      return f(std::integral_constant<int, 2>{});
    case 3:
      return f(std::integral_constant<int, 3>{});
    case 4:
      return f(std::integral_constant<int, 4>{});
    case 5:
      return f(std::integral_constant<int, 5>{});
    case 6:
      return f(std::integral_constant<int, 6>{});
    default:
      return f(m);
  }
}

/// What a pivot says about its row.
struct Pivots {
  double threshold;     ///< below this part of its reference it is none
  double smallest = 1;  ///< of those kept, against their references
  int dropped = 0;
};

// sign·A = L P Lᵀ of a diagonal block of m rows, in place below the diagonal. P⁻¹ in `inverse`; 0 for a row without a pivot of
// its own.
template <class M>
[[gnu::always_inline]] inline void factor_diagonal(M m, double sign, double* __restrict a,
                                                   const double* __restrict reference,
                                                   double* __restrict inverse, Pivots& pivots) {
  for (int r = 0; r < m; ++r)
    for (int k = 0; k <= r; ++k) a[r * m + k] *= sign;
  for (int c = 0; c < m; ++c) {
    const double pivot = a[c * m + c];
    double p = 0;
    if (pivot > pivots.threshold * reference[c]) {
      if (pivot < pivots.smallest * reference[c]) pivots.smallest = pivot / reference[c];
      p = 1 / pivot;
    } else {
      ++pivots.dropped;
    }
    inverse[c] = p;
    // The products do not wait for the division.
    for (int r = c + 1; r < m; ++r)
      for (int k = c + 1; k <= r; ++k) a[r * m + k] -= (a[r * m + c] * a[k * m + c]) * p;
    for (int r = c + 1; r < m; ++r) a[r * m + c] *= p;
  }
}

// A block right of the diagonal, m × cols: L V = sign·A, then A := P⁻¹ V. V is kept for the updates.
template <class M, class N>
[[gnu::always_inline]] inline void eliminate(M m, N cols, double sign, const double* __restrict l,
                                             const double* __restrict inverse, double* __restrict a,
                                             double* __restrict v) {
  for (int c = 0; c < m; ++c) {
    for (int j = 0; j < cols; ++j) v[c * cols + j] = sign * a[c * cols + j];
    for (int k = 0; k < c; ++k)
      for (int j = 0; j < cols; ++j) v[c * cols + j] -= l[c * m + k] * v[k * cols + j];
    for (int j = 0; j < cols; ++j) a[c * cols + j] = v[c * cols + j] * inverse[c];
  }
}

// C −= sign · Aᵀ B with A m × rows, B m × cols, C rows × cols.
template <class M, class N>
[[gnu::always_inline]] inline void subtract_product(M m, int rows, N cols, double sign, const double* __restrict a,
                                                    const double* __restrict b, double* __restrict c) {
  for (int i = 0; i < rows; ++i)
    for (int k = 0; k < m; ++k) {
      const double factor = sign * a[k * rows + i];
      for (int j = 0; j < cols; ++j) c[i * cols + j] -= factor * b[k * cols + j];
    }
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

int BlockCholesky::factor(double threshold) {
  Pivots pivots{threshold};
  double* const values = values_.data();
  double* const scratch = scratch_.data();

  // Diagonals before elimination: what a pivot is compared with.
  for (const Column& column : columns_)
    for (int r = 0; r < column.size; ++r)
      reference_[column.row + r] = std::abs(values[column.diagonal + r * column.size + r]);

  for (const Column& column : columns_) {
    const double sign = column.sign;
    with_size(column.size, [&](auto m) __attribute__((always_inline)) {
      const double* const l = values + column.diagonal;
      double* const inverse = inverse_diagonal_.data() + column.row;
      factor_diagonal(m, sign, values + column.diagonal, reference_.data() + column.row, inverse, pivots);

      // The blocks right of it: U = P⁻¹ V, and V = L⁻¹ A for the updates.
      const int first = column.right_begin < column.right_end ? right_[column.right_begin].offset : 0;
      for (int b = column.right_begin; b < column.right_end; ++b) {
        const Right& right = right_[b];
        with_size(right.size, [&](auto cols) __attribute__((always_inline)) {
          eliminate(m, cols, sign, l, inverse, values + right.offset, scratch + (right.offset - first));
        });
      }

      // What is left: A_ki −= sign · U_jkᵀ V_ji.
      for (int u = column.update_begin; u < column.update_end; ++u) {
        const Update& update = updates_[u];
        with_size(update.cols, [&](auto cols) __attribute__((always_inline)) {
          subtract_product(m, update.rows, cols, sign, values + update.left, scratch + (update.right - first),
                           values + update.target);
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

void BlockCholesky::solve(double* x) const {
  const double* const values = values_.data();
  // Forward: L y = x, then y := D⁻¹ y.
  for (const Column& column : columns_)
    with_size(column.size, [&](auto m) __attribute__((always_inline)) {
      const double* const __restrict l = values + column.diagonal;
      double* const __restrict xj = x + column.row;
      for (int c = 1; c < m; ++c)
        for (int k = 0; k < c; ++k) xj[c] -= l[c * m + k] * xj[k];
      for (int b = column.right_begin; b < column.right_end; ++b)
        with_size(right_[b].size, [&](auto cols) __attribute__((always_inline)) {
          const double* const __restrict u = values + right_[b].offset;
          double* const __restrict xi = x + right_[b].row;
          for (int c = 0; c < m; ++c)
            for (int r = 0; r < cols; ++r) xi[r] -= u[c * cols + r] * xj[c];
        });
      for (int c = 0; c < m; ++c) xj[c] *= column.sign * inverse_diagonal_[column.row + c];
    });
  // Backward: Lᵀ x = y.
  for (auto column = columns_.rbegin(); column != columns_.rend(); ++column)
    with_size(column->size, [&](auto m) __attribute__((always_inline)) {
      const double* const __restrict l = values + column->diagonal;
      double* const __restrict xj = x + column->row;
      for (int b = column->right_begin; b < column->right_end; ++b)
        with_size(right_[b].size, [&](auto cols) __attribute__((always_inline)) {
          const double* const __restrict u = values + right_[b].offset;
          const double* const __restrict xi = x + right_[b].row;
          for (int c = 0; c < m; ++c) {
            double sum = 0;
            for (int r = 0; r < cols; ++r) sum += u[c * cols + r] * xi[r];
            xj[c] -= sum;
          }
        });
      for (int c = m - 2; c >= 0; --c)
        for (int r = c + 1; r < m; ++r) xj[c] -= l[r * m + c] * xj[r];
    });
}

}  // namespace tappet
