// What contacts that are pressed do inside a step, from what they do at its ends, to find where a force or a penetration is largest.
//
// δ(θ), θ = (t − a)/h, is the cubic with the penetrations and rates of both ends; its error is that of the fourth power of the step. The
// force is the law's there. What is found so is an instant: a force that is largest there hardly depends on it, and is then taken from the
// motion itself.
//
//   dF/dt = ∂F/∂δ δ̇ + ∂F/∂δ̇ δ̈    at both ends
#pragma once

#include <span>
#include <vector>

#include "tappet/contact/normal_law.hpp"

namespace tappet {

/// A contact at one end of a step.
struct Pressed {
  bool known = false;
  double depth = 0, rate = 0;         ///< δ, m; δ̇, m/s
  double slope = 1;                   ///< of the force against the law's (Touch::slope)
  double force = 0;                   ///< N
  double stiffness = 0, damping = 0;  ///< ∂F/∂δ, N/m; ∂F/∂δ̇, N s/m
  const double* inputs = nullptr;     ///< NormalInput::inputs
};

class PressedArc {
 public:
  PressedArc(const Pressed& first, const Pressed& last, double h, const NormalLaw& law, double impact_rate)
      : first_(first), last_(last), h_(h), law_(&law), impact_rate_(impact_rate) {}

  /// θ of the deepest point, 0 where none is inside.
  double deepest() const;
  /// N; 0 where the law has none.
  double force(double theta) const;
  /// dF/dt at an end, N/s.
  double rise_first() const;
  double rise_last() const;

 private:
  double depth(double theta) const;
  double rate(double theta) const;

  Pressed first_, last_;
  double h_;  // length of the step, s
  const NormalLaw* law_;
  double impact_rate_;
};

/// Adds where the sum of these contacts' forces is largest inside a step from a to b, or just behind its end.
void find_peak(std::span<const PressedArc> together, double a, double b, std::vector<double>& out);

/// In order, each once; of more than `most` as many of them, evenly.
void choose(std::vector<double>& instants, std::size_t most);

}  // namespace tappet
