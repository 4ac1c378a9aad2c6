#include "tappet/stepping/smooth_system.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include <fmt/format.h>

#include "tappet/base/diagnostics.hpp"

namespace tappet {
namespace {

// A constraint is met when it is below this, relative to the mechanism's size (positions) or speed (velocities).
constexpr double met = 1e-13;

}  // namespace

SmoothSystem::SmoothSystem(const Model& model)
    : model_(model),
      mechanism_(model.mechanism),
      nq_(model.mechanism.q_size()),
      nu_(model.mechanism.u_size()),
      nz_(model.mechanism.aux_size),
      w_(model.mechanism) {
  resize(event_frames_, mechanism_.dimension, mechanism_.body_count());
  const std::vector<SignalSource> signals = all_signals(model);
  for (const ModelEvent& event : model.events) event_sources_.push_back(signals[event.source]);
}

const DynamicsWorkspace& SmoothSystem::evaluate(double t, const double* y) {
  accelerations(mechanism_, model_.settings.stabilisation, t, q(y), u(y), z(y), w_);
  return w_;
}

void SmoothSystem::derivative(double t, const double* y, double* dydt) {
  evaluate(t, y);
  position_rates(mechanism_.dimension, mechanism_.body_count(), q(y), u(y), dydt);
  std::copy(w_.a.begin(), w_.a.end(), dydt + nq_);
  double* zdot = dydt + nq_ + nu_;
  std::fill(zdot, zdot + nz_, 0.0);
  auxiliary_rates(mechanism_, w_, zdot);
}

bool SmoothSystem::project(double t, double* y) {
  double *q = y, *u = y + nq_, *z = y + nq_ + nu_;
  bool changed = false;

  // Quaternions drift off unit length by what the integrator errs.
  if (mechanism_.dimension == Dimension::spatial) {
    for (int b = 0; b < mechanism_.body_count(); ++b) {
      double* e = q + 7 * b + 3;
      const double square = e[0] * e[0] + e[1] * e[1] + e[2] * e[2] + e[3] * e[3];
      if (std::abs(square - 1) < 1e-14) continue;
      const double scale = 1 / std::sqrt(square);
      for (int i = 0; i < 4; ++i) e[i] *= scale;
      changed = true;
    }
  }
  if (w_.constraints.rows() == 0) return changed;

  // Without projection the violation is only watched.
  if (model_.settings.stabilisation.type != Stabilisation::Type::projection) {
    update_kinematics(w_.k, t, q, u, z);
    w_.constraints.evaluate(w_.k);
    for (double phi : w_.constraints.phi()) constraint_violation = std::max(constraint_violation, std::abs(phi));
    return changed;
  }

  // Rounding of the coordinates themselves bounds what can be asked for.
  double size = mechanism_.length, speed = 0;
  for (int i = 0; i < nq_; ++i) size = std::max(size, std::abs(q[i]));
  for (int i = 0; i < nu_; ++i) speed = std::max(speed, std::abs(u[i]));
  const Projection positions = project_positions(mechanism_, t, q, u, z, met * size, w_);
  if (!(positions.remaining <= 1e-9 * size)) {
    std::string name;
    for (int c = 0; c < w_.constraints.count(); ++c)
      if (positions.worst_row >= w_.constraints.row_of(c)) name = w_.constraints.constraint(c).name;
    throw SimulationError(t, fmt::format("'{}' cannot be closed: {:.3g} m (or rad) remain; joints or motions contradict each "
                                         "other there, or the mechanism is at a singular position",
                                         name, positions.remaining));
  }
  constraint_violation = std::max(constraint_violation, positions.remaining);
  changed = positions.changed || changed;
  if (project_velocities(mechanism_, u, met * std::max(speed, 1e-3) * std::max(1.0, size), w_)) changed = true;
  return changed;
}

void SmoothSystem::error_scale(double, const double* y, double* scale) {
  // Positions are measured by the mechanism's size, angles by a radian, velocities by the largest speed there is (or that
  // gravity or the run's duration suggest when all is at rest).
  const double length = mechanism_.length;
  const double* u = y + nq_;
  double speed = std::max(length / model_.settings.duration, std::sqrt(mechanism_.gravity.norm() * length) * 0.1);
  const bool planar = mechanism_.dimension == Dimension::planar;
  const int width = planar ? 3 : 6, turn = planar ? 2 : 3;
  for (int i = 0; i < nu_; ++i) {
    const double size = std::abs(u[i]);
    speed = std::max(speed, i % width < turn ? size : length * size);
  }
  const int places = planar ? 3 : 7;
  for (int i = 0; i < nq_; ++i) scale[i] = i % places < turn ? length : 1.0;
  for (int i = 0; i < nu_; ++i) scale[nq_ + i] = i % width < turn ? speed : speed / length;
  double* z = scale + nq_ + nu_;
  for (int i = 0; i < nz_; ++i) z[i] = i < ledger_size ? std::numeric_limits<double>::infinity() : std::min(1.0, length);
}

void SmoothSystem::event_values(double t, const double* y, double* g) {
  update_kinematics(event_frames_, t, q(y), u(y), z(y));
  for (std::size_t i = 0; i < event_sources_.size(); ++i)
    g[i] = state_signal(event_sources_[i], event_frames_, q(y)) - model_.events[i].level;
}

}  // namespace tappet
