// Formulations of contact: forces by laws, impacts of rigid bodies at events, or time stepping.
#include "tappet/spec/spec.hpp"
#include "tappet/studies/compare.hpp"

namespace tappet {

namespace {

/// What `simulation.method` may be.
std::vector<std::string> names() {
  for (const Parameter& parameter : find_table("simulation")->parameters)
    if (parameter.name == "method") return parameter.choices;
  return {};
}

const Registration<VariationType> registered{{
    .name = "methods",
    .help = "formulations of contact",
    .names = names,
    .make = [](const Value&, const std::string& name) { return Variant{name, {"simulation.method=" + name}}; },
}};

}  // namespace
}  // namespace tappet
