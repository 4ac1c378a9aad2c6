// Geometry engines: closed forms, triangles or exact surfaces, for every contact between shapes.
#include <fmt/format.h>

#include "tappet/base/diagnostics.hpp"
#include "tappet/geometry/engine.hpp"
#include "tappet/studies/compare.hpp"

namespace tappet::variations::engines {
namespace {

Variant make(const Value& model, const std::string& name) {
  const Value* contacts = model.find("contacts");
  if (!contacts || contacts->map.empty())
    throw InputError(
        {{Severity::error, model.pos, "the model has no contact between shapes, and so no engine"}});
  Variant out{name, {}};
  for (const auto& contact : contacts->map)
    out.settings.push_back(fmt::format("contacts.{}.engine={}", contact.first, name));
  return out;
}

const Registration<VariationType> registered{{
    .name = "engines",
    .help = "geometry engines, given to every contact between shapes",
    .names = [] { return engine_names(); },
    .make = make,
}};

}  // namespace
}  // namespace tappet::variations::engines
