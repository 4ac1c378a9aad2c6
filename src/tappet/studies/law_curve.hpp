// A law's own curve as a recording, so that figures of laws and figures of machines are made in one way.
//
// normal, an impact   time, penetration, rate, force, loading (1 on the way in)
// normal, at rest     time, penetration, force: pressed in at 1 m/s, so that an integral is over penetration
// friction            time, velocity, tangential: speeded up by 1 m/s², so that an integral is over velocity
#pragma once

#include <memory>

#include "tappet/contact/curve.hpp"
#include "tappet/contact/friction_law.hpp"
#include "tappet/spec/object.hpp"
#include "tappet/studies/metric.hpp"
#include "tappet/studies/recording.hpp"

namespace tappet {

struct LawCurve {
  std::shared_ptr<const NormalLaw> normal;      ///< one of the two
  std::shared_ptr<const FrictionLaw> friction;  ///< the other
  ImpactOptions impact;
  double depth = 0;         ///< largest penetration of a curve at rest, m; 0: an impact
  double speed = 1;         ///< fastest sliding, m/s
  double normal_force = 1;  ///< N
  int points = 401;
};

/// Surfaces, and how they meet: the mapping `curve`.
const Table& law_curve_table();

/// The curve of a law, read by its family, between the surfaces of `curve`. Faults go to the diagnostics.
LawCurve normal_curve(const Object& curve, const Object& law, Diagnostics& diagnostics);
LawCurve friction_curve(const Object& curve, const Object& law, Diagnostics& diagnostics);

/// The signals that record() gives.
MetricNames metric_names(const LawCurve& curve);
/// Throws LawDomainError when the law has no force that deep.
Recording record(const LawCurve& curve);

}  // namespace tappet
