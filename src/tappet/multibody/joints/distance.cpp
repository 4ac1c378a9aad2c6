// Distance: two points keep their distance ℓ, as if joined by a rigid massless rod with ball ends.
//
//   Φ = (d·d − ℓ²)/(2ℓ)      (1 row, in metres; |d| − ℓ to first order)
//
// λ is the rod's pull on the second point away from the first: negative in tension. [Nikravesh1988]
#include <cmath>

#include <fmt/format.h>

#include "tappet/multibody/joint.hpp"

namespace tappet::joints::distance {
namespace {

class PlanarDistance final : public Constraint {
 public:
  Vec2 pi, pj;
  double length = 0;
  void evaluate(const Kinematics& k, const ConstraintRows& out) const override {
    const PlanarFrame &fi = k.planar[bodies[0]], &fj = k.planar[bodies[1]];
    keep_distance(fi, PlanarPoint(fi, pi), fj, PlanarPoint(fj, pj), length, out, 0);
  }
  std::optional<Vec3> reaction_point(const Kinematics& k) const override {
    const Vec2 p = k.planar[bodies[1]].point(pj);
    return Vec3(p.x(), p.y(), 0);
  }
};

class SpatialDistance final : public Constraint {
 public:
  Vec3 pi, pj;
  double length = 0;
  void evaluate(const Kinematics& k, const ConstraintRows& out) const override {
    const SpatialFrame &fi = k.spatial[bodies[0]], &fj = k.spatial[bodies[1]];
    keep_distance(fi, SpatialPoint(fi, pi), fj, SpatialPoint(fj, pj), length, out, 0);
  }
  std::optional<Vec3> reaction_point(const Kinematics& k) const override {
    return k.spatial[bodies[1]].point(pj);
  }
};

// The given length, or the distance of the points as the bodies stand in the file.
double length_of(double given, const JointInput& in, double as_written) {
  if (!std::isnan(given)) return given;
  if (as_written > 0) return as_written;
  in.diagnostics.error(
      in.origin.pos,
      fmt::format("the points of distance joint '{}' coincide and no `length` is given; a positive "
                  "length is needed",
                  in.name()));
  return 1;
}

Joint make(const DistanceParameters& p, const Origin&, const JointInput& in) {
  Joint joint;
  if (in.dimension == Dimension::planar) {
    auto c = make_constraint<PlanarDistance>(in, 1);
    c->pi = in.point2(0);
    c->pj = in.point2(1);
    c->length = length_of(p.length, in,
                          (in.start.planar[in.j].point(c->pj) - in.start.planar[in.i].point(c->pi)).norm());
    joint.constraint = std::move(c);
    return joint;
  }
  auto c = make_constraint<SpatialDistance>(in, 1);
  c->pi = in.point3(0);
  c->pj = in.point3(1);
  c->length = length_of(p.length, in,
                        (in.start.spatial[in.j].point(c->pj) - in.start.spatial[in.i].point(c->pi)).norm());
  joint.constraint = std::move(c);
  return joint;
}

const Registration<JointType> registered{{
    .name = "distance",
    .equation = "(d·d − ℓ²)/(2ℓ) = 0",
    .citation = "Nikravesh1988",
    .table = table_of<DistanceParameters>(
        "a distance joint", "A rigid massless rod between two points",
        {{&DistanceParameters::bodies, bodies_parameter()},
         {&DistanceParameters::points, points_parameter()},
         {&DistanceParameters::length,
          {.name = "length",
           .unit = "m",
           .help = "the rod's length; absent: the distance as the bodies stand in the file",
           .range = positive()}}}),
    .make = made_from<make>,
}};

}  // namespace
}  // namespace tappet::joints::distance
