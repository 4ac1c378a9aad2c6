// Force and torque given by the user, constant or in time or as expressions of the motion of the point they act on.
//
//   force        F at a point of `body`, in axes of the world, of the body or of a third one; −F at the same place on `reaction` if given
//   torque       T on `body` (planar: a number; space: three), likewise; −T on `reaction` if given
//   expression   F at a point, each component an expression of t, of that point's position x, y, z and velocity vx, vy, vz
//                (world axes) and, in the plane, of the body's angle and its rate omega
//
// Their power is the ledger's input.
#include <array>
#include <span>

#include <fmt/format.h>

#include "tappet/base/definitions.hpp"
#include "tappet/base/expression_words.hpp"
#include "tappet/base/units.hpp"
#include "tappet/multibody/force.hpp"

namespace tappet::forces::applied {
namespace {

// Adds a force (or a torque) on one body and its opposite on another, and the power of both.
void act(const Kinematics& k, ForceSum& sum, int body, int reaction, const Vec2& at, const Vec2& force) {
  auto on = [&](int b, const Vec2& F) {
    const PlanarFrame& f = k.planar[b];
    sum.add(f, b, at, F);
    sum.powers.input += F.dot(f.v + f.w * perpendicular(at - f.r));
  };
  on(body, force);
  if (reaction >= 0) on(reaction, -force);
}

void act(const Kinematics& k, ForceSum& sum, int body, int reaction, const Vec3& at, const Vec3& force) {
  auto on = [&](int b, const Vec3& F) {
    const SpatialFrame& f = k.spatial[b];
    sum.add(f, b, at, F);
    sum.powers.input += F.dot(f.v + f.w.cross(at - f.r));
  };
  on(body, force);
  if (reaction >= 0) on(reaction, -force);
}

class AppliedForce final : public ForceElement {
 public:
  int body = 0, reaction = -1;
  Vec3 point = Vec3::Zero();
  std::vector<Expression> components;
  int axes = -1;  // the body in whose axes the components are; −1: the world's

  void apply(const Kinematics& k, ForceSum& sum) const override {
    if (k.dimension == Dimension::planar) {
      const PlanarFrame& f = k.planar[body];
      Vec2 force(components[0](k.t, k.inputs), components[1](k.t, k.inputs));
      if (axes >= 0) force = k.planar[axes].turn(force);
      act(k, sum, body, reaction, f.point(point.head<2>()), force);
    } else {
      const SpatialFrame& f = k.spatial[body];
      Vec3 force(components[0](k.t, k.inputs), components[1](k.t, k.inputs), components[2](k.t, k.inputs));
      if (axes >= 0) force = k.spatial[axes].R * force;
      act(k, sum, body, reaction, f.point(point), force);
    }
  }
  std::string formula(const Kinematics& k) const override {
    return in_words(components, {"t"}, std::span<const double>(&k.t, 1), k.inputs);
  }
};

class AppliedTorque final : public ForceElement {
 public:
  int body = 0, reaction = -1;
  std::vector<Expression> components;
  int axes = -1;  // likewise

  void apply(const Kinematics& k, ForceSum& sum) const override {
    if (k.dimension == Dimension::planar) {
      const double torque = components[0](k.t, k.inputs);
      sum.add_torque(body, torque);
      sum.powers.input += torque * k.planar[body].w;
      if (reaction < 0) return;
      sum.add_torque(reaction, -torque);
      sum.powers.input -= torque * k.planar[reaction].w;
    } else {
      Vec3 torque(components[0](k.t, k.inputs), components[1](k.t, k.inputs), components[2](k.t, k.inputs));
      const SpatialFrame& f = k.spatial[body];
      if (axes >= 0) torque = k.spatial[axes].R * torque;
      sum.add_torque(f, body, torque);
      sum.powers.input += torque.dot(f.w);
      if (reaction < 0) return;
      sum.add_torque(k.spatial[reaction], reaction, -torque);
      sum.powers.input -= torque.dot(k.spatial[reaction].w);
    }
  }
  std::string formula(const Kinematics& k) const override {
    return in_words(components, {"t"}, std::span<const double>(&k.t, 1), k.inputs);
  }
};

class ExpressionForce final : public ForceElement {
 public:
  int body = 0, reaction = -1;
  Vec3 point = Vec3::Zero();
  std::vector<Expression> components;

  static const std::vector<std::string>& names(Dimension dimension) {
    static const std::vector<std::string> planar{"t", "x", "y", "vx", "vy", "angle", "omega"},
        spatial{"t", "x", "y", "z", "vx", "vy", "vz"};
    return dimension == Dimension::planar ? planar : spatial;
  }
  std::array<double, 7> arguments(const Kinematics& k) const {
    if (k.dimension == Dimension::planar) {
      const PlanarFrame& f = k.planar[body];
      const PlanarPoint p(f, point.head<2>());
      return {k.t, p.r.x(), p.r.y(), p.v.x(), p.v.y(), f.theta, f.w};
    }
    const SpatialPoint p(k.spatial[body], point);
    return {k.t, p.r.x(), p.r.y(), p.r.z(), p.v.x(), p.v.y(), p.v.z()};
  }

  void apply(const Kinematics& k, ForceSum& sum) const override {
    const std::array<double, 7> a = arguments(k);
    if (k.dimension == Dimension::planar)
      act(k, sum, body, reaction, Vec2(a[1], a[2]),
          Vec2(components[0](a, k.inputs), components[1](a, k.inputs)));
    else
      act(k, sum, body, reaction, Vec3(a[1], a[2], a[3]),
          Vec3(components[0](a, k.inputs), components[1](a, k.inputs), components[2](a, k.inputs)));
  }
  std::string formula(const Kinematics& k) const override {
    return in_words(components, names(k.dimension), arguments(k), k.inputs);
  }
};

template <class F, class P>
std::unique_ptr<F> on_body(const P& p, const ForceInput& in) {
  auto f = std::make_unique<F>();
  f->name = in.name();
  f->body = in.body(p.body, in.origin.where("body"));
  if (f->body < 0) return nullptr;
  f->bodies = {f->body};
  if (!p.reaction.empty()) {
    f->reaction = in.body(p.reaction, in.origin.where("reaction"));
    if (f->reaction < 0) return nullptr;
    f->bodies.push_back(f->reaction);
  }
  return f;
}

Vec3 or_centre(const Vec3& point) {
  return std::isnan(point.x()) ? Vec3(Vec3::Zero()) : point;
}

std::vector<Expression> compiled(const std::vector<Formula>& formulas) {
  std::vector<Expression> out;
  for (const Formula& formula : formulas) out.push_back(formula.compiled);
  return out;
}

// The body in whose axes components are; −1: the world's.
template <class P>
int axes_of(const P& p, int body, const ForceInput& in) {
  if (p.axes_of.empty()) return p.axes == "body" ? body : -1;
  if (in.origin.given("axes"))
    in.diagnostics.error(in.origin.where("axes_of"),
                         fmt::format("force '{}' has `axes` and `axes_of`; give one of them", in.name()));
  return in.body(p.axes_of, in.origin.where("axes_of"));
}

std::unique_ptr<ForceElement> make_force(const ForceParameters& p, const Origin&, const ForceInput& in) {
  auto f = on_body<AppliedForce>(p, in);
  if (!f) return nullptr;
  f->point = or_centre(p.point);
  f->components = compiled(p.force);
  f->axes = axes_of(p, f->body, in);
  f->turns_bodies = f->point.norm() > 0 || f->reaction >= 0;
  return f;
}

std::unique_ptr<ForceElement> make_torque(const TorqueParameters& p, const Origin& origin,
                                          const ForceInput& in) {
  auto f = on_body<AppliedTorque>(p, in);
  if (!f) return nullptr;
  const bool planar = in.dimension == Dimension::planar;
  const bool number = !p.torque.text.empty(), vector = !p.vector.empty();
  if (number == vector || (planar && vector) || (!planar && number)) {
    in.diagnostics.error(origin.pos,
                         fmt::format("torque '{}' needs {} and nothing else", in.name(),
                                     planar ? "`torque`, one number or expression, in a planar model"
                                            : "`vector`, three numbers or expressions, in a spatial model"));
    return nullptr;
  }
  f->components = planar ? std::vector<Expression>{p.torque.compiled} : compiled(p.vector);
  f->axes = axes_of(p, f->body, in);
  f->turns_bodies = true;
  return f;
}

std::unique_ptr<ForceElement> make_expression(const ExpressionForceParameters& p, const Origin& o,
                                              const ForceInput& in) {
  auto f = on_body<ExpressionForce>(p, in);
  if (!f) return nullptr;
  const bool planar = in.dimension == Dimension::planar;
  f->point = or_centre(p.point);
  f->turns_bodies = f->point.norm() > 0 || f->reaction >= 0;
  if (planar && !p.fz.empty()) {
    in.diagnostics.error(o.where("fz"),
                         fmt::format("`fz` of force '{}' has no meaning in a planar model", o.name));
    return nullptr;
  }
  // Each component is read here, because the names that it may use depend on the dimension.
  const std::vector<std::string>& names = ExpressionForce::names(in.dimension);
  const std::pair<const char*, const std::string&> components[] = {{"fx", p.fx}, {"fy", p.fy}, {"fz", p.fz}};
  for (const auto& [key, text] : components) {
    if (planar && &text == &p.fz) break;
    Expression e = Expression::constant(0);
    if (!text.empty()) {
      try {
        e = Expression::parse_quantity(text, names, "N", o.definitions.get(), Inputs::allowed);
        if (o.definitions)
          o.definitions->note_signals(e.ops(), o.where(key), fmt::format("`{}` of force '{}'", key, o.name),
                                      Inputs::allowed, "N");
      } catch (const std::exception& error) {
        in.diagnostics.error(o.where(key),
                             fmt::format("`{}` of force '{}' is '{}': {}", key, o.name, text, error.what()));
      }
    }
    f->components.push_back(e);
  }
  return f;
}

Parameter body_parameter() {
  return {.name = "body", .kind = Kind::name, .help = "the body it acts on", .required = true};
}
Parameter reaction_parameter() {
  return {.name = "reaction", .kind = Kind::name, .help = "the body that takes the opposite; absent: nobody"};
}
Parameter point_parameter() {
  return {.name = "point",
          .kind = Kind::vector,
          .unit = "m",
          .help = "where it acts, in body coordinates; absent: the centre of mass"};
}
Parameter axes_choice() {
  return {.name = "axes",
          .kind = Kind::choice,
          .help = "the axes its components are given in",
          .fallback = "world",
          .choices = {"world", "body"}};
}
Parameter axes_of_parameter() {
  return {.name = "axes_of",
          .kind = Kind::name,
          .help =
              "a body in whose axes its components are given, instead of `axes`: action and reaction of "
              "three bodies"};
}
Parameter component(const char* name) {
  return {.name = name,
          .kind = Kind::text,
          .help = "N; expression of t, x, y, z, vx, vy, vz of the point (plane: x, y, vx, vy, angle, omega)"};
}

const Registration<ForceType> force{{
    .name = "force",
    .equation = "F(t) at a point",
    .citation = "Nikravesh1988",
    .table = table_of<ForceParameters>("a force", "A force on a point of a body, constant or in time",
                                       {{&ForceParameters::body, body_parameter()},
                                        {&ForceParameters::point, point_parameter()},
                                        {&ForceParameters::force,
                                         {.name = "force",
                                          .kind = Kind::expressions,
                                          .unit = "N",
                                          .help = "components, each a number or an expression of t",
                                          .required = true,
                                          .variables = {"t"},
                                          .inputs = Inputs::allowed}},
                                        {&ForceParameters::axes, axes_choice()},
                                        {&ForceParameters::reaction, reaction_parameter()},
                                        {&ForceParameters::axes_of, axes_of_parameter()}}),
    .make = made_from<make_force>,
}};

const Registration<ForceType> torque{{
    .name = "torque",
    .equation = "T(t) on a body",
    .citation = "Nikravesh1988",
    .table = table_of<TorqueParameters>("a torque", "A torque on a body, constant or in time",
                                        {{&TorqueParameters::body, body_parameter()},
                                         {&TorqueParameters::torque,
                                          {.name = "torque",
                                           .kind = Kind::expression,
                                           .unit = "N m",
                                           .help = "plane: number or expression of t",
                                           .variables = {"t"},
                                           .inputs = Inputs::allowed}},
                                         {&TorqueParameters::vector,
                                          {.name = "vector",
                                           .kind = Kind::expressions,
                                           .unit = "N m",
                                           .help = "space: three numbers or expressions of t",
                                           .variables = {"t"},
                                           .inputs = Inputs::allowed,
                                           .length = 3}},
                                         {&TorqueParameters::axes, axes_choice()},
                                         {&TorqueParameters::reaction, reaction_parameter()},
                                         {&TorqueParameters::axes_of, axes_of_parameter()}}),
    .make = made_from<make_torque>,
}};

const Registration<ForceType> expression{{
    .name = "expression",
    .equation = "F(t, r_P, v_P) at a point",
    .citation = "Nikravesh1988",
    .table = table_of<ExpressionForceParameters>(
        "an expression force",
        "A force on a point of a body as expressions of time and of the point's motion",
        {{&ExpressionForceParameters::body, body_parameter()},
         {&ExpressionForceParameters::point, point_parameter()},
         {&ExpressionForceParameters::fx, component("fx")},
         {&ExpressionForceParameters::fy, component("fy")},
         {&ExpressionForceParameters::fz, component("fz")},
         {&ExpressionForceParameters::reaction, reaction_parameter()}}),
    .make = made_from<make_expression>,
}};

}  // namespace
}  // namespace tappet::forces::applied
