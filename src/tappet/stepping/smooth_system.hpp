// The model as an ordinary differential equation on its constraint manifold: y = (q, u, z).
#pragma once

#include <vector>

#include "tappet/model/signals.hpp"
#include "tappet/stepping/ode_system.hpp"

namespace tappet {

class SmoothSystem final : public OdeSystem {
 public:
  explicit SmoothSystem(const Model& model);

  int size() const override { return nq_ + nu_ + nz_; }
  void derivative(double t, const double* y, double* dydt) override;
  bool project(double t, double* y) override;
  void error_scale(double t, const double* y, double* scale) override;
  int event_count() const override { return static_cast<int>(model_.events.size()); }
  void event_values(double t, const double* y, double* g) override;

  /// Accelerations, reactions and all else at (t, y); what signals are read from.
  const DynamicsWorkspace& evaluate(double t, const double* y);
  const DynamicsWorkspace& workspace() const { return w_; }

  /// Largest |Φ| at the end of a step so far, after projection.
  double constraint_violation = 0;

  const double* q(const double* y) const { return y; }
  const double* u(const double* y) const { return y + nq_; }
  const double* z(const double* y) const { return y + nq_ + nu_; }

 private:
  const Model& model_;
  const Mechanism& mechanism_;
  int nq_, nu_, nz_;
  DynamicsWorkspace w_;
  Kinematics event_frames_;
  std::vector<SignalSource> event_sources_;
};

}  // namespace tappet
