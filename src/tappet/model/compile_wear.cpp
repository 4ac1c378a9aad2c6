#include "tappet/model/compile_wear.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <optional>

#include <fmt/format.h>

#include "tappet/base/units.hpp"
#include "tappet/model/model.hpp"
#include "tappet/multibody/foundation.hpp"
#include "tappet/multibody/motion_input.hpp"
#include "tappet/spec/object.hpp"

namespace tappet {
namespace {

/// A cycle as written: a time, or revolutions of what drives the machine.
struct Cycle {
  double seconds = 0, revolutions = 0;
};

Cycle read_cycle(const std::string& text) {
  std::string words = text;
  if (words.rfind("every ", 0) == 0) words.erase(0, 6);
  std::string unit;
  const double number = Expression::parse(words, {}, unit)(0.0);
  if (!(number > 0)) throw std::invalid_argument("it must be > 0");
  try {
    return {.seconds = number * si_factor(unit.empty() ? "s" : unit, "s")};
  } catch (const std::exception&) {
    return {.revolutions = number * si_factor(unit, "rad") / (2 * std::numbers::pi)};
  }
}

/// The one constant speed, rad/s, with which motions turn; nothing: there is none, or there are several.
std::optional<double> driving_speed(const std::vector<AnyParameters>& motions) {
  std::optional<double> out;
  for (const AnyParameters& parameters : motions) {
    const auto& motion = parameters.as<MotionParameters>();
    if (motion.speed.empty()) continue;
    double speed = 0;
    try {
      const Expression f = Expression::parse_quantity(motion.speed, {"t"}, "rad/s",
                                                      parameters.origin.definitions.get(), Inputs::allowed);
      if (!f.is_constant()) return std::nullopt;
      speed = std::abs(f(0.0));
    } catch (const std::exception&) {
      continue;  // of a slider, or refused where motions are built
    }
    if (!(speed > 0)) continue;
    if (out && *out != speed) return std::nullopt;
    out = speed;
  }
  return out;
}

}  // namespace

void compile_wear(const Spec& spec, Model& model, Diagnostics& diagnostics) {
  Foundation* leader = nullptr;
  const Foundation* fixed = nullptr;
  for (const auto& force : model.mechanism.forces) {
    auto* f = dynamic_cast<Foundation*>(force.get());
    if (!f || f->depths() == 0) continue;
    const WearSchedule& schedule = f->wear->schedule;
    const auto refuse = [&](const std::string& sentence) {
      diagnostics.error(schedule.origin.where("update"), fmt::format("joint '{}': {}", f->name, sentence));
    };
    if (schedule.update.empty()) {
      fixed = f;
    } else {
      Cycle cycle;
      try {
        cycle = read_cycle(schedule.update);
      } catch (const std::exception& error) {
        refuse(fmt::format("`update` is '{}': {}; it is written every 1 rev, or every 0.1 s", schedule.update,
                           error.what()));
        continue;
      }
      if (cycle.revolutions > 0) {
        const auto speed = driving_speed(parameters_of(spec.motions));
        if (!speed) {
          refuse(fmt::format(
              "`update: {}` counts revolutions, and the model has no motion of one constant speed that "
              "says how long one takes; give a time, every 0.1 s",
              schedule.update));
          continue;
        }
        f->period = cycle.revolutions * 2 * std::numbers::pi / *speed, f->counts = cycle.revolutions;
      } else {
        f->period = cycle.seconds;
      }
      if (!leader) leader = f;
      f->leader = leader;
      if (f->period != leader->period || schedule.extrapolate != leader->wear->schedule.extrapolate ||
          schedule.tolerance != leader->wear->schedule.tolerance)
        refuse(fmt::format(
            "it wears in cycles, and so does joint '{}': all that wear live as long, so that `update`, "
            "`extrapolate` and `tolerance` are the same for all",
            leader->name));
    }
    if (leader && fixed)
      refuse(
          fmt::format("joint '{}' has wear with `update` and joint '{}' without; give it to both or to none",
                      leader->name, fixed->name));
  }
}

}  // namespace tappet
