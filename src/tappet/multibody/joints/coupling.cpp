// Gear, rack and coupler: the free coordinates of two joints move in proportion.
//
//   gear   Φ = c_a − ratio·c_b − (value at the start)      angles of two joints
//   rack   Φ = s_b − radius·c_a − (value at the start)     displacement of joint b, angle of joint a
//   coupler   Φ = s_a − ratio·s_b − (value at the start)   displacements of two joints
//
// c is the angle of a joint's second body against its first, s the displacement. Two outer gears have a negative ratio. Angles in space
// are followed through whole turns by winding variables with ż = ċ. λ is the generalised force on the row's first coordinate.
#include <fmt/format.h>

#include "tappet/multibody/joint.hpp"

namespace tappet::joints::coupling {
namespace {

// Φ = c₀ − factor·c₁ − z_start
class Coupling final : public Constraint {
 public:
  std::shared_ptr<const Coordinate> c[2];
  double factor = 1;

  // z: windings of wrapped coordinates (two places), then the start value.
  int aux_count() const override { return 3; }

  void start_aux(const Kinematics& k, double* z) const override {
    const double a = c[0]->evaluate(k).value, b = c[1]->evaluate(k).value;
    z[0] = a, z[1] = b, z[2] = a - factor * b;
  }

  void aux_rates(const Kinematics& k, double* zdot) const override {
    for (int n = 0; n < 2; ++n) zdot[n] = c[n]->wrapped ? c[n]->evaluate(k).rate : 0;
    zdot[2] = 0;
  }

  void evaluate(const Kinematics& k, const ConstraintRows& out) const override {
    const double* z = k.z + aux_offset;
    const double weight[2] = {1, -factor};
    const int width = velocity_size(k.dimension);
    out.phi[0] = -z[2];
    out.phi_t[0] = 0;
    out.gamma[0] = 0;
    for (double* J : out.J)
      if (J) std::fill(J, J + width, 0.0);
    for (int n = 0; n < 2; ++n) {
      const CoordinateValue v = c[n]->evaluate(k);
      out.phi[0] += weight[n] * (c[n]->wrapped ? unwrap(v.value, z[n]) : v.value);
      out.gamma[0] -= weight[n] * v.bias;
      // The two joints may share a body, so rows are added.
      for (int m = 0; m < 2; ++m)
        for (std::size_t b = 0; b < bodies.size(); ++b)
          if (bodies[b] == c[n]->bodies[m] && out.J[b])
            for (int i = 0; i < width; ++i) out.J[b][i] += weight[n] * v.J[m][i];
    }
  }
};

Parameter joints_parameter(const std::string& help) {
  return {.name = "joints", .kind = Kind::names, .help = help, .required = true, .count = 2};
}

// The joint named by entry `index` of `joints`; null after an error was reported.
const Joint* named_joint(const std::string& name, int index, const JointInput& in) {
  for (std::size_t n = 0; n < in.other_names.size(); ++n)
    if (in.other_names[n] == name) return &in.others[n];
  in.diagnostics.error(in.origin.where("joints", index),
                       fmt::format("'{}' couples joint '{}', which does not exist before it; joints that it "
                                   "can couple: {}",
                                   in.name(), name, join_names(in.other_names)));
  return nullptr;
}

Joint couple(const JointInput& in, std::shared_ptr<const Coordinate> a, std::shared_ptr<const Coordinate> b,
             double factor) {
  auto coupling = std::make_unique<Coupling>();
  coupling->name = in.name();
  coupling->rows = 1;
  coupling->factor = factor;
  for (int body : {a->bodies[0], a->bodies[1], b->bodies[0], b->bodies[1]}) {
    auto& list = coupling->bodies;
    if (std::find(list.begin(), list.end(), body) == list.end()) list.push_back(body);
  }
  coupling->c[0] = std::move(a);
  coupling->c[1] = std::move(b);
  Joint joint;
  joint.couples_displacement = !coupling->c[0]->angular;
  joint.constraint = std::move(coupling);
  return joint;
}

Joint make_gear(const GearParameters& p, const Origin&, const JointInput& in) {
  const Joint *a = named_joint(p.joints[0], 0, in), *b = named_joint(p.joints[1], 1, in);
  if (!a || !b) return {};
  for (int n = 0; n < 2; ++n)
    if (!(n == 0 ? a : b)->angle) {
      in.diagnostics.error(in.origin.where("joints", n),
                           fmt::format("gear '{}' needs joints with one angle (revolute, cylindrical); '{}' "
                                       "has none",
                                       in.name(), p.joints[n]));
      return {};
    }
  return couple(in, a->angle, b->angle, p.ratio);
}

Joint make_rack(const RackParameters& p, const Origin&, const JointInput& in) {
  const Joint *pinion = named_joint(p.joints[0], 0, in), *rack = named_joint(p.joints[1], 1, in);
  if (!pinion || !rack) return {};
  if (!pinion->angle || !rack->displacement) {
    in.diagnostics.error(
        in.origin.where("joints"),
        fmt::format("rack '{}' needs a joint with an angle (the pinion, first) and one with a "
                    "displacement (the rack, second)",
                    in.name()));
    return {};
  }
  return couple(in, rack->displacement, pinion->angle, p.radius);
}

Joint make_coupler(const CouplerParameters& p, const Origin&, const JointInput& in) {
  const Joint *a = named_joint(p.joints[0], 0, in), *b = named_joint(p.joints[1], 1, in);
  if (!a || !b) return {};
  for (int n = 0; n < 2; ++n)
    if (!(n == 0 ? a : b)->displacement) {
      in.diagnostics.error(
          in.origin.where("joints", n),
          fmt::format("coupler '{}' needs joints with one displacement (translational, cylindrical, "
                      "point-on-line); '{}' has none",
                      in.name(), p.joints[n]));
      return {};
    }
  return couple(in, a->displacement, b->displacement, p.ratio);
}

const Registration<JointType> gear{{
    .name = "gear",
    .equation = "c_a − ratio·c_b = const",
    .citation = "Haug1989",
    .table = table_of<GearParameters>(
        "a gear", "The angle of the first joint is `ratio` times that of the second",
        {{&GearParameters::joints, joints_parameter("two joints with an angle")},
         {&GearParameters::ratio,
          {.name = "ratio",
           .help = "angle of the first joint per angle of the second; negative for two outer gears",
           .required = true}}}),
    .couples = true,
    .make = made_from<make_gear>,
}};

const Registration<JointType> rack{{
    .name = "rack",
    .equation = "s_b − radius·c_a = const",
    .citation = "Haug1989",
    .table = table_of<RackParameters>(
        "a rack", "The displacement of the second joint is `radius` times the angle of the first",
        {{&RackParameters::joints, joints_parameter("the pinion's joint, then the rack's")},
         {&RackParameters::radius,
          {.name = "radius",
           .unit = "m",
           .help = "displacement per angle; the sign chooses the side",
           .required = true}}}),
    .couples = true,
    .make = made_from<make_rack>,
}};

const Registration<JointType> coupler{{
    .name = "coupler",
    .equation = "s_a − ratio·s_b = const",
    .citation = "Haug1989",
    .table = table_of<CouplerParameters>(
        "a coupler", "The displacement of the first joint is `ratio` times that of the second",
        {{&CouplerParameters::joints, joints_parameter("two joints with a displacement")},
         {&CouplerParameters::ratio,
          {.name = "ratio",
           .help = "displacement of the first joint per displacement of the second",
           .required = true}}}),
    .couples = true,
    .make = made_from<make_coupler>,
}};

}  // namespace
}  // namespace tappet::joints::coupling
