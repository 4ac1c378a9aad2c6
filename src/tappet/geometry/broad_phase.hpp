// Which shapes may touch: a tree of boxes.
//
// Each shape has a box along the world axes, kept a little larger than it needs to be: as long as the shape
// stays inside, moving it costs a comparison. A shape that leaves its box is taken out of the tree and put
// back where the tree grows least (surface-area heuristic), and the tree is kept balanced by rotations; after
// as many of these as there are shapes it is built anew, by halving, since trees grown in this way overlap
// more and more. Pairs of overlapping larger boxes are remembered, and only those of reinserted shapes are
// looked for again.
//
//   insert, remove, move out of the box     O(log n)
//   pairs()                                 O(pairs) + O(log n) for each shape that left its box since
//
// The result does not depend on the order of insertions, moves and removals: pairs are those whose true boxes
// overlap, in ascending order. Nothing is allocated once the lists have grown to their size.
#pragma once

#include <span>
#include <utility>
#include <vector>

#include "tappet/geometry/shape.hpp"

namespace tappet {

class BroadPhase {
 public:
  /// `slack`: how much larger boxes are kept, as a part of their longest side.
  explicit BroadPhase(double slack = 0.1) : slack_(slack) {}

  /// The shape's number: the smallest that is free. Infinite bounds are allowed: such a shape may touch every
  /// finite one.
  int insert(const Bounds& bounds);
  void move(int shape, const Bounds& bounds);
  void remove(int shape);

  /// Pairs (a < b) whose bounds overlap, ascending. Valid until the next change.
  std::span<const std::pair<int, int>> pairs();

  int size() const { return count_; }
  int height() const { return root_ < 0 ? 0 : nodes_[root_].height; }  ///< of the tree; a leaf alone has 0

 private:
  static constexpr int none = -1;

  /// In single precision, rounded outwards: half of the memory to walk through.
  struct Box {
    Eigen::Array3f low = Eigen::Array3f::Zero(), high = Eigen::Array3f::Zero();

    bool overlaps(const Box& other) const { return (low <= other.high).all() && (other.low <= high).all(); }
    bool contains(const Bounds& inner) const {
      return (low.cast<double>() <= inner.low.array()).all() &&
             (inner.high.array() <= high.cast<double>()).all();
    }
    bool operator==(const Box& other) const { return (low == other.low).all() && (high == other.high).all(); }
    float surface() const;  ///< half of it; in the plane the area
  };
  struct Node {
    Box box;
    int parent = none;
    int child[2] = {none, none};  ///< of a leaf: none, and its shape
    int height = 0;

    bool leaf() const { return child[0] == none; }
    int shape() const { return child[1]; }
  };
  struct Item {
    Bounds bounds;
    Box box = {};     ///< its leaf's
    int leaf = none;  ///< none: unbounded
    bool alive = false;
    bool moved = false;  ///< its pairs are not known
  };

  struct Leaf {
    Eigen::Array3f middle;
    int shape;
  };

  double slack_;
  int count_ = 0;
  int reinserted_ = 0;  ///< since the tree was built anew
  std::vector<Item> items_;
  std::vector<Node> nodes_;
  std::vector<int> free_nodes_, free_items_, unbounded_, moved_, stack_;
  std::vector<std::pair<int, int>> near_, fresh_, merged_, pairs_;
  std::vector<Leaf> leaves_;
  int root_ = none;

  int new_node();
  Box fattened(const Bounds& bounds) const;
  static Box united(const Box& a, const Box& b);
  void attach(int leaf);
  void detach(int leaf);
  int best_sibling(const Box& box) const;
  void refit(int node);
  void refit_upwards(int node);
  int balance(int node);
  int rotate(int node, int heavy);
  int build(std::span<Leaf> leaves);
  void rebuild();
  void mark(int shape);
  void forget(int shape);
  void find_near();
  void query(int shape);
};

}  // namespace tappet
