#include "tappet/linalg/supernodal_pattern.hpp"

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <stdexcept>
#include <unordered_map>

#include "tappet/linalg/nested_dissection.hpp"

namespace tappet {

namespace {

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

/// Patterns of the columns, from their children's; a column that only continues its child's joins it.
std::vector<Node> fundamental_supernodes(const Graph& g, const std::vector<int>& order,
                                         const std::vector<int>& place, const std::vector<int>& parent) {
  const int n = static_cast<int>(order.size());
  std::vector<Node> nodes;
  std::vector<int> node_of(n, -1), mark(n, -1);
  std::vector<std::vector<int>> children(n);
  for (int k = 0; k < n; ++k)
    if (parent[k] >= 0) children[parent[k]].push_back(k);
  for (int k = 0; k < n; ++k) {
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
  for (Node& node : nodes)
    if (!node.below.empty()) node.parent = node_of[node.below[0]];
  return nodes;
}

/// Small children join their parents when that adds few zeros: fewer, longer panels. `before[k]`: rows of the
/// vertices before place k.
void join_small(std::vector<Node>& nodes, const std::vector<int>& before) {
  const auto rows_of = [&](const std::vector<int>& list) {
    double sum = 0;
    for (int i : list) sum += before[i + 1] - before[i];
    return sum;
  };
  for (Node& child : nodes) {
    // The last child stands directly before its parent.
    if (child.parent < 0 || child.last + 1 != nodes[child.parent].first) continue;
    Node& up = nodes[child.parent];
    const double wc = before[child.last + 1] - before[child.first],
                 wp = before[up.last + 1] - before[up.first], rc = rows_of(child.below),
                 rp = rows_of(up.below);
    const double now = wc * (wc / 2 + rc) + wp * (wp / 2 + rp), joined = (wc + wp) * ((wc + wp) / 2 + rp);
    const double extra = joined - now, limit = wc + wp <= 16 ? 0.5 : wc + wp <= 48 ? 0.2 : 0.05;
    if (extra > limit * joined) continue;
    up.first = child.first;
    child.gone = true;
  }
  // Parents come after their children, so the last survivor is found from the top down.
  for (std::size_t s = nodes.size(); s-- > 0;)
    if (const int p = nodes[s].parent; p >= 0 && nodes[p].gone) nodes[s].parent = nodes[p].parent;
}

}  // namespace

std::vector<int> SupernodalPattern::supernode_of() const {
  std::vector<int> out(rows());
  for (int s = 0; s < supernodes(); ++s)
    for (int c = first[s]; c < first[s + 1]; ++c) out[c] = s;
  return out;
}

SupernodalPattern supernodal_pattern(const SymmetricCsr& a, const std::vector<int>& last) {
  const Graph rows = full_graph(a);
  int vertices = 0;
  const std::vector<int> vertex = equal_rows(rows, vertices);
  Graph g(vertices);
  std::vector<std::vector<int>> members(vertices);
  std::vector<int> weight(vertices, 0), seen(vertices, -1);
  for (int i = 0; i < a.rows(); ++i) {
    const int v = vertex[i];
    members[v].push_back(i);
    if (++weight[v] > 1) continue;
    for (int j : rows[i])
      if (seen[vertex[j]] != v) seen[vertex[j]] = v, g[v].push_back(vertex[j]);
  }
  std::vector<char> late(vertices, 0);
  for (int i : last) late[vertex[i]] = 1;

  // Order, tree, and the order again so that subtrees are runs.
  std::vector<int> order = nested_dissection(g, weight, late), place = inverse_of(order);
  std::vector<int> parent = elimination_tree(g, order, place);
  const std::vector<int> post = postorder(parent);
  std::vector<int> again(vertices);
  for (int k = 0; k < vertices; ++k) again[k] = order[post[k]];
  order = again;
  place = inverse_of(order);
  parent = elimination_tree(g, order, place);

  // Down to scalar rows.
  SupernodalPattern out;
  std::vector<int> before = {0};
  for (int v : order) {
    out.order.insert(out.order.end(), members[v].begin(), members[v].end());
    before.push_back(static_cast<int>(out.order.size()));
  }
  out.place = inverse_of(out.order);

  std::vector<Node> nodes = fundamental_supernodes(g, order, place, parent);
  join_small(nodes, before);
  std::vector<int> number(nodes.size(), -1);
  int count = 0;
  for (std::size_t s = 0; s < nodes.size(); ++s)
    if (!nodes[s].gone) number[s] = count++;
  out.below_ptr = {0};
  for (const Node& n : nodes) {
    if (n.gone) continue;
    out.first.push_back(before[n.first]);
    out.parent.push_back(n.parent < 0 ? -1 : number[n.parent]);
    for (int i : n.below)
      for (int r = before[i]; r < before[i + 1]; ++r) out.below.push_back(r);
    out.below_ptr.push_back(out.below.size());
  }
  out.first.push_back(a.rows());
  return out;
}

}  // namespace tappet
