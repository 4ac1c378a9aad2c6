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

namespace {

/// Tells the watch how far the run has come, and ends the run when the watch says so.
class Watched final : public Observer {
 public:
  Watched(Recording& recording, Watch& watch) : recording_(recording), watch_(watch) {}
  // What is missing is made up for: a run that an event ends is done as well.
  ~Watched() override { watch_.done.fetch_add(1 - share_); }

  void sample(std::span<const double> row) override { recording_.sample(row); }
  void between(std::span<const double> row) override { recording_.between(row); }
  bool wants_between() const override { return recording_.wants_between(); }
  void impact(const Impact& impact) override { recording_.impact(impact); }
  bool wants_fields() const override { return recording_.wants_fields(); }
  void fields(int structure, const fem::Fields& fields) override { recording_.fields(structure, fields); }
  void progress(double t, double t_end) override {
    recording_.progress(t, t_end);
    const double share = t_end > 0 ? std::clamp(t / t_end, share_, 1.0) : share_;
    watch_.done.fetch_add(share - share_);
    share_ = share;
  }
  bool stop_requested() override { return watch_.stop; }

 private:
  Recording& recording_;
  Watch& watch_;
  double share_ = 0;
};

}  // namespace

void Recording::sample(std::span<const double> row) {
  values.insert(values.end(), row.begin(), row.end());
  // Without structures a sample is all there is.
  if (meshes.empty() && snapshots.size() < asked.size() && row[0] >= asked[snapshots.size()])
    snapshots.push_back({.time = row[0], .fields = {}});
}

void Recording::fields(int structure, const fem::Fields& fields) {
  const double now = time(rows() - 1);
  if (structure == 0 && snapshots.size() < asked.size() && now >= asked[snapshots.size()])
    snapshots.push_back({.time = now, .fields = {}});
  if (!snapshots.empty() && snapshots.back().time == now) snapshots.back().fields.push_back(fields);
}

Recording record(const Model& model, Watch* watch, Recording out) {
  Simulation simulation(model);
  if (!out.asked.empty()) out.meshes = simulation.field_meshes();
  out.columns = {{"time", "s"}};
  out.columns.insert(out.columns.end(), simulation.signals().begin(), simulation.signals().end());
  out.contacts = simulation.contact_names();
  const double samples = model.settings.duration / model.settings.output_step;
  out.values.reserve(out.columns.size() * static_cast<std::size_t>(std::min(samples + 2, 1e6)));
  if (!watch) {
    out.summary = simulation.run(out);
    return out;
  }
  if (watch->stop) throw StudyStopped();
  Watched watched(out, *watch);
  out.summary = simulation.run(watched);
  if (watch->stop && !out.summary.completed) throw StudyStopped();
  return out;
}

void add_step_lengths(Recording& r) {
  const std::size_t width = r.columns.size();
  const auto widened = [&](const std::vector<double>& old) {
    std::vector<double> out;
    out.reserve(old.size() / width * (width + 1));
    for (const double *row = old.data(), *const end = row + old.size(); row < end; row += width) {
      const auto at = std::lower_bound(r.step_ends.begin(), r.step_ends.end(), row[0]);
      out.insert(out.end(), row, row + width);
      out.push_back(at == r.step_ends.end()     ? nothing
                    : at == r.step_ends.begin() ? *at - r.values[0]
                                                : *at - *(at - 1));
    }
    return out;
  };
  r.unsampled = widened(r.unsampled);
  r.values = widened(r.values);
  r.columns.push_back({step_length, "s"});
}

std::vector<std::vector<double>> rows_at_steps(const Recording& r, std::size_t first, std::size_t end) {
  std::vector<std::vector<double>> out;
  const std::vector<const double*> rows = r.all_rows(first, end);
  std::size_t k = 1;
  for (const double t : r.step_ends) {
    if (rows.size() < 2 || t < rows.front()[0] || t > rows.back()[0]) continue;
    while (k + 1 < rows.size() && rows[k][0] < t) ++k;
    const double *a = rows[k - 1], *b = rows[k];
    const double part = b[0] > a[0] ? (t - a[0]) / (b[0] - a[0]) : 1;
    std::vector<double> row(r.columns.size());
    for (std::size_t c = 0; c < row.size(); ++c) row[c] = a[c] + part * (b[c] - a[c]);
    out.push_back(std::move(row));
  }
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
