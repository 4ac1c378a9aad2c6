// One free impact under a law: an effective mass m strikes at a given speed and leaves again.
//
//   m δ̈ = −F(δ, δ̇, δ̇⁽⁻⁾) + load,      δ(0) = 0,  δ̇(0) = δ̇⁽⁻⁾ = speed;   1/m = 1/m_i + 1/m_j
//
// Integrated by Fehlberg's Runge–Kutta method of order 8 to near rounding; turning point, peak force and
// separation are located on repeated partial steps, never interpolated. This is what `tappet laws NAME
// --curve` prints and what the laws' claims are tested by.
#pragma once

#include <span>
#include <vector>

#include "tappet/contact/normal_law.hpp"

namespace tappet {

struct ImpactOptions {
  double mass = 1;   ///< effective mass m > 0, kg
  double speed = 1;  ///< δ̇⁽⁻⁾ > 0, m/s
  double load = 0;   ///< constant force that presses the surfaces together, N
  double tolerance =
      1e-13;  ///< local error of a step relative to depth, speed, energy and momentum of the impact
};

struct ImpactResult {
  bool separated = false;  ///< false: it came to rest in contact, and the numbers below are those at rest
  double duration = 0;     ///< from first touch to separation, s
  double time_in = 0;      ///< from first touch to the turning point, s
  double max_depth = 0;    ///< at the turning point, m
  double max_force = 0;    ///< N
  double speed_out = 0;    ///< −δ̇ at separation, m/s
  double restitution = 0;  ///< speed_out/speed
  double impulse = 0;      ///< ∫F dt, N s
  double dissipated = 0;   ///< ∫P dt, J
};

struct CurvePoint {
  double time = 0;   ///< s since first touch
  double depth = 0;  ///< δ, m
  double rate = 0;   ///< δ̇, m/s
  double force = 0;  ///< F, N
  bool loading = true;
};

/// Throws LawDomainError when the impact goes deeper than the law. `times`, ascending, are those at which
/// `samples` (if not null) receives a point; points after separation are left out.
ImpactResult single_impact(const NormalLaw& law, const ImpactOptions& options,
                           std::span<const double> times = {}, std::vector<CurvePoint>* samples = nullptr);

/// The same impact as `points` equally spaced times of loading and as many of unloading; both contain the
/// turning point.
std::vector<CurvePoint> impact_curve(const NormalLaw& law, const ImpactOptions& options, int points);

/// Force at rest against penetration: `points` equal steps from 0 to max_depth, δ̇ = 0 throughout.
std::vector<CurvePoint> static_curve(const NormalLaw& law, double max_depth, int points);

}  // namespace tappet
