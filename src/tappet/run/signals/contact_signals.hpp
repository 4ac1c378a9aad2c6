// The signals that every contact has, whatever touches there: a followed point, a group, nodes of a structure.
//
//   gap            m    smallest; > 0 apart
//   penetration    m    deepest, ≥ 0
//   normal         N    sum of the normal forces of its points
//   tangential     N    friction: of one point in the plane signed, along the normal turned by +90°; else the sum of magnitudes
//   speed          m/s  of sliding: likewise signed for one point in the plane, else of the fastest point that carries load
//   fx, fy, fz     N    sum of all forces on the second surface, world axes
//   touching       1    number of points that carry load
//   normal_loss    J    since the run began
//   friction_loss  J    since the run began
#pragma once

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "tappet/model/signals.hpp"

namespace tappet {

/// A family has static functions gap, normal, tangential, speed, touching, normal_loss and friction_loss of (SignalContext&, int
/// contact), and force, a Vec3 of the same. `geometry_needs_forces` tells whether gap, speed and losses are known only where
/// forces are.
template <class Family>
void offer_contact_geometry(const std::string& contact, int index, std::vector<SignalDefinition>& out) {
  using C = SignalContext;
  using S = SignalDefinition;
  const std::string n = contact + ".";
  constexpr bool late = Family::geometry_needs_forces;
  out.push_back(
      {n + "gap", "m", late, index, 0, 0, [](C& c, const S& s) { return Family::gap(c, s.index); }});
  out.push_back({n + "penetration", "m", late, index, 0, 0,
                 [](C& c, const S& s) { return std::max(0.0, -Family::gap(c, s.index)); }});
  out.push_back(
      {n + "normal", "N", true, index, 0, 0, [](C& c, const S& s) { return Family::normal(c, s.index); }});
  out.push_back({n + "tangential", "N", true, index, 0, 0,
                 [](C& c, const S& s) { return Family::tangential(c, s.index); }});
  out.push_back(
      {n + "speed", "m/s", late, index, 0, 0, [](C& c, const S& s) { return Family::speed(c, s.index); }});
}

template <class Family>
void offer_contact_forces(const std::string& contact, int index, int dimensions,
                          std::vector<SignalDefinition>& out) {
  using C = SignalContext;
  using S = SignalDefinition;
  const std::string n = contact + ".";
  constexpr bool late = Family::geometry_needs_forces;
  for (int i = 0; i < dimensions; ++i)
    out.push_back({n + "f" + axis_names[i], "N", true, index, i, 0,
                   [](C& c, const S& s) -> double { return Family::force(c, s.index)[s.component]; }});
  out.push_back({n + "touching", "1", true, index, 0, 0,
                 [](C& c, const S& s) -> double { return Family::touching(c, s.index); }});
  out.push_back({n + "normal_loss", "J", late, index, 0, 0,
                 [](C& c, const S& s) { return Family::normal_loss(c, s.index); }});
  out.push_back({n + "friction_loss", "J", late, index, 0, 0,
                 [](C& c, const S& s) { return Family::friction_loss(c, s.index); }});
}

/// What a family whose points are known by their sum has in common with others of its kind.
template <const ContactSum& (*sum)(SignalContext&, int)>
struct SummedContact {
  static constexpr bool geometry_needs_forces = true;
  // Far from everything, or before the first step, there is no gap to tell.
  static double gap(SignalContext& c, int i) { return sum(c, i).gap < HUGE_VAL ? sum(c, i).gap : 0; }
  static double normal(SignalContext& c, int i) { return sum(c, i).normal; }
  static double tangential(SignalContext& c, int i) { return sum(c, i).tangential; }
  static double speed(SignalContext& c, int i) { return sum(c, i).speed; }
  static const Vec3& force(SignalContext& c, int i) { return sum(c, i).force; }
  static int touching(SignalContext& c, int i) { return sum(c, i).touching; }
};

}  // namespace tappet
