#include "tappet/multibody/contact_laws.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>

#include <fmt/format.h>

#include "tappet/multibody/contact_point.hpp"

namespace tappet {
namespace {

using Materials = std::array<std::optional<Material>, 2>;

bool read_materials(const ContactLawsInput& in, Materials& out) {
  if (!in.object.has("materials")) return true;
  for (int n = 0; n < 2; ++n) {
    const Name& name = in.object.names("materials")[n];
    auto at = std::find_if(in.materials.begin(), in.materials.end(),
                           [&](const Material& m) { return m.name == name.text; });
    if (at == in.materials.end()) {
      std::vector<std::string> known;
      for (const Material& m : in.materials) known.push_back(m.name);
      in.diagnostics.error(name.pos,
                           fmt::format("{} names material '{}', which is not under `materials`; there: {}", in.owner,
                                       name.text, known.empty() ? "none" : join_names(known)));
      return false;
    }
    out[n] = *at;
  }
  return true;
}

std::shared_ptr<const FrictionLaw> frictionless(Diagnostics& diagnostics) {
  Object none;
  none.type = "none";
  return make_friction_law(none, diagnostics);
}

std::shared_ptr<const FrictionLaw> read_friction(const ContactLawsInput& in) {
  if (in.object.has("friction")) return make_friction_law(in.object.object("friction"), in.diagnostics);
  return frictionless(in.diagnostics);
}

// Restitution and coefficients of friction, from whatever laws the user wrote.
std::optional<RigidLaw> read_rigid_law(const ContactLawsInput& in, const FrictionLaw& friction) {
  RigidLaw out;
  const Object& normal = in.object.object("normal");
  out.restitution = rigid_restitution(normal);
  if (std::isnan(out.restitution)) {
    in.diagnostics.error(normal.pos, fmt::format("{} needs `restitution` for a non-smooth method: law {} does not say it",
                                                 in.owner, normal.type));
    return std::nullopt;
  }
  if (in.object.has("friction"))
    out.tangential_restitution = in.object.object("friction").number("tangential_restitution");
  out.friction = friction.traits().sliding_coefficient;
  out.static_friction = std::max(out.friction, friction.traits().static_coefficient);
  return out;
}

}  // namespace

std::vector<Parameter> contact_law_parameters() {
  return {{.name = "materials",
           .kind = Kind::names,
           .help = "of the first surface and of the second, from `materials`",
           .count = 2},
          {.name = "normal",
           .kind = Kind::object,
           .help = "law of the normal force",
           .required = true,
           .family = &normal_law_family()},
          {.name = "friction",
           .kind = Kind::object,
           .help = "law of friction; absent: none",
           .family = &friction_law_family()}};
}

bool give_laws(const ContactLawsInput& in, const std::vector<std::unique_ptr<ContactPoint>>& points,
               std::vector<std::string>& notes) {
  Materials materials;
  if (points.empty() || !read_materials(in, materials)) return false;
  for (auto& point : points) point->pair.material = materials;
  const std::shared_ptr<const FrictionLaw> friction = read_friction(in);
  if (!friction) return false;
  if (in.rigid) {
    const std::optional<RigidLaw> law = read_rigid_law(in, *friction);
    const std::shared_ptr<const FrictionLaw> none = frictionless(in.diagnostics);
    for (auto& point : points) point->rigid = law, point->friction_law = none;
    return law.has_value();
  }
  const std::shared_ptr<const NormalLaw> normal =
      make_normal_law(in.object.object("normal"), points.front()->pair, in.diagnostics);
  if (!normal) return false;
  for (const std::string& note : normal->traits().notes) notes.push_back(fmt::format("{}: {}", in.owner, note));
  for (const std::string& note : friction->traits().notes) notes.push_back(fmt::format("{}: {}", in.owner, note));
  for (auto& point : points) point->normal_law = normal, point->friction_law = friction;
  return true;
}

}  // namespace tappet
