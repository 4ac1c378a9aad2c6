// Force and torque given by the user, constant or in time or as expressions of the motion of the point they act on.
//
//   force        F at a point of `body`, world axes or body axes; −F at the same place on `reaction` if given
//   torque       T on `body` (planar: a number; space: three); −T on `reaction` if given
//   expression   F at a point, each component an expression of t, of that point's position x, y, z and velocity vx, vy, vz
//                (world axes) and, in the plane, of the body's angle and its rate omega
//
// Their power is the ledger's input.
#include <fmt/format.h>

#include "tappet/base/units.hpp"
#include "tappet/multibody/force.hpp"

namespace tappet {
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
  bool body_axes = false;

  void apply(const Kinematics& k, ForceSum& sum) const override {
    if (k.dimension == Dimension::planar) {
      const PlanarFrame& f = k.planar[body];
      Vec2 force(components[0](k.t), components[1](k.t));
      if (body_axes) force = f.turn(force);
      act(k, sum, body, reaction, f.point(point.head<2>()), force);
    } else {
      const SpatialFrame& f = k.spatial[body];
      Vec3 force(components[0](k.t), components[1](k.t), components[2](k.t));
      if (body_axes) force = f.R * force;
      act(k, sum, body, reaction, f.point(point), force);
    }
  }
};

class AppliedTorque final : public ForceElement {
 public:
  int body = 0, reaction = -1;
  std::vector<Expression> components;
  bool body_axes = false;

  void apply(const Kinematics& k, ForceSum& sum) const override {
    if (k.dimension == Dimension::planar) {
      const double torque = components[0](k.t);
      sum.add_torque(body, torque);
      sum.powers.input += torque * k.planar[body].w;
      if (reaction < 0) return;
      sum.add_torque(reaction, -torque);
      sum.powers.input -= torque * k.planar[reaction].w;
    } else {
      Vec3 torque(components[0](k.t), components[1](k.t), components[2](k.t));
      const SpatialFrame& f = k.spatial[body];
      if (body_axes) torque = f.R * torque;
      sum.add_torque(f, body, torque);
      sum.powers.input += torque.dot(f.w);
      if (reaction < 0) return;
      sum.add_torque(k.spatial[reaction], reaction, -torque);
      sum.powers.input -= torque.dot(k.spatial[reaction].w);
    }
  }
};

class ExpressionForce final : public ForceElement {
 public:
  int body = 0, reaction = -1;
  Vec3 point = Vec3::Zero();
  std::vector<Expression> components;

  void apply(const Kinematics& k, ForceSum& sum) const override {
    if (k.dimension == Dimension::planar) {
      const PlanarFrame& f = k.planar[body];
      const PlanarPoint p(f, point.head<2>());
      const double arguments[] = {k.t, p.r.x(), p.r.y(), p.v.x(), p.v.y(), f.theta, f.w};
      act(k, sum, body, reaction, p.r, Vec2(components[0](arguments), components[1](arguments)));
    } else {
      const SpatialFrame& f = k.spatial[body];
      const SpatialPoint p(f, point);
      const double arguments[] = {k.t, p.r.x(), p.r.y(), p.r.z(), p.v.x(), p.v.y(), p.v.z()};
      act(k, sum, body, reaction, p.r,
          Vec3(components[0](arguments), components[1](arguments), components[2](arguments)));
    }
  }
};

template <class F>
std::unique_ptr<F> on_body(const ForceInput& in) {
  auto f = std::make_unique<F>();
  const Object& o = in.object;
  f->name = o.name;
  f->body = in.body("body");
  if (f->body < 0) return nullptr;
  f->bodies = {f->body};
  if (o.has("reaction")) {
    f->reaction = in.body("reaction");
    if (f->reaction < 0) return nullptr;
    f->bodies.push_back(f->reaction);
  }
  return f;
}

Vec3 point_of(const Object& o) {
  Vec3 p = Vec3::Zero();
  if (o.has("point"))
    for (std::size_t i = 0; i < o.vector("point").size(); ++i) p[i] = o.vector("point")[i];
  return p;
}

std::unique_ptr<ForceElement> make_force(const ForceInput& in) {
  auto f = on_body<AppliedForce>(in);
  if (!f) return nullptr;
  f->point = point_of(in.object);
  f->components = in.object.expressions("force");
  f->body_axes = in.object.text("axes") == "body";
  f->turns_bodies = f->point.norm() > 0 || f->reaction >= 0;
  return f;
}

std::unique_ptr<ForceElement> make_torque(const ForceInput& in) {
  auto f = on_body<AppliedTorque>(in);
  if (!f) return nullptr;
  const Object& o = in.object;
  const bool planar = in.dimension == Dimension::planar;
  if (o.has("torque") == o.has("vector") || (planar && o.has("vector")) || (!planar && o.has("torque"))) {
    in.diagnostics.error(o.pos,
                         fmt::format("torque '{}' needs {} and nothing else", o.name,
                                     planar ? "`torque`, one number or expression, in a planar model"
                                            : "`vector`, three numbers or expressions, in a spatial model"));
    return nullptr;
  }
  f->components = planar ? std::vector<Expression>{o.expression("torque")} : o.expressions("vector");
  f->body_axes = o.text("axes") == "body";
  f->turns_bodies = true;
  return f;
}

std::unique_ptr<ForceElement> make_expression(const ForceInput& in) {
  auto f = on_body<ExpressionForce>(in);
  if (!f) return nullptr;
  const Object& o = in.object;
  const bool planar = in.dimension == Dimension::planar;
  f->point = point_of(o);
  f->turns_bodies = f->point.norm() > 0 || f->reaction >= 0;
  if (planar && o.has("fz")) {
    in.diagnostics.error(o.where("fz"),
                         fmt::format("`fz` of force '{}' has no meaning in a planar model", o.name));
    return nullptr;
  }
  // Each component is read here, because the names that it may use depend on the dimension.
  const std::vector<std::string> names =
      planar ? std::vector<std::string>{"t", "x", "y", "vx", "vy", "angle", "omega"}
             : std::vector<std::string>{"t", "x", "y", "z", "vx", "vy", "vz"};
  for (const char* key : {"fx", "fy", "fz"}) {
    if (planar && std::string(key) == "fz") break;
    Expression e = Expression::constant(0);
    if (o.has(key)) {
      try {
        std::string rest;
        e = Expression::parse(o.text(key), names, rest, o.definitions.get());
        e = e.scaled(si_factor(rest, "N"));
      } catch (const std::exception& error) {
        in.diagnostics.error(o.where(key), fmt::format("`{}` of force '{}' is '{}': {}", key, o.name,
                                                       o.text(key), error.what()));
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
Parameter component(const char* name) {
  return {.name = name,
          .kind = Kind::text,
          .help = "N; expression of t, x, y, z, vx, vy, vz of the point (plane: x, y, vx, vy, angle, omega)"};
}

const Registration<ForceType> force{{
    .name = "force",
    .equation = "F(t) at a point",
    .citation = "Nikravesh1988",
    .table = {.name = "a force",
              .help = "A force on a point of a body, constant or in time",
              .parameters = {body_parameter(),
                             point_parameter(),
                             {.name = "force",
                              .kind = Kind::expressions,
                              .unit = "N",
                              .help = "components, each a "
                                      "number or an expression of t",
                              .required = true,
                              .variables = {"t"}},
                             axes_choice(),
                             reaction_parameter()}},
    .make = make_force,
}};

const Registration<ForceType> torque{{
    .name = "torque",
    .equation = "T(t) on a body",
    .citation = "Nikravesh1988",
    .table = {.name = "a torque",
              .help = "A torque on a body, constant or in time",
              .parameters = {body_parameter(),
                             {.name = "torque",
                              .kind = Kind::expression,
                              .unit = "N m",
                              .help = "plane: number or "
                                      "expression of t",
                              .variables = {"t"}},
                             {.name = "vector",
                              .kind = Kind::expressions,
                              .unit = "N m",
                              .help = "space: three numbers "
                                      "or expressions of t",
                              .variables = {"t"},
                              .length = 3},
                             axes_choice(),
                             reaction_parameter()}},
    .make = make_torque,
}};

const Registration<ForceType> expression{{
    .name = "expression",
    .equation = "F(t, r_P, v_P) at a point",
    .citation = "Nikravesh1988",
    .table = {.name = "an expression force",
              .help = "A force on a point of a body as expressions of time and of the point's motion",
              .parameters = {body_parameter(), point_parameter(), component("fx"), component("fy"),
                             component("fz"), reaction_parameter()}},
    .make = make_expression,
}};

}  // namespace
}  // namespace tappet
