#include "tappet/multibody/contact_laws.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>

#include <fmt/format.h>

#include "tappet/multibody/contact_point.hpp"

namespace tappet {
namespace {

using Elastic = std::array<std::optional<Material>, 2>;

std::string mention(const std::vector<std::string>& names) {
  return names.empty() ? "none" : join_names(names, 12);
}

// A name that is neither an elastic material nor in any pair.
void report_unknown(const ContactLawsInput& in, const Name& name) {
  std::vector<std::string> known;
  for (const Material& m : in.materials.elastic) known.push_back(m.name);
  for (const std::string& paired : paired_names(in.materials.pairs)) known.push_back(paired);
  const std::string near = nearest_name(name.text, known);
  in.diagnostics.error(
      name.pos,
      fmt::format("{} names material '{}', which is neither under `materials` nor in a material pair{}; "
                  "known: {}",
                  in.owner, name.text, near.empty() ? "" : fmt::format(" (did you mean '{}'?)", near),
                  mention(known)));
}

void report_unknown_pair(const ContactLawsInput& in, const std::string& first, const std::string& second) {
  const auto& pairs = in.materials.pairs;
  std::string known = fmt::format("known with {}: {}", first, mention(partners(pairs, first)));
  if (!same_material(first, second))
    known += fmt::format("; with {}: {}", second, mention(partners(pairs, second)));
  in.diagnostics.error(
      in.object.where("materials"),
      fmt::format("{} names the materials {} and {}, of which no pair is known; {}; others go under "
                  "`material_pairs`",
                  in.owner, first, second, known));
}

// Elastic constants of both surfaces as far as they are known, and the pair's if there is one.
bool read_materials(const ContactLawsInput& in, Elastic& elastic, const MaterialPair*& pair) {
  if (!in.object.has("materials")) return true;
  const std::vector<Name>& names = in.object.names("materials");
  const std::vector<std::string> paired = paired_names(in.materials.pairs);
  bool known = true, only_paired = false;
  for (int n = 0; n < 2; ++n) {
    if (const Material* material = find_material(in.materials, names[n].text)) {
      elastic[n] = *material;
    } else if (std::any_of(paired.begin(), paired.end(),
                           [&](const std::string& name) { return same_material(name, names[n].text); })) {
      only_paired = true;
    } else {
      report_unknown(in, names[n]);
      known = false;
    }
  }
  if (!known) return false;
  pair = find_pair(in.materials.pairs, names[0].text, names[1].text);
  // A name without elastic constants can only have been meant for its pair.
  if (!pair && only_paired) report_unknown_pair(in, names[0].text, names[1].text);
  return pair || !only_paired;
}

// A law's mapping with what the pair gives; what was taken is added to the notes.
template <class LawType>
Object completed(const ContactLawsInput& in, Object law, const MaterialPair* pair,
                 std::vector<std::string>& notes) {
  const LawType* type = Registry<LawType>::instance().find(law.type);
  if (!pair || !type) return law;
  const std::string taken = take_from_pair(*pair, type->table, law, in.diagnostics);
  if (!taken.empty())
    notes.push_back(fmt::format("{}: {}: {} from {}", in.owner, law.type, taken, describe(*pair)));
  return law;
}

Object frictionless() {
  Object none;
  none.type = "none";
  return none;
}

// Restitution and coefficients of friction, from whatever laws the user wrote.
std::optional<RigidLaw> read_rigid_law(const ContactLawsInput& in, const Object& normal,
                                       const Object& friction, const FrictionTraits& traits) {
  RigidLaw out;
  out.restitution = rigid_restitution(normal);
  if (std::isnan(out.restitution)) {
    in.diagnostics.error(normal.pos,
                         fmt::format("{} needs `restitution` for a non-smooth method: law {} does not say it",
                                     in.owner, normal.type));
    return std::nullopt;
  }
  out.tangential_restitution = friction.number_or("tangential_restitution", 0);
  out.friction = traits.sliding_coefficient;
  out.static_friction = std::max(out.friction, traits.static_coefficient);
  return out;
}

}  // namespace

std::vector<Parameter> contact_law_parameters() {
  return {{.name = "materials",
           .kind = Kind::names,
           .help = "of the first surface and of the second: names of `materials`, of `material_pairs` or of "
                   "the built-in "
                   "pairs",
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
  Elastic elastic;
  const MaterialPair* pair = nullptr;
  if (points.empty() || !read_materials(in, elastic, pair)) return false;
  for (auto& point : points) point->pair.material = elastic;
  const Object normal_object = completed<NormalLawType>(in, in.object.object("normal"), pair, notes);
  const Object friction_object = completed<FrictionLawType>(
      in, in.object.has("friction") ? in.object.object("friction") : frictionless(), pair, notes);

  const std::shared_ptr<const FrictionLaw> friction = make_friction_law(friction_object, in.diagnostics);
  if (!friction) return false;
  if (in.rigid) {
    const std::optional<RigidLaw> law =
        read_rigid_law(in, normal_object, friction_object, friction->traits());
    if (law && !normal_object.has("restitution"))
      notes.push_back(fmt::format("{}: law {} has no losses: a non-smooth method takes restitution 1 for it",
                                  in.owner, normal_object.type));
    const std::shared_ptr<const FrictionLaw> none = make_friction_law(frictionless(), in.diagnostics);
    for (auto& point : points) point->rigid = law, point->friction_law = none;
    return law.has_value();
  }
  if (friction_object.given("tangential_restitution"))
    in.diagnostics.warning(
        friction_object.where("tangential_restitution"),
        fmt::format("{} has `tangential_restitution`, which method smooth does not use: its friction "
                    "is what the law says; moreau and event-driven use it",
                    in.owner));
  const std::shared_ptr<const NormalLaw> normal =
      make_normal_law(normal_object, points.front()->pair, in.diagnostics);
  if (!normal) return false;
  for (const std::string& note : normal->traits().notes)
    notes.push_back(fmt::format("{}: {}", in.owner, note));
  for (const std::string& note : friction->traits().notes)
    notes.push_back(fmt::format("{}: {}", in.owner, note));
  for (auto& point : points) point->normal_law = normal, point->friction_law = friction;
  return true;
}

}  // namespace tappet
