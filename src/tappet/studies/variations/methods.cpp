// Formulations of contact: forces by laws, impacts of rigid bodies at events, or time stepping.
#include "tappet/base/sections.hpp"
#include "tappet/model/method.hpp"
#include "tappet/spec/spec.hpp"
#include "tappet/studies/compare.hpp"

namespace tappet::variations::methods {
namespace {

/// What `simulation.method` may be, but for methods to which contacts are no matter of motion.
std::vector<std::string> names() {
  std::vector<std::string> out;
  for (const MethodType& type : MethodRegistry::instance().entries())
    if (!type.prescribed) out.push_back(type.name);
  return out;
}

const std::string& text_at(const Value& model, const char* section, const char* key) {
  static const std::string none;
  const Value* mapping = model.find(section);
  const Value* value = mapping ? mapping->find(key) : nullptr;
  return value ? value->text : none;
}

/// Steps of one length are Moreau's: where the model has none he takes those of the output; the others control their error.
Variant make(const Value& model, const std::string& name) {
  const std::string step = text_at(model, "simulation", "step"), sample = text_at(model, "output", "step");
  Variant out{name, {}};
  const auto one_length = [](const std::string& method) {
    const MethodType* type = MethodRegistry::instance().find(method);
    return type && type->treatment == ContactTreatment::steps;
  };
  if (!one_length(name) && !step.empty() && one_length(text_at(model, "simulation", "method"))) {
    Value rest = *model.find("simulation");
    for (std::size_t i = 0; i < rest.map.size(); ++i)
      if (rest.map[i].first == "step") {
        rest.map.erase(rest.map.begin() + static_cast<std::ptrdiff_t>(i));
        rest.key_pos.erase(rest.key_pos.begin() + static_cast<std::ptrdiff_t>(i));
        break;
      }
    out.settings.push_back("simulation=" + to_yaml(rest));
  }
  out.settings.push_back("simulation.method=" + name);
  if (one_length(name) && step.empty() && !sample.empty())
    out.settings.push_back("simulation.step=" + sample);
  return out;
}

const Registration<VariationType> registered{{
    .name = "methods",
    .help = "formulations of contact",
    .names = names,
    .make = make,
    .caveats =
        {"Penetration, the duration of a contact and its greatest force exist for force laws alone. Rigid "
         "bodies have impulses; what "
         "method moreau shows as force is the impulse of a step over its length.",
         "Friction that stops or turns round the sliding within an impact gives another rebound with each of "
         "Newton's law, "
         "Poisson's law and a force law, however stiff; without friction the stiff law's limit is Newton's.",
         "A force law realises the restitution that it is given only approximately: the summary of a run "
         "says what it realises.",
         "Impacts multiply small differences. Behind the instant at which two runs part, only what does not "
         "depend on single impacts can "
         "be compared: losses, frequencies, largest values."},
}};

}  // namespace
}  // namespace tappet::variations::methods
