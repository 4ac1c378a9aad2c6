#include "tappet/studies/catalogue.hpp"

#include <algorithm>
#include <dlfcn.h>
#include <filesystem>
#include <map>

#include <fmt/format.h>

#include "tappet/base/expression.hpp"
#include "tappet/base/units.hpp"
#include "tappet/contact/normal_law.hpp"
#include "tappet/results/refuse.hpp"
#include "tappet/spec/object.hpp"
#include "tappet/studies/metric_keys.hpp"
#include "tappet/studies/study.hpp"

namespace tappet {

namespace fs = std::filesystem;

namespace {

// ---- tables

const Table& run_table() {
  static const Table table{
      .name = "a run",
      .help = "",
      .parameters = {
          {.name = "label", .kind = Kind::text, .help = "in legends; default: the run's name"},
          {.name = "group",
           .kind = Kind::text,
           .help = "of runs, over which conditions may be: max(peak[GROUP])"},
          {.name = "model", .kind = Kind::text, .help = "the model file, instead of the figure's"},
          {.name = "set", .kind = Kind::names, .help = "settings, \"path=value\"", .count = 0},
          {.name = "normal",
           .kind = Kind::object,
           .help = "a normal law: the run is its curve",
           .family = &normal_law_family()},
          {.name = "friction",
           .kind = Kind::object,
           .help = "a friction law: the run is its curve",
           .family = &friction_law_family()},
      }};
  return table;
}

const Table& number_table() {
  static const Table table{.name = "a number",
                           .help = "",
                           .parameters = with_window({{.name = "value",
                                                       .kind = Kind::text,
                                                       .help = "a metric, such as max(abs(motor.torque))",
                                                       .required = true}})};
  return table;
}

const Table& figure_plot_table() {
  static const Table table{
      .name = "a plot",
      .help = "",
      .parameters = with_window(
          {{.name = "title", .kind = Kind::text, .help = "default: the figure's"},
           {.name = "x",
            .kind = Kind::text,
            .help = "a signal or an expression of signals",
            .fallback = "time"},
           {.name = "x_label", .kind = Kind::text, .help = "of it, with its unit"},
           {.name = "y",
            .kind = Kind::names,
            .help = "signals or expressions of signals, one panel for each",
            .required = true,
            .count = 0},
           {.name = "labels", .kind = Kind::names, .help = "of them, in their order", .count = 0},
           {.name = "together", .kind = Kind::boolean, .help = "all in one panel", .fallback = "false"},
           {.name = "apart", .kind = Kind::boolean, .help = "one picture a run", .fallback = "false"},
           {.name = "circle",
            .unit = "m",
            .help = "radius of a circle to be drawn about the origin",
            .range = positive()},
           {.name = "runs",
            .kind = Kind::names,
            .help = "those to be drawn, by their names or their variant's; default: all",
            .count = 0},
           {.name = "equal",
            .kind = Kind::boolean,
            .help = "a unit is as long on both axes",
            .fallback = "false"},
           {.name = "steps",
            .kind = Kind::boolean,
            .help = "points at the ends of the integrator's steps",
            .fallback = "false"}})};
  return table;
}

const Table& figure_picture_table() {
  static const Table table{.name = "a picture",
                           .help = "",
                           .parameters = {
                               {.name = "title", .kind = Kind::text, .help = "default: the figure's"},
                               {.name = "run", .kind = Kind::text, .help = "default: the first"},
                               {.name = "at",
                                .kind = Kind::names,
                                .help = "instants such as 2 ms, a picture each",
                                .required = true,
                                .count = 0},
                               {.name = "from",
                                .kind = Kind::vector,
                                .help = "where the viewer stands, seen from the scene",
                                .fallback = "[1, -2, 0.8]",
                                .length = 3},
                               {.name = "scale",
                                .help = "by which deformations are drawn larger",
                                .fallback = "1",
                                .range = positive()},
                           }};
  return table;
}

const Table& variant_table() {
  static const Table table{
      .name = "a variant",
      .help = "",
      .parameters = {
          {.name = "label", .kind = Kind::text, .help = "in legends; default: the variant's name"},
          {.name = "set", .kind = Kind::names, .help = "settings, \"path=value\"", .count = 0},
      }};
  return table;
}

const Table& claim_table() {
  static const Table table{
      .name = "a claim",
      .help = "",
      .parameters = {
          {.name = "says", .kind = Kind::text, .help = "what the document says", .required = true},
          {.name = "holds", .kind = Kind::text, .help = "the condition on the numbers under which we see it"},
          {.name = "unchecked", .kind = Kind::text, .help = "why there is no such condition"},
          {.name = "because",
           .kind = Kind::text,
           .help = "why it does not hold here: what the document leaves out, or where it contradicts itself"},
      }};
  return table;
}

const Table& ensemble_table() {
  static const Table table{.name = "an ensemble",
                           .help = "",
                           .parameters = {
                               {.name = "members",
                                .kind = Kind::integer,
                                .help = "runs of each model",
                                .fallback = "1",
                                .range = {.low = 1, .high = 1000}},
                               {.name = "set",
                                .kind = Kind::names,
                                .help = "settings of a member, ${n} standing for its number: 0, 1, 2, …",
                                .count = 0},
                           }};
  return table;
}

const Table& figure_table() {
  static const Table table{
      .name = "a figure",
      .help = "",
      .parameters = {
          {.name = "title", .kind = Kind::text, .help = "what it shows", .required = true},
          {.name = "missing", .kind = Kind::text, .help = "why it is not made"},
          {.name = "note", .kind = Kind::text, .help = "what the reader should know"},
          {.name = "model", .kind = Kind::text, .help = "the model file, from the catalogue's folder"},
          {.name = "study", .kind = Kind::text, .help = "a study whose runs and metrics are taken"},
          {.name = "variants",
           .kind = Kind::objects,
           .help = "of a study: all its runs with each of these settings, a group of runs each",
           .table = &variant_table()},
          {.name = "curve",
           .kind = Kind::object,
           .help = "the surfaces between which laws are drawn",
           .fallback = "{}",
           .table = &law_curve_table()},
          {.name = "set",
           .kind = Kind::names,
           .help = "settings of all runs of the figure's own model or study",
           .count = 0},
          {.name = "quick", .kind = Kind::names, .help = "settings that make every run short", .count = 0},
          {.name = "slow",
           .kind = Kind::boolean,
           .help = "takes more than some seconds",
           .fallback = "false"},
          {.name = "revolution", .kind = Kind::text, .help = "an angle such as crank.angle, or a time"},
          {.name = "reference",
           .kind = Kind::text,
           .help = "the run whose signals the others know as reference.SIGNAL"},
          {.name = "runs", .kind = Kind::objects, .help = "by name", .table = &run_table()},
          {.name = "ensemble",
           .kind = Kind::object,
           .help =
               "each run of the figure's own model many times, from starts that differ by next to nothing",
           .fallback = "{}",
           .table = &ensemble_table()},
          {.name = "numbers",
           .kind = Kind::objects,
           .help = "of each run, by name",
           .table = &number_table()},
          {.name = "plots", .kind = Kind::objects, .help = "by name", .table = &figure_plot_table()},
          {.name = "pictures",
           .kind = Kind::objects,
           .help = "of what stands in space at some instants, by name",
           .table = &figure_picture_table()},
          {.name = "claims",
           .kind = Kind::objects,
           .help = "what the document says, by name",
           .table = &claim_table()},
      }};
  return table;
}

const Table& catalogue_table() {
  static const Table table{
      .name = "the catalogue",
      .help = "The figures of a document.",
      .parameters = {
          {.name = "catalogue",
           .kind = Kind::integer,
           .help = "version of the catalogue language",
           .required = true,
           .range = {.low = 1, .high = 1}},
          {.name = "title", .kind = Kind::text, .help = "of the document", .required = true},
          {.name = "authors", .kind = Kind::text, .help = "of the document", .required = true},
          {.name = "published", .kind = Kind::text, .help = "where and when", .required = true},
          {.name = "figures",
           .kind = Kind::objects,
           .help = "by number",
           .required = true,
           .table = &figure_table()},
          {.name = "tables",
           .kind = Kind::objects,
           .help = "the document's tables by number, as figures",
           .table = &figure_table()},
      }};
  return table;
}

// ---- reading

std::vector<std::string> texts(const Object& o, const char* key) {
  std::vector<std::string> out;
  if (o.has(key))
    for (const Name& name : o.names(key)) out.push_back(name.text);
  return out;
}

std::string text_or(const Object& o, const char* key, const std::string& otherwise = "") {
  return o.has(key) ? o.text(key) : otherwise;
}

const std::vector<Object>& parts(const Object& o, const char* key) {
  static const std::vector<Object> none;
  return o.has(key) ? o.objects(key) : none;
}

class CatalogueReader {
 public:
  CatalogueReader(fs::path folder, Diagnostics& diagnostics)
      : folder_(std::move(folder)), diagnostics_(diagnostics) {}

  CatalogueFigure figure(const Object& o, bool table = false) {
    CatalogueFigure out;
    out.number = table ? "table " + o.name : o.name;
    out.table = table;
    out.title = o.text("title");
    out.missing = text_or(o, "missing");
    out.note = text_or(o, "note");
    if (!out.missing.empty()) {
      for (const char* key : {"model", "study", "runs", "plots", "numbers", "pictures"})
        if (o.given(key))
          diagnostics_.error(o.where(key), fmt::format("`{}` has no meaning beside `missing`", key));
      read_claims(o, out);
      return out;
    }
    out.quick = texts(o, "quick");
    out.slow = o.boolean("slow");
    out.revolution = text_or(o, "revolution");
    out.reference = text_or(o, "reference");
    read_runs(o, out);
    check_groups(o, out);
    read_ensemble(o.object("ensemble"), out);
    read_numbers(o, out);
    read_plots(o, out);
    read_pictures(o, out);
    read_claims(o, out);
    if (!out.reference.empty()) check_run(out, out.reference, o.where("reference"));
    return out;
  }

 private:
  std::string found(const Object& o, const char* key) {
    const std::string path = (folder_ / o.text(key)).lexically_normal().string();
    if (fs::exists(path)) return path;
    diagnostics_.error(o.where(key), fmt::format("there is no file {}", quote(path)));
    return "";
  }

  /// A file is read once, whatever the number of figures that use it.
  std::shared_ptr<const Value> model(const std::string& path) {
    auto& known = models_[path];
    if (!known && !path.empty()) known = std::make_shared<const Value>(read_yaml_file(path));
    return known;
  }

  void read_runs(const Object& o, CatalogueFigure& out) {
    if (o.given("variants") && !o.has("study"))
      diagnostics_.error(o.where("variants"), "`variants` are of a `study`; beside a `model` give `runs`");
    if (o.has("study")) {
      if (o.given("runs") || o.given("model"))
        diagnostics_.error(o.where("study"), "a figure has either a `study`, or a `model` and `runs`");
      read_study(o, out);
      return;
    }
    const std::string common = o.has("model") ? found(o, "model") : "";
    for (const Object& run : parts(o, "runs")) out.runs.push_back(read_run(o, run, common));
    if (!out.runs.empty()) return;
    if (!o.has("model")) {
      diagnostics_.error(
          o.name_pos,
          fmt::format("figure '{}' needs a `model`, a `study`, or `runs`; or `missing`, which says why it "
                      "is not made",
                      o.name));
      return;
    }
    out.runs.push_back({.name = "run",
                        .label = "",
                        .model_file = common,
                        .model = model(common),
                        .settings = texts(o, "set"),
                        .curve = {},
                        .perturbed = true});
  }

  FigureRun read_run(const Object& figure, const Object& run, const std::string& common) {
    FigureRun out{.name = run.name,
                  .label = text_or(run, "label", run.name),
                  .model_file = "",
                  .model = nullptr,
                  .settings = {},
                  .curve = {},
                  .perturbed = false,
                  .group = text_or(run, "group")};
    if (run.has("normal") || run.has("friction")) {
      if (run.has("normal") && run.has("friction"))
        diagnostics_.error(run.name_pos, "a curve is of one law: `normal` or `friction`");
      const Object& surfaces = figure.object("curve");
      out.curve = run.has("normal") ? normal_curve(surfaces, run.object("normal"), diagnostics_)
                                    : friction_curve(surfaces, run.object("friction"), diagnostics_);
      return out;
    }
    out.model_file = run.has("model") ? found(run, "model") : common;
    if (out.model_file.empty() && !run.has("model") && !figure.has("model"))
      diagnostics_.error(
          run.name_pos,
          fmt::format("run '{}' needs a `model`, its own or the figure's, or a law `normal` or `friction`",
                      run.name));
    out.model = model(out.model_file);
    // The figure's settings are those of the figure's model.
    if (!run.has("model")) out.settings = texts(figure, "set"), out.perturbed = true;
    for (std::string& setting : texts(run, "set")) out.settings.push_back(std::move(setting));
    return out;
  }

  void read_study(const Object& o, CatalogueFigure& out) {
    const std::string path = found(o, "study");
    if (path.empty()) return;
    const Study study = load_study(path);
    if (out.revolution.empty()) out.revolution = study.revolution;
    const auto model = std::make_shared<const Value>(study.model);
    if (!o.given("variants")) add_study(study, model, texts(o, "set"), "", "", out);
    for (const Object& variant : parts(o, "variants")) {
      std::vector<std::string> settings = texts(o, "set");
      for (std::string& setting : texts(variant, "set")) settings.push_back(std::move(setting));
      add_study(study, model, settings, variant.name, text_or(variant, "label", variant.name), out);
    }
    for (const Metric& metric : study.metrics)
      if (metric.kind == Metric::Kind::value)
        out.numbers.push_back({metric.name, metric.text, metric.window});
  }

  /// All runs of a study; as a group where they are a variant's.
  static void add_study(const Study& study, const std::shared_ptr<const Value>& model,
                        const std::vector<std::string>& settings, const std::string& group,
                        const std::string& label, CatalogueFigure& out) {
    for (std::size_t i = 0; i < study.runs(); ++i) {
      std::vector<std::string> values;
      for (const AxisValue& value : study.design[i]) values.push_back(value.text);
      const std::string name = fmt::format("{}", fmt::join(values, ", "));
      FigureRun run{.name = group.empty() ? name : fmt::format("{}, {}", group, name),
                    .label = study.axes.size() == 1 ? fmt::format("{} {}", study.axes[0].name, name) : name,
                    .model_file = study.model_file,
                    .model = model,
                    .settings = settings,
                    .curve = {},
                    .perturbed = true,
                    .group = group};
      if (!label.empty()) run.label = fmt::format("{}, {}", run.label, label);
      for (std::string& setting : study.settings_of(i)) run.settings.push_back(std::move(setting));
      out.runs.push_back(std::move(run));
    }
  }

  /// peak[NAME] is of a run or of a group.
  void check_groups(const Object& o, const CatalogueFigure& figure) {
    for (const FigureRun& one : figure.runs)
      for (const FigureRun& other : figure.runs)
        if (!one.group.empty() && one.group == other.name)
          diagnostics_.error(o.name_pos, fmt::format("{} has a run and a group of the name {}",
                                                     figure.called(), quote(other.name)));
  }

  void read_ensemble(const Object& o, CatalogueFigure& out) {
    out.ensemble = {.members = o.integer("members"), .settings = texts(o, "set")};
    if (out.ensemble.members == 1) return;
    if (out.ensemble.settings.empty())
      diagnostics_.error(o.pos,
                         "the members of an ensemble differ by `set`, in which ${n} is a member's number");
    for (const std::string& setting : out.ensemble.settings)
      if (setting.find("${n}") == std::string::npos)
        diagnostics_.error(o.where("set"),
                           fmt::format("{} has no ${{n}}: all members would be the same", quote(setting)));
  }

  void read_numbers(const Object& o, CatalogueFigure& out) {
    for (const Object& number : parts(o, "numbers")) {
      if (number.name.find('-') != std::string::npos)
        diagnostics_.error(number.name_pos, "a number's name has no '-': in a condition it is subtracted");
      out.numbers.push_back({number.name, number.text("value"), window_of(number)});
    }
  }

  void read_plots(const Object& o, CatalogueFigure& out) {
    for (const Object& plot : parts(o, "plots")) {
      out.plots.push_back({.name = plot.name,
                           .title = text_or(plot, "title"),
                           .x = plot.text("x"),
                           .x_label = text_or(plot, "x_label"),
                           .y = texts(plot, "y"),
                           .labels = texts(plot, "labels"),
                           .together = plot.boolean("together"),
                           .window = window_of(plot),
                           .apart = plot.boolean("apart"),
                           .circle = plot.number_or("circle", 0),
                           .runs = texts(plot, "runs"),
                           .equal = plot.boolean("equal"),
                           .steps = plot.boolean("steps")});
      if (const FigurePlot& read = out.plots.back();
          !read.labels.empty() && read.labels.size() != read.y.size())
        diagnostics_.error(plot.where("labels"), fmt::format("`labels` has {} items for {} of `y`",
                                                             read.labels.size(), read.y.size()));
      for (const std::string& run : out.plots.back().runs) check_run(out, run, plot.where("runs"), true);
    }
    if (out.plots.empty() && !out.table)
      diagnostics_.error(o.name_pos, "a figure that is made needs `plots`");
  }

  std::vector<double> times(const Object& o, const char* key) {
    std::vector<double> out;
    for (const Name& time : o.names(key)) {
      try {
        std::string unit;
        const double number = Expression::parse(time.text, {}, unit)(std::span<const double>());
        out.push_back(convert_to_si(number, unit, "s"));
      } catch (const std::runtime_error&) {
        diagnostics_.error(time.pos, fmt::format("{} is not a time, such as 2 ms", quote(time.text)));
      }
    }
    if (!std::is_sorted(out.begin(), out.end()))
      diagnostics_.error(o.where(key), fmt::format("the times of `{}` must rise", key));
    return out;
  }

  void read_pictures(const Object& o, CatalogueFigure& out) {
    for (const Object& picture : parts(o, "pictures")) {
      const std::vector<double>& from = picture.vector("from");
      out.pictures.push_back({.name = picture.name,
                              .title = text_or(picture, "title", out.title),
                              .run = text_or(picture, "run"),
                              .at = times(picture, "at"),
                              .from = Vec3(from[0], from[1], from[2]),
                              .scale = picture.number("scale")});
      if (!(Vec3(from[0], from[1], 0).norm() > 0))
        diagnostics_.error(picture.where("from"),
                           "`from` must not lie along z, which points up in the picture");
      if (!out.pictures.back().run.empty()) check_run(out, out.pictures.back().run, picture.where("run"));
    }
  }

  void read_claims(const Object& o, CatalogueFigure& out) {
    for (const Object& claim : parts(o, "claims")) {
      if (claim.has("holds") == claim.has("unchecked"))
        diagnostics_.error(
            claim.name_pos,
            fmt::format("claim '{}' needs either `holds`, or `unchecked`, which says why it has no condition",
                        claim.name));
      out.claims.push_back({claim.name, claim.text("says"), text_or(claim, "holds"),
                            text_or(claim, "unchecked"), text_or(claim, "because")});
    }
    if (out.claims.empty() && out.missing.empty())
      diagnostics_.error(o.name_pos, "a figure that is made needs `claims`: what the document says about it");
  }

  void check_run(const CatalogueFigure& figure, const std::string& name, const SourcePos& pos,
                 bool or_group = false) {
    std::vector<std::string> names;
    for (const FigureRun& run : figure.runs) {
      names.push_back(run.name);
      if (or_group && !run.group.empty() && name == run.group) return;
    }
    if (std::find(names.begin(), names.end(), name) == names.end())
      diagnostics_.error(pos, fmt::format("there is no run {} in {}; known: {}", quote(name), figure.called(),
                                          join_names(names)));
  }

  fs::path folder_;
  Diagnostics& diagnostics_;
  std::map<std::string, std::shared_ptr<const Value>> models_;
};

}  // namespace

bool is_catalogue(const Value& root) {
  return root.find("catalogue") != nullptr;
}

Catalogue load_catalogue(const std::string& path) {
  Value root = read_yaml_file(path);
  for (const char* part : {"figures", "tables"})
    if (Value* figures = root.find(part))
      for (auto& [number, figure] : figures->map) spell_out_metrics(figure.find("numbers"));
  Diagnostics diagnostics;
  const Object o = read_object(root, catalogue_table(), {.diagnostics = &diagnostics});
  diagnostics.throw_if_errors();
  Catalogue out{.name = fs::path(path).stem().string(),
                .file = path,
                .title = o.text("title"),
                .authors = o.text("authors"),
                .published = o.text("published"),
                .figures = {}};
  CatalogueReader reader(fs::path(path).parent_path(), diagnostics);
  for (const Object& figure : o.objects("figures")) out.figures.push_back(reader.figure(figure));
  for (const Object& table : parts(o, "tables")) out.figures.push_back(reader.figure(table, true));
  diagnostics.throw_if_errors();
  return out;
}

std::string catalogue_folder() {
  // Where the program was installed, the examples lie beside its library; otherwise they are the source's.
  Dl_info here{};
  dladdr(reinterpret_cast<void*>(&catalogue_folder), &here);
  const fs::path library = here.dli_fname ? here.dli_fname : "";
  const fs::path installed = library.parent_path() / TAPPET_INSTALLED_EXAMPLES / "reproduce";
  std::error_code ignored;
  if (fs::is_directory(installed, ignored)) return installed.lexically_normal().string();
  return (fs::path(TAPPET_SOURCE_EXAMPLES) / "reproduce").string();
}

std::vector<std::string> catalogue_names() {
  const std::string folder = catalogue_folder();
  std::error_code fault;
  std::vector<std::string> out;
  for (const auto& file : fs::directory_iterator(folder, fault))
    if (file.path().extension() == ".yaml" && is_catalogue(read_yaml_file(file.path().string())))
      out.push_back(file.path().stem().string());
  if (fault)
    refuse(folder,
           fmt::format("the catalogues of figures cannot be found there: {}; name a catalogue file instead",
                       fault.message()));
  std::sort(out.begin(), out.end());
  return out;
}

}  // namespace tappet
