#include "tappet/linalg/block_cholesky.hpp"

#include <algorithm>
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

  // A lazy heap of (degree in rows, block): stale entries are skipped when they surface.
  auto degree = [&](int i) {
    int rows = 0;
    for (int j : graph[i]) rows += pattern.size[j];
    return rows;
  };
  using Entry = std::pair<int, int>;
  std::priority_queue<Entry, std::vector<Entry>, std::greater<>> heap;
  std::vector<int> current(n);
  for (int i = 0; i < n; ++i) {
    current[i] = degree(i);
    if (waits[i] == 0) heap.emplace(current[i], i);
  }

  Elimination out;
  std::vector<char> gone(n, 0);
  while (!heap.empty()) {
    auto [d, i] = heap.top();
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
      if (waits[j] == 0) heap.emplace(updated, j);
    }
    for (int j : frees[i])
      if (--waits[j] == 0) heap.emplace(current[j], j);
  }
  assert(static_cast<int>(out.order.size()) == n && "cyclic `after`");
  return out;
}

// Calls f with the size as a compile-time constant where it is a usual one, so that the small loops unroll (a
// planar slider-crank's factorisation and solution take half the time of loops with a running bound).
template <class F>
inline void with_size(int m, F&& f) {
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

// C −= sign · A Bᵀ with A rows × m, B cols × m, C rows × cols, all row-major and dense.
template <class Size>
inline void subtract_product(double* c, const double* a, const double* b, int rows, int cols, Size size,
                             double sign, bool lower) {
  const int m = size;
  for (int i = 0; i < rows; ++i) {
    const int last = lower ? i + 1 : cols;
    for (int j = 0; j < last; ++j) {
      double sum = 0;
      for (int k = 0; k < m; ++k) sum += a[i * m + k] * b[j * m + k];
      c[i * cols + j] -= sign * sum;
    }
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

  // Storage in the order of elimination: a diagonal block, then the blocks below it.
  columns_.clear();
  below_.clear();
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
    column.below_begin = static_cast<int>(below_.size());
    std::vector<int> ring = elimination.neighbours[step];
    std::sort(ring.begin(), ring.end(), [&](int a, int b) { return position_[a] < position_[b]; });
    for (int i : ring) {
      below_.push_back({offset, size_[i], first_[i], i});
      lookup_[j].emplace_back(i, offset);
      offset += size_[i] * size_[j];
    }
    column.below_end = static_cast<int>(below_.size());
    std::sort(lookup_[j].begin(), lookup_[j].end());
    columns_.push_back(column);
  }
  values_.assign(offset, 0.0);
  int widest = 0;
  for (const Column& column : columns_) {
    int total = column.size;
    for (int b = column.below_begin; b < column.below_end; ++b) total += below_[b].size * column.size;
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
        const int i = ring[a], k = ring[b];  // target block (i, k), k eliminated first
        Update update{};
        update.left = below_[column.below_begin + a].offset;
        update.right = below_[column.below_begin + b].offset;
        update.rows = size_[i];
        update.cols = size_[k];
        update.lower_only = i == k;
        update.target = slot(i, k).offset;
        updates_.push_back(update);
      }
    }
    column.update_end = static_cast<int>(updates_.size());
  }
}

BlockCholesky::Slot BlockCholesky::slot(int i, int j) const {
  if (i == j) return {columns_[position_[i]].diagonal, size_[i], false};
  const bool transposed = position_[i] < position_[j];
  const int column = transposed ? i : j, row = transposed ? j : i;
  const auto& list = lookup_[column];
  auto at = std::lower_bound(list.begin(), list.end(), std::make_pair(row, -1));
  assert(at != list.end() && at->first == row);
  return {at->second, size_[column], transposed};
}

void BlockCholesky::set_zero() {
  std::fill(values_.begin(), values_.end(), 0.0);
}

int BlockCholesky::factor(double threshold) {
  int dropped_rows = 0;
  double smallest = 1;
  double* const values = values_.data();
  double* const scratch = scratch_.data();

  // Diagonals before elimination: what a pivot is compared with.
  for (const Column& column : columns_)
    for (int r = 0; r < column.size; ++r)
      reference_[column.row + r] = std::abs(values[column.diagonal + r * column.size + r]);

  for (const Column& column : columns_) {
    const double sign = column.sign;
    with_size(column.size, [&](auto size) {
      const int m = size;
      double* const d = values + column.diagonal;
      double* const inverse = inverse_diagonal_.data() + column.row;

      // V of one row against the rows above: V L_jjᵀ = sign · A, then L = V P⁻¹.
      const auto eliminate = [&](const double* row, double* v, double* l, int last) {
        for (int c = 0; c < last; ++c) {
          double sum = sign * row[c];
          for (int k = 0; k < c; ++k) sum -= v[k] * d[c * m + k];
          v[c] = sum;
          l[c] = sum * inverse[c];
        }
      };

      // The diagonal block: sign·D = L P Lᵀ, dropping rows without a pivot of their own.
      for (int c = 0; c < m; ++c) {
        double* const row = d + c * m;
        double pivot = sign * row[c];
        eliminate(row, scratch, row, c);
        for (int k = 0; k < c; ++k) pivot -= scratch[k] * row[k];
        const double reference = reference_[column.row + c];
        if (pivot > threshold * reference) {
          if (pivot < smallest * reference) smallest = pivot / reference;
          inverse[c] = 1 / pivot;
        } else {
          inverse[c] = 0;
          ++dropped_rows;
        }
      }

      // The blocks below: L_ij, and V_ij = L_ij P for the updates.
      const int first = column.below_begin < column.below_end ? below_[column.below_begin].offset : 0;
      for (int b = column.below_begin; b < column.below_end; ++b) {
        double* const block = values + below_[b].offset;
        double* const v = scratch + (below_[b].offset - first);
        for (int r = 0; r < below_[b].size; ++r) eliminate(block + r * m, v + r * m, block + r * m, m);
      }

      // What is left: A_ik −= sign · V_ij L_kjᵀ.
      for (int u = column.update_begin; u < column.update_end; ++u) {
        const Update& update = updates_[u];
        subtract_product(values + update.target, scratch + (update.left - first), values + update.right, update.rows,
                         update.cols, size, sign, update.lower_only);
      }
    });

    // A hub adds its freedom to the joints that come after it: that is what their pivots are to be compared with.
    if (sign < 0)
      for (int b = column.below_begin; b < column.below_end; ++b) {
        const Below& below = below_[b];
        const double* const d_i = values + columns_[position_[below.block]].diagonal;
        for (int r = 0; r < below.size; ++r)
          reference_[below.row + r] = std::max(reference_[below.row + r], std::abs(d_i[r * below.size + r]));
      }
  }
  smallest_pivot_ = smallest;
  return dropped_rows;
}

void BlockCholesky::solve(double* x) const {
  const double* const values = values_.data();
  // Forward: L y = x, then y := D⁻¹ y.
  for (const Column& column : columns_)
    with_size(column.size, [&](auto size) {
      const int m = size;
      const double* const d = values + column.diagonal;
      double* const xj = x + column.row;
      for (int c = 1; c < m; ++c)
        for (int k = 0; k < c; ++k) xj[c] -= d[c * m + k] * xj[k];
      for (int b = column.below_begin; b < column.below_end; ++b) {
        const double* const block = values + below_[b].offset;
        double* const xi = x + below_[b].row;
        for (int r = 0; r < below_[b].size; ++r) {
          double sum = 0;
          for (int c = 0; c < m; ++c) sum += block[r * m + c] * xj[c];
          xi[r] -= sum;
        }
      }
      for (int c = 0; c < m; ++c) xj[c] *= column.sign * inverse_diagonal_[column.row + c];
    });
  // Backward: Lᵀ x = y.
  for (auto column = columns_.rbegin(); column != columns_.rend(); ++column)
    with_size(column->size, [&](auto size) {
      const int m = size;
      const double* const d = values + column->diagonal;
      double* const xj = x + column->row;
      for (int b = column->below_begin; b < column->below_end; ++b) {
        const double* const block = values + below_[b].offset;
        const double* const xi = x + below_[b].row;
        for (int r = 0; r < below_[b].size; ++r)
          for (int c = 0; c < m; ++c) xj[c] -= block[r * m + c] * xi[r];
      }
      for (int c = m - 2; c >= 0; --c)
        for (int r = c + 1; r < m; ++r) xj[c] -= d[r * m + c] * xj[r];
    });
}

}  // namespace tappet
