#include "tappet/run/motion_watch.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <optional>

#include <fmt/format.h>

namespace tappet {
namespace {

/// Of a radian or of the mechanism's length: smaller jumps are rounding of what was written.
constexpr double smallest_jump = 1e-6;

struct Jump {
  double time = 0, by = 0;
};

/// Of a function's change between two looks: where less of it is left in the end, it was steep and did not jump.
constexpr double rest_of_change = 1e-3;

/// Where a function jumps in [a, b]: the half in which it changes more is halved again until time resolves no more; whatever is
/// continuous has changed by less than is noticeable long before.
template <class F>
std::optional<Jump> find_jump(const F& f, double a, double fa, double b, double fb, double noticeable) {
  noticeable = std::max(noticeable, rest_of_change * std::abs(fb - fa));
  while (std::abs(fb - fa) > noticeable) {
    const double middle = 0.5 * (a + b);
    // At the jump itself a function may be halfway: its values a little before and behind.
    if (!(middle > a && middle < b)) return Jump{b, f(b + 8 * (b - a)) - f(a - 8 * (b - a))};
    const double fm = f(middle);
    if (std::abs(fm - fa) > std::abs(fb - fm))
      b = middle, fb = fm;
    else
      a = middle, fa = fm;
  }
  return std::nullopt;
}

/// A change that the rates at both ends do not explain, with the rates' own `bend` of the trapezoidal rule: by more than a tenth of what
/// they make of that time.
bool unexplained(double change, double first_rate, double last_rate, double bend, double time,
                 double noticeable) {
  const double by_rates = 0.5 * (first_rate + last_rate) * time + bend;
  return std::abs(change - by_rates) >
         0.1 * time * std::max(std::abs(first_rate), std::abs(last_rate)) + noticeable;
}

}  // namespace

MotionWatch::MotionWatch(const Mechanism& mechanism) {
  for (const Motion& motion : mechanism.motions) {
    if (motion.constraint->level == ConstraintLevel::acceleration) continue;
    const bool angular = motion.effort == "torque";
    int number = 0;
    for (const Expression* f : motion.constraint->functions()) {
      if (!f->is_constant())
        functions_.push_back({.motion = motion.constraint.get(),
                              .f = f,
                              .number = number,
                              .noticeable = smallest_jump * (angular ? 1 : mechanism.length),
                              .angular = angular});
      ++number;
    }
  }
}

std::string MotionWatch::jump(const Function& function, const Jet& now, double t) const {
  const Jet& last = function.last;
  const double time = t - last_, noticeable = function.noticeable;
  const bool position = function.motion->level == ConstraintLevel::position;
  const char* unit = function.angular ? "rad" : "m";
  const auto value = [&](double at) { return (*function.f)(at, inputs_.data()); };
  const auto rate = [&](double at) { return function.f->jet(at, inputs_.data()).d1; };
  const double bend = time * time / 12 * (last.d2 - now.d2);
  if (unexplained(now.value - last.value, last.d1, now.d1, bend, time, noticeable)) {
    const auto found = find_jump(value, last_, last.value, t, now.value, noticeable);
    // Whole turns of an angle do not matter.
    const bool turns = position && function.angular && found &&
                       std::abs(std::remainder(found->by, 2 * std::numbers::pi)) <= noticeable;
    if (found && !turns)
      return fmt::format("motion '{}' jumps by {:.4g} {}{} at t = {:.9g} s: {}", function.motion->name,
                         found->by, unit, position ? "" : "/s", found->time,
                         position
                             ? "bodies are somewhere else at once, which no force does; the energy ledger "
                               "does not close there"
                             : "bodies are faster at once, by an impulse that no signal shows");
  }
  if (position && unexplained(now.d1 - last.d1, last.d2, now.d2, 0, time, noticeable))
    if (const auto found = find_jump(rate, last_, last.d1, t, now.d1, noticeable))
      return fmt::format(
          "the rate of motion '{}' jumps by {:.4g} {}/s at t = {:.9g} s: bodies are faster at once, by an "
          "impulse that no signal shows",
          function.motion->name, found->by, unit, found->time);
  return "";
}

void MotionWatch::look(double t, const ConstraintSystem& constraints, const std::vector<double>& inputs,
                       std::vector<std::string>& said) {
  if (functions_.empty()) return;
  // As a run begins, and where inputs were set, the constraints may have been evaluated with other inputs.
  const bool known = begun_ && inputs == inputs_;
  if (known && constraints.functions_at() != t) return;
  const bool comparable = known && t > last_;
  for (Function& function : functions_) {
    while (function.constraint < 0 || &constraints.constraint(function.constraint) != function.motion)
      ++function.constraint;
    const Jet now = known ? constraints.functions(function.constraint)[function.number]
                          : function.f->jet(t, inputs.data());
    if (comparable && !function.told) {
      const std::string words = jump(function, now, t);
      function.told = !words.empty();
      if (function.told && std::find(said.begin(), said.end(), words) == said.end()) said.push_back(words);
    }
    function.last = now;
  }
  last_ = t;
  if (!known) inputs_ = inputs;
  begun_ = true;
}

}  // namespace tappet
