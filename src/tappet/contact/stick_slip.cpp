#include "tappet/contact/stick_slip.hpp"

#include <cmath>

namespace tappet {
namespace {

double dot(const Tangential& a, const Tangential& b) {
  return a[0] * b[0] + a[1] * b[1];
}
double length(const Tangential& a) {
  return a[1] == 0 ? std::abs(a[0]) : std::hypot(a[0], a[1]);
}

}  // namespace

StickSlip begin_contact(const FrictionLaw& law, const Tangential& velocity) {
  const double speed = length(velocity);
  if (speed <= law.traits().stick_velocity) return {.sticking = true};
  return {.sticking = false, .armed = true, .direction = {velocity[0] / speed, velocity[1] / speed}};
}

Tangential slip_coefficient(const FrictionLaw& law, const StickSlip& state, const Tangential& velocity) {
  const double along = dot(state.direction, velocity);
  // In the plane, and before there is a velocity to speak of: along the remembered direction.
  if (state.direction[1] == 0 && velocity[1] == 0) {
    const double mu = law.evaluate(std::abs(along)).coefficient;
    return {mu * state.direction[0], 0};
  }
  const double speed = length(velocity);
  const double mu = law.evaluate(speed).coefficient;
  if (along <= 0) return {mu * state.direction[0], mu * state.direction[1]};
  return {mu * velocity[0] / speed, mu * velocity[1] / speed};
}

double margin(const FrictionLaw& law, const StickSlip& state, const Tangential& velocity, double normal_force,
              const Tangential& holding_force) {
  if (state.sticking) return law.traits().static_coefficient * normal_force - length(holding_force);
  return dot(state.direction, velocity) - (state.armed ? law.traits().stick_velocity : 0);
}

void accept(const FrictionLaw& law, StickSlip& state, const Tangential& velocity) {
  if (state.sticking) return;
  const double along = dot(state.direction, velocity);
  if (along > law.traits().stick_velocity) state.armed = true;
  // In space the path bends; in the plane the direction stays what it is until an event.
  if (along > 0 && (state.direction[1] != 0 || velocity[1] != 0)) {
    const double speed = length(velocity);
    state.direction = {velocity[0] / speed, velocity[1] / speed};
  }
}

void release(StickSlip& state, const Tangential& holding_force) {
  const double force = length(holding_force);
  state.sticking = state.armed = false;
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
