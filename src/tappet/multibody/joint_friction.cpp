#include "tappet/multibody/joint_friction.hpp"

#include <cmath>
#include <limits>
#include <map>
#include <mutex>

#include <fmt/format.h>

#include "tappet/contact/friction/none.hpp"

namespace tappet {
namespace {

class JointBearing final : public ContactPoint {
 public:
  std::shared_ptr<const Coordinate>
      along[2];              // what slides in the first and in the second direction; null: nothing
  double scale[2] = {1, 1};  // m per unit
  Vec3 axis = Vec3::Zero();  // on one of the bodies; zero in a planar pin and of a ball
  int axis_on = 0;           // which of them
  Expression pressed;        // the preload where it changes, N, of t
  bool changes = false;
  double axial = 0, bending = 0, torsion = 0;  // loads per N, per N m

  Touch find_touch(const Kinematics& k) const override {
    Touch out;
    out.gap = -std::numeric_limits<double>::min();
    // The tangents follow from it: world x, in space y besides.
    out.normal = planar ? Vec3(0, -1, 0) : Vec3(0, 0, 1);
    for (int n = 0; n < 2; ++n)
      if (along[n]) out.slip[n] = scale[n] * along[n]->evaluate(k).rate;
    if (planar)
      out.at << k.planar[bodies[1]].r, 0;
    else
      out.at = k.spatial[bodies[1]].r;
    return out;
  }
  int sliding_directions() const override { return along[1] ? 2 : 1; }
  TouchMotion motion(const Kinematics&) const override { return {}; }
  void row(const Kinematics& k, int direction, CoordinateRow& out) const override {
    if (direction == 0 || !along[direction - 1]) return;
    const Coordinate& coordinate = *along[direction - 1];
    const CoordinateValue c = coordinate.evaluate(k);
    const double unit = scale[direction - 1];
    out.count = 2;
    out.bias = unit * c.bias;
    for (int b = 0; b < 2; ++b) {
      out.bodies[b] = coordinate.bodies[b];
      for (int i = 0; i < 6; ++i) out.J[b][i] = unit * c.J[b][i];
    }
  }
  double load(const Kinematics& k, const Vec3& force, const Vec3& torque) const override {
    if (planar) return force.norm() + bending * std::abs(torque.z());
    const Vec3 a = k.spatial[bodies[axis_on]].R * axis;
    const double along_axis = force.dot(a), about = torque.dot(a);
    return (force - along_axis * a).norm() + axial * std::abs(along_axis) +
           bending * (torque - about * a).norm() + torsion * std::abs(about);
  }
};

Parameter bearing_length(const char* name, const char* help, bool required = false) {
  return {.name = name, .unit = "m", .help = help, .required = required, .range = positive()};
}
Parameter preload_parameter() {
  return {
      .name = "preload",
      .kind = Kind::expression,
      .unit = "N",
      .help =
          "what presses besides the joint's reaction: the fit of a seal or, as an expression of t, inputs "
          "and signals, a brake or a clutch",
      .fallback = "0",
      .range = not_negative(),
      .variables = {"t"},
      .inputs = Inputs::law};
}
Parameter pin_radius_parameter() {
  return bearing_length("pin_radius", "at which the surfaces slide", true);
}
Parameter bending_arm_parameter() {
  return bearing_length("bending_arm",
                        "what a couple across the axis is divided by to press; absent: it does not");
}

// Every friction law's table with the rows of a bearing; made when first asked for, since laws may be registered while a program runs.
struct BearingFamily {
  std::vector<Parameter> rows;
  std::map<std::string, Table> tables;
  std::mutex busy;
  Family family;

  explicit BearingFamily(std::vector<Parameter> own) : rows(std::move(own)) {
    family = {.key = "law",
              .noun = "friction law",
              .common = {.name = "friction of a joint",
                         .help = "Friction from a joint's reaction",
                         .parameters = {}},
              .fallback = "coulomb",
              .members = [this] { return members(); }};
  }
  std::vector<std::pair<std::string, const Table*>> members() {
    const std::lock_guard lock(busy);
    std::vector<std::pair<std::string, const Table*>> out;
    for (const FrictionLawType& type : FrictionLawRegistry::instance().entries()) {
      if (!tables.contains(type.name)) {
        Table table = type.table;
        std::erase_if(table.parameters,
                      [](const Parameter& p) { return p.name == "tangential_restitution"; });
        for (Parameter& p : table.parameters) p.supplied_by = "";
        table.parameters.insert(table.parameters.end(), rows.begin(), rows.end());
        tables.emplace(type.name, with_named_values(std::move(table)));
      }
      out.emplace_back(type.name, &tables.at(type.name));
    }
    return out;
  }
};

Parameter friction_key(BearingFamily& family) {
  return {.name = "friction",
          .kind = Kind::object,
          .help = "a friction law, loaded by the joint's reaction; absent: none",
          .family = &family.family};
}

/// The law's own parameters out of those of law and bearing.
AnyParameters bearing_law(const AnyParameters& given) {
  const FrictionLawType* type = FrictionLawRegistry::instance().find(given.origin.type);
  if (!type) return {};
  AnyParameters out(type->table.maps, type->table.maps->copy(nullptr), given.origin);
  for (const Parameter& p : type->table.parameters)
    if (const auto value = given.get(p.name)) out.set(p.name, *value);
  return out;
}

/// 1/arm; 0 without one.
double per_arm(const AnyParameters& given, const char* arm) {
  return given.has(arm) ? 1 / given.number(arm) : 0;
}

}  // namespace

Parameter pin_friction_parameter() {
  static BearingFamily family(
      {pin_radius_parameter(),
       bearing_length("friction_arm", "space: at which the axial force rubs; absent: it does not"),
       bending_arm_parameter(), preload_parameter()});
  return friction_key(family);
}

Parameter slide_friction_parameter() {
  static BearingFamily family(
      {bending_arm_parameter(),
       bearing_length("torsion_arm",
                      "space: what the couple about the slide is divided by to press; absent: it does not"),
       preload_parameter()});
  return friction_key(family);
}

Parameter sleeve_friction_parameter() {
  static BearingFamily family({pin_radius_parameter(), bending_arm_parameter(), preload_parameter()});
  return friction_key(family);
}

Parameter ball_friction_parameter() {
  static BearingFamily family(
      {bearing_length("ball_radius", "of the ball, at which it slides in its socket", true),
       {.name = "stud",
        .kind = Kind::vector,
        .help = "direction of the ball's stud, in the second body's coordinates: turning about it is twist, "
                "across it swing",
        .required = true,
        .length = 3},
       bearing_length("twist_radius", "at which the ball slides as it twists; absent: `ball_radius`"),
       preload_parameter()});
  return friction_key(family);
}

namespace {

/// What all of a joint's places share: its law, and where it is.
std::unique_ptr<JointBearing> make_bearing(const StopInput& in, const AnyParameters& given,
                                           const std::shared_ptr<const FrictionLaw>& law,
                                           const std::string& word) {
  auto out = std::make_unique<JointBearing>();
  out->name = in.joint.name() + ".friction" + word;
  out->bodies[0] = in.joint.i, out->bodies[1] = in.joint.j;
  out->by_rows = out->bearing = out->turns = true;
  out->planar = in.joint.dimension == Dimension::planar;
  if (const auto preload = given.get("preload")) out->pressed = preload->formulas.at(0).compiled;
  out->changes = !out->pressed.is_constant();
  if (!out->changes) out->preload = out->pressed(0);
  out->bending = per_arm(given, "bending_arm");
  out->torsion = per_arm(given, "torsion_arm");
  if (given.has("friction_arm")) out->axial = given.number("friction_arm") / given.number("pin_radius");
  if (!in.rigid) {
    out->friction_law = law;
    return out;
  }
  out->rigid = rigid_friction(law);
  out->friction_law = make_friction_law(AnyParameters(NoFrictionParameters{}), in.joint.diagnostics);
  return out;
}

// What slides is the second body's angular velocity about an axis of the first body or, with the sign turned, of the second.
std::shared_ptr<const Coordinate> turning_about(const JointInput& in, int on, const Vec3& axis) {
  const int i = on == 0 ? in.i : in.j, j = on == 0 ? in.j : in.i;
  const Vec3 other = in.start.spatial[j].R.transpose() * (in.start.spatial[i].R * axis);
  return spatial_angle(i, j, axis, other, 0);
}

void add_turning(const JointInput& in, int on, const Vec3& axis, double radius, JointBearing& out) {
  const int n = out.along[0] ? 1 : 0;
  out.along[n] = turning_about(in, on, axis);
  out.scale[n] = on == 0 ? radius : -radius;
  out.length_scale = radius;
}

}  // namespace

std::vector<std::unique_ptr<ContactPoint>> make_joint_friction(const StopInput& in, const Joint& joint,
                                                               const AnyParameters& given,
                                                               std::vector<std::string>& notes) {
  std::vector<std::unique_ptr<ContactPoint>> all;
  const AnyParameters parameters = bearing_law(given);
  if (!parameters) return all;
  std::shared_ptr<const FrictionLaw> law = make_friction_law(parameters, in.joint.diagnostics);
  if (!law) return all;
  for (const std::string& note : law->traits().notes)
    notes.push_back(fmt::format("joint '{}': {}", in.joint.name(), note));

  if (given.has("ball_radius")) {
    Vec3 stud;
    parameters::put(*given.get("stud"), stud);
    if (!(stud.norm() > 0)) {
      in.joint.diagnostics.error(given.origin.where("stud"),
                                 fmt::format("`stud` of joint '{}' has no length: a direction needs at least "
                                             "one number that is not 0",
                                             in.joint.name()));
      return all;
    }
    stud.normalize();
    const double radius = given.number("ball_radius");
    auto swing = make_bearing(in, given, law, ".swing"), twist = make_bearing(in, given, law, ".twist");
    const Vec3 across = any_perpendicular(stud);
    add_turning(in.joint, 1, across, radius, *swing);
    add_turning(in.joint, 1, stud.cross(across), radius, *swing);
    add_turning(in.joint, 1, stud, given.has("twist_radius") ? given.number("twist_radius") : radius, *twist);
    all.push_back(std::move(swing));
    all.push_back(std::move(twist));
    return all;
  }
  if (!joint.angle && !joint.displacement) {
    const auto axes = in.joint.axes3();
    for (const int on : {0, 1}) {
      auto pin = make_bearing(in, given, law, on == 0 ? ".first" : ".second");
      pin->axis = on == 0 ? axes.first : axes.second;
      pin->axis_on = on;
      add_turning(in.joint, on, pin->axis, given.number("pin_radius"), *pin);
      all.push_back(std::move(pin));
    }
    return all;
  }

  auto out = make_bearing(in, given, law, "");
  out->axis = joint.axis;
  int n = 0;
  if (joint.angle) out->scale[n] = given.number("pin_radius"), out->along[n++] = joint.angle;
  if (joint.displacement) out->along[n++] = joint.displacement;
  out->length_scale = joint.angle ? given.number("pin_radius") : 1;
  for (const char* key : {"friction_arm", "torsion_arm"})
    if (out->planar && given.has(key))
      in.joint.diagnostics.error(
          given.origin.where(key),
          fmt::format("`{}` of joint '{}' has no meaning in a planar model, where no such "
                      "reaction exists",
                      key, in.joint.name()));
  if (out->planar && joint.angle && given.has("bending_arm"))
    in.joint.diagnostics.error(
        given.origin.where("bending_arm"),
        fmt::format("`bending_arm` of joint '{}' has no meaning in a planar model, where a "
                    "pin carries no couple",
                    in.joint.name()));
  all.push_back(std::move(out));
  return all;
}

double preload_of(const ContactPoint& bearing, const Kinematics& k) {
  const auto& joint = static_cast<const JointBearing&>(bearing);
  if (!joint.changes) return joint.preload;
  const double out = joint.pressed(k.t, k.inputs);
  if (!(out >= 0))
    throw SimulationError(
        k.t, fmt::format("`preload` of '{}' is {:.4g} N; what presses must not be below 0", joint.name, out));
  return out;
}

RigidLaw rigid_friction(const std::shared_ptr<const FrictionLaw>& law) {
  const FrictionTraits& traits = law->traits();
  RigidLaw rigid;
  rigid.friction = traits.sliding_coefficient;
  rigid.static_friction = std::max(rigid.friction, traits.static_coefficient);
  if (traits.by_speed) rigid.curve = law;
  return rigid;
}

}  // namespace tappet
