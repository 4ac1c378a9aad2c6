// Constant-velocity joint: two shafts that meet in a point turn about their own axes at the same rate, whatever their angle.
//
//   Φ = (r_Pj − r_Pi, x_i·y_j − y_i·x_j)      (4 rows)
//
// x, y, a: a triad on each body with its shaft's direction a; both coincide when the shafts are in line. The last row says that the
// rotation R from one triad to the other has no component about the shafts, R₁₂ = R₂₁: its axis is perpendicular to both, in the plane that
// halves their angle, as the balls of such a joint are. Turns φ_i, φ_j about the shafts' own axes are then equal. [Haug1989]
#include <cmath>

#include <Eigen/Geometry>
#include <fmt/format.h>

#include "tappet/multibody/joint.hpp"

namespace tappet::joints::constant_velocity {
namespace {

class ConstantVelocity final : public Constraint {
 public:
  Vec3 pi, pj, xi, yi, xj, yj;
  void evaluate(const Kinematics& k, const ConstraintRows& out) const override {
    const SpatialFrame &fi = k.spatial[bodies[0]], &fj = k.spatial[bodies[1]];
    coincide(fi, SpatialPoint(fi, pi), fj, SpatialPoint(fj, pj), out);
    perpendicular_axes(fi, fi.R * xi, fj, fj.R * yj, out, 3);
    double phi = 0, phi_t = 0, gamma = 0, J[2][6] = {};
    perpendicular_axes(fi, fi.R * yi, fj, fj.R * xj, {&phi, &phi_t, &gamma, {J[0], J[1], nullptr, nullptr}},
                       0);
    out.phi[3] -= phi;
    out.gamma[3] -= gamma;
    for (int b = 0; b < 2; ++b)
      for (int i = 0; out.J[b] && i < 6; ++i) out.J[b][18 + i] -= J[b][i];
  }
  std::optional<Vec3> reaction_point(const Kinematics& k) const override {
    return k.spatial[bodies[1]].point(pj);
  }
};

Joint make(const ConstantVelocityParameters&, const Origin&, const JointInput& in) {
  auto c = make_constraint<ConstantVelocity>(in, 4);
  c->pi = in.point3(0);
  c->pj = in.point3(1);
  const auto [axis_i, axis_j] = in.axes3();
  const Mat3 &Ri = in.start.spatial[in.i].R, &Rj = in.start.spatial[in.j].R;
  const Vec3 ai = Ri * axis_i, aj = Rj * axis_j;
  // Near a right angle the row loses its hold: its change with the turn is 1 + cos of the shafts' angle.
  if (ai.dot(aj) < 0)
    in.diagnostics.error(
        in.origin.where("axes"),
        fmt::format("the shafts of constant-velocity joint '{}' stand at {:.4g} deg to each other; both "
                    "directions must point the same way along the line of shafts, less than 90 deg apart",
                    in.name(), std::acos(std::max(-1.0, ai.dot(aj))) * 57.29577951308232));
  // The second triad is the first one, turned the shortest way from shaft to shaft.
  const Mat3 bend = Eigen::Quaterniond::FromTwoVectors(ai, aj).toRotationMatrix();
  c->xi = any_perpendicular(axis_i);
  c->yi = axis_i.cross(c->xi);
  c->xj = Rj.transpose() * (bend * (Ri * c->xi));
  c->yj = Rj.transpose() * (bend * (Ri * c->yi));
  Joint joint;
  joint.constraint = std::move(c);
  return joint;
}

Parameter shafts() {
  Parameter p = axes_parameter(
      "the shafts' directions on the first and on the second body, both the same way along the line of "
      "shafts");
  p.required = true;
  return p;
}

const Registration<JointType> registered{{
    .name = "constant-velocity",
    .equation = "r_Pj − r_Pi = 0, x_i·y_j − y_i·x_j = 0",
    .citation = "Haug1989",
    .table = spatial_only(table_of<ConstantVelocityParameters>(
        "a constant-velocity joint", "Two shafts that turn alike at any angle: two angles free",
        {{&ConstantVelocityParameters::bodies, bodies_parameter()},
         {&ConstantVelocityParameters::points, points_parameter()},
         {&ConstantVelocityParameters::axes, shafts()}})),
    .make = made_from<make>,
}};

}  // namespace
}  // namespace tappet::joints::constant_velocity
