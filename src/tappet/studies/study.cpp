#include "tappet/studies/study.hpp"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <set>

#include <fmt/format.h>

#include "tappet/base/units.hpp"
#include "tappet/base/version.hpp"
#include "tappet/model/model.hpp"
#include "tappet/spec/model_source.hpp"
#include "tappet/studies/metric_keys.hpp"

namespace tappet {

namespace {

// ---- tables

const Table& axis_table() {
  static const Table table{
      .name = "a parameter",
      .help = "",
      .parameters = {
          {.name = "path", .kind = Kind::text, .help = "the model value it sets, as in --set"},
          {.name = "values", .kind = Kind::names, .help = "the values it takes, one by one", .count = 0},
          {.name = "from", .kind = Kind::text, .help = "the range's beginning, with its unit"},
          {.name = "to", .kind = Kind::text, .help = "the range's end, in the same unit"},
          {.name = "count",
           .kind = Kind::integer,
           .help = "how many values a grid or list takes of the range",
           .range = {.low = 1, .high = max_runs}},
          {.name = "scale",
           .kind = Kind::choice,
           .help = "equal steps, or equal ratios",
           .fallback = "linear",
           .choices = {"linear", "log"}},
      }};
  return table;
}

const Table& metric_table() {
  static const Table table{
      .name = "a metric",
      .help = "",
      .parameters = with_window({
          {.name = "value", .kind = Kind::text, .help = "a figure, such as max(abs(motor.torque))"},
          {.name = "section",
           .kind = Kind::text,
           .help = "a signal, or an expression of signals, at one phase of every revolution"},
          {.name = "each",
           .kind = Kind::text,
           .help = "a column of the impact table, such as impacts.speed_in"},
          {.name = "phase", .unit = "rad", .help = "of a section", .fallback = "0"},
      })};
  return table;
}

const Table& study_plot_table() {
  static const Table table{
      .name = "a plot",
      .help = "",
      .parameters = {
          {.name = "x", .kind = Kind::name, .help = "a parameter or a metric", .required = true},
          {.name = "y",
           .kind = Kind::name,
           .help = "a metric; a section or a list gives a bifurcation diagram; in a map the second parameter",
           .required = true},
          {.name = "z", .kind = Kind::name, .help = "a metric, drawn as colours over x and y"},
      }};
  return table;
}

// ---- axes

/// "9.5 mm" as its number and its unit.
bool read_end(const Object& o, const char* key, double& number, std::string& unit, Diagnostics& diagnostics) {
  try {
    number = Expression::parse(o.text(key), {}, unit)(std::span<const double>());
    if (std::isfinite(number)) return true;
    diagnostics.error(o.where(key), fmt::format("`{}` is not a finite number", key));
  } catch (const ExpressionError& fault) {
    diagnostics.error(o.where(key),
                      fmt::format("`{}` must be a number with its unit: {}", key, fault.what()));
  }
  return false;
}

void read_range(const Object& o, Axis& axis, Diagnostics& diagnostics) {
  std::string unit;
  if (!read_end(o, "from", axis.from, axis.unit, diagnostics) ||
      !read_end(o, "to", axis.to, unit, diagnostics))
    return;
  // A bare zero has every unit.
  if (axis.unit.empty() && axis.from == 0) axis.unit = unit;
  if (unit.empty() && axis.to == 0) unit = axis.unit;
  if (unit != axis.unit)
    diagnostics.error(o.where("to"), fmt::format("`from` is in '{}' and `to` in '{}'; write both in one unit",
                                                 axis.unit, unit));
  axis.logarithmic = o.text("scale") == "log";
  if (axis.logarithmic && !(axis.from > 0 && axis.to > 0))
    diagnostics.error(o.where("scale"), "a logarithmic scale needs `from` and `to` greater than 0");
  if (o.has("count")) axis.count = o.integer("count");
}

Axis read_axis(const Object& o, Diagnostics& diagnostics) {
  Axis axis;
  axis.name = o.name;
  axis.pos = o.name_pos;
  if (o.has("path")) axis.path = o.text("path");
  if (o.has("values") == (o.has("from") && o.has("to"))) {
    diagnostics.error(o.name_pos,
                      fmt::format("parameter '{}' needs either `values`, or `from` and `to`", o.name));
    return axis;
  }
  if (!o.has("values")) {
    read_range(o, axis, diagnostics);
    return axis;
  }
  for (const Name& value : o.names("values")) axis.values.push_back(value.text);
  for (const char* key : {"from", "to", "count"})
    if (o.has(key)) diagnostics.error(o.where(key), fmt::format("`{}` has no meaning beside `values`", key));
  return axis;
}

// ---- ${NAME}

/// Puts the run's values in the place of ${NAME}; an unknown name is an InputError.
std::string substitute(const std::string& text, const std::vector<Axis>& axes,
                       const std::vector<AxisValue>& values) {
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const std::size_t end = text.compare(i, 2, "${") == 0 ? text.find('}', i) : std::string::npos;
    if (end == std::string::npos) {
      out += text[i];
      continue;
    }
    const std::string name = text.substr(i + 2, end - i - 2);
    std::vector<std::string> names;
    for (const Axis& axis : axes) names.push_back(axis.name);
    const auto at = std::find(names.begin(), names.end(), name);
    if (at == names.end())
      throw InputError({{Severity::error,
                         {},
                         fmt::format("{} names no parameter; parameters: {}", quote("${" + name + "}"),
                                     join_names(names))}});
    const std::size_t j = static_cast<std::size_t>(at - names.begin());
    // Numbers without their unit, so that "10 - ${c} mm" can be written.
    out += axes[j].is_range() ? number_text(values[j].number, "") : values[j].text;
    i = end;
  }
  return out;
}

// ---- the parts of the file

void read_metric(const Object& o, const MetricNames& names, Study& study, Diagnostics& diagnostics) {
  static constexpr std::pair<const char*, Metric::Kind> kinds[] = {
      {"value", Metric::Kind::value}, {"section", Metric::Kind::section}, {"each", Metric::Kind::each}};
  int given = 0;
  const char* key = "";
  Metric::Kind kind = Metric::Kind::value;
  for (const auto& [name, meaning] : kinds)
    if (o.has(name)) key = name, kind = meaning, ++given;
  if (given != 1) {
    diagnostics.error(o.name_pos,
                      fmt::format("metric '{}' needs one of `value`, `section` and `each`", o.name));
    return;
  }
  if (o.given("phase") && kind != Metric::Kind::section)
    diagnostics.error(o.where("phase"), "`phase` belongs to a `section`");
  try {
    Metric metric = Metric::parse(o.name, kind, o.text(key), names);
    metric.phase = o.number("phase");
    metric.window = window_of(o);
    if (metric.needs_revolution() && study.revolution.empty())
      diagnostics.error(o.name_pos,
                        fmt::format("metric '{}' counts revolutions: say with `revolution` which angle turns "
                                    "(such as crank.angle), or how long one takes (such as 12 ms)",
                                    o.name));
    if (const std::string words = metric.without_impulses(names); !words.empty())
      study.warnings.push_back(fmt::format("metric '{}' is {}", o.name, words));
    study.metrics.push_back(std::move(metric));
  } catch (const ExpressionError& fault) {
    diagnostics.error(o.where(key),
                      fmt::format("metric '{}' is {}: {}", o.name, quote(o.text(key)), fault.what()));
  }
}

void check_plot(const StudyPlot& plot, const Object& o, const Study& study, Diagnostics& diagnostics) {
  std::vector<std::string> parameters, figures, lists;
  for (const Axis& axis : study.axes) parameters.push_back(axis.name);
  for (const Metric& metric : study.metrics)
    (metric.kind == Metric::Kind::value ? figures : lists).push_back(metric.name);
  const auto check = [&](const char* key, const std::string& name, bool with_parameters, bool with_lists) {
    std::vector<std::string> allowed = figures;
    if (with_parameters) allowed.insert(allowed.end(), parameters.begin(), parameters.end());
    if (with_lists) allowed.insert(allowed.end(), lists.begin(), lists.end());
    if (std::find(allowed.begin(), allowed.end(), name) == allowed.end())
      diagnostics.error(o.where(key), fmt::format("`{}` of plot '{}' is '{}'; allowed: {}", key, o.name, name,
                                                  join_names(allowed)));
  };
  const bool map = !plot.z.empty();
  check("x", plot.x, true, false);
  check("y", plot.y, map, !map);
  if (map) check("z", plot.z, false, false);
}

std::vector<Object> section(const Object& o, const char* key) {
  return o.has(key) ? o.objects(key) : std::vector<Object>{};
}

/// Everything the study names must be in the model; its first, middle and last runs stand for all.
MetricNames probe(const Study& study, const Object& o) {
  std::vector<Diagnostic> faults;
  for (const std::size_t run : std::set<std::size_t>{0, study.runs() / 2, study.runs() - 1}) {
    try {
      return metric_names(*compile_with(study.model, study.model_file, study.settings_of(run), {}));
    } catch (const InputError& fault) {
      if (faults.empty()) faults = fault.diagnostics();
    }
  }
  faults.insert(faults.begin(),
                {Severity::error, o.pos, "no run of the study is possible; the first one's faults follow"});
  throw InputError(std::move(faults));
}

bool is_signal(const std::string& text, const MetricNames& names) {
  return std::any_of(names.signals.begin(), names.signals.end(),
                     [&](const Signal& signal) { return signal.name == text && signal.unit == "rad"; });
}

void read_contents(const Object& o, Study& study, Diagnostics& diagnostics) {
  for (const Object& axis : section(o, "parameters")) study.axes.push_back(read_axis(axis, diagnostics));
  if (study.axes.empty()) diagnostics.error(o.where("parameters"), "a study needs at least one parameter");
  if (o.has("set"))
    for (const Name& setting : o.names("set")) study.settings.push_back(setting.text);
  diagnostics.throw_if_errors();
  const Object& sampling = o.object("sampling");
  study.design = SamplingRegistry::instance().find(sampling.type)->make(study.axes, sampling, diagnostics);
  diagnostics.throw_if_errors();

  const MetricNames names = probe(study, o);
  if (o.has("revolution")) {
    study.revolution = o.text("revolution");
    if (is_signal(study.revolution, names)) {
      study.signals.push_back(study.revolution);
    } else {
      try {
        study.revolution_of(0);
      } catch (const InputError& fault) {
        diagnostics.error(o.where("revolution"), fault.diagnostics()[0].message);
      }
    }
  }
  for (const Object& metric : section(o, "metrics")) read_metric(metric, names, study, diagnostics);
  for (const Object& plot : section(o, "plots")) {
    StudyPlot wanted{plot.name, plot.text("x"), plot.text("y"), plot.has("z") ? plot.text("z") : ""};
    if (!diagnostics.has_errors()) check_plot(wanted, plot, study, diagnostics);
    study.plots.push_back(std::move(wanted));
  }
  diagnostics.throw_if_errors();
}

}  // namespace

const Table& study_table() {
  static const Table table{
      .name = "the study",
      .help = "A Tappet study: one model, many runs.",
      .parameters = {
          {.name = "study",
           .kind = Kind::integer,
           .help = "version of the study language",
           .required = true,
           .range = {.low = 1, .high = 1}},
          {.name = "title", .kind = Kind::text, .help = "one line that says what the study is"},
          {.name = "model",
           .kind = Kind::text,
           .help = "the model file, from the study's own folder",
           .required = true},
          {.name = "parameters",
           .kind = Kind::objects,
           .help = "what varies, by name",
           .required = true,
           .table = &axis_table()},
          {.name = "sampling",
           .kind = Kind::object,
           .help = "how the parameters' values are combined",
           .fallback = "{}",
           .family = &sampling_family()},
          {.name = "set",
           .kind = Kind::names,
           .help = "settings of every run, \"path=value\", ${NAME} standing for a parameter's value",
           .count = 0},
          {.name = "revolution",
           .kind = Kind::text,
           .help = "what counts revolutions: an angle, such as crank.angle, or a time, such as 12 ms"},
          {.name = "metrics",
           .kind = Kind::objects,
           .help = "the figures that are wanted of each run, by name",
           .required = true,
           .table = &metric_table()},
          {.name = "plots",
           .kind = Kind::objects,
           .help = "pictures of the results, by name",
           .table = &study_plot_table()},
      }};
  return table;
}

bool is_study(const Value& root) {
  return root.find("study") != nullptr;
}

namespace {

/// `find_model` fills in the model and its name.
template <class FindModel>
Study read_study(Value root, const std::string& file, FindModel find_model) {
  spell_out_metrics(root.find("metrics"));
  Diagnostics diagnostics;
  const Object o = read_object(root, study_table(), {.diagnostics = &diagnostics});
  diagnostics.throw_if_errors();

  Study study;
  study.file = file;
  if (o.has("title")) study.title = o.text("title");
  find_model(o, study);
  read_contents(o, study, diagnostics);

  for (const Metric& metric : study.metrics) {
    const auto needed = metric.signals();
    study.signals.insert(study.signals.end(), needed.begin(), needed.end());
  }
  std::sort(study.signals.begin(), study.signals.end());
  study.signals.erase(std::unique(study.signals.begin(), study.signals.end()), study.signals.end());
  // No signal at all would mean every signal.
  if (study.signals.empty()) study.signals.push_back("energy.kinetic");
  return study;
}

}  // namespace

Study load_study(const std::string& path) {
  return read_study(read_yaml_file(path), path, [&](const Object& o, Study& study) {
    namespace fs = std::filesystem;
    study.model_file = (fs::path(path).parent_path() / o.text("model")).lexically_normal().string();
    if (!fs::exists(study.model_file))
      throw InputError({{Severity::error, o.where("model"),
                         fmt::format("there is no model file {}", quote(study.model_file))}});
    study.model = read_model_file(study.model_file);
  });
}

Study study_of_model(Value root, const std::string& name_in_messages, Value model,
                     const std::string& model_name) {
  return read_study(std::move(root), name_in_messages, [&](const Object&, Study& study) {
    study.model_file = model_name;
    study.model = std::move(model);
  });
}

std::vector<std::string> Study::settings_of(std::size_t run) const {
  std::vector<std::string> out;
  for (std::size_t j = 0; j < axes.size(); ++j)
    if (!axes[j].path.empty()) out.push_back(axes[j].path + "=" + design[run][j].text);
  for (const std::string& setting : settings) out.push_back(substitute(setting, axes, design[run]));
  return out;
}

Revolution Study::revolution_of(std::size_t run) const {
  if (revolution.empty()) return {};
  if (std::find(signals.begin(), signals.end(), revolution) != signals.end()) return {revolution, 0};
  const std::string text = substitute(revolution, axes, design[run]);
  const auto refuse = [&](const std::string& why) {
    throw InputError({{Severity::error,
                       {},
                       fmt::format("`revolution` is {}, which is neither an angle among the "
                                   "signals nor a time: {}",
                                   quote(text), why)}});
  };
  try {
    std::string unit;
    const double number = Expression::parse(text, {}, unit)(std::span<const double>());
    const double period = convert_to_si(number, unit, "s");
    if (!(period > 0) || !std::isfinite(period)) refuse("it must be greater than 0");
    return {"", period};
  } catch (const ExpressionError& fault) {
    refuse(fault.what());
  } catch (const UnitError& fault) {
    refuse(fault.what());
  }
  return {};
}

std::string Study::fingerprint() const {
  // FNV-1a over everything that a row follows from.
  std::uint64_t hash = 0xcbf29ce484222325u;
  const auto add = [&](const std::string& text) {
    for (const char c : text + '\n') hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3u;
  };
  add(version());
  add(to_yaml(model));
  for (const Axis& axis : axes) add(axis.name);
  for (std::size_t run = 0; run < runs(); ++run)
    for (const std::string& setting : settings_of(run)) add(setting);
  add(revolution);
  for (const Metric& metric : metrics) {
    add(metric.name);
    add(metric.text);
    add(fmt::format("{} {} {} {} {}", static_cast<int>(metric.kind), metric.window.from.value_or(-1),
                    metric.window.to.value_or(-1), metric.window.last.value_or(-1), metric.phase));
  }
  return fmt::format("{:016x}", hash);
}

}  // namespace tappet
