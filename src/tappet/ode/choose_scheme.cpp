// Error-controlled Runge–Kutta of order 5 by default; at tight tolerances order 8 needs fewer evaluations.
#include "tappet/ode/choose_scheme.hpp"

#include <fmt/format.h>

#include "tappet/base/diagnostics.hpp"
#include "tappet/model/model.hpp"

namespace tappet {
namespace {

std::string chosen_name(const Model& model) {
  const RunSettings& settings = model.settings;
  if (settings.integrator != "auto") return settings.integrator;
  return settings.step == 0 && settings.tolerance < 1e-6 ? "dop853" : "dopri5";
}

std::vector<std::string> names_that(bool SchemeType::*can) {
  std::vector<std::string> out;
  for (const SchemeType& type : SchemeRegistry::instance().entries())
    if (type.*can) out.push_back(type.name);
  return out;
}

[[noreturn]] void refuse(const SourcePos& pos, const std::string& message) {
  throw InputError({{Severity::error, pos, message}});
}

}  // namespace

const SchemeType& choose_scheme(const Model& model) {
  const RunSettings& settings = model.settings;
  const std::string name = chosen_name(model);
  const SchemeType* type = SchemeRegistry::instance().find(name);
  if (!type)
    refuse(settings.integrator_pos,
           fmt::format("`simulation.integrator` is '{}', which does not exist; integrators: auto, {}", name,
                       join_names(SchemeRegistry::instance().names())));
  if (settings.step > 0 && !type->fixed_step)
    refuse(settings.step_pos,
           fmt::format(
               "`simulation.step` asks for fixed steps, which integrator '{}' does not take; leave `step` "
               "out, or use one of {}",
               name, join_names(names_that(&SchemeType::fixed_step))));
  if (settings.step == 0 && !type->error_control)
    refuse(
        settings.integrator_pos,
        fmt::format("`simulation.integrator` is '{}', which does not choose its steps; give `step`, or use "
                    "one of auto, {}",
                    name, join_names(names_that(&SchemeType::error_control))));
  return *type;
}

}  // namespace tappet
