#include "tappet/model/signals.hpp"

#include <algorithm>

namespace tappet {

std::vector<SignalDefinition> all_signals(const Model& model) {
  std::vector<SignalProvider> providers = SignalRegistry::instance().entries();
  std::stable_sort(providers.begin(), providers.end(),
                   [](const SignalProvider& a, const SignalProvider& b) { return a.order < b.order; });
  std::vector<SignalDefinition> out;
  for (const SignalProvider& provider : providers) provider.offer(model, out);
  return out;
}

std::string renamed_signal(const std::string& name) {
  const struct { std::string former, now; } renamed[] = {{".nodes", ".touching"}};
  for (const auto& one : renamed)
    if (name.ends_with(one.former)) return name.substr(0, name.size() - one.former.size()) + one.now;
  return "";
}

void evaluate_signals(const std::vector<SignalDefinition>& signals, SignalContext& context, double* out) {
  for (const SignalDefinition& signal : signals) *out++ = signal.evaluate(context, signal);
}

double ledger_losses(const Mechanism& mechanism, const double* z) {
  const double film = mechanism.ledger_film >= 0 ? z[mechanism.ledger_film] : 0;
  const double wear = mechanism.ledger_wear >= 0 ? z[mechanism.ledger_wear] : 0;
  return z[ledger_damping] + z[ledger_normal] + z[ledger_friction] + film + wear;
}

double ledger_residual(const Mechanism& mechanism, double energy_now, double energy_at_start,
                       const double* z) {
  return energy_now - energy_at_start - z[ledger_input] + ledger_losses(mechanism, z);
}

}  // namespace tappet
