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
  Vec3 axis = Vec3::Zero();  // on the first body; zero in a planar pin
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
    const Vec3 a = k.spatial[bodies[0]].R * axis;
    const double along_axis = force.dot(a), about = torque.dot(a);
    return (force - along_axis * a).norm() + axial * std::abs(along_axis) +
           bending * (torque - about * a).norm() + torsion * std::abs(about);
  }
};

Parameter bearing_length(const char* name, const char* help, bool required = false) {
  return {.name = name, .unit = "m", .help = help, .required = required, .range = positive()};
}
Parameter preload_parameter() {
  return {.name = "preload",
          .unit = "N",
          .help = "what presses besides the joint's reaction, such as the fit of a seal",
          .fallback = "0",
          .range = not_negative()};
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

std::unique_ptr<ContactPoint> make_joint_friction(const StopInput& in, const Joint& joint,
                                                  const AnyParameters& given,
                                                  std::vector<std::string>& notes) {
  const AnyParameters parameters = bearing_law(given);
  if (!parameters) return nullptr;
  std::shared_ptr<const FrictionLaw> law = make_friction_law(parameters, in.joint.diagnostics);
  if (!law) return nullptr;
  for (const std::string& note : law->traits().notes)
    notes.push_back(fmt::format("joint '{}': {}", in.joint.name(), note));
  auto out = std::make_unique<JointBearing>();
  out->name = in.joint.name() + ".friction";
  out->bodies[0] = in.joint.i, out->bodies[1] = in.joint.j;
  out->by_rows = out->bearing = out->turns = true;
  out->planar = in.joint.dimension == Dimension::planar;
  out->preload = given.number("preload");
  out->axis = joint.axis;
  int n = 0;
  if (joint.angle) out->scale[n] = given.number("pin_radius"), out->along[n++] = joint.angle;
  if (joint.displacement) out->along[n++] = joint.displacement;
  out->bending = per_arm(given, "bending_arm");
  out->torsion = per_arm(given, "torsion_arm");
  if (given.has("friction_arm")) out->axial = given.number("friction_arm") / given.number("pin_radius");
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
  if (!in.rigid) {
    out->friction_law = law;
    return out;
  }
  const FrictionTraits& traits = law->traits();
  RigidLaw rigid;
  rigid.friction = traits.sliding_coefficient;
  rigid.static_friction = std::max(rigid.friction, traits.static_coefficient);
  if (traits.by_speed) rigid.curve = law;
  out->rigid = rigid;
  out->friction_law = make_friction_law(AnyParameters(NoFrictionParameters{}), in.joint.diagnostics);
  return out;
}

}  // namespace tappet
