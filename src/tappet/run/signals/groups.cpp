// Groups of contacts: many points that come and go, by their sum. A gap is that of points near enough to be looked at, and 0
// where none is.
#include "tappet/run/signals/contact_signals.hpp"

namespace tappet::signals::groups {
namespace {

const ContactSum& sum(SignalContext& c, int group) {
  return c.w->groups[group];
}

struct Group : SummedContact<sum> {
  static double loss(SignalContext& c, int i, int which) {
    return c.z[c.model.mechanism.groups[i].aux_offset + which];
  }
  static double normal_loss(SignalContext& c, int i) { return loss(c, i, ContactPoint::aux_normal_loss); }
  static double friction_loss(SignalContext& c, int i) { return loss(c, i, ContactPoint::aux_friction_loss); }
};

void offer(const Model& model, std::vector<SignalDefinition>& out) {
  const Mechanism& m = model.mechanism;
  for (int g = 0; g < static_cast<int>(m.groups.size()); ++g) {
    offer_contact_geometry<Group>(m.groups[g].name, g, out);
    offer_contact_forces<Group>(m.groups[g].name, g, m.dimension == Dimension::planar ? 2 : 3, out);
  }
}

const Registration<SignalProvider> registered{{.name = "groups", .order = 70, .offer = offer}};

}  // namespace
}  // namespace tappet::signals::groups
