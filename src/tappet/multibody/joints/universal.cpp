// Universal (Hooke) joint: a point in common and two crossed axes that stay perpendicular.
//
//   Φ = (r_Pj − r_Pi, a_i·a_j)      (4 rows)
//
// a_i fixed in the first body, a_j in the second. [Nikravesh1988]
#include <cmath>

#include <fmt/format.h>

#include "tappet/multibody/joint.hpp"
#include "tappet/multibody/joint_friction.hpp"

namespace tappet::joints::universal {
namespace {

class Universal final : public Constraint {
 public:
  Vec3 pi, pj, axis_i, axis_j;
  void evaluate(const Kinematics& k, const ConstraintRows& out) const override {
    const SpatialFrame &fi = k.spatial[bodies[0]], &fj = k.spatial[bodies[1]];
    coincide(fi, SpatialPoint(fi, pi), fj, SpatialPoint(fj, pj), out);
    perpendicular_axes(fi, fi.R * axis_i, fj, fj.R * axis_j, out, 3);
  }
  std::optional<Vec3> reaction_point(const Kinematics& k) const override {
    return k.spatial[bodies[1]].point(pj);
  }
};

Joint make(const UniversalParameters&, const Origin&, const JointInput& in) {
  auto c = make_constraint<Universal>(in, 4);
  c->pi = in.point3(0);
  c->pj = in.point3(1);
  std::tie(c->axis_i, c->axis_j) = in.axes3();
  const double cosine = (in.start.spatial[in.i].R * c->axis_i).dot(in.start.spatial[in.j].R * c->axis_j);
  if (std::abs(cosine) > 0.5)
    in.diagnostics.error(
        in.origin.where("axes"),
        fmt::format("the axes of universal joint '{}' stand at {:.4g} deg to each other; they must be "
                    "perpendicular (30 to 150 deg is corrected by assembly)",
                    in.name(), std::acos(std::min(1.0, std::abs(cosine))) * 57.29577951308232));
  Joint joint;
  joint.constraint = std::move(c);
  return joint;
}

Parameter crossed_axes() {
  Parameter p =
      axes_parameter("the cross's two axes: on the first body, on the second, in each body's coordinates");
  p.required = true;
  return p;
}

const Registration<JointType> registered{{
    .name = "universal",
    .equation = "r_Pj − r_Pi = 0, a_i·a_j = 0",
    .citation = "Nikravesh1988",
    .table = spatial_only(
        table_of<UniversalParameters>("a universal joint", "A cardan cross: two angles free",
                                      {{&UniversalParameters::bodies, bodies_parameter()},
                                       {&UniversalParameters::points, points_parameter()},
                                       {&UniversalParameters::axes, crossed_axes()},
                                       {&UniversalParameters::friction, pin_friction_parameter()}})),
    .make = made_from<make>,
}};

}  // namespace
}  // namespace tappet::joints::universal
