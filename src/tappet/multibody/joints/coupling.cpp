// Gear, rack and coupler: the free coordinates of two joints move in proportion.
//
//   gear   Φ = c_a − ratio·c_b − (value at the start)      angles of two joints
//   rack   Φ = s_b − radius·c_a − (value at the start)     displacement of joint b, angle of joint a
//   coupler   Φ = s_a − ratio·s_b − (value at the start)   displacements of two joints, or
//             Φ = Σ scale·c − (value at the start)         angles and displacements of two or three
//
// c is the angle of a joint's second body against its first, s the displacement. Two outer gears have a negative ratio. Angles in space
// are followed through whole turns by winding variables with ż = ċ. λ is the generalised force on the row's first coordinate.
#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "tappet/multibody/joint.hpp"
#include "tappet/multibody/limits.hpp"

namespace tappet::joints::coupling {
namespace {

// Φ = Σ weight·c − z_start
class Coupling final : public Constraint {
 public:
  std::vector<std::pair<std::shared_ptr<const Coordinate>, double>> terms;

  // z: windings of wrapped coordinates (a place for each), then the start value.
  int aux_count() const override { return static_cast<int>(terms.size()) + 1; }

  void start_aux(const Kinematics& k, double* z) const override {
    double sum = 0;
    for (const auto& [coordinate, weight] : terms) {
      *z = coordinate->evaluate(k).value;
      sum += weight * *z++;
    }
    *z = sum;
  }

  void aux_rates(const Kinematics& k, double* zdot) const override {
    for (const auto& [coordinate, weight] : terms)
      *zdot++ = coordinate->wrapped ? coordinate->evaluate(k).rate : 0;
    *zdot = 0;
  }

  void evaluate(const Kinematics& k, const ConstraintRows& out) const override {
    const double* z = k.z + aux_offset;
    const int width = velocity_size(k.dimension);
    out.phi[0] = -z[terms.size()];
    out.phi_t[0] = 0;
    out.gamma[0] = 0;
    for (double* J : out.J)
      if (J) std::fill(J, J + width, 0.0);
    for (std::size_t n = 0; n < terms.size(); ++n) {
      const auto& [coordinate, weight] = terms[n];
      const CoordinateValue v = coordinate->evaluate(k);
      out.phi[0] += weight * (coordinate->wrapped ? unwrap(v.value, z[n]) : v.value);
      out.gamma[0] -= weight * v.bias;
      // The joints may share a body, so rows are added.
      for (int m = 0; m < 2; ++m)
        for (std::size_t b = 0; b < bodies.size(); ++b)
          if (bodies[b] == coordinate->bodies[m] && out.J[b])
            for (int i = 0; i < width; ++i) out.J[b][i] += weight * v.J[m][i];
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

Joint couple(const JointInput& in, std::vector<std::pair<std::shared_ptr<const Coordinate>, double>> terms) {
  auto coupling = std::make_unique<Coupling>();
  coupling->name = in.name();
  coupling->rows = 1;
  auto& list = coupling->bodies;
  for (const auto& [coordinate, weight] : terms)
    for (int body : coordinate->bodies)
      if (std::find(list.begin(), list.end(), body) == list.end()) list.push_back(body);
  if (list.size() > 4) {
    in.diagnostics.error(
        in.origin.where("joints"),
        fmt::format("'{}' couples joints of {} bodies (the ground counts as one); at most 4 are possible",
                    in.name(), list.size()));
    return {};
  }
  Joint joint;
  joint.couples_displacement = !terms.front().first->angular;
  joint.combination = terms;
  coupling->terms = std::move(terms);
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
  return couple(in, {{a->angle, 1.0}, {b->angle, -p.ratio}});
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
  return couple(in, {{rack->displacement, 1.0}, {pinion->angle, -p.radius}});
}

// The coordinate of one of the coupler's joints; null after an error was reported.
std::shared_ptr<const Coordinate> coupled(const CouplerParameters& p, int n, bool by_ratio,
                                          const JointInput& in) {
  const Joint* joint = named_joint(p.joints[n], n, in);
  if (!joint) return nullptr;
  if (by_ratio && !joint->displacement)
    in.diagnostics.error(
        in.origin.where("joints", n),
        fmt::format("coupler '{}' by `ratio` needs joints with one displacement (translational, cylindrical, "
                    "point-on-line); '{}' has none; `scales` couples angles too",
                    in.name(), p.joints[n]));
  if (!by_ratio && static_cast<bool>(joint->displacement) == static_cast<bool>(joint->angle))
    in.diagnostics.error(
        in.origin.where("joints", n),
        fmt::format("coupler '{}' by `scales` needs joints with one angle or one displacement; '{}' has {}",
                    in.name(), p.joints[n], joint->angle ? "both" : "neither"));
  if (by_ratio) return joint->displacement;
  return joint->displacement && joint->angle ? nullptr
         : joint->displacement               ? joint->displacement
                                             : joint->angle;
}

Joint make_coupler(const CouplerParameters& p, const Origin&, const JointInput& in) {
  const bool by_ratio = !std::isnan(p.ratio);
  const std::size_t count = p.joints.size();
  if (by_ratio == !p.scales.empty())
    in.diagnostics.error(in.origin.pos,
                         fmt::format("coupler '{}' has {} `ratio` {} `scales`; give one of them", in.name(),
                                     by_ratio ? "both" : "neither", by_ratio ? "and" : "nor"));
  else if (by_ratio ? count != 2 : count != p.scales.size() || count < 2 || count > 3)
    in.diagnostics.error(
        in.origin.where("joints"),
        fmt::format("coupler '{}' names {} joints {}; {}", in.name(), count,
                    by_ratio ? "with `ratio`" : fmt::format("and {} `scales`", p.scales.size()),
                    by_ratio ? "two are needed" : "two or three of each are needed"));
  else {
    std::vector<std::pair<std::shared_ptr<const Coordinate>, double>> terms;
    for (std::size_t n = 0; n < count; ++n)
      if (auto c = coupled(p, static_cast<int>(n), by_ratio, in))
        terms.emplace_back(std::move(c), !by_ratio ? p.scales[n] : n == 0 ? 1.0 : -p.ratio);
    if (terms.size() == count) return couple(in, std::move(terms));
  }
  return {};
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
           .required = true}},
         {&GearParameters::backlash,
          backlash_parameter(
              "play of the teeth along the pitch circle, all of it; absent: they mesh without")},
         {&GearParameters::radius,
          {.name = "radius",
           .unit = "m",
           .help = "pitch radius of the first joint's wheel, with `backlash`",
           .range = positive()}},
         {&GearParameters::normal, tooth_law_parameter()}}),
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
           .required = true}},
         {&RackParameters::backlash,
          backlash_parameter("play of the teeth, all of it; absent: they mesh without")},
         {&RackParameters::normal, tooth_law_parameter()}}),
    .couples = true,
    .make = made_from<make_rack>,
}};

const Registration<JointType> coupler{{
    .name = "coupler",
    .equation = "s_a − ratio·s_b = const, or Σ scale·c = const",
    .citation = "Haug1989",
    .table = table_of<CouplerParameters>(
        "a coupler", "Couples the displacements of two joints, or angles and displacements of two or three",
        {{&CouplerParameters::joints,
          {.name = "joints",
           .kind = Kind::names,
           .help = "two joints, or three with `scales`",
           .required = true,
           .count = 0}},
         {&CouplerParameters::ratio,
          {.name = "ratio", .help = "displacement of the first joint per displacement of the second; or"}},
         {&CouplerParameters::scales,
          {.name = "scales",
           .kind = Kind::vector,
           .help = "one per joint, in SI units: the sum of scale times angle or displacement stays what it "
                   "is at the start",
           .length = any_length}}}),
    .couples = true,
    .make = made_from<make_coupler>,
}};

}  // namespace
}  // namespace tappet::joints::coupling
