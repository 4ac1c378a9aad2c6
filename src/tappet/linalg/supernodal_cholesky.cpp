#include "tappet/linalg/supernodal_cholesky.hpp"

#include <algorithm>
#include <cstdint>
#include <metis.h>
#include <numeric>
#include <stdexcept>
#include <unordered_map>

#include <Eigen/Cholesky>

#include "tappet/linalg/panel_kernels.hpp"

namespace tappet {

using Eigen::Map;
using Eigen::MatrixXd;
using Stride = Eigen::OuterStride<>;
using Panel = Eigen::Map<MatrixXd, 0, Stride>;
using ConstPanel = Eigen::Map<const MatrixXd, 0, Stride>;

namespace {

using Graph = std::vector<std::vector<int>>;

Graph full_graph(const SymmetricCsr& a) {
  Graph g(a.rows());
  for (int i = 0; i < a.rows(); ++i)
    for (int k = a.row_ptr[i]; k < a.row_ptr[i + 1]; ++k) {
      g[i].push_back(a.col[k]);
      if (a.col[k] != i) g[a.col[k]].push_back(i);
    }
  for (auto& list : g) std::sort(list.begin(), list.end());
  return g;
}

/// Rows whose lists (with themselves) are equal become one vertex.
std::vector<int> equal_rows(const Graph& g, int& count) {
  std::vector<int> vertex(g.size(), -1);
  std::unordered_map<std::uint64_t, std::vector<int>> seen;  // hash → first rows
  count = 0;
  for (int i = 0; i < static_cast<int>(g.size()); ++i) {
    std::uint64_t hash = g[i].size();
    for (int j : g[i]) hash = hash * 1099511628211ULL + static_cast<std::uint64_t>(j) + 1;
    auto& firsts = seen[hash];
    for (int other : firsts)
      if (g[other] == g[i]) vertex[i] = vertex[other];
    if (vertex[i] >= 0) continue;
    firsts.push_back(i);
    vertex[i] = count++;
  }
  return vertex;
}

/// order[k]: the vertex eliminated as number k.
std::vector<int> nested_dissection(const Graph& g, const std::vector<int>& weight) {
  const int n = static_cast<int>(g.size());
  std::vector<int> order(n);
  std::iota(order.begin(), order.end(), 0);
  std::vector<idx_t> start = {0}, neighbours, weights(weight.begin(), weight.end());
  for (int i = 0; i < n; ++i) {
    for (int j : g[i])
      if (j != i) neighbours.push_back(j);
    start.push_back(static_cast<idx_t>(neighbours.size()));
  }
  if (n < 2 || neighbours.empty()) return order;
  idx_t size = n, options[METIS_NOPTIONS];
  METIS_SetDefaultOptions(options);
  options[METIS_OPTION_SEED] = 1;  // the same order in every run
  std::vector<idx_t> perm(n), inverse(n);
  if (METIS_NodeND(&size, start.data(), neighbours.data(), weights.data(), options, perm.data(),
                   inverse.data()) != METIS_OK)
    throw std::runtime_error("METIS could not order the matrix");
  for (int k = 0; k < n; ++k) order[k] = perm[k];
  return order;
}

/// Elimination tree of the graph in the given order [Liu 1990]; numbers are places.
std::vector<int> elimination_tree(const Graph& g, const std::vector<int>& order,
                                  const std::vector<int>& place) {
  const int n = static_cast<int>(order.size());
  std::vector<int> parent(n, -1), ancestor(n, -1);
  for (int k = 0; k < n; ++k)
    for (int neighbour : g[order[k]]) {
      int i = place[neighbour];
      if (i >= k) continue;
      while (i != -1 && i != k) {
        const int next = ancestor[i];
        ancestor[i] = k;
        if (next == -1) parent[i] = k;
        i = next;
      }
    }
  return parent;
}

std::vector<int> inverse_of(const std::vector<int>& order) {
  std::vector<int> out(order.size());
  for (int k = 0; k < static_cast<int>(order.size()); ++k) out[order[k]] = k;
  return out;
}

/// Children before parents, each subtree in one run.
std::vector<int> postorder(const std::vector<int>& parent) {
  const int n = static_cast<int>(parent.size());
  std::vector<int> head(n, -1), next(n, -1), out, stack;
  for (int i = n - 1; i >= 0; --i)
    if (parent[i] >= 0) next[i] = head[parent[i]], head[parent[i]] = i;
  for (int root = 0; root < n; ++root) {
    if (parent[root] >= 0) continue;
    stack.push_back(root);
    while (!stack.empty()) {
      const int i = stack.back();
      if (head[i] >= 0) {
        stack.push_back(head[i]);
        head[i] = next[head[i]];
      } else {
        out.push_back(i);
        stack.pop_back();
      }
    }
  }
  return out;
}

struct Node {               // a supernode while they are being joined
  int first = 0, last = 0;  // vertices (places), inclusive
  std::vector<int> below;   // vertices after `last`
  int parent = -1;
  bool gone = false;
};

}  // namespace

void SupernodalCholesky::analyse(const SymmetricCsr& a) {
  const Graph rows = full_graph(a);
  int vertices = 0;
  const std::vector<int> vertex = equal_rows(rows, vertices);
  Graph g(vertices);
  std::vector<int> weight(vertices, 0), seen(vertices, -1);
  for (int i = 0; i < a.rows(); ++i) ++weight[vertex[i]];
  for (int i = 0; i < a.rows(); ++i) {
    const int v = vertex[i];
    if (!g[v].empty()) continue;
    for (int j : rows[i])
      if (seen[vertex[j]] != v) seen[vertex[j]] = v, g[v].push_back(vertex[j]);
  }

  // Order, tree, and the order again so that subtrees are runs.
  std::vector<int> order = nested_dissection(g, weight), place = inverse_of(order);
  std::vector<int> parent = elimination_tree(g, order, place);
  const std::vector<int> post = postorder(parent);
  std::vector<int> again(vertices);
  for (int k = 0; k < vertices; ++k) again[k] = order[post[k]];
  order = again;
  place = inverse_of(order);
  parent = elimination_tree(g, order, place);

  // Patterns of the columns, from the children's; a column that only continues its child's joins it.
  std::vector<Node> nodes;
  std::vector<int> node_of(vertices, -1), mark(vertices, -1);
  std::vector<std::vector<int>> children(vertices);
  for (int k = 0; k < vertices; ++k)
    if (parent[k] >= 0) children[parent[k]].push_back(k);
  for (int k = 0; k < vertices; ++k) {
    std::vector<int> below;
    mark[k] = k;
    const auto include = [&](int i) {
      if (i > k && mark[i] != k) mark[i] = k, below.push_back(i);
    };
    for (int neighbour : g[order[k]]) include(place[neighbour]);
    for (int c : children[k])
      for (int i : nodes[node_of[c]].below) include(i);
    std::sort(below.begin(), below.end());
    if (children[k].size() == 1 && children[k][0] == k - 1 &&
        nodes[node_of[k - 1]].below.size() == below.size() + 1) {
      Node& own = nodes[node_of[k - 1]];
      own.last = k;
      own.below = std::move(below);
      node_of[k] = node_of[k - 1];
      continue;
    }
    node_of[k] = static_cast<int>(nodes.size());
    nodes.push_back({k, k, std::move(below), -1, false});
  }

  // Small children join their parents when that adds few zeros: fewer, longer panels.
  std::vector<long> size_before(vertices + 1, 0);
  for (int k = 0; k < vertices; ++k) size_before[k + 1] = size_before[k] + weight[order[k]];
  const auto columns = [&](const Node& n) { return size_before[n.last + 1] - size_before[n.first]; };
  const auto rows_of = [&](const std::vector<int>& list) {
    long sum = 0;
    for (int i : list) sum += weight[order[i]];
    return sum;
  };
  for (std::size_t s = 0; s < nodes.size(); ++s)
    if (!nodes[s].below.empty()) nodes[s].parent = node_of[nodes[s].below[0]];
  for (std::size_t s = 0; s < nodes.size(); ++s) {
    // The last child stands directly before its parent.
    const int p = nodes[s].parent;
    if (p < 0 || nodes[s].last + 1 != nodes[p].first) continue;
    Node &child = nodes[s], &up = nodes[p];
    const double wc = static_cast<double>(columns(child)), wp = static_cast<double>(columns(up)),
                 rc = static_cast<double>(rows_of(child.below)), rp = static_cast<double>(rows_of(up.below));
    const double now = wc * (wc / 2 + rc) + wp * (wp / 2 + rp), joined = (wc + wp) * ((wc + wp) / 2 + rp);
    const double extra = joined - now, limit = wc + wp <= 16 ? 0.5 : wc + wp <= 48 ? 0.2 : 0.05;
    if (extra > limit * joined) continue;
    up.first = child.first;
    child.gone = true;
  }
  // Parents come after their children, so the last survivor is found from the top down.
  for (std::size_t s = nodes.size(); s-- > 0;)
    if (const int p = nodes[s].parent; p >= 0 && nodes[p].gone) nodes[s].parent = nodes[p].parent;

  // Down to scalar rows.
  order_.clear();
  std::vector<int> scalar_first(vertices + 1, 0);
  std::vector<std::vector<int>> members(vertices);
  for (int i = 0; i < a.rows(); ++i) members[vertex[i]].push_back(i);
  for (int k = 0; k < vertices; ++k) {
    order_.insert(order_.end(), members[order[k]].begin(), members[order[k]].end());
    scalar_first[k + 1] = static_cast<int>(order_.size());
  }
  place_ = inverse_of(order_);
  std::vector<int> number(nodes.size(), -1);
  int count = 0;
  for (std::size_t s = 0; s < nodes.size(); ++s)
    if (!nodes[s].gone) number[s] = count++;
  first_.clear();
  parent_.clear();
  below_.clear();
  below_ptr_.assign(1, 0);
  panel_.assign(1, 0);
  widest_below_ = 0;
  std::size_t longest = 0;
  for (const Node& n : nodes) {
    if (n.gone) continue;
    first_.push_back(scalar_first[n.first]);
    for (int i : n.below)
      for (int r = scalar_first[i]; r < scalar_first[i + 1]; ++r) below_.push_back(r);
    below_ptr_.push_back(below_.size());
    parent_.push_back(n.parent < 0 ? -1 : number[n.parent]);
    const std::size_t w = scalar_first[n.last + 1] - scalar_first[n.first],
                      r = below_ptr_.back() - below_ptr_[below_ptr_.size() - 2];
    panel_.push_back(panel_.back() + w * (w + r));
    widest_below_ = std::max(widest_below_, static_cast<int>(r));
    longest = std::max(longest, w + r);
  }
  first_.push_back(a.rows());
  values_.assign(panel_.back(), 0.0);
  inverse_.assign(a.rows(), 0.0);
  x_.assign(a.rows(), 0.0);
  work_.assign(longest, 0.0);
}

// The matrix itself into the panels; what L adds comes with the fronts.
void SupernodalCholesky::gather_entries(const SymmetricCsr& a) {
  std::fill(values_.begin(), values_.end(), 0.0);
  std::vector<int> node_of(rows());
  for (int s = 0; s < supernodes(); ++s)
    for (int c = first_[s]; c < first_[s + 1]; ++c) node_of[c] = s;
  for (int i = 0; i < a.rows(); ++i)
    for (int k = a.row_ptr[i]; k < a.row_ptr[i + 1]; ++k) {
      int r = place_[i], c = place_[a.col[k]];
      if (r < c) std::swap(r, c);
      const int s = node_of[c], w = width(s);
      int row = r - first_[s];
      if (row >= w) {
        const int* begin = below_.data() + below_ptr_[s];
        row = w + static_cast<int>(std::lower_bound(begin, begin + below(s), r) - begin);
      }
      values_[panel_[s] + static_cast<std::size_t>(c - first_[s]) * (w + below(s)) + row] = a.value[k];
    }
}

int SupernodalCholesky::factor(const SymmetricCsr& a, double threshold) {
  gather_entries(a);
  std::vector<std::vector<int>> children(supernodes());
  for (int s = 0; s < supernodes(); ++s)
    if (parent_[s] >= 0) children[parent_[s]].push_back(s);
  std::vector<MatrixXd> updates(supernodes());  // of fronts whose parent has not been reached
  std::vector<int> local(rows(), -1);
  Eigen::VectorXd diagonal;
  for (int s = 0; s < supernodes(); ++s) {
    const int w = width(s), r = below(s), size = w + r;
    Panel panel(values_.data() + panel_[s], size, w, Stride(size));
    const int* under = below_.data() + below_ptr_[s];
    MatrixXd update = MatrixXd::Zero(r, r);
    for (int i = 0; i < r; ++i) local[under[i]] = w + i;
    // What the children left for this front: rows ascend in both.
    for (int c : children[s]) {
      const MatrixXd& from = updates[c];
      const int* rows_c = below_.data() + below_ptr_[c];
      const int n = below(c);
      std::vector<int> to(n);
      for (int i = 0; i < n; ++i)
        to[i] = rows_c[i] < first_[s + 1] ? rows_c[i] - first_[s] : local[rows_c[i]];
      for (int j = 0; j < n; ++j)
        for (int i = j; i < n; ++i) {
          if (to[j] < w)
            panel(to[i], to[j]) += from(i, j);
          else
            update(to[i] - w, to[j] - w) += from(i, j);
        }
      updates[c].resize(0, 0);
    }
    // Pivots are judged by what their row held at first.
    diagonal.resize(w);
    for (int i = 0; i < w; ++i) diagonal[i] = std::abs(a.value[a.row_ptr[order_[first_[s] + i] + 1] - 1]);
    auto D = panel.topRows(w);
    Eigen::Ref<MatrixXd, 0, Stride> head(D);
    const auto failed = Eigen::internal::llt_inplace<double, Eigen::Lower>::blocked(head);
    if (failed >= 0) return order_[first_[s] + static_cast<int>(failed)];
    for (int i = 0; i < w; ++i)
      if (!(head(i, i) * head(i, i) > threshold * diagonal[i])) return order_[first_[s] + i];
    for (int i = 0; i < w; ++i) inverse_[first_[s] + i] = 1 / head(i, i);
    if (r == 0) continue;
    auto L = panel.bottomRows(r);
    head.triangularView<Eigen::Lower>().transpose().solveInPlace<Eigen::OnTheRight>(L);
    update.selfadjointView<Eigen::Lower>().rankUpdate(L, -1.0);
    updates[s] = std::move(update);
  }
  return -1;
}

void SupernodalCholesky::solve(double* x) const {
  const int n = rows();
  for (int k = 0; k < n; ++k) x_[k] = x[order_[k]];
  double* b = work_.data();
  // L y = P x: what a panel takes from the rows below is gathered and then subtracted at once.
  for (int s = 0; s < supernodes(); ++s) {
    const int w = width(s), r = below(s);
    double* head = x_.data() + first_[s];
    std::copy(head, head + w, b);
    std::fill(b + w, b + w + r, 0.0);
    panel_forward(values_.data() + panel_[s], inverse_.data() + first_[s], w + r, w, b);
    std::copy(b, b + w, head);
    const int* under = below_.data() + below_ptr_[s];
    for (int i = 0; i < r; ++i) x_[under[i]] += b[w + i];
  }
  // Lᵀ z = y
  for (int s = supernodes() - 1; s >= 0; --s) {
    const int w = width(s), r = below(s);
    double* head = x_.data() + first_[s];
    std::copy(head, head + w, b);
    const int* under = below_.data() + below_ptr_[s];
    for (int i = 0; i < r; ++i) b[w + i] = x_[under[i]];
    panel_backward(values_.data() + panel_[s], inverse_.data() + first_[s], w + r, w, b);
    std::copy(b, b + w, head);
  }
  for (int k = 0; k < n; ++k) x[order_[k]] = x_[k];
}

void SupernodalCholesky::solve(MatrixXd& x) const {
  const int columns = static_cast<int>(x.cols());
  MatrixXd y(rows(), columns), rest(widest_below_, columns);
  for (int k = 0; k < rows(); ++k) y.row(k) = x.row(order_[k]);
  for (int s = 0; s < supernodes(); ++s) {
    const int w = width(s), r = below(s), size = w + r;
    const ConstPanel panel(values_.data() + panel_[s], size, w, Stride(size));
    auto head = y.middleRows(first_[s], w);
    panel.topRows(w).triangularView<Eigen::Lower>().solveInPlace(head);
    if (r == 0) continue;
    rest.topRows(r).noalias() = panel.bottomRows(r) * head;
    const int* under = below_.data() + below_ptr_[s];
    for (int i = 0; i < r; ++i) y.row(under[i]) -= rest.row(i);
  }
  for (int s = supernodes() - 1; s >= 0; --s) {
    const int w = width(s), r = below(s), size = w + r;
    const ConstPanel panel(values_.data() + panel_[s], size, w, Stride(size));
    auto head = y.middleRows(first_[s], w);
    if (r > 0) {
      const int* under = below_.data() + below_ptr_[s];
      for (int i = 0; i < r; ++i) rest.row(i) = y.row(under[i]);
      head.noalias() -= panel.bottomRows(r).transpose() * rest.topRows(r);
    }
    panel.topRows(w).triangularView<Eigen::Lower>().transpose().solveInPlace(head);
  }
  for (int k = 0; k < rows(); ++k) x.row(order_[k]) = y.row(k);
}

}  // namespace tappet
