// Prescribed motions.
//
//   angle, displacement   Φ = c − f(t),  Φ_t = −f′,  γ = f″ − bias
//   speed                 Φ = c − z,     Φ_t = −f,   γ = f′ − bias,   ż = f(t),   z(0) = c(0)
//   acceleration          Φ = c − z₀,    Φ_t = −z₁,  γ = f − bias,    ż₀ = z₁, ż₁ = f(t), from the start's c and ċ
//   point                 Φ = x_P − f(t) for each coordinate given
//   distance              see distance_motion.cpp
//   six components        see general_motion.cpp
//
// c: the joint's coordinate, c̈ = J u̇ + bias. The derivatives of f are exact. The multiplier λ of the row is the driving
// torque or force, positive in the direction of c: its power is λ ċ.
#include "tappet/multibody/motion.hpp"

#include <cmath>
#include <numbers>
#include <optional>

#include <fmt/format.h>

#include "tappet/base/definitions.hpp"
#include "tappet/base/sections.hpp"
#include "tappet/multibody/distance_motion.hpp"
#include "tappet/multibody/general_motion.hpp"

namespace tappet {
namespace {

class JointMotion final : public Constraint {
 public:
  std::shared_ptr<const Coordinate> coordinate;
  Expression f;
  std::optional<double> constant;  // f is a number: the usual constant speed

  std::vector<const Expression*> functions() const override { return {&f}; }
  int aux_count() const override {
    return level == ConstraintLevel::position ? 0 : level == ConstraintLevel::velocity ? 1 : 2;
  }
  void start_aux(const Kinematics& k, double* z) const override {
    const CoordinateValue c = coordinate->evaluate(k);
    if (level != ConstraintLevel::position) z[0] = c.value;
    if (level == ConstraintLevel::acceleration) z[1] = c.rate;
  }
  void aux_rates(const Kinematics& k, double* zdot) const override {
    if (level == ConstraintLevel::velocity) zdot[0] = constant ? *constant : f(k.t, k.inputs);
    if (level == ConstraintLevel::acceleration) {
      zdot[0] = k.z[aux_offset + 1];
      zdot[1] = f(k.t, k.inputs);
    }
  }

  void evaluate(const Kinematics& k, const ConstraintRows& out) const override {
    const CoordinateValue c = coordinate->evaluate(k);
    double target = 0, rate = 0, acceleration = 0;
    const Jet& jet = *out.prescribed;
    switch (level) {
      case ConstraintLevel::position:
        target = jet.value, rate = jet.d1, acceleration = jet.d2;
        break;
      case ConstraintLevel::velocity:
        target = k.z[aux_offset], rate = jet.value, acceleration = jet.d1;
        break;
      case ConstraintLevel::acceleration:
        target = k.z[aux_offset], rate = k.z[aux_offset + 1], acceleration = jet.value;
        break;
    }
    out.phi[0] = c.value - target;
    // Whole turns do not matter: the nearest position that fits is meant.
    if (coordinate->angular && std::abs(out.phi[0]) > std::numbers::pi)
      out.phi[0] = std::remainder(out.phi[0], 2 * std::numbers::pi);
    out.phi_t[0] = -rate;
    out.gamma[0] = acceleration - c.bias;
    for (int b = 0; b < 2; ++b) {
      if (!out.J[b]) continue;
      if (k.dimension == Dimension::planar)
        std::copy(c.J[b], c.J[b] + 3, out.J[b]);
      else
        std::copy(c.J[b], c.J[b] + 6, out.J[b]);
    }
  }
};

class PointMotion final : public Constraint {
 public:
  Vec3 point = Vec3::Zero();
  std::vector<std::pair<int, Expression>> targets;  // (axis, f)

  std::vector<const Expression*> functions() const override {
    std::vector<const Expression*> out;
    for (const auto& target : targets) out.push_back(&target.second);
    return out;
  }
  void evaluate(const Kinematics& k, const ConstraintRows& out) const override {
    for (std::size_t row = 0; row < targets.size(); ++row) {
      const int axis = targets[row].first;
      const Jet& jet = out.prescribed[row];
      const int r = static_cast<int>(row);
      if (k.dimension == Dimension::planar) {
        const PlanarFrame& f = k.planar[bodies[0]];
        const PlanarPoint p(f, point.head<2>());
        out.phi[row] = p.r[axis] - jet.value;
        out.gamma[row] = jet.d2 + f.w * f.w * p.s[axis];
        put(out.J[0], r, Vec2::Unit(axis), perpendicular(p.s)[axis]);
      } else {
        const SpatialFrame& f = k.spatial[bodies[0]];
        const SpatialPoint p(f, point);
        const Vec3 direction = Vec3::Unit(axis);
        out.phi[row] = p.r[axis] - jet.value;
        out.gamma[row] = jet.d2 - p.a_v[axis];
        put(out.J[0], r, f, direction, p.s.cross(direction));
      }
      out.phi_t[row] = -jet.d1;
    }
  }
};

// `speed` and `acceleration` have the unit of the joint they drive, which the file's table cannot know.
bool read_by_joint(const Origin& o, const std::string& key, const std::string& text, const std::string& unit,
                   Diagnostics& diagnostics, Expression& out) {
  try {
    const Inputs inputs = key == "speed" ? Inputs::speed : Inputs::allowed;
    out = Expression::parse_quantity(text, {"t"}, unit, o.definitions.get(), inputs);
    if (o.definitions)
      o.definitions->note_signals(out.ops(), o.where(key), fmt::format("`{}` of motion '{}'", key, o.name),
                                  inputs, unit);
    return true;
  } catch (const std::exception& e) {
    diagnostics.error(o.where(key),
                      fmt::format("`{}` of motion '{}' is '{}': {}", key, o.name, text, e.what()));
    return false;
  }
}

const Table& motion_table() {
  using P = MotionParameters;
  static const std::vector<std::string> time = {"t"};
  static const Table table = [] {
    std::vector<TableRow<P>> rows = {
        {&P::joint, {.name = "joint", .kind = Kind::name, .help = "the joint that is driven"}},
        {&P::angle,
         {.name = "angle",
          .kind = Kind::expression,
          .unit = "rad",
          .help = "angle of the joint",
          .variables = time,
          .no_inputs = position_jumps}},
        {&P::displacement,
         {.name = "displacement",
          .kind = Kind::expression,
          .unit = "m",
          .help = "displacement of the joint",
          .variables = time,
          .no_inputs = position_jumps}},
        {&P::speed,
         {.name = "speed",
          .kind = Kind::text,
          .help =
              "rate of the joint's angle (rad/s) or displacement (m/s), an expression of t, of inputs, of "
              "states and of signals that have a rate"}},
        {&P::acceleration,
         {.name = "acceleration",
          .kind = Kind::text,
          .help =
              "second rate of the joint's angle (rad/s^2) or displacement (m/s^2), an expression of t, of "
              "inputs, of states and of signals; starts at the initial speed"}},
        {&P::body, {.name = "body", .kind = Kind::name, .help = "the body whose point is moved"}},
        {&P::point,
         {.name = "point", .kind = Kind::vector, .unit = "m", .help = "the point, in body coordinates"}},
        {&P::position,
         {.name = "position",
          .kind = Kind::expressions,
          .unit = "m",
          .help = "world position of the point",
          .variables = time,
          .no_inputs = position_jumps}},
        {&P::x,
         {.name = "x",
          .kind = Kind::expression,
          .unit = "m",
          .help = "world x of the point alone",
          .variables = time,
          .no_inputs = position_jumps}},
        {&P::y,
         {.name = "y",
          .kind = Kind::expression,
          .unit = "m",
          .help = "world y of the point alone",
          .variables = time,
          .no_inputs = position_jumps}},
        {&P::z,
         {.name = "z",
          .kind = Kind::expression,
          .unit = "m",
          .help = "world z of the point alone",
          .variables = time,
          .no_inputs = position_jumps}}};
    for (TableRow<P>& row : distance_motion_rows()) rows.push_back(std::move(row));
    for (TableRow<P>& row : general_motion_rows()) rows.push_back(std::move(row));
    return table_of<P>(
        "a motion",
        "Holds a joint's coordinate, a point of a body or the distance of two points to a number "
        "or an expression of t",
        rows);
  }();
  return table;
}

const bool motions_registered = (register_table("motions", &motion_table()), true);

/// The first of these keys that the user wrote; "": none.
std::string first_given(const Origin& o, std::initializer_list<const char*> keys) {
  for (const char* key : keys)
    if (o.given(key)) return key;
  return "";
}

Motion joint_motion(const MotionInput& in) {
  const MotionParameters& p = in.parameters;
  const Origin& o = in.origin;
  const std::string& joint_name = p.joint;
  const Joint* joint = nullptr;
  for (std::size_t n = 0; n < in.joint_names.size(); ++n)
    if (in.joint_names[n] == joint_name) joint = &in.joints[n];
  if (!joint) {
    const std::string near = nearest_name(joint_name, in.joint_names);
    in.diagnostics.error(
        o.where("joint"),
        fmt::format("motion '{}' drives joint '{}', which does not exist{}; joints: {}", o.name, joint_name,
                    near.empty() ? "" : fmt::format(" (did you mean '{}'?)", near),
                    join_names(in.joint_names)));
    return {};
  }
  int given = 0;
  std::string key;
  const std::pair<const char*, const std::string&> ways[] = {{"angle", p.angle.text},
                                                             {"displacement", p.displacement.text},
                                                             {"speed", p.speed},
                                                             {"acceleration", p.acceleration}};
  for (const auto& [name, text] : ways)
    if (!text.empty()) ++given, key = name;
  if (given != 1) {
    in.diagnostics.error(o.pos, fmt::format("motion '{}' gives {} of `angle`, `displacement`, `speed` and "
                                            "`acceleration`; exactly one is needed",
                                            o.name, given));
    return {};
  }
  if (const std::string k = first_given(o, {"point", "position", "x", "y", "z", "rx", "ry", "rz"});
      !k.empty()) {
    in.diagnostics.error(o.where(k),
                         fmt::format("motion '{}' drives a joint, so `{}` has no meaning there; it "
                                     "belongs to the motion of a `body`",
                                     o.name, k));
    return {};
  }
  // An angle drives the joint's angle; a displacement its displacement; a speed whichever the joint has.
  std::shared_ptr<const Coordinate> c = key == "angle"          ? joint->angle
                                        : key == "displacement" ? joint->displacement
                                        : joint->angle          ? joint->angle
                                                                : joint->displacement;
  if (!c) {
    in.diagnostics.error(o.where("joint"),
                         fmt::format("motion '{}' prescribes `{}` of joint '{}', which has no such "
                                     "coordinate",
                                     o.name, key, joint_name));
    return {};
  }
  auto motion = std::make_unique<JointMotion>();
  motion->name = o.name;
  motion->rows = 1;
  motion->bodies = {c->bodies[0], c->bodies[1]};
  motion->coordinate = c;
  motion->drives = joint->constraint.get();
  const std::string base = c->angular ? "rad" : "m";
  if (key == "speed") {
    motion->level = ConstraintLevel::velocity;
    if (!read_by_joint(o, key, p.speed, base + "/s", in.diagnostics, motion->f)) return {};
  } else if (key == "acceleration") {
    motion->level = ConstraintLevel::acceleration;
    if (!read_by_joint(o, key, p.acceleration, base + "/s^2", in.diagnostics, motion->f)) return {};
  } else {
    motion->f = (key == "angle" ? p.angle : p.displacement).compiled;
  }
  if (motion->f.is_constant()) motion->constant = motion->f(0);
  return {std::move(motion), c->angular ? "torque" : "force", {}};
}

Motion point_motion(const MotionInput& in) {
  const MotionParameters& p = in.parameters;
  const Origin& o = in.origin;
  const std::string& body_name = p.body;
  auto at = std::find(in.body_names.begin(), in.body_names.end(), body_name);
  if (at == in.body_names.end()) {
    in.diagnostics.error(o.where("body"),
                         fmt::format("motion '{}' moves body '{}', which does not exist; bodies: {}", o.name,
                                     body_name, join_names(in.body_names)));
    return {};
  }
  const int dimensions = in.dimension == Dimension::planar ? 2 : 3;
  auto motion = std::make_unique<PointMotion>();
  motion->name = o.name;
  motion->bodies = {static_cast<int>(at - in.body_names.begin())};
  if (!std::isnan(p.point.x())) motion->point = p.point;
  for (std::size_t axis = 0; axis < p.position.size(); ++axis)
    motion->targets.emplace_back(static_cast<int>(axis), p.position[axis].compiled);
  const char* axes[] = {"x", "y", "z"};
  const Formula* alone[] = {&p.x, &p.y, &p.z};
  for (int axis = 0; axis < 3; ++axis) {
    if (alone[axis]->text.empty()) continue;
    if (axis >= dimensions || !p.position.empty()) {
      in.diagnostics.error(
          o.where(axes[axis]),
          axis >= dimensions
              ? fmt::format("`z` of motion '{}' has no meaning in a planar model", o.name)
              : fmt::format("motion '{}' gives `position` and `{}`; give one of them", o.name, axes[axis]));
      return {};
    }
    motion->targets.emplace_back(axis, alone[axis]->compiled);
  }
  motion->rows = static_cast<int>(motion->targets.size());
  if (motion->rows == 0) {
    in.diagnostics.error(
        o.pos, fmt::format("motion '{}' moves a point of '{}' but says not where; give `position`, or "
                           "one or more of `x`, `y`, `z`",
                           o.name, body_name));
    return {};
  }
  std::vector<int> rows;
  for (const auto& target : motion->targets) rows.push_back(target.first);
  return {std::move(motion), "", rows};
}

}  // namespace

Motion make_motion(const MotionInput& in) {
  const MotionParameters& p = in.parameters;
  const Origin& o = in.origin;
  std::vector<std::string> given;
  if (!p.joint.empty()) given.push_back("joint");
  if (!p.body.empty()) given.push_back("body");
  if (!p.bodies[0].empty()) given.push_back("bodies");
  if (given.size() != 1) {
    in.diagnostics.error(
        o.pos, fmt::format("motion '{}' gives {}; exactly one of `joint`, `body` and `bodies` is needed",
                           o.name, given.empty() ? "none of what it may drive" : join_names(given)));
    return {};
  }
  if (given[0] != "joint" && is_general(p)) {
    std::vector<int> axes;
    auto constraint = make_general_motion(in, axes);
    return {std::move(constraint), "", axes};
  }
  if (given[0] != "bodies") {
    if (const std::string key = first_given(o, {"points", "distance"}); !key.empty()) {
      in.diagnostics.error(o.where(key),
                           fmt::format("`{}` of motion '{}' has no meaning there; it belongs to the motion "
                                       "between two `bodies`",
                                       key, o.name));
      return {};
    }
    return given[0] == "joint" ? joint_motion(in) : point_motion(in);
  }
  const std::string key =
      first_given(o, {"angle", "displacement", "speed", "acceleration", "point", "position", "x", "y", "z"});
  if (!key.empty()) {
    in.diagnostics.error(o.where(key),
                         fmt::format("`{}` of motion '{}' has no meaning there; between two `bodies` only "
                                     "`distance`, or components x, y, z, rx, ry and rz, can be prescribed",
                                     key, o.name));
    return {};
  }
  return {make_distance_motion(in), "force", {}};
}

}  // namespace tappet
