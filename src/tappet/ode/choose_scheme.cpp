// `integrator: auto` takes one of two error-controlled Runge–Kutta methods: dopri5, of order 5 and six evaluations per step, or
// dop853, of order 8 and twelve. The tighter the tolerance, the more its longer steps save. Where they begin to pay is measured
// (bench/work_precision, whose table is in bench/README.md): it is the tolerance at which both cost the same. Oil films, which are stiff where
// they are thin, get bdf: explicit steps may be no longer than 2 m/C there.
#include "tappet/ode/choose_scheme.hpp"

#include <fmt/format.h>

#include "tappet/base/diagnostics.hpp"
#include "tappet/model/method.hpp"
#include "tappet/model/model.hpp"

namespace tappet {
namespace {

// At these tolerances and below order 8 is the cheaper one.
//   Mechanisms without contact: an evaluation solves for all joints, and little else is done.
constexpr double order_8_in_free_motion = 1e-5;
//   Contact by force laws in a mechanism: impacts are short and each begins with short steps.
constexpr double order_8_in_contact = 1e-6;
//   Bodies without joints: between impacts they fly as any order computes exactly, and impacts alone count.
constexpr double order_8_of_free_bodies = 1e-7;
//   Rigid impacts: flights are short, and where each is cut order 8 needs three evaluations more for its dense output.
constexpr double order_8_between_impacts = 1e-8;

double order_8_pays(const Model& model) {
  const Mechanism& mechanism = model.mechanism;
  if (mechanism.contacts.empty() && mechanism.groups.empty()) return order_8_in_free_motion;
  if (method_type(model.settings).treatment == ContactTreatment::events) return order_8_between_impacts;
  return mechanism.constraints.empty() ? order_8_of_free_bodies : order_8_in_contact;
}

std::string chosen_name(const Model& model) {
  const RunSettings& settings = model.settings;
  if (settings.integrator != "auto") return settings.integrator;
  if (settings.step == 0 && !model.mechanism.films.empty()) return "bdf";
  // A fixed step is chosen by who knows it; six evaluations will do for it.
  return settings.step == 0 && settings.tolerance <= order_8_pays(model) ? "dop853" : "dopri5";
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
