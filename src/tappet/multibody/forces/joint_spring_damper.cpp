// Spring-dampers that act on a joint's coordinate: rotational about its axis, translational along it.
//
//   T = k (c − c₀) + b ċ          moment or force that brings the joint's second body back, c: the joint's coordinate
//   T = f(x, v, t)                instead, with x = c − c₀ and v = ċ
//
// Stored: k (c − c₀)²/2; dissipated: b ċ². Whole turns count; in space they are followed by a winding variable with ż = ċ.
#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "tappet/base/expression_words.hpp"
#include "tappet/multibody/force.hpp"

namespace tappet {
namespace {

class JointSpringDamper final : public ForceElement {
 public:
  std::shared_ptr<const Coordinate> coordinate;
  double stiffness = 0, damping = 0, rest = 0;
  bool by_expression = false;
  Expression effort;

  int aux_count() const override { return coordinate->wrapped ? 1 : 0; }
  void start_aux(const Kinematics& k, double* z) const override {
    if (coordinate->wrapped) z[0] = coordinate->evaluate(k).value;
  }
  void aux_rates(const Kinematics& k, double* zdot) const override {
    if (coordinate->wrapped) zdot[0] = coordinate->evaluate(k).rate;
  }

  double turned(const Kinematics& k, const CoordinateValue& c) const {
    return (coordinate->wrapped ? unwrap(c.value, k.z[aux_offset]) : c.value) - rest;
  }

  void apply(const Kinematics& k, ForceSum& sum) const override {
    const CoordinateValue c = coordinate->evaluate(k);
    const double x = turned(k, c);
    double moment;
    if (by_expression) {
      const double arguments[] = {x, c.rate, k.t};
      moment = effort(arguments, k.inputs);
      sum.powers.input -= moment * c.rate;
    } else {
      moment = stiffness * x + damping * c.rate;
      sum.powers.damping += damping * c.rate * c.rate;
    }
    const int width = velocity_size(k.dimension);
    for (int b = 0; b < 2; ++b) {
      if (bodies[b] == sum.ground) continue;
      for (int i = 0; i < width; ++i) sum.h[width * bodies[b] + i] -= moment * c.J[b][i];
    }
  }

  std::string formula(const Kinematics& k) const override {
    if (!by_expression) return "";
    const CoordinateValue c = coordinate->evaluate(k);
    const double arguments[] = {turned(k, c), c.rate, k.t};
    return in_words(effort, {"x", "v", "t"}, arguments, k.inputs);
  }

  double potential(const Kinematics& k) const override {
    if (by_expression) return 0;
    const double x = turned(k, coordinate->evaluate(k));
    return 0.5 * stiffness * x * x;
  }
};

/// What the two kinds have in common, under the names of their keys.
struct Given {
  const std::string& joint;
  double stiffness, damping, rest;
  const Formula& effort;
  const char *effort_key, *coordinate;  ///< "torque", "angle"
  const char* joints;                   ///< that have such a coordinate
};

std::unique_ptr<ForceElement> act_on(std::shared_ptr<const Coordinate> Joint::*coordinate, const Given& p,
                                     const Origin& o, const ForceInput& in) {
  auto f = std::make_unique<JointSpringDamper>();
  f->name = o.name;
  for (std::size_t n = 0; n < in.joint_names.size(); ++n)
    if (in.joint_names[n] == p.joint) f->coordinate = in.joints[n].*coordinate;
  if (!f->coordinate) {
    const bool exists =
        std::find(in.joint_names.begin(), in.joint_names.end(), p.joint) != in.joint_names.end();
    in.diagnostics.error(
        o.where("joint"),
        fmt::format("'{}' acts {} joint '{}', which {}; a joint with one {} is needed ({})", o.name,
                    coordinate == &Joint::angle ? "about" : "along", p.joint,
                    exists ? fmt::format("has no single {}", p.coordinate) : "does not exist", p.coordinate,
                    p.joints));
    return nullptr;
  }
  f->turns_bodies = f->coordinate->angular;
  f->bodies = {f->coordinate->bodies[0], f->coordinate->bodies[1]};
  f->rest = p.rest;
  f->by_expression = !p.effort.text.empty();
  if (f->by_expression) {
    if (!std::isnan(p.stiffness) || !std::isnan(p.damping)) {
      in.diagnostics.error(o.where(p.effort_key),
                           fmt::format("'{}' gives `{}` and `stiffness` or `damping`; give the "
                                       "expression or the coefficients",
                                       o.name, p.effort_key));
      return nullptr;
    }
    f->effort = p.effort.compiled;
  } else {
    if (!std::isnan(p.stiffness)) f->stiffness = p.stiffness;
    if (!std::isnan(p.damping)) f->damping = p.damping;
  }
  return f;
}

std::unique_ptr<ForceElement> make_rotational(const RotationalSpringDamperParameters& p, const Origin& o,
                                              const ForceInput& in) {
  return act_on(&Joint::angle,
                {p.joint, p.stiffness, p.damping, p.angle, p.torque, "torque", "angle",
                 "revolute, cylindrical, planar"},
                o, in);
}

std::unique_ptr<ForceElement> make_translational(const TranslationalSpringDamperParameters& p,
                                                 const Origin& o, const ForceInput& in) {
  return act_on(&Joint::displacement,
                {p.joint, p.stiffness, p.damping, p.displacement, p.force, "force", "displacement",
                 "translational, cylindrical, point-on-line"},
                o, in);
}

const Registration<ForceType> rotational{{
    .name = "rotational-spring-damper",
    .equation = "T = k (c − c₀) + b ċ, or T = f(x, v, t) with x = c − c₀, v = ċ",
    .citation = "Nikravesh1988",
    .table = table_of<RotationalSpringDamperParameters>(
        "a rotational spring-damper", "A spring and a damper in parallel that act about a joint's axis",
        {{&RotationalSpringDamperParameters::joint,
          {.name = "joint", .kind = Kind::name, .help = "a joint with one angle", .required = true}},
         {&RotationalSpringDamperParameters::stiffness,
          {.name = "stiffness", .unit = "N m/rad", .help = "k", .range = not_negative()}},
         {&RotationalSpringDamperParameters::damping,
          {.name = "damping", .unit = "N m s/rad", .help = "b", .range = not_negative()}},
         {&RotationalSpringDamperParameters::angle,
          {.name = "angle", .unit = "rad", .help = "c₀, where the spring is relaxed", .fallback = "0"}},
         {&RotationalSpringDamperParameters::torque,
          {.name = "torque",
           .kind = Kind::expression,
           .unit = "N m",
           .help = "moment as an expression of x (angle turned, rad), v (its rate, rad/s) and t",
           .variables = {"x", "v", "t"},
           .inputs = Inputs::allowed}}}),
    .make = made_from<make_rotational>,
}};

const Registration<ForceType> translational{{
    .name = "translational-spring-damper",
    .equation = "F = k (c − c₀) + b ċ, or F = f(x, v, t) with x = c − c₀, v = ċ",
    .citation = "Nikravesh1988",
    .table = table_of<TranslationalSpringDamperParameters>(
        "a translational spring-damper", "A spring and a damper in parallel that act along a joint's axis",
        {{&TranslationalSpringDamperParameters::joint,
          {.name = "joint", .kind = Kind::name, .help = "a joint with one displacement", .required = true}},
         {&TranslationalSpringDamperParameters::stiffness,
          {.name = "stiffness", .unit = "N/m", .help = "k", .range = not_negative()}},
         {&TranslationalSpringDamperParameters::damping,
          {.name = "damping", .unit = "N s/m", .help = "b", .range = not_negative()}},
         {&TranslationalSpringDamperParameters::displacement,
          {.name = "displacement", .unit = "m", .help = "c₀, where the spring is relaxed", .fallback = "0"}},
         {&TranslationalSpringDamperParameters::force,
          {.name = "force",
           .kind = Kind::expression,
           .unit = "N",
           .help = "force as an expression of x (displacement from c₀, m), v (its rate, m/s) and t",
           .variables = {"x", "v", "t"},
           .inputs = Inputs::allowed}}}),
    .make = made_from<make_translational>,
}};

}  // namespace
}  // namespace tappet
