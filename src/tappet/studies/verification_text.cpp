// A verification for people and for programs.
#include <algorithm>
#include <cmath>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "tappet/studies/text_table.hpp"
#include "tappet/studies/verify.hpp"

namespace tappet {

namespace {

using Json = nlohmann::ordered_json;

std::string aligned(std::vector<std::vector<std::string>> rows) {
  for (auto& row : rows) row[0].insert(0, 2, ' ');
  return text_table(rows, Align::left);
}

/// Words broken into lines.
std::string wrapped(const std::string& text, std::size_t width) {
  std::string out, line;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find(' ', at), text.size());
    if (!line.empty() && line.size() + 1 + end - at > width) {
      out += line + "\n";
      line.clear();
    }
    line.append(line.empty() ? "" : " ").append(text, at, end - at);
    at = end + 1;
  }
  return out + line + "\n";
}

std::string digits_text(int digits) {
  return digits >= 15 ? "all digits" : digits == 1 ? "1 digit" : fmt::format("{} digits", digits);
}

/// JSON has no infinities.
Json number(double value) {
  return std::isfinite(value) ? Json(value) : Json();
}

}  // namespace

std::string verification_text(const Verification& v) {
  std::string out =
      wrapped(v.verdict(), 100) + "\nFigures, and how many of their digits the finer runs confirm:\n";
  std::vector<std::vector<std::string>> rows;
  for (const VerifiedFigure& f : v.figures)
    rows.push_back({f.name, fmt::format("{:.10g} {}", f.value, f.unit), digits_text(f.digits)});
  out += aligned(rows);

  for (const std::string& sentence : v.missing) out += wrapped("There is no " + sentence + ".", 100);

  if (!v.beyond.empty()) {
    out += fmt::format("\nBeyond t = {:.4g} s, mean of {} runs and spread between them:\n", v.horizon.time,
                       v.runs.size());
    rows.clear();
    for (const VerifiedStatistic& s : v.beyond)
      rows.push_back({s.name, fmt::format("{:.4g} {}", s.mean, s.unit),
                      fmt::format("± {:.2g} %", 100 * s.spread),
                      s.converged ? "converged" : "not converged"});
    out += aligned(rows);
  }
  if (!v.contacts.empty()) {
    out += "\nRestitution, requested and realised (lowest, median, highest):\n";
    rows.clear();
    for (const VerifiedContact& c : v.contacts)
      rows.push_back({c.name, fmt::format("{} impacts", c.impacts), fmt::format("{:.4g}", c.requested),
                      fmt::format("{:.4g}  {:.4g}  {:.4g}", c.lowest, c.median, c.highest)});
    out += aligned(rows);
  }
  out += fmt::format("\nEnergy residual {:.2g} of the energy that moved", v.energy_residual);
  if (v.love_ratio > 0) out += fmt::format("; largest impact speed {:.3g} of Love's limit", v.love_ratio);
  out += "\n\nRuns:\n";
  rows.clear();
  for (const VerifiedRun& run : v.runs)
    rows.push_back({run.name, run.summary.integrator, fmt::format("{} steps", run.summary.steps),
                    fmt::format("{} impacts", run.summary.impacts),
                    fmt::format("{:.2g} s", run.summary.wall_seconds)});
  return out + aligned(rows);
}

std::string verification_json(const Verification& v) {
  Json out{{"model", v.model},
           {"verdict", v.verdict()},
           {"character", to_string(v.character)},
           {"t_end", v.t_end},
           {"parted", v.horizon.parted},
           {"trust_horizon", v.horizon.time},
           {"lyapunov_exponent", v.sensitive() ? number(v.growth.exponent) : Json()},
           {"growth_rate", number(v.growth.exponent)},
           {"growth_returns", v.returns},
           {"lyapunov_decades", v.growth.decades},
           {"exponential", v.growth.exponential},
           {"period", v.period},
           {"repeats_after", v.repetition.periods},
           {"repetition_distance", v.repetition.distance},
           {"energy_residual", v.energy_residual},
           {"love_ratio", v.love_ratio},
           {"figures", Json::array()},
           {"beyond", Json::array()},
           {"restitution", Json::array()},
           {"missing", v.missing},
           {"runs", Json::array()}};
  for (const VerifiedFigure& f : v.figures)
    out["figures"].push_back({{"name", f.name},
                              {"unit", f.unit},
                              {"value", number(f.value)},
                              {"difference", number(f.difference)},
                              {"digits", f.digits}});
  for (const VerifiedStatistic& s : v.beyond)
    out["beyond"].push_back({{"name", s.name},
                             {"unit", s.unit},
                             {"mean", number(s.mean)},
                             {"spread", number(s.spread)},
                             {"converged", s.converged}});
  for (const VerifiedContact& c : v.contacts)
    out["restitution"].push_back({{"contact", c.name},
                                  {"impacts", c.impacts},
                                  {"requested", c.requested},
                                  {"lowest", c.lowest},
                                  {"median", c.median},
                                  {"highest", c.highest}});
  for (const VerifiedRun& run : v.runs)
    out["runs"].push_back({{"name", run.name},
                           {"settings", run.settings},
                           {"integrator", run.summary.integrator},
                           {"steps", run.summary.steps},
                           {"impacts", run.summary.impacts},
                           {"energy_residual", run.summary.energy_residual},
                           {"wall_seconds", run.summary.wall_seconds}});
  return out.dump(2, ' ', false, Json::error_handler_t::replace);
}

}  // namespace tappet
