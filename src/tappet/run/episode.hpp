// A contact from the first step in which it carries load to the last: what becomes a row of the impact table, for methods that
// go through impacts in steps of one length.
#pragma once

#include "tappet/run/simulation.hpp"

namespace tappet {

struct Episode {
  bool touching = false;
  int group = -1;  ///< of a contact that is not followed by itself
  double start = 0, speed_in = 0, speed_out = 0, peak_force = 0, impulse = 0, depth = 0;

  /// Its row when it has ended.
  Impact finished(int contact, double end, double requested) const {
    Impact out;
    out.contact = contact;
    out.start = start;
    out.end = end;
    out.speed_in = speed_in;
    out.speed_out = speed_out;
    out.restitution = speed_in > 0 ? speed_out / speed_in : 0;
    out.requested = requested;
    out.max_penetration = depth;
    out.peak_force = peak_force;
    out.impulse = impulse;
    return out;
  }
};

}  // namespace tappet
