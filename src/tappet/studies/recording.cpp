#include "tappet/studies/recording.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "tappet/model/compile.hpp"
#include "tappet/model/model.hpp"
#include "tappet/spec/spec.hpp"

namespace tappet {

std::size_t Recording::index(const std::string& name) const {
  const auto at =
      std::find_if(columns.begin(), columns.end(), [&](const Signal& s) { return s.name == name; });
  return static_cast<std::size_t>(at - columns.begin());
}

std::vector<double> Recording::column(std::size_t index) const {
  std::vector<double> out(rows());
  for (std::size_t i = 0; i < out.size(); ++i) out[i] = row(i)[index];
  return out;
}

std::vector<const double*> Recording::all_rows(std::size_t first, std::size_t end) const {
  std::vector<const double*> out;
  if (first >= end) return out;
  const std::size_t width = columns.size();
  const double *extra = unsampled.data(), *const last = extra + unsampled.size();
  while (extra < last && *extra < time(first)) extra += width;
  for (std::size_t i = first; i < end; ++i) {
    for (; extra < last && *extra < time(i); extra += width) out.push_back(extra);
    out.push_back(row(i));
  }
  return out;
}

Recording record(const Model& model) {
  Simulation simulation(model);
  Recording out;
  out.columns = {{"time", "s"}};
  out.columns.insert(out.columns.end(), simulation.signals().begin(), simulation.signals().end());
  out.contacts = simulation.contact_names();
  const double samples = model.settings.duration / model.settings.output_step;
  out.values.reserve(out.columns.size() * static_cast<std::size_t>(std::min(samples + 2, 1e6)));
  out.summary = simulation.run(out);
  return out;
}

std::shared_ptr<const Model> compile_with(const Value& root, const std::string& name_in_messages,
                                          const std::vector<std::string>& settings,
                                          const std::vector<std::string>& signals) {
  Value changed = root;
  std::vector<Diagnostic> faults;
  for (const std::string& setting : settings) {
    try {
      apply_setting(changed, setting);
    } catch (const InputError& fault) {
      faults.insert(faults.end(), fault.diagnostics().begin(), fault.diagnostics().end());
    }
  }
  if (!faults.empty()) throw InputError(std::move(faults));
  if (!signals.empty()) apply_setting(changed, fmt::format("output.signals=[{}]", fmt::join(signals, ", ")));
  Diagnostics diagnostics;
  return compile(spec_from_value(std::move(changed), name_in_messages), diagnostics);
}

}  // namespace tappet
