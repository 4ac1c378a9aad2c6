#include "tappet/multibody/contact_state.hpp"

#include "tappet/base/value_stream.hpp"

namespace tappet {

void fields(FieldVisitor& v, ContactState& s) {
  v.field("touching", s.touching);
  v.field("sliding", s.sliding);
  v.field("branch", s.branch);
  v.field("impact_rate", s.impact_rate);
  v.field("start", s.start);
  v.field("max_penetration", s.max_penetration);
  v.field("peak_force", s.peak_force);
  v.field("impulse_start", s.impulse_start);
  v.field("depth_scale", s.depth_scale);
  v.field("depth_scale_high", s.depth_scale_high);
  v.field("sticking", s.stick.sticking);
  v.field("armed", s.stick.armed);
  v.field("yields", s.stick.yields);
  v.field("stick_direction", s.stick.direction);
  v.field("direction", s.direction);
  v.field("tangent", s.tangent);
  v.field("rolling", s.rolling);
  v.field("spinning", s.spinning);
}

void fields(FieldVisitor& v, PassingContact& c) {
  fields(v, c.id);
  v.field("impact_rate", c.impact_rate);
  v.field("start", c.start);
  v.field("max_penetration", c.max_penetration);
  v.field("peak_force", c.peak_force);
  v.field("depth_scale", c.depth_scale);
  v.field("impulse", c.impulse);
  v.field("force", c.force);
  v.field("time", c.time);
  v.field("radius", c.radius);
}

void fields(FieldVisitor& v, LastImpulse& i) {
  fields(v, i.id);
  v.field("impulse", i.impulse);
  v.field("stuck", i.stuck);
  v.field("couple", i.couple);
}

}  // namespace tappet
