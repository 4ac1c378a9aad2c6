#include "tappet/results/summary.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "tappet/base/diagnostics.hpp"

namespace tappet {

using Json = nlohmann::ordered_json;

namespace {

Json to_json(const RunSummary& s, const std::string& result) {
  return Json{{"status", s.completed ? "completed" : "stopped"},
              {"stop_reason", s.stop_reason},
              {"t_end", s.t_end},
              {"wall_seconds", s.wall_seconds},
              {"method", s.method},
              {"integrator", s.integrator},
              {"steps", s.steps},
              {"rejected", s.rejected},
              {"evaluations", s.evaluations},
              {"samples", s.samples},
              {"impacts", s.impacts},
              {"events", s.events},
              {"bodies", s.bodies},
              {"constraints", s.constraints},
              {"redundant", s.redundant},
              {"degrees_of_freedom", s.degrees_of_freedom},
              {"energy_residual", s.energy_residual},
              {"max_first_penetration", s.max_first_penetration},
              {"love_ratio", s.love_ratio},
              {"constraint_violation", s.constraint_violation},
              {"notes", s.notes},
              {"warnings", s.warnings},
              {"result", result}};
}

/// Bad UTF-8 in a user's names must not cost the summary.
std::string dump(const Json& json) {
  return json.dump(2, ' ', false, Json::error_handler_t::replace);
}

/// Leaves the first half, and a line that says so.
void halve(std::vector<std::string>& texts, std::size_t total) {
  texts.resize(texts.size() / 2);
  if (!texts.empty()) texts.back() = fmt::format("... {} in all, too many to keep", total);
}

double number(const Json& json, const char* key) {
  const auto at = json.find(key);
  if (at == json.end()) return 0;
  return at->is_null() ? std::numeric_limits<double>::quiet_NaN() : at->get<double>();
}

}  // namespace

std::string summary_json(const RunSummary& summary, const std::string& result, std::size_t limit) {
  std::string text = dump(to_json(summary, result));
  if (limit == 0 || text.size() <= limit) return text;
  RunSummary shorter = summary;
  while (text.size() > limit && !(shorter.notes.empty() && shorter.warnings.empty())) {
    if (!shorter.notes.empty()) {
      halve(shorter.notes, summary.notes.size());
    } else {
      halve(shorter.warnings, summary.warnings.size());
    }
    text = dump(to_json(shorter, result));
  }
  // Only an absurdly long reason can still be in the way.
  if (text.size() > limit) {
    shorter.stop_reason.resize(std::min<std::size_t>(shorter.stop_reason.size(), 1000));
    text = dump(to_json(shorter, ""));
  }
  return text;
}

RunSummary summary_from_json(const std::string& text) {
  try {
    const Json json = Json::parse(text);
    RunSummary s;
    s.completed = json.value("status", "") == "completed";
    s.stop_reason = json.value("stop_reason", "");
    s.t_end = number(json, "t_end");
    s.wall_seconds = number(json, "wall_seconds");
    s.method = json.value("method", "");
    s.integrator = json.value("integrator", "");
    s.steps = json.value("steps", 0L);
    s.rejected = json.value("rejected", 0L);
    s.evaluations = json.value("evaluations", 0L);
    s.samples = json.value("samples", 0L);
    s.impacts = json.value("impacts", 0L);
    s.events = json.value("events", 0L);
    s.bodies = json.value("bodies", 0);
    s.constraints = json.value("constraints", 0);
    s.redundant = json.value("redundant", 0);
    s.degrees_of_freedom = json.value("degrees_of_freedom", 0);
    s.energy_residual = number(json, "energy_residual");
    s.max_first_penetration = number(json, "max_first_penetration");
    s.love_ratio = number(json, "love_ratio");
    s.constraint_violation = number(json, "constraint_violation");
    s.notes = json.value("notes", std::vector<std::string>{});
    s.warnings = json.value("warnings", std::vector<std::string>{});
    return s;
  } catch (const Json::exception& error) {
    throw InputError(
        {{Severity::error, {}, fmt::format("the run's summary cannot be read: {}", error.what())}});
  }
}

std::string stop_sentence(const RunSummary& summary) {
  // Some reasons begin with the time themselves.
  if (summary.stop_reason.starts_with("stopped ")) return summary.stop_reason;
  return fmt::format("stopped at t = {:.9g} s: {}", summary.t_end, summary.stop_reason);
}

std::string summary_text(const RunSummary& s, const std::string& result) {
  std::string text;
  const auto line = [&text](const char* label, const std::string& value) {
    text += fmt::format("  {:<22}{}\n", label, value);
  };
  const auto counted = [](long n, const char* one) {
    return fmt::format("{} {}{}", n, one, n == 1 ? "" : "s");
  };

  text += s.completed ? fmt::format("Completed: {:.6g} s simulated in {:.3g} s", s.t_end, s.wall_seconds)
                      : "Not completed: " + stop_sentence(s);
  text += '\n';
  std::string mechanism =
      fmt::format("{}, {}, {} of freedom", counted(s.bodies, s.bodies == 1 ? "body" : "bodie"),
                  counted(s.constraints, "constraint"), counted(s.degrees_of_freedom, "degree"));
  if (s.redundant > 0) mechanism += fmt::format(", {} redundant", s.redundant);
  line("mechanism", mechanism);
  line("method", s.integrator.empty() ? s.method : s.method + ", " + s.integrator);
  line("steps", fmt::format("{} ({} rejected), {} evaluations", s.steps, s.rejected, s.evaluations));
  line("written", counted(s.samples, "sample") + ", " + counted(s.impacts, "impact") + ", " +
                      counted(s.events, "event"));
  line("energy residual", fmt::format("{:.2g} of the energy that moved", s.energy_residual));
  line("constraint violation", fmt::format("{:.2g} m", s.constraint_violation));
  if (s.impacts > 0) line("first penetration", fmt::format("{:.2g} m at most", s.max_first_penetration));
  for (const auto& note : s.notes) line("note", note);
  for (const auto& warning : s.warnings) line("warning", warning);
  line("result", result);
  return text;
}

}  // namespace tappet
