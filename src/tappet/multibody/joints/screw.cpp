// Screw joint: a nut on a thread. The second body turns about an axis of the first and moves along it in proportion.
//
//   Φ = (b₁·a_j, b₂·a_j, b₁·d, b₂·d, s − p φ/2π − (value at the start))      (5 rows)
//
// p: pitch, m per turn, positive for a right-handed thread; φ, s: the joint's angle and displacement, which is followed through whole turns
// by a winding variable with ż = φ̇. Free: φ, and s with it. The multiplier of the last row is the force along the axis. [Nikravesh1988]
#include <numbers>

#include "tappet/multibody/joint.hpp"
#include "tappet/multibody/limits.hpp"

namespace tappet::joints::screw {
namespace {

class Screw final : public Constraint {
 public:
  Vec3 pi, pj, b1, b2, axis_j;
  std::shared_ptr<const Coordinate> angle, displacement;
  double lead = 0;  // m/rad

  // z: the angle with its turns, then the value at the start.
  int aux_count() const override { return 2; }
  void start_aux(const Kinematics& k, double* z) const override {
    z[0] = angle->evaluate(k).value;
    z[1] = displacement->evaluate(k).value - lead * z[0];
  }
  void aux_rates(const Kinematics& k, double* zdot) const override {
    zdot[0] = angle->evaluate(k).rate;
    zdot[1] = 0;
  }
  void evaluate(const Kinematics& k, const ConstraintRows& out) const override {
    const SpatialFrame &fi = k.spatial[bodies[0]], &fj = k.spatial[bodies[1]];
    const SpatialPoint Pi(fi, pi), Pj(fj, pj);
    const Vec3 a = fj.R * axis_j, w1 = fi.R * b1, w2 = fi.R * b2;
    no_offset_along(fi, Pi, w1, fj, Pj, out, 0);
    no_offset_along(fi, Pi, w2, fj, Pj, out, 1);
    perpendicular_axes(fi, w1, fj, a, out, 2);
    perpendicular_axes(fi, w2, fj, a, out, 3);
    const double* z = k.z + aux_offset;
    const CoordinateValue c = angle->evaluate(k), s = displacement->evaluate(k);
    out.phi[4] = s.value - lead * unwrap(c.value, z[0]) - z[1];
    out.phi_t[4] = 0;
    out.gamma[4] = lead * c.bias - s.bias;
    for (int b = 0; b < 2; ++b)
      for (int i = 0; out.J[b] && i < 6; ++i) out.J[b][24 + i] = s.J[b][i] - lead * c.J[b][i];
  }
  std::optional<Vec3> reaction_point(const Kinematics& k) const override {
    return k.spatial[bodies[1]].point(pj);
  }
};

Joint make(const ScrewParameters& p, const Origin&, const JointInput& in) {
  auto c = make_constraint<Screw>(in, 5);
  c->pi = in.point3(0);
  c->pj = in.point3(1);
  const auto [axis_i, axis_j] = in.axes3();
  c->b1 = any_perpendicular(axis_i);
  c->b2 = axis_i.cross(c->b1);
  c->axis_j = axis_j;
  c->lead = p.pitch / (2 * std::numbers::pi);
  Joint joint;
  joint.axis = axis_i;
  joint.angle = c->angle = spatial_angle(in.i, in.j, axis_i, axis_j, p.zero);
  joint.displacement = c->displacement =
      spatial_displacement(in.i, in.j, c->pi, c->pj, axis_i, p.zero_displacement);
  joint.constraint = std::move(c);
  return joint;
}

const Registration<JointType> registered{{
    .name = "screw",
    .equation = "b₁·d = 0, b₂·d = 0, b₁·a_j = 0, b₂·a_j = 0, s − p φ/2π = const",
    .citation = "Nikravesh1988",
    .table = spatial_only(table_of<ScrewParameters>(
        "a screw joint", "A nut on a thread: one angle free, and a displacement with it",
        {{&ScrewParameters::bodies, bodies_parameter()},
         {&ScrewParameters::points, points_parameter()},
         {&ScrewParameters::axis, axis_parameter("the axis, in the first body's coordinates", false)},
         {&ScrewParameters::axes, axes_parameter("the axis on each body, instead of `axis`")},
         {&ScrewParameters::pitch,
          {.name = "pitch",
           .unit = "m",
           .help = "displacement per turn; positive: a right-handed thread",
           .required = true}},
         {&ScrewParameters::zero, zero_parameter("rad")},
         {&ScrewParameters::zero_displacement, zero_parameter("m", "zero_displacement")},
         {&ScrewParameters::limits, angle_limits_parameter()},
         {&ScrewParameters::limits_displacement, displacement_limits_parameter("limits_displacement")}})),
    .make = made_from<make>,
}};

}  // namespace
}  // namespace tappet::joints::screw
