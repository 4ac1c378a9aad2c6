// Rotational spring-damper about a joint's axis.
//
//   T = k (c − c₀) + b ċ          moment that turns the joint's second body back, c: the joint's angle
//   T = f(x, v, t)                instead, with x = c − c₀ and v = ċ
//
// Stored: k (c − c₀)²/2; dissipated: b ċ². Whole turns count; in space they are followed by a winding variable with ż = ċ.
#include <fmt/format.h>

#include "tappet/base/expression_words.hpp"
#include "tappet/multibody/force.hpp"

namespace tappet::forces::rotational_spring_damper {
namespace {

class RotationalSpringDamper final : public ForceElement {
 public:
  std::shared_ptr<const Coordinate> angle;
  double stiffness = 0, damping = 0, rest = 0;
  bool by_expression = false;
  Expression torque;

  int aux_count() const override { return angle->wrapped ? 1 : 0; }
  void start_aux(const Kinematics& k, double* z) const override {
    if (angle->wrapped) z[0] = angle->evaluate(k).value;
  }
  void aux_rates(const Kinematics& k, double* zdot) const override {
    if (angle->wrapped) zdot[0] = angle->evaluate(k).rate;
  }

  double turned(const Kinematics& k, const CoordinateValue& c) const {
    return (angle->wrapped ? unwrap(c.value, k.z[aux_offset]) : c.value) - rest;
  }

  void apply(const Kinematics& k, ForceSum& sum) const override {
    const CoordinateValue c = angle->evaluate(k);
    const double x = turned(k, c);
    double moment;
    if (by_expression) {
      const double arguments[] = {x, c.rate, k.t};
      moment = torque(arguments, k.inputs);
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
    const CoordinateValue c = angle->evaluate(k);
    const double arguments[] = {turned(k, c), c.rate, k.t};
    return in_words(torque, {"x", "v", "t"}, arguments);
  }

  double potential(const Kinematics& k) const override {
    if (by_expression) return 0;
    const double x = turned(k, angle->evaluate(k));
    return 0.5 * stiffness * x * x;
  }
};

std::unique_ptr<ForceElement> make(const RotationalSpringDamperParameters& p, const Origin& o,
                                   const ForceInput& in) {
  auto f = std::make_unique<RotationalSpringDamper>();
  f->name = o.name;
  f->turns_bodies = true;
  for (std::size_t n = 0; n < in.joint_names.size(); ++n)
    if (in.joint_names[n] == p.joint) f->angle = in.joints[n].angle;
  if (!f->angle) {
    in.diagnostics.error(
        o.where("joint"),
        fmt::format("'{}' acts about joint '{}', which {}; a joint with one angle is "
                    "needed (revolute, cylindrical, planar)",
                    o.name, p.joint,
                    std::find(in.joint_names.begin(), in.joint_names.end(), p.joint) == in.joint_names.end()
                        ? "does not exist"
                        : "has no single angle"));
    return nullptr;
  }
  f->bodies = {f->angle->bodies[0], f->angle->bodies[1]};
  f->rest = p.angle;
  f->by_expression = !p.torque.text.empty();
  if (f->by_expression) {
    if (!std::isnan(p.stiffness) || !std::isnan(p.damping)) {
      in.diagnostics.error(o.where("torque"),
                           fmt::format("'{}' gives `torque` and `stiffness` or `damping`; give the "
                                       "expression or the coefficients",
                                       o.name));
      return nullptr;
    }
    f->torque = p.torque.compiled;
  } else {
    if (!std::isnan(p.stiffness)) f->stiffness = p.stiffness;
    if (!std::isnan(p.damping)) f->damping = p.damping;
  }
  return f;
}

const Registration<ForceType> registered{{
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
    .make = made_from<make>,
}};

}  // namespace
}  // namespace tappet::forces::rotational_spring_damper
