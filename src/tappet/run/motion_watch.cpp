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

/// A quantity at one time, with its rate and the rate of that.
struct Look {
  double value, rate, bend;
};

/// A change that the rates at both ends do not explain: by more than a tenth of what they make of that time.
bool unexplained(const Look& first, const Look& last, double time, double noticeable) {
  const double by_rates = 0.5 * (first.rate + last.rate) * time + time * time / 12 * (first.bend - last.bend);
  return std::abs(last.value - first.value - by_rates) >
         0.1 * time * std::max(std::abs(first.rate), std::abs(last.rate)) + noticeable;
}

/// Where a function jumps in [a, b]: the half in which it changes more is halved again until time resolves no more. A function that is
/// only steep has been explained by its rates long before.
template <class F>
std::optional<Jump> find_jump(const F& f, double a, Look at_a, double b, Look at_b, double noticeable) {
  while (unexplained(at_a, at_b, b - a, noticeable)) {
    const double middle = 0.5 * (a + b);
    // At the jump itself a function may be halfway: its values a little before and behind.
    if (!(middle > a && middle < b)) return Jump{b, f(b + 8 * (b - a)).value - f(a - 8 * (b - a)).value};
    const Look at_middle = f(middle);
    if (std::abs(at_middle.value - at_a.value) > std::abs(at_b.value - at_middle.value))
      b = middle, at_b = at_middle;
    else
      a = middle, at_a = at_middle;
  }
  return std::nullopt;
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
  const double noticeable = function.noticeable;
  const bool position = function.motion->level == ConstraintLevel::position;
  const char* unit = function.angular ? "rad" : "m";
  const auto place = [](const Jet& jet) { return Look{jet.value, jet.d1, jet.d2}; };
  // The rate's own bend is not known; without it a rate has to change more evenly to be explained.
  const auto speed = [](const Jet& jet) { return Look{jet.d1, jet.d2, 0}; };
  const auto find = [&](auto&& look) {
    return find_jump([&](double at) { return look(function.f->jet(at, inputs_.data())); }, last_, look(last),
                     t, look(now), noticeable);
  };
  if (const auto found = find(place)) {
    // Whole turns of an angle do not matter.
    const bool turns = position && function.angular &&
                       std::abs(std::remainder(found->by, 2 * std::numbers::pi)) <= noticeable;
    if (!turns)
      return fmt::format("motion '{}' jumps by {:.4g} {}{} at t = {:.9g} s: {}", function.motion->name,
                         found->by, unit, position ? "" : "/s", found->time,
                         position
                             ? "bodies are somewhere else at once, which no force does; the energy ledger "
                               "does not close there"
                             : "bodies are faster at once, by an impulse that no signal shows");
  }
  if (position)
    if (const auto found = find(speed))
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
