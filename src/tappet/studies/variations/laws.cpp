// Contact and friction laws: every contact of the model gets the law, and keeps those of its parameters that
// the law knows.
#include <algorithm>

#include <fmt/format.h>

#include "tappet/base/diagnostics.hpp"
#include "tappet/contact/friction_law.hpp"
#include "tappet/contact/normal_law.hpp"
#include "tappet/spec/spec.hpp"
#include "tappet/studies/compare.hpp"

namespace tappet::variations::laws {
namespace {

std::vector<std::string> names() {
  std::vector<std::string> out;
  for (const NormalLawType& law : NormalLawRegistry::instance().entries())
    if (law.force_law) out.push_back(law.name);
  for (const std::string& name : FrictionLawRegistry::instance().names()) out.push_back(name);
  return out;
}

/// Paths of the mappings that may hold a law, with what they hold now: clearances that collide, and contacts.
std::vector<std::pair<std::string, const Value*>> contacts_of(const Value& model) {
  std::vector<std::pair<std::string, const Value*>> out;
  if (const Value* joints = model.find("joints"))
    for (const auto& [name, joint] : joints->map)
      if (const Value* clearance = joint.find("clearance"))
        if (clearance->find("normal")) out.emplace_back("joints." + name + ".clearance", clearance);
  if (const Value* contacts = model.find("contacts"))
    for (const auto& [name, contact] : contacts->map) out.emplace_back("contacts." + name, &contact);
  return out;
}

/// {law: NAME} and those of the old parameters that the new law has too.
Value with_law(const Value* old, const std::string& law, const std::vector<Parameter>& known) {
  Value name;
  name.kind = Value::Kind::scalar;
  name.text = law;
  Value out;
  out.kind = Value::Kind::mapping;
  out.map.emplace_back("law", std::move(name));
  out.key_pos.emplace_back();
  if (!old) return out;
  for (const auto& [key, value] : old->map) {
    const std::string& wanted = key;
    const bool kept =
        std::any_of(known.begin(), known.end(), [&](const Parameter& p) { return p.name == wanted; });
    if (!kept || key == "law") continue;
    out.map.emplace_back(key, value);
    out.key_pos.emplace_back();
  }
  return out;
}

Variant make(const Value& model, const std::string& name) {
  const auto contacts = contacts_of(model);
  if (contacts.empty())
    throw InputError({{Severity::error, model.pos, "the model has no contact whose law could be changed"}});
  const NormalLawType* normal = NormalLawRegistry::instance().find(name);
  std::vector<Parameter> known =
      normal ? normal->table.parameters : FrictionLawRegistry::instance().find(name)->table.parameters;
  for (const Parameter& p : (normal ? normal_law_family() : friction_law_family()).common.parameters)
    known.push_back(p);
  const char* key = normal ? "normal" : "friction";
  Variant out{name, {}};
  for (const auto& [path, contact] : contacts)
    out.settings.push_back(
        fmt::format("{}.{}={}", path, key, to_yaml(with_law(contact->find(key), name, known))));
  return out;
}

const Registration<VariationType> registered{{
    .name = "laws",
    .help = "normal or friction laws, given to every contact",
    .names = names,
    .make = make,
}};

}  // namespace
}  // namespace tappet::variations::laws
