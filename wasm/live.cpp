// What web pages call: one run at a time, of a model that is text, in pieces of so many milliseconds, so that the page stays alive.
//
//   open(model, settings)   reads and assembles it; false: message() says why not
//   advance(milliseconds)   goes on for about that long: 1 there is more to come, 0 it is over, −1 it failed: message() says why
//   data(), rows()          what was sampled so far, row by row: time, then the signals of description()
//   impacts(), hits()       the impact table so far, row by row: the numbers of impact_columns
//
// Texts are UTF-8 and belong to this file until the next call.
#include <chrono>
#include <emscripten/emscripten.h>
#include <memory>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "tappet/base/diagnostics.hpp"
#include "tappet/base/version.hpp"
#include "tappet/model/compile.hpp"
#include "tappet/model/impact.hpp"
#include "tappet/model/model.hpp"
#include "tappet/run/simulation.hpp"
#include "tappet/spec/spec.hpp"

namespace {

using tappet::Impact;

constexpr const char* impact_columns[] = {"start",           "end",         "speed_in",
                                          "speed_out",       "restitution", "requested",
                                          "max_penetration", "peak_force",  "impulse"};

struct Records : tappet::Observer {
  std::vector<double> rows;
  std::vector<double> impacts;
  void sample(std::span<const double> row) override { rows.insert(rows.end(), row.begin(), row.end()); }
  void impact(const Impact& i) override {
    for (const double value : {i.start, i.end, i.speed_in, i.speed_out, i.restitution, i.requested,
                               i.max_penetration, i.peak_force, i.impulse})
      impacts.push_back(value);
  }
};

struct Live {
  std::shared_ptr<const tappet::Model> model;
  std::unique_ptr<tappet::Simulation> simulation;
  Records records;
  bool over = false;
};

Live live;
std::string text;

/// The faults of a model, each in its line; or what went wrong in a run.
template <class Work>
bool guarded(const Work& work) {
  try {
    work();
    return true;
  } catch (const std::exception& fault) {
    text = fault.what();
  }
  return false;
}

std::vector<std::string> lines(const char* all) {
  std::vector<std::string> out;
  for (std::string rest = all; !rest.empty();) {
    const std::size_t end = rest.find('\n');
    if (end != 0) out.push_back(rest.substr(0, end));
    rest = end == std::string::npos ? "" : rest.substr(end + 1);
  }
  return out;
}

}  // namespace

extern "C" {

EMSCRIPTEN_KEEPALIVE const char* tappet_version() {
  text = tappet::version();
  return text.c_str();
}

/// `settings`: one "path=value" a line.
EMSCRIPTEN_KEEPALIVE int tappet_open(const char* model, const char* settings) {
  live = Live();
  return guarded([&] {
    const tappet::Spec spec = tappet::spec_from_text(model, "model", lines(settings));
    tappet::Diagnostics diagnostics;
    live.model = tappet::compile(spec, diagnostics);
    live.simulation = std::make_unique<tappet::Simulation>(live.model);
  });
}

EMSCRIPTEN_KEEPALIVE int tappet_advance(double milliseconds) {
  if (!live.simulation) {
    text = "no model is open";
    return -1;
  }
  const auto until =
      std::chrono::steady_clock::now() + std::chrono::duration<double, std::milli>(milliseconds);
  const double end = live.model->settings.duration;
  const bool well = guarded([&] {
    while (!live.over && live.simulation->time() < end && std::chrono::steady_clock::now() < until)
      live.over = !live.simulation->step(live.records, end);
  });
  if (!well) return -1;
  return live.over || live.simulation->time() >= end ? 0 : 1;
}

EMSCRIPTEN_KEEPALIVE const char* tappet_message() {
  return text.c_str();
}

/// JSON: columns of data() and of impacts(), notes and warnings.
EMSCRIPTEN_KEEPALIVE const char* tappet_description() {
  nlohmann::ordered_json out;
  if (live.simulation) {
    out["columns"] = {{{"name", "time"}, {"unit", "s"}}};
    for (const tappet::Signal& signal : live.simulation->signals())
      out["columns"].push_back({{"name", signal.name}, {"unit", signal.unit}});
    out["impact_columns"] = impact_columns;
    const tappet::RunSummary summary = live.simulation->describe();
    out["method"] = summary.method;
    out["integrator"] = summary.integrator;
    out["notes"] = summary.notes;
    out["warnings"] = summary.warnings;
    out["duration"] = live.model->settings.duration;
  }
  text = out.dump();
  return text.c_str();
}

EMSCRIPTEN_KEEPALIVE const double* tappet_data() {
  return live.records.rows.data();
}
EMSCRIPTEN_KEEPALIVE int tappet_rows() {
  return live.simulation
             ? static_cast<int>(live.records.rows.size() / (live.simulation->signals().size() + 1))
             : 0;
}
EMSCRIPTEN_KEEPALIVE const double* tappet_impacts() {
  return live.records.impacts.data();
}
EMSCRIPTEN_KEEPALIVE int tappet_hits() {
  return static_cast<int>(live.records.impacts.size() / std::size(impact_columns));
}

}  // extern "C"
