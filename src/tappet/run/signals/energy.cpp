// The energy ledger of everything: what is there, what came in, and where it went.
#include "tappet/model/signals.hpp"

namespace tappet::signals::energy {
namespace {

double kinetic(SignalContext& c, const SignalDefinition&) {
  return c.kinetic;
}
double potential(SignalContext& c, const SignalDefinition&) {
  return c.potential;
}
double ledger(SignalContext& c, const SignalDefinition& s) {
  return c.z[s.index];
}
double residual(SignalContext& c, const SignalDefinition&) {
  return ledger_residual(c.model.mechanism, c.kinetic + c.potential, c.energy_at_start, c.z);
}

void offer(const Model& model, std::vector<SignalDefinition>& out) {
  out.push_back({"energy.kinetic", "J", true, 0, 0, 0, kinetic});
  out.push_back({"energy.potential", "J", true, 0, 0, 0, potential});
  out.push_back({"energy.input", "J", false, ledger_input, 0, 0, ledger});
  out.push_back({"energy.damping_loss", "J", false, ledger_damping, 0, 0, ledger});
  out.push_back({"energy.normal_loss", "J", false, ledger_normal, 0, 0, ledger});
  out.push_back({"energy.friction_loss", "J", false, ledger_friction, 0, 0, ledger});
  if (const int film = model.mechanism.ledger_film; film >= 0)
    out.push_back({"energy.film_loss", "J", false, film, 0, 0, ledger});
  if (const int wear = model.mechanism.ledger_wear; wear >= 0)
    out.push_back({"energy.wear_loss", "J", false, wear, 0, 0, ledger});
  out.push_back({"energy.residual", "J", true, 0, 0, 0, residual});
}

const Registration<SignalProvider> registered{{.name = "energy", .order = 90, .offer = offer}};

}  // namespace
}  // namespace tappet::signals::energy
