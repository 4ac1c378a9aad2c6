// A feature of a mesh against a distance field: the smooth least distance of mesh_features.hpp, evaluated by
// a walk down the tree of the feature's points. A field changes by at most 1 m per metre, so a box whose
// middle is farther than its reach from the least value found cannot hold a lesser one.
#pragma once

#include <algorithm>
#include <cmath>

#include "tappet/geometry/mesh_features.hpp"

namespace tappet {

/// A distance field at one point.
struct FieldValue {
  double distance = 0;
  Vec3 gradient = Vec3::Zero();
  double radius = 0;  ///< of curvature of the field's surface there, m
};

struct SmoothLeast {
  double distance = std::numeric_limits<double>::infinity();  ///< m; infinite for no points
  Vec3 point = Vec3::Zero();                                  ///< Σ μᵢ xᵢ
  Vec3 gradient = Vec3::Zero();                               ///< Σ μᵢ ∇φᵢ
  double curvature[2] = {0, 0};  ///< Σ λᵢ /R of the points' surface and of the field's, 1/m
};

/// Σ e and Σ e φ of mesh_features.hpp, with e = exp((least − φ)/ε) and φ counted from `least`, the least
/// value so far: when a lesser one turns up, what was summed is rescaled.
class SmoothSums {
 public:
  explicit SmoothSums(double smoothing) : smoothing_(smoothing) {}

  /// A point of this weight.
  void add(const Vec3& x, double weight, double radius, const FieldValue& value) {
    lower(value.distance);
    const double f = value.distance - least_, e = weight * std::exp(-f / smoothing_);
    take(e, e * f, e * x, e * f * x, radius, value);
  }
  /// A segment along which the value runs evenly from `at_a` to `at_b`.
  void add_segment(Vec3 a, double at_a, Vec3 b, double at_b, double radius, const FieldValue& middle);

  /// Values above this are lost in rounding.
  double limit() const { return least_ + 36 * smoothing_; }
  SmoothLeast result(double shift) const;

 private:
  void lower(double value);
  void take(double e, double ef, const Vec3& ex, const Vec3& efx, double radius, const FieldValue& value) {
    if (!(e > 0)) return;
    e_ += e;
    ef_ += ef;
    ex_ += ex;
    efx_ += efx;
    en_ += e * value.gradient;
    efn_ += ef * value.gradient;
    curvature_[0] += e / radius;
    curvature_[1] += e / value.radius;
  }

  double smoothing_;
  double least_ = std::numeric_limits<double>::infinity();
  double e_ = 0, ef_ = 0;
  Vec3 ex_ = Vec3::Zero(), efx_ = Vec3::Zero(), en_ = Vec3::Zero(), efn_ = Vec3::Zero();
  double curvature_[2] = {0, 0};
};

/// Walks down the tree of a feature's points or segments.
template <class Field>
class SmoothLeastWalk {
 public:
  SmoothLeastWalk(const MeshFeature& feature, const Field& field, double smoothing)
      : feature_(feature), field_(field), smoothing_(smoothing), sums_(smoothing) {}

  SmoothLeast run() {
    const auto& nodes = feature_.tree.nodes();
    if (nodes.empty()) return {};
    visit(0);
    return sums_.result(feature_.shift * smoothing_);
  }

 private:
  void visit(int at) {
    const BoxNode& node = feature_.tree.nodes()[at];
    if (node.leaf()) return add(node.primitive());
    const BoxNode* child = &feature_.tree.nodes()[node.child];
    const double bound[2] = {field_(child[0].centre).distance - child[0].reach,
                             field_(child[1].centre).distance - child[1].reach};
    const int near = bound[1] < bound[0];
    for (const int k : {near, 1 - near})
      if (bound[k] - feature_.longest_half <= sums_.limit()) visit(node.child + k);
  }

  void add(int i) {
    const Vec3& x = feature_.points[i];
    const FieldValue value = field_(x);
    if (feature_.kind != MeshFeature::Kind::curve) return sums_.add(x, 1, feature_.radius[i], value);
    const Vec3& half = feature_.halves[i];
    split(x, half, value, field_(x - half).distance, field_(x + half).distance);
  }

  // A segment of a curve is halved until the field runs evenly along it, or bends so little that ε blurs it.
  void split(const Vec3& x, const Vec3& half, const FieldValue& middle, double at_a, double at_b) {
    const double reach = half.norm();
    if (middle.distance - reach > sums_.limit()) return;
    const double bend = std::abs(at_a + at_b - 2 * middle.distance);
    if (bend <= 1e-9 * reach || (bend <= 1e-3 * smoothing_ && reach <= 0.5 * smoothing_))
      return sums_.add_segment(x - half, at_a, x + half, at_b, 0, middle);
    const Vec3 quarter = 0.5 * half;
    const FieldValue left = field_(x - quarter), right = field_(x + quarter);
    split(x - quarter, quarter, left, at_a, middle.distance);
    split(x + quarter, quarter, right, middle.distance, at_b);
  }

  const MeshFeature& feature_;
  const Field& field_;
  double smoothing_;
  SmoothSums sums_;
};

template <class Field>
SmoothLeast smooth_least(const MeshFeature& feature, const Field& field, double smoothing) {
  return SmoothLeastWalk<Field>(feature, field, smoothing).run();
}

/// The deepest of the points, as a distance ≤ 0; 0 when none is inside.
template <class Field>
class Deepest {
 public:
  Deepest(const PointTree& tree, const std::vector<Vec3>& points, const Field& field)
      : tree_(tree), points_(points), field_(field) {
    if (!tree_.empty()) visit(0);
  }
  double value = 0;

 private:
  void visit(int at) {
    const BoxNode& node = tree_.nodes()[at];
    if (node.leaf()) {
      value = std::min(value, field_(points_[node.primitive()]).distance);
      return;
    }
    if (field_(node.centre).distance - node.reach > value) return;
    visit(node.child);
    visit(node.child + 1);
  }

  const PointTree& tree_;
  const std::vector<Vec3>& points_;
  const Field& field_;
};

template <class Field>
double deepest(const PointTree& tree, const std::vector<Vec3>& points, const Field& field) {
  return Deepest<Field>(tree, points, field).value;
}

/// 1/c, signed; flat for no curvature, 0 (a corner) for one without bound.
inline double radius_of(double curvature) {
  return curvature == 0 ? std::numeric_limits<double>::infinity() : 1 / curvature;
}

}  // namespace tappet
