// Runs a model file, or a model given as text, and keeps what it recorded.
#pragma once

#include <cmath>
#include <memory>
#include <numbers>
#include <stdexcept>
#include <string>
#include <vector>

#include "support/paths.hpp"
#include "tappet/base/diagnostics.hpp"
#include "tappet/model/compile.hpp"
#include "tappet/model/model.hpp"
#include "tappet/run/simulation.hpp"
#include "tappet/spec/spec.hpp"

namespace tappet::testing {

/// All samples, events and impacts of one run.
struct Recording final : Observer {
  std::vector<std::string> names;         ///< of the columns after time
  std::vector<std::vector<double>> rows;  ///< time, then the signals
  std::vector<EventRecord> events;
  std::vector<Impact> impacts;
  RunSummary summary;

  void sample(std::span<const double> row) override { rows.emplace_back(row.begin(), row.end()); }
  void event(const EventRecord& e) override { events.push_back(e); }
  void impact(const Impact& i) override { impacts.push_back(i); }

  /// Column of a signal; 0 is time.
  std::size_t column(const std::string& name) const {
    for (std::size_t i = 0; i < names.size(); ++i)
      if (names[i] == name) return i + 1;
    throw std::runtime_error("no signal '" + name + "'");
  }
  /// The row at a time that was sampled.
  const std::vector<double>& at(double t) const {
    for (const auto& row : rows)
      if (std::abs(row[0] - t) < 1e-9) return row;
    throw std::runtime_error("no sample at t = " + std::to_string(t));
  }
  double value(double t, const std::string& name) const { return at(t)[column(name)]; }
  double last(const std::string& name) const { return rows.back()[column(name)]; }
  double largest(const std::string& name) const {
    double m = 0;
    for (const auto& row : rows) m = std::max(m, std::abs(row[column(name)]));
    return m;
  }
};

inline std::shared_ptr<const Model> model_of(const Spec& spec) {
  Diagnostics diagnostics;
  return compile(spec, diagnostics);
}
inline std::shared_ptr<const Model> model_of_text(const std::string& text,
                                                  const std::vector<std::string>& settings = {}) {
  return model_of(spec_from_text(text, "test.yaml", settings));
}
/// `example`: path under examples/.
inline std::shared_ptr<const Model> model_of_example(const std::string& example,
                                                     const std::vector<std::string>& settings = {}) {
  return model_of(load_spec(testing::source_dir() + "/examples/" + example, settings));
}

inline Recording run(const Model& model) {
  Simulation simulation(model);
  Recording out;
  for (const Signal& signal : simulation.signals()) out.names.push_back(signal.name);
  out.summary = simulation.run(out);
  return out;
}
inline Recording run_text(const std::string& text, const std::vector<std::string>& settings = {}) {
  return run(*model_of_text(text, settings));
}
inline Recording run_example(const std::string& example, const std::vector<std::string>& settings = {}) {
  return run(*model_of_example(example, settings));
}

/// Largest difference of two recordings of the same signals and times, over the columns whose name fits the
/// pattern end
/// (".x", ".angle"; "" takes all).
inline double largest_difference(const Recording& a, const Recording& b, const std::string& ending = "") {
  if (a.rows.size() != b.rows.size() || a.names != b.names) return HUGE_VAL;
  double m = 0;
  for (std::size_t i = 0; i < a.names.size(); ++i) {
    if (!a.names[i].ends_with(ending)) continue;
    for (std::size_t r = 0; r < a.rows.size(); ++r)
      m = std::max(m, std::abs(a.rows[r][i + 1] - b.rows[r][i + 1]));
  }
  return m;
}

}  // namespace tappet::testing
