#include "tappet/imports/on_floor.hpp"

#include <algorithm>
#include <cmath>
#include <set>

#include <fmt/format.h>

#include "tappet/geometry/pair.hpp"
#include "tappet/geometry/shapes/plane.hpp"
#include "tappet/imports/values.hpp"
#include "tappet/model/compile.hpp"
#include "tappet/model/model.hpp"
#include "tappet/spec/spec.hpp"

namespace tappet {

namespace {

using namespace values;

/// The robot's whole weight presses one contact so deep.
constexpr double depth_under_weight = 1e-3;
/// Overlaps down to this share of the smaller shape are touching.
constexpr double touching = 1e-6;

double smallest_gap(const Shape& a, const Pose& p, const Shape& b, const Pose& q) {
  const Pair pair(a, b);
  if (!pair) return HUGE_VAL;
  std::vector<Proximity> places(static_cast<std::size_t>(pair.candidates()));
  pair.evaluate(p, q, places);
  double out = HUGE_VAL;
  for (const Proximity& place : places) out = std::min(out, place.gap);
  return out;
}

class Floor {
 public:
  Floor(ImportedModel& import, const std::string& file) : import_(import) {
    Diagnostics diagnostics;
    model_ = compile(spec_from_text(to_yaml(import.model), file), diagnostics);
    diagnostics.throw_if_errors();
    const Mechanism& m = model_->mechanism;
    for (int b = 0; b < m.body_count(); ++b) {
      const double* q = model_->q0.data() + 7 * b;
      Pose pose;
      pose.r = Vec3(q[0], q[1], q[2]);
      pose.R = Eigen::Quaterniond(q[3], q[4], q[5], q[6]).normalized().toRotationMatrix();
      poses_.push_back(pose);
      weight_ += m.bodies[b].mass * 9.81;
    }
  }

  void stand(bool self_collision) {
    Value contacts = mapping();
    const std::string floor = floor_shape();
    if (!floor.empty()) add(contacts, "floor", contact("ground." + floor, "*.*", false));
    if (self_collision) add_pairs(contacts);
    if (!contacts.map.empty()) add(import_.model, "contacts", std::move(contacts));
  }

 private:
  ImportedModel& import_;
  std::shared_ptr<const Model> model_;
  std::vector<Pose> poses_;
  double weight_ = 0;

  const Pose& pose_of(const Surface& s) const {
    static const Pose still;
    return s.body < 0 || s.body >= static_cast<int>(poses_.size()) ? still
                                                                   : poses_[static_cast<std::size_t>(s.body)];
  }
  static std::string body_of(const Surface& s) { return s.name.substr(0, s.name.find('.')); }
  bool moves(const Surface& s) const { return body_of(s) != "ground"; }

  /// The name of the ground's plane, or of one that is made below the lowest point.
  std::string floor_shape() {
    double lowest = HUGE_VAL;
    const Plane level(Vec3::Zero(), Vec3::UnitZ());
    for (const Surface& s : model_->mechanism.surfaces) {
      if (!moves(s)) {
        if (s.shape->kind() == "plane") return s.name.substr(s.name.find('.') + 1);
        continue;
      }
      lowest = std::min(lowest, smallest_gap(level, {}, *s.shape, pose_of(s)));
    }
    if (!std::isfinite(lowest)) {
      import_.notes.push_back("it has no shape that could touch a floor: there is none");
      return "";
    }
    Value shape = mapping(), keys = mapping();
    add(keys, "point", vector({0, 0, lowest}));
    add(keys, "normal", vector({0, 0, 1}));
    add(shape, "plane", std::move(keys));
    Value* ground = import_.model.find("ground");
    if (!ground) {
      add(import_.model, "ground", mapping());
      ground = import_.model.find("ground");
    }
    if (!ground->find("shapes")) add(*ground, "shapes", mapping());
    Value& shapes = *ground->find("shapes");
    std::string name = "floor";
    while (shapes.find(name)) name += "_2";
    add(shapes, name, std::move(shape));
    import_.notes.push_back(
        fmt::format("the floor is at z = {:.6g} m, the height of the lowest point", lowest));
    return name;
  }

  Value contact(const std::string& first, const std::string& second, bool group) const {
    Value out = mapping(), normal = mapping(), friction = mapping();
    add(out, "between", list({scalar(first), scalar(second)}));
    add(normal, "law", scalar("hunt-crossley"));
    add(normal, "stiffness", scalar(fmt::format("{:.3g}", std::max(weight_, 1e-3) / depth_under_weight)));
    add(normal, "exponent", scalar("1"));
    add(normal, "restitution", scalar("0.1"));
    add(friction, "law", scalar("ambrosio"));
    add(friction, "coefficient", scalar("0.6"));
    add(friction, "v0", scalar("1 mm/s"));
    add(friction, "v1", scalar("10 mm/s"));
    add(out, "normal", std::move(normal));
    add(out, "friction", std::move(friction));
    if (group) add(out, "group", scalar("true"));
    return out;
  }

  /// Groups are of shapes that touch by closed forms.
  bool closed_form(const std::string& a, const std::string& b) const {
    for (const Surface& s : model_->mechanism.surfaces)
      if ((body_of(s) == a || body_of(s) == b) && s.shape->kind() == "mesh") return false;
    return true;
  }

  void add_pairs(Value& contacts) {
    const auto& surfaces = model_->mechanism.surfaces;
    std::vector<std::string> bodies;
    for (const Surface& s : surfaces)
      if (moves(s) && (bodies.empty() || bodies.back() != body_of(s))) bodies.push_back(body_of(s));
    std::set<std::pair<std::string, std::string>> apart;
    for (const auto& [a, b] : import_.apart) apart.insert(std::minmax(a, b));
    std::vector<std::string> overlapping, by_triangles;
    for (std::size_t a = 0; a < bodies.size(); ++a)
      for (std::size_t b = a + 1; b < bodies.size(); ++b) {
        if (apart.count(std::minmax(bodies[a], bodies[b]))) continue;
        bool overlap = false;
        for (const Surface& s : surfaces)
          for (const Surface& t : surfaces)
            overlap = overlap || (body_of(s) == bodies[a] && body_of(t) == bodies[b] &&
                                  smallest_gap(*s.shape, pose_of(s), *t.shape, pose_of(t)) <
                                      -touching * std::min(s.shape->size(), t.shape->size()));
        const std::string name = bodies[a] + "-" + bodies[b];
        if (overlap)
          overlapping.push_back(name);
        else if (closed_form(bodies[a], bodies[b]))
          add(contacts, "self_" + name, contact(bodies[a] + ".*", bodies[b] + ".*", true));
        else
          by_triangles.push_back(name);
      }
    if (!by_triangles.empty())
      import_.notes.push_back(
          fmt::format("pairs with a mesh are no groups and have no contact, which can be written by hand: {}",
                      join_names(by_triangles, 20)));
    if (!overlapping.empty())
      import_.notes.push_back(
          fmt::format("bodies that overlap as the robot stands do not touch each other: {}",
                      join_names(overlapping, 20)));
  }
};

}  // namespace

void stand_on_floor(ImportedModel& import, const std::string& file, bool self_collision) {
  if (import.model.find("bodies") && import.model.find("bodies")->map.empty()) return;
  Floor(import, file).stand(self_collision);
}

}  // namespace tappet
