#include "tappet/contact/stick_slip.hpp"

#include <algorithm>
#include <cmath>

namespace tappet {
namespace {

double dot(const Tangential& a, const Tangential& b) {
  return a[0] * b[0] + a[1] * b[1];
}
double length(const Tangential& a) {
  return a[1] == 0 ? std::abs(a[0]) : std::hypot(a[0], a[1]);
}

// A contact that has let go counts as thrown off its way by this many times `rest`: what a step's error may be across it while the slip is
// slower than an explicit integrator follows it. Found by trial: at 1 each such step ended the sliding, at 10 some did, at 30 none.
constexpr double wander = 30;

// The speed at which sliding ends.
double end_of_sliding(const FrictionLaw& law, const StickSlip& state, double rest) {
  const double band = law.traits().stick_velocity;
  return state.direction[1] == 0 ? band : std::max(band, rest);
}

}  // namespace

StickSlip begin_contact(const FrictionLaw& law, const Tangential& velocity, double rest) {
  const double speed = length(velocity);
  if (!(speed > 0)) return {.sticking = true};
  const StickSlip sliding{.armed = true, .direction = {velocity[0] / speed, velocity[1] / speed}};
  return speed <= end_of_sliding(law, sliding, rest) ? StickSlip{.sticking = true} : sliding;
}

Tangential slip_coefficient(const FrictionLaw& law, const StickSlip& state, const Tangential& velocity,
                            double rest) {
  const double speed = length(velocity);
  if (state.yields && speed <= wander * rest) {
    const double mu = law.traits().static_coefficient;
    return {mu * state.direction[0], mu * state.direction[1]};
  }
  const double along = dot(state.direction, velocity);
  // In the plane, and before there is a velocity to speak of: along the remembered direction.
  if (state.direction[1] == 0 && velocity[1] == 0) {
    const double mu = law.evaluate(std::abs(along)).coefficient;
    return {mu * state.direction[0], 0};
  }
  const double mu = law.evaluate(speed).coefficient;
  // Sliding ends at along = 0; a trial step beyond finds the same force. What is far beyond is braked all the same.
  if (along <= 0 && (rest == 0 || (state.armed && speed <= wander * rest)))
    return {mu * state.direction[0], mu * state.direction[1]};
  // From d to the direction of v while the speed passes `rest`.
  Tangential sliding = velocity;
  if (!state.armed) sliding[0] += rest * state.direction[0], sliding[1] += rest * state.direction[1];
  const double size = length(sliding);
  if (size == 0) return {mu * state.direction[0], mu * state.direction[1]};
  return {mu * sliding[0] / size, mu * sliding[1] / size};
}

double margin(const FrictionLaw& law, const StickSlip& state, const Tangential& velocity, double normal_force,
              const Tangential& holding_force, double rest) {
  if (state.sticking) return law.traits().static_coefficient * normal_force - length(holding_force);
  if (state.yields) return rest - length(velocity);
  const double along = dot(state.direction, velocity);
  if (state.armed) return along - end_of_sliding(law, state, rest);
  const double across = state.direction[0] * velocity[1] - state.direction[1] * velocity[0];
  return along + wander * rest - std::abs(across);
}

void accept(const FrictionLaw& law, StickSlip& state, const Tangential& velocity, double rest) {
  if (state.sticking || state.yields) return;
  const double along = dot(state.direction, velocity);
  if (along > end_of_sliding(law, state, rest)) state.armed = true;
  // In space the path bends; in the plane the direction stays what it is until an event.
  if (state.armed && along > 0 && (state.direction[1] != 0 || velocity[1] != 0)) {
    const double speed = length(velocity);
    state.direction = {velocity[0] / speed, velocity[1] / speed};
  }
}

void release(StickSlip& state, const Tangential& holding_force) {
  const double force = length(holding_force);
  state.sticking = state.armed = state.yields = false;
  state.direction =
      force > 0 ? Tangential{-holding_force[0] / force, -holding_force[1] / force} : Tangential{1, 0};
}

bool settle(const FrictionLaw& law, StickSlip& state, double normal_force, const Tangential& holding_force) {
  if (length(holding_force) > law.traits().static_coefficient * normal_force) {
    release(state, holding_force);
    return false;
  }
  state = {.sticking = true};
  return true;
}

}  // namespace tappet
