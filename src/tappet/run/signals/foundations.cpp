// Journals on a bed of springs, and what they have worn off.
//
//   ex, ey          m    journal's centre against the bearing's, world
//   fx, fy          N    force on the journal;  normal: ∫ p dA, N
//   peak_pressure   Pa
//   friction_power  W    taken by friction
//   bearing_wear, journal_wear                     m³   volume worn off
//   bearing_wear_depth, journal_wear_depth         m    where it is deepest
//   bearing_depth_N, journal_depth_N               m    at node N, counted from 0 at the body's x axis; 72 of them, the others on request
//   revolutions, wear_pace     1   with `update`: revolutions so far, and what each one that is run stands for
//   wear_error                 m   with `update`: what the extrapolation may err by, of the depth
#include <algorithm>
#include <array>

#include "tappet/model/signals.hpp"
#include "tappet/multibody/foundation.hpp"

namespace tappet::signals::foundations {
namespace {

const Foundation& of(SignalContext& c, int i) {
  return *c.model.mechanism.foundations[i];
}

double offset(SignalContext& c, const SignalDefinition& s) {
  return of(c, s.index).instant(c.k).offset[s.component];
}
double force(SignalContext& c, const SignalDefinition& s) {
  return of(c, s.index).instant(c.k).force[s.component];
}
template <double FoundationInstant::*member>
double value(SignalContext& c, const SignalDefinition& s) {
  return of(c, s.index).instant(c.k).*member;
}

// `component` is the surface, `part` the node.
double volume(SignalContext& c, const SignalDefinition& s) {
  return of(c, s.index).worn_volume(c.z, s.component);
}
double deepest(SignalContext& c, const SignalDefinition& s) {
  return of(c, s.index).deepest(c.z, s.component);
}
double depth(SignalContext& c, const SignalDefinition& s) {
  return of(c, s.index).depth(c.z, s.component, s.part);
}

double cycle(SignalContext& c, const SignalDefinition& s) {
  return c.z[of(c, s.index).leader->cycle_offset() + s.component];
}

/// Nodes that every result has, so that a report can draw the profile.
constexpr int nodes_recorded = 72;

void offer(const Model& model, std::vector<SignalDefinition>& out) {
  const auto& all = model.mechanism.foundations;
  for (int i = 0; i < static_cast<int>(all.size()); ++i) {
    const std::string n = all[i]->name + ".";
    for (int d = 0; d < 2; ++d) out.push_back({n + "e" + axis_names[d], "m", false, i, d, 0, offset});
    for (int d = 0; d < 2; ++d) out.push_back({n + "f" + axis_names[d], "N", true, i, d, 0, force});
    out.push_back({n + "normal", "N", true, i, 0, 0, value<&FoundationInstant::load>});
    out.push_back({n + "peak_pressure", "Pa", true, i, 0, 0, value<&FoundationInstant::peak_pressure>});
    out.push_back({n + "friction_power", "W", true, i, 0, 0, value<&FoundationInstant::friction_power>});
    constexpr std::array<const char*, 2> surfaces = {"bearing", "journal"};
    for (int side = 0; side < 2; ++side) {
      if (!all[i]->wears(side)) continue;
      const std::string surface = n + surfaces[side] + "_";
      out.push_back({surface + "wear", "m^3", false, i, side, 0, volume});
      out.push_back({surface + "wear_depth", "m", false, i, side, 0, deepest});
      for (int node = 0; node < all[i]->nodes; ++node)
        out.push_back({surface + "depth_" + std::to_string(node), "m", false, i, side, node, depth,
                       node % std::max(1, all[i]->nodes / nodes_recorded) != 0});
    }
    if (all[i]->leader) {
      out.push_back({n + "revolutions", "1", false, i, Foundation::revolutions, 0, cycle});
      out.push_back({n + "wear_pace", "1", false, i, Foundation::pace, 0, cycle});
      out.push_back({n + "wear_error", "m", false, i, Foundation::error, 0, cycle});
    }
  }
}

const Registration<SignalProvider> registered{{.name = "foundations", .order = 46, .offer = offer}};

}  // namespace
}  // namespace tappet::signals::foundations
