#include "tappet/studies/advise_modes.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

namespace tappet {
namespace {

// Periods of the fastest mode that stays in the shortest impact.
constexpr double periods = 10;

// Duration of an impact, or the period on the contact of what rests on it; infinite: not known.
double shortest_time(const ContactAdvice& a) {
  const ContactSituation& s = a.situation;
  if (!a.penetration || !(*a.penetration > 0)) return HUGE_VAL;
  if (s.speed && *s.speed > 0) return 2.943 * *a.penetration / *s.speed;
  return s.load > 0 ? 2 * M_PI * std::sqrt(s.mass * *a.penetration / s.load) : HUGE_VAL;
}

}  // namespace

std::vector<ModeAdvice> advise_modes(const Situations& situations,
                                     const std::vector<ContactAdvice>& contacts) {
  double time = HUGE_VAL;
  std::string contact;
  for (const ContactAdvice& a : contacts)
    if (const double own = shortest_time(a); own < time) time = own, contact = a.situation.name;
  std::vector<ModeAdvice> out;
  for (const FlexibleSituation& body : situations.flexible) {
    ModeAdvice advice;
    advice.body = body;
    if (std::isfinite(time)) {
      advice.contact = contact, advice.time = time;
      const double limit = periods / time;
      const auto& f = body.frequencies;
      // The lowest stays in any case.
      advice.dropped = static_cast<int>(
          std::count_if(f.begin() + (f.empty() ? 0 : 1), f.end(), [&](double each) { return each > limit; }));
      const std::size_t kept = f.size() - advice.dropped;
      if (advice.dropped > 0) advice.highest = std::max(limit, f[kept - 1] * 1.001);
      for (const std::vector<double>& compliance : body.compliances) {
        double all = 0, gone = 0;
        for (std::size_t k = 0; k < compliance.size(); ++k)
          all += compliance[k], gone += k >= kept ? compliance[k] : 0;
        if (all > 0) advice.lost = std::max(advice.lost, gone / all);
      }
    }
    out.push_back(std::move(advice));
  }
  return out;
}

std::string mode_advice_text(const std::vector<ModeAdvice>& advice) {
  std::string out;
  for (const ModeAdvice& a : advice) {
    const auto& f = a.body.frequencies;
    if (f.empty()) continue;
    out += fmt::format(
        "flexible body '{}': {} modes from {:.4g} to {:.4g} Hz; explicit steps of at most about {:.2g} s\n",
        a.body.name, f.size(), f.front(), f.back(), 1 / (M_PI * f.back()));
    if (a.contact.empty())
      out += "  highest  nothing to propose: no contact says how fast its loads change\n";
    else if (a.dropped == 0)
      out += fmt::format(
          "  highest  all may stay: impacts of contact '{}' are expected to take {:.3g} s, {:.3g} "
          "periods of the fastest\n",
          a.contact, a.time, a.time * f.back());
    else
      out += fmt::format(
          "  highest  {:.3g} Hz  impacts of contact '{}' are expected to take {:.3g} s, {:g} periods "
          "of that; it leaves out {} of the modes, which have up to {:.2g} of the compliance at an "
          "interface, and steps may be {:.2g} times as long\n",
          a.highest, a.contact, a.time, periods, a.dropped, a.lost, f.back() / f[f.size() - a.dropped - 1]);
  }
  return out;
}

}  // namespace tappet
