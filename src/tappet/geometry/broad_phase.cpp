#include "tappet/geometry/broad_phase.hpp"

#include <algorithm>
#include <cmath>
#include <functional>

namespace tappet {
namespace {

bool finite(const Bounds& box) {
  return box.low.allFinite() && box.high.allFinite();
}

}  // namespace

BroadPhase::Box BroadPhase::united(const Box& a, const Box& b) {
  return {a.low.min(b.low), a.high.max(b.high)};
}

float BroadPhase::Box::surface() const {
  const Eigen::Array3f d = high - low;
  return d.x() * d.y() + d.y() * d.z() + d.z() * d.x();
}

int BroadPhase::insert(const Bounds& bounds) {
  int shape;
  if (free_items_.empty()) {
    shape = static_cast<int>(items_.size());
    items_.emplace_back();
  } else {
    std::pop_heap(free_items_.begin(), free_items_.end(), std::greater<>());
    shape = free_items_.back();
    free_items_.pop_back();
  }
  Item& item = items_[shape];
  item = {.bounds = bounds, .leaf = none, .alive = true, .moved = false};
  ++count_;
  if (!finite(bounds)) {
    unbounded_.insert(std::upper_bound(unbounded_.begin(), unbounded_.end(), shape), shape);
    return shape;
  }
  const int leaf = new_node();
  items_[shape].leaf = leaf;
  nodes_[leaf].child[1] = shape;
  nodes_[leaf].box = items_[shape].box = fattened(bounds);
  attach(leaf);
  ++reinserted_;
  mark(shape);
  return shape;
}

void BroadPhase::move(int shape, const Bounds& bounds) {
  Item& item = items_[shape];
  item.bounds = bounds;
  if (item.leaf == none || item.box.contains(bounds)) return;
  item.box = fattened(bounds);
  detach(item.leaf);
  nodes_[item.leaf].box = item.box;
  attach(item.leaf);
  ++reinserted_;
  mark(shape);
}

void BroadPhase::remove(int shape) {
  Item& item = items_[shape];
  if (item.leaf == none) {
    std::erase(unbounded_, shape);
  } else {
    detach(item.leaf);
    free_nodes_.push_back(item.leaf);
    forget(shape);
  }
  item.alive = false;
  --count_;
  free_items_.push_back(shape);
  std::push_heap(free_items_.begin(), free_items_.end(), std::greater<>());
}

// ---- The tree ----

int BroadPhase::new_node() {
  if (free_nodes_.empty()) {
    nodes_.emplace_back();
    return static_cast<int>(nodes_.size()) - 1;
  }
  const int node = free_nodes_.back();
  free_nodes_.pop_back();
  nodes_[node] = {};
  return node;
}

BroadPhase::Box BroadPhase::fattened(const Bounds& bounds) const {
  const double more = slack_ * (bounds.high - bounds.low).maxCoeff();
  constexpr float far = std::numeric_limits<float>::infinity();
  Box out;
  for (int axis = 0; axis < 3; ++axis) {
    out.low[axis] = std::nextafter(static_cast<float>(bounds.low[axis] - more), -far);
    out.high[axis] = std::nextafter(static_cast<float>(bounds.high[axis] + more), far);
  }
  return out;
}

/// Downwards, always where the boxes above grow least.
int BroadPhase::best_sibling(const Box& box) const {
  int node = root_;
  while (!nodes_[node].leaf()) {
    const Node& here = nodes_[node];
    const float joined = united(here.box, box).surface();
    const float stop = 2 * joined, inherited = 2 * (joined - here.box.surface());
    float cost[2];
    for (int side = 0; side < 2; ++side) {
      const Node& child = nodes_[here.child[side]];
      const float grown = united(child.box, box).surface();
      cost[side] = inherited + (child.leaf() ? grown : grown - child.box.surface());
    }
    if (stop < cost[0] && stop < cost[1]) break;
    node = here.child[cost[0] <= cost[1] ? 0 : 1];
  }
  return node;
}

void BroadPhase::attach(int leaf) {
  nodes_[leaf].parent = none;
  nodes_[leaf].height = 0;
  if (root_ == none) {
    root_ = leaf;
    return;
  }
  const int sibling = best_sibling(nodes_[leaf].box), joint = new_node(), parent = nodes_[sibling].parent;
  nodes_[joint].parent = parent;
  nodes_[joint].child[0] = sibling;
  nodes_[joint].child[1] = leaf;
  nodes_[sibling].parent = nodes_[leaf].parent = joint;
  if (parent == none)
    root_ = joint;
  else
    nodes_[parent].child[nodes_[parent].child[0] == sibling ? 0 : 1] = joint;
  refit_upwards(joint);
}

void BroadPhase::detach(int leaf) {
  const int joint = nodes_[leaf].parent;
  if (joint == none) {
    root_ = none;
    return;
  }
  const int sibling = nodes_[joint].child[nodes_[joint].child[0] == leaf ? 1 : 0],
            parent = nodes_[joint].parent;
  nodes_[sibling].parent = parent;
  free_nodes_.push_back(joint);
  if (parent == none) {
    root_ = sibling;
    return;
  }
  nodes_[parent].child[nodes_[parent].child[0] == joint ? 0 : 1] = sibling;
  refit_upwards(parent);
}

/// As far up as something changes.
void BroadPhase::refit_upwards(int node) {
  while (node != none) {
    const Box box = nodes_[node].box;
    const int height = nodes_[node].height;
    refit(node);
    node = balance(node);
    if (nodes_[node].height == height && nodes_[node].box == box) return;
    node = nodes_[node].parent;
  }
}

void BroadPhase::refit(int node) {
  Node& here = nodes_[node];
  const Node &a = nodes_[here.child[0]], &b = nodes_[here.child[1]];
  here.box = united(a.box, b.box);
  here.height = 1 + std::max(a.height, b.height);
}

/// The node that now stands where `node` stood.
int BroadPhase::balance(int node) {
  const Node& here = nodes_[node];
  const int difference = nodes_[here.child[1]].height - nodes_[here.child[0]].height;
  if (difference > 1) return rotate(node, 1);
  if (difference < -1) return rotate(node, 0);
  return node;
}

/// The heavy child rises into the node's place; the node takes the heavy child's lighter child instead.
int BroadPhase::rotate(int node, int heavy) {
  const int up = nodes_[node].child[heavy], parent = nodes_[node].parent;
  int keep = nodes_[up].child[0], give = nodes_[up].child[1];
  if (nodes_[keep].height < nodes_[give].height) std::swap(keep, give);
  nodes_[up].child[0] = node;
  nodes_[up].child[1] = keep;
  nodes_[up].parent = parent;
  nodes_[node].parent = up;
  nodes_[node].child[heavy] = give;
  nodes_[give].parent = node;
  if (parent == none)
    root_ = up;
  else
    nodes_[parent].child[nodes_[parent].child[0] == node ? 0 : 1] = up;
  refit(node);
  refit(up);
  return up;
}

// ---- A new tree ----

/// Halves the leaves at the middle of the longest way between them, again and again; nodes lie in memory in
/// the order in which a walk meets them. The node that holds them all.
int BroadPhase::build(std::span<Leaf> leaves) {
  const int node = static_cast<int>(nodes_.size());
  nodes_.emplace_back();
  if (leaves.size() == 1) {
    const int shape = leaves[0].shape;
    nodes_[node].box = items_[shape].box;
    nodes_[node].child[1] = shape;
    items_[shape].leaf = node;
    return node;
  }
  Eigen::Array3f low = leaves[0].middle, high = low;
  for (const Leaf& leaf : leaves) low = low.min(leaf.middle), high = high.max(leaf.middle);
  int axis = 0;
  (high - low).maxCoeff(&axis);
  const std::size_t half = leaves.size() / 2;
  std::nth_element(leaves.begin(), leaves.begin() + static_cast<std::ptrdiff_t>(half), leaves.end(),
                   [axis](const Leaf& a, const Leaf& b) {
                     return std::pair(a.middle[axis], a.shape) < std::pair(b.middle[axis], b.shape);
                   });
  for (int side = 0; side < 2; ++side) {
    const int child = build(side == 0 ? leaves.first(half) : leaves.subspan(half));
    nodes_[child].parent = node;
    nodes_[node].child[side] = child;
  }
  refit(node);
  return node;
}

void BroadPhase::rebuild() {
  leaves_.clear();
  for (std::size_t i = 0; i < items_.size(); ++i)
    if (items_[i].alive && items_[i].leaf != none)
      leaves_.push_back({(items_[i].box.low + items_[i].box.high) / 2, static_cast<int>(i)});
  nodes_.clear();
  free_nodes_.clear();
  root_ = leaves_.empty() ? none : build(leaves_);
  reinserted_ = 0;
}

// ---- Pairs ----

void BroadPhase::mark(int shape) {
  if (items_[shape].moved) return;
  items_[shape].moved = true;
  moved_.push_back(shape);
}

void BroadPhase::forget(int shape) {
  std::erase_if(near_, [&](const auto& pair) { return pair.first == shape || pair.second == shape; });
  if (items_[shape].moved) std::erase(moved_, shape);
  items_[shape].moved = false;
}

/// Adds the shapes whose larger boxes overlap this one's. Two that moved are found from the smaller number.
void BroadPhase::query(int shape) {
  const Box box = nodes_[items_[shape].leaf].box;
  stack_.clear();
  stack_.push_back(root_);
  while (!stack_.empty()) {
    const Node& node = nodes_[stack_.back()];
    stack_.pop_back();
    if (!node.box.overlaps(box)) continue;
    if (!node.leaf()) {
      stack_.push_back(node.child[0]);
      stack_.push_back(node.child[1]);
    } else if (const int other = node.shape(); other != shape && !(items_[other].moved && other < shape)) {
      fresh_.emplace_back(std::min(shape, other), std::max(shape, other));
    }
  }
}

void BroadPhase::find_near() {
  if (moved_.empty()) return;
  if (reinserted_ > count_) rebuild();
  std::erase_if(near_,
                [&](const auto& pair) { return items_[pair.first].moved || items_[pair.second].moved; });
  fresh_.clear();
  for (int shape : moved_) query(shape);
  for (int shape : moved_) items_[shape].moved = false;
  moved_.clear();
  std::sort(fresh_.begin(), fresh_.end());
  merged_.resize(near_.size() + fresh_.size());
  std::merge(near_.begin(), near_.end(), fresh_.begin(), fresh_.end(), merged_.begin());
  near_.swap(merged_);
}

std::span<const std::pair<int, int>> BroadPhase::pairs() {
  find_near();
  pairs_.clear();
  for (const auto& pair : near_)
    if (items_[pair.first].bounds.overlaps(items_[pair.second].bounds)) pairs_.push_back(pair);
  const std::size_t bounded = pairs_.size();
  for (int wide : unbounded_)
    for (int other = 0; other < static_cast<int>(items_.size()); ++other)
      if (items_[other].alive && items_[other].leaf != none &&
          items_[other].bounds.overlaps(items_[wide].bounds))
        pairs_.emplace_back(std::min(wide, other), std::max(wide, other));
  if (pairs_.size() == bounded) return pairs_;
  const auto middle = pairs_.begin() + static_cast<std::ptrdiff_t>(bounded);
  std::sort(middle, pairs_.end());
  merged_.resize(pairs_.size());
  std::merge(pairs_.begin(), middle, middle, pairs_.end(), merged_.begin());
  pairs_.swap(merged_);
  return pairs_;
}

}  // namespace tappet
