// Advice for people and for programs.
#include <algorithm>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "tappet/studies/advise_modes.hpp"

namespace tappet {
namespace {

using Json = nlohmann::ordered_json;

Json number_or_null(const std::optional<double>& value) {
  return value ? Json(*value) : Json(nullptr);
}

std::string with_unit(double value, const std::string& unit) {
  return fmt::format("{:.3g}{}{}", value, unit.empty() ? "" : " ", unit);
}

std::string headline(const ContactAdvice& a) {
  const ContactSituation& s = a.situation;
  std::string out = fmt::format("contact '{}', law {}: {:.4g} kg", s.name, a.law, s.mass);
  if (s.speed && *s.speed > 0) out += fmt::format(" meet at {:.4g} m/s", *s.speed);
  if (s.speed && !(*s.speed > 0)) out += " at rest";
  if (s.load > 0) out += fmt::format(", pressed together by {:.4g} N", s.load);
  if (a.penetration) out += fmt::format("; expected penetration {:.3g} m", *a.penetration);
  return out + "\n";
}

}  // namespace

std::string advice_text(const std::vector<ContactAdvice>& advice) {
  if (advice.empty()) return "the model has no contacts: there is nothing to advise on\n";
  std::string out;
  for (const ContactAdvice& a : advice) {
    out += headline(a);
    std::size_t keys = 0, values = 0;
    for (const Proposal& p : a.proposals) {
      keys = std::max(keys, p.key.size());
      values = std::max(values, with_unit(p.value, p.unit).size());
    }
    for (const Proposal& p : a.proposals)
      out += fmt::format("  {:<{}}  {:<{}}  {}{}\n", p.key, keys, with_unit(p.value, p.unit), values,
                         p.reason, p.given ? fmt::format(" (given: {:.6g})", *p.given) : "");
    for (const std::string& text : a.warnings) out += "  warning: " + text + "\n";
    for (const std::string& text : a.missing) out += "  missing: " + text + "\n";
  }
  return out;
}

std::string advice_json(const std::vector<ContactAdvice>& advice, const std::vector<ModeAdvice>& modes) {
  Json contacts = Json::array();
  for (const ContactAdvice& a : advice) {
    Json proposals = Json::array();
    for (const Proposal& p : a.proposals)
      proposals.push_back({{"key", p.key},
                           {"value", p.value},
                           {"unit", p.unit},
                           {"given", number_or_null(p.given)},
                           {"reason", p.reason}});
    contacts.push_back({{"contact", a.situation.name},
                        {"law", a.law},
                        {"mass", a.situation.mass},
                        {"speed", number_or_null(a.situation.speed)},
                        {"load", a.situation.load},
                        {"penetration", number_or_null(a.penetration)},
                        {"proposals", proposals},
                        {"warnings", a.warnings},
                        {"missing", a.missing}});
  }
  Json out{{"contacts", contacts}};
  for (const ModeAdvice& a : modes)
    out["flexible_bodies"].push_back({{"body", a.body.name},
                                      {"frequencies", a.body.frequencies},
                                      {"contact", a.contact.empty() ? Json(nullptr) : Json(a.contact)},
                                      {"shortest_impact", a.contact.empty() ? Json(nullptr) : Json(a.time)},
                                      {"highest", a.dropped > 0 ? Json(a.highest) : Json(nullptr)},
                                      {"dropped", a.dropped},
                                      {"compliance_lost", a.lost}});
  return out.dump(2, ' ', false, Json::error_handler_t::replace);
}

}  // namespace tappet
