#include "tappet/multibody/contact_laws.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>

#include <fmt/format.h>

#include "tappet/contact/friction/none.hpp"
#include "tappet/contact/relative_radii.hpp"
#include "tappet/multibody/contact_point.hpp"

namespace tappet {
namespace {

using Elastic = std::array<std::optional<Material>, 2>;

std::string mention(const std::vector<std::string>& names) {
  return names.empty() ? "none" : join_names(names, 12);
}

// A name that is neither an elastic material nor in any pair.
void report_unknown(const ContactLawsInput& in, int side) {
  const std::string& name = in.parameters.materials[side];
  std::vector<std::string> known;
  for (const Material& m : in.materials.elastic) known.push_back(m.name);
  for (const std::string& paired : paired_names(in.materials.pairs)) known.push_back(paired);
  for (const Material& m : built_in_materials())
    if (std::find(known.begin(), known.end(), m.name) == known.end()) known.push_back(m.name);
  const std::string near = nearest_name(name, known);
  in.diagnostics.error(
      in.parameters.origin.where("materials", side),
      fmt::format("{} names material '{}', which is neither under `materials` nor in a material pair{}; "
                  "known: {}",
                  in.owner, name, near.empty() ? "" : fmt::format(" (did you mean '{}'?)", near),
                  mention(known)));
}

void report_unknown_pair(const ContactLawsInput& in, const std::string& first, const std::string& second) {
  const auto& pairs = in.materials.pairs;
  std::string known = fmt::format("known with {}: {}", first, mention(partners(pairs, first)));
  if (!same_material(first, second))
    known += fmt::format("; with {}: {}", second, mention(partners(pairs, second)));
  in.diagnostics.error(
      in.parameters.origin.where("materials"),
      fmt::format("{} names the materials {} and {}, of which no pair is known; {}; others go under "
                  "`material_pairs`",
                  in.owner, first, second, known));
}

// Elastic constants of both surfaces as far as they are known, and the pair's if there is one.
bool find_materials(const ContactLawsInput& in, Elastic& elastic, const MaterialPair*& pair) {
  const auto& names = in.parameters.materials;
  if (names[0].empty() && names[1].empty()) return true;
  const std::vector<std::string> paired = paired_names(in.materials.pairs);
  bool known = true, only_paired = false;
  for (int n = 0; n < 2; ++n) {
    if (const Material* material = find_material(in.materials, names[n])) {
      elastic[n] = *material;
    } else if (std::any_of(paired.begin(), paired.end(),
                           [&](const std::string& name) { return same_material(name, names[n]); })) {
      only_paired = true;
      if (const Material* material = find_built_in(names[n])) elastic[n] = *material;
    } else if (const Material* material = find_built_in(names[n])) {
      elastic[n] = *material;
    } else {
      report_unknown(in, n);
      known = false;
    }
  }
  if (!known) return false;
  pair = find_pair(in.materials.pairs, names[0], names[1]);
  // A name without elastic constants can only have been meant for its pair.
  if (!pair && only_paired) report_unknown_pair(in, names[0], names[1]);
  return pair || !only_paired;
}

// A law's parameters with what the pair gives; what was taken is added to the notes.
template <class LawType>
AnyParameters completed(const ContactLawsInput& in, AnyParameters law, const MaterialPair* pair,
                        std::vector<std::string>& notes) {
  const LawType* type = find_type(Registry<LawType>::instance().entries(), law);
  if (!pair || !type) return law;
  const std::string taken = take_from_pair(*pair, type->table, law, in.diagnostics);
  if (!taken.empty())
    notes.push_back(fmt::format("{}: {}: {} from {}", in.owner, type->name, taken, describe(*pair)));
  return law;
}

// Restitution and coefficients of friction, from whatever laws the user wrote.
std::optional<RigidLaw> make_rigid_law(const ContactLawsInput& in, const AnyParameters& normal,
                                       const AnyParameters& friction,
                                       const std::shared_ptr<const FrictionLaw>& law) {
  const FrictionTraits& traits = law->traits();
  RigidLaw out;
  out.restitution = rigid_restitution(normal);
  if (std::isnan(out.restitution)) {
    in.diagnostics.error(normal.origin.pos,
                         fmt::format("{} needs `restitution` for a non-smooth method: law {} does not say it",
                                     in.owner, normal.origin.type));
    return std::nullopt;
  }
  out.tangential_restitution =
      friction.has("tangential_restitution") ? friction.number("tangential_restitution") : 0;
  out.friction = traits.sliding_coefficient;
  out.static_friction = std::max(out.friction, traits.static_coefficient);
  if (traits.by_speed) out.curve = law;
  return out;
}

}  // namespace

Parameter materials_parameter() {
  return {.name = "materials",
          .kind = Kind::names,
          .help =
              "of the first surface and of the second: names of `materials`, of `material_pairs` or of "
              "the built-in pairs",
          .count = 2};
}

Parameter normal_parameter() {
  return {.name = "normal",
          .kind = Kind::object,
          .help = "law of the normal force",
          .required = true,
          .family = &normal_law_family()};
}

Parameter friction_parameter() {
  return {.name = "friction",
          .kind = Kind::object,
          .help = "law of friction; absent: none",
          .family = &friction_law_family()};
}

ContactLawParameters contact_laws_of(const AnyParameters& contact) {
  ContactLawParameters out;
  out.origin = contact.origin;
  if (const auto names = contact.get("materials")) parameters::put(*names, out.materials);
  if (const auto normal = contact.get("normal")) parameters::put(*normal, out.normal);
  if (const auto friction = contact.get("friction")) parameters::put(*friction, out.friction);
  return out;
}

std::shared_ptr<const NormalLaw> NormalLawSource::make(double first, double second) const {
  ContactPair pair{.material = material};
  if (first != 0) pair.radius[0] = first;
  if (second != 0) pair.radius[1] = second;
  take_radii(law, pair);
  Diagnostics diagnostics;
  std::shared_ptr<const NormalLaw> made = make_normal_law(law, pair, diagnostics);
  diagnostics.throw_if_errors();
  return made;
}

std::optional<NormalLawSource> give_laws(const ContactLawsInput& in,
                                         const std::vector<std::unique_ptr<ContactPoint>>& points,
                                         std::vector<std::string>& notes) {
  Elastic elastic;
  const MaterialPair* pair = nullptr;
  if (points.empty() || !find_materials(in, elastic, pair)) return {};
  for (auto& point : points) point->pair.material = elastic;
  const AnyParameters none = NoFrictionParameters{};
  const AnyParameters& friction_given = in.parameters.friction ? in.parameters.friction : none;
  NormalLawSource out{completed<NormalLawType>(in, in.parameters.normal, pair, notes), elastic};
  for (auto& point : points) take_radii(out.law, point->pair);
  const AnyParameters friction_parameters = completed<FrictionLawType>(in, friction_given, pair, notes);

  const std::shared_ptr<const FrictionLaw> friction = make_friction_law(friction_parameters, in.diagnostics);
  if (!friction) return {};
  if (in.rigid) {
    const std::optional<RigidLaw> law = make_rigid_law(in, out.law, friction_parameters, friction);
    if (law && !out.law.has("restitution"))
      notes.push_back(fmt::format("{}: law {} has no losses: a non-smooth method takes restitution 1 for it",
                                  in.owner, out.law.origin.type));
    const std::shared_ptr<const FrictionLaw> no_friction = make_friction_law(none, in.diagnostics);
    for (auto& point : points) point->rigid = law, point->friction_law = no_friction;
    return law ? std::optional(out) : std::nullopt;
  }
  if (friction_parameters.origin.given("tangential_restitution"))
    in.diagnostics.warning(
        friction_parameters.origin.where("tangential_restitution"),
        fmt::format("{} has `tangential_restitution`, which method smooth does not use: its friction "
                    "is what the law says; moreau and event-driven use it",
                    in.owner));
  const std::shared_ptr<const NormalLaw> normal =
      make_normal_law(out.law, points.front()->pair, in.diagnostics);
  if (!normal) return {};
  for (const std::string& note : normal->traits().notes)
    notes.push_back(fmt::format("{}: {}", in.owner, note));
  for (const std::string& note : friction->traits().notes)
    notes.push_back(fmt::format("{}: {}", in.owner, note));
  for (auto& point : points) point->normal_law = normal, point->friction_law = friction;
  return out;
}

}  // namespace tappet
