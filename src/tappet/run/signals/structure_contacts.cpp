// Contacts of structures: nodes on a surface, nodes and corners on faces, balls on faces, by the sum over their points.
#include "tappet/run/signals/contact_signals.hpp"
#include "tappet/structures/structure_instant.hpp"

namespace tappet::signals::structure_contacts {
namespace {

const ContactSum& sum(SignalContext& c, int contact) {
  return c.structures->contacts[contact];
}

struct Nodes : SummedContact<sum> {
  static double normal_loss(SignalContext& c, int i) { return sum(c, i).normal_loss; }
  static double friction_loss(SignalContext& c, int i) { return sum(c, i).friction_loss; }
};

void offer(const Model& model, std::vector<SignalDefinition>& out) {
  for (int i = 0; i < static_cast<int>(model.structure_contacts.size()); ++i) {
    const std::string& name = model.structure_contacts[i].name;
    offer_contact_geometry<Nodes>(name, i, out);
    offer_contact_forces<Nodes>(name, i, 3, out);
  }
}

const Registration<SignalProvider> registered{
    {.name = "structure contacts", .order = 60, .offer = offer, .of_structures = true}};

}  // namespace
}  // namespace tappet::signals::structure_contacts
