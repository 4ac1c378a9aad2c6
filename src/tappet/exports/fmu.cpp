#include "tappet/exports/fmu.hpp"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <cstdlib>
#include <dlfcn.h>
#include <filesystem>
#include <fstream>
#include <functional>
#include <map>
#include <set>

#include <fmt/format.h>

#include "tappet/base/input_file.hpp"
#include "tappet/base/unit_system.hpp"
#include "tappet/base/version.hpp"
#include "tappet/exports/fmu_description.hpp"
#include "tappet/exports/fmu_sources.hpp"
#include "tappet/fmi/archive.hpp"
#include "tappet/geometry/mesh_file.hpp"
#include "tappet/model/compile.hpp"
#include "tappet/model/controller.hpp"
#include "tappet/model/model.hpp"
#include "tappet/results/refuse.hpp"
#include "tappet/run/simulation.hpp"
#include "tappet/spec/numeric_values.hpp"
#include "tappet/spec/paths.hpp"

namespace tappet {
namespace {

namespace fs = std::filesystem;

/// The shared object of every FMU of ours lies beside the library.
fs::path shared_object() {
  Dl_info here{};
  ::dladdr(reinterpret_cast<void*>(&fmu_obstacle), &here);
  return fs::path(here.dli_fname ? here.dli_fname : "").parent_path() / "libtappet_fmu.so";
}

/// A name of C.
std::string identifier_of(const std::string& file) {
  std::string out = file == "-" ? "model" : fs::path(file).stem().string();
  for (char& c : out)
    if (!std::isalnum(static_cast<unsigned char>(c))) c = '_';
  if (out.empty() || std::isdigit(static_cast<unsigned char>(out[0]))) out.insert(0, "model_");
  return out;
}

[[noreturn]] void refuse_name(const std::string& file, const std::string& option, const std::string& pattern,
                              const std::vector<std::string>& names, const std::string& noun) {
  const std::string near = nearest_name(pattern, names);
  refuse(file, fmt::format("{} names '{}', which no {} of this model matches{}", option, pattern, noun,
                           near.empty() ? "" : fmt::format("; did you mean '{}'?", near)));
}

/// The names that match, in their own order; every pattern must match one.
std::vector<std::string> selected(const std::vector<std::string>& names,
                                  const std::vector<std::string>& patterns, const std::string& file,
                                  const std::string& option, const std::string& noun) {
  if (patterns.empty()) return names;
  for (const std::string& pattern : patterns)
    if (std::none_of(names.begin(), names.end(), [&](const std::string& n) { return matches(pattern, n); }))
      refuse_name(file, option, pattern, names, noun);
  std::vector<std::string> out;
  for (const std::string& name : names)
    if (std::any_of(patterns.begin(), patterns.end(), [&](const std::string& p) { return matches(p, name); }))
      out.push_back(name);
  return out;
}

// ---- the model and its files

struct Packed {
  std::string model;                            // YAML, its files called as in the resources
  std::map<std::string, std::string> contents;  // of the files, by these names
};

/// Where a folder's files lie in the resources: beneath the model's folder as they are there, others in folders of their own. Files that name
/// others beside them find these.
class Folders {
 public:
  explicit Folders(const fs::path& model)
      : model_(fs::absolute(model.empty() ? "." : model).lexically_normal()) {}
  std::string name_of(const std::string& file) {
    const fs::path whole = fs::absolute(file).lexically_normal(), folder = whole.parent_path();
    const fs::path inside = folder.lexically_relative(model_);
    if (!inside.empty() && *inside.begin() != "..")
      return inside == "." ? whole.filename().string() : (inside / whole.filename()).string();
    const auto at = others_.try_emplace(folder.string(), others_.size() + 1).first;
    return fmt::format("elsewhere/{}/{}", at->second, whole.filename().string());
  }

 private:
  fs::path model_;
  std::map<std::string, std::size_t> others_;
};

void rename_files(Value& value, const std::map<std::string, std::string>& names,
                  const SourcePos& beside_what) {
  switch (value.kind) {
    case Value::Kind::null:
      return;
    case Value::Kind::scalar: {
      const auto at = names.find(fs::absolute(beside(beside_what, value.text)).lexically_normal().string());
      if (at != names.end()) value.text = at->second;
      return;
    }
    case Value::Kind::sequence:
      for (Value& item : value.items) rename_files(item, names, beside_what);
      return;
    case Value::Kind::mapping:
      for (auto& [key, item] : value.map) rename_files(item, names, beside_what);
  }
}

Packed pack(const Spec& spec, const Model& model, Value root) {
  Packed out;
  Folders folders(fs::path(spec.file).parent_path());
  std::map<std::string, std::string> names;
  for (const InputFile& file : model.files) {
    std::string why;
    auto bytes = read_input_file(file.path, why);
    if (!bytes) refuse(file.path, why);
    const std::string name = folders.name_of(file.path);
    if (name == "model.yaml" || name == "variables.txt")
      refuse(file.path, fmt::format("cannot be packed: '{}' is the name of a file of the FMU itself", name));
    names[fs::absolute(file.path).lexically_normal().string()] = name;
    out.contents[name] = std::move(*bytes);
  }
  if (!names.empty()) rename_files(root, names, {std::make_shared<const std::string>(spec.file), 0, 0});
  out.model = to_yaml(root);
  return out;
}

/// The model as it was packed compiles from its resources, and from files of the same contents.
void check_packed(const Packed& packed, const Model& model, const std::string& file) {
  if (packed.contents.empty()) return;
  std::string folder = (fs::temp_directory_path() / "tappet-pack-XXXXXX").string();
  if (!::mkdtemp(folder.data()))
    refuse(file, "cannot be packed: no folder can be made in the temporary directory (TMPDIR)");
  struct Remove {
    fs::path folder;
    ~Remove() {
      std::error_code ignored;
      fs::remove_all(folder, ignored);
    }
  } remove{folder};
  const auto write = [&](const std::string& name, const std::string& bytes) {
    const fs::path path = fs::path(folder) / name;
    fs::create_directories(path.parent_path());
    std::ofstream(path, std::ios::binary) << bytes;
  };
  write("model.yaml", packed.model);
  for (const auto& [name, bytes] : packed.contents) write(name, bytes);
  std::multiset<std::string> before, now;
  for (const InputFile& read : model.files) before.insert(read.hash);
  try {
    Diagnostics diagnostics;
    const auto moved = compile(load_spec(folder + "/model.yaml"), diagnostics);
    for (const InputFile& read : moved->files) now.insert(read.hash);
  } catch (const InputError& error) {
    refuse(file,
           fmt::format("cannot be packed: a file that it reads finds another no more when it is moved ({})",
                       error.what()));
  }
  if (before != now) refuse(file, "cannot be packed: with its files moved it reads others");
}

// ---- variables

/// A number of the model in the SI, with its unit and what it is.
FmuVariable parameter(const Value& root, const NumericValue& value) {
  FmuVariable out{0, 'p', value.path, "", "", value.number};
  if (!value.unit.empty()) {
    const Unit unit = parse_unit(value.unit);
    out.start = value.number * unit.factor + unit.offset;
  }
  if (const Parameter* row = row_at(root, value.path)) {
    out.help = row->help;
    const bool mixed =
        row->kind == Kind::orientation || row->kind == Kind::matrix || !row->unit_power.empty();
    if (!mixed && row->unit_from.empty()) out.unit = row->unit;
  }
  return out;
}

std::vector<FmuVariable> parameters_of(const Value& root, const FmuOptions& options,
                                       const std::string& file) {
  std::vector<NumericValue> values;
  std::vector<std::string> names;
  for (NumericValue& value : numeric_values(root)) {
    // Inputs are variables of their own, and output is what the importer asks for.
    const bool own =
        value.path.starts_with("output.") || value.path == "output" || value.path.starts_with("inputs.");
    if (own) continue;
    names.push_back(value.path);
    values.push_back(std::move(value));
  }
  const std::vector<std::string> chosen = selected(names, options.parameters, file, "--parameters", "number");
  const std::set<std::string> wanted(chosen.begin(), chosen.end());
  std::vector<FmuVariable> out;
  for (const NumericValue& value : values)
    if (wanted.contains(value.path)) out.push_back(parameter(root, value));
  return out;
}

std::string variables_text(const FmuFacts& facts) {
  std::string out = fmt::format("token\t{}\n", facts.token);
  for (const FmuVariable& v : facts.variables)
    out += fmt::format("{}\t{}\t{}\t{:.17g}\n", v.kind, v.reference, v.name, v.start);
  return out;
}

std::string escaped(const std::string& text) {
  std::string out;
  for (const char c : text) out += c == '<' ? "&lt;" : c == '&' ? "&amp;" : std::string(1, c);
  return out;
}

std::string page(const FmuFacts& facts) {
  std::string out = fmt::format(
      "<!doctype html>\n<html lang=\"en\"><head><meta "
      "charset=\"utf-8\"><title>{0}</title></head>\n<body><h1>{0}</h1>\n"
      "<p>{1}</p>\n<p>A model of Tappet {2} for FMI {3}.0 co-simulation. All values are in the SI. "
      "Parameters are the numbers of "
      "<code>resources/model.yaml</code> by their paths there. Steps of the solver are not cut at "
      "communication points, so that its "
      "outputs there are those of <code>tappet "
      "run</code>.{4}</p>\n<table>\n<tr><th>variable</th><th>causality</th><th>unit</th><th></th></tr>\n",
      escaped(facts.name), escaped(facts.title), version(), facts.version,
      facts.version == 3 ? " With early return allowed a step ends where an impact begins." : "");
  for (const FmuVariable& v : facts.variables)
    out +=
        fmt::format("<tr><td><code>{}</code></td><td>{}</td><td>{}</td><td>{}</td></tr>\n", escaped(v.name),
                    v.kind == 't'   ? "time"
                    : v.kind == 'i' ? "input"
                    : v.kind == 'o' ? "output"
                                    : "parameter",
                    escaped(v.unit), escaped(v.help));
  return out + "</table></body></html>\n";
}

}  // namespace

std::string fmu_obstacle() {
  if (!fmi::archives_available()) return fmi::archives_missing;
  const fs::path object = shared_object();
  std::error_code ignored;
  if (!fs::exists(object, ignored))
    return fmt::format(
        "the shared object that FMUs hold is not there: '{}'; it is built and installed with the library "
        "(target tappet_fmu)",
        object.string());
  return "";
}

FmuExport make_fmu(const Spec& spec, const FmuOptions& options) {
  if (const std::string obstacle = fmu_obstacle(); !obstacle.empty()) refuse("fmu", obstacle);
  Value root = read_yaml_text(spec.model_text, spec.file);
  Diagnostics diagnostics;
  const auto model = compile(spec, diagnostics);
  const Simulation simulation(model);

  FmuExport out;
  for (const Diagnostic& said : diagnostics.all()) out.warnings.push_back(said.text());
  FmuFacts facts{.version = options.version,
                 .name = spec.file == "-" ? "model" : fs::path(spec.file).stem().string(),
                 .identifier = identifier_of(spec.file),
                 .token = "",
                 .title = spec.title,
                 .duration = model->settings.duration,
                 .step = model->settings.output_step,
                 .tolerance = model->settings.tolerance,
                 .gets_state = simulation.no_way_back().empty(),
                 .has_impacts = true,
                 .variables = {{0, 't', "time", "s", "simulated time", 0}}};
  const auto add = [&](FmuVariable v, std::vector<std::string>& names) {
    v.reference = static_cast<unsigned>(facts.variables.size());
    names.push_back(v.name);
    facts.variables.push_back(std::move(v));
  };
  for (std::size_t i = 0; i < model->inputs.size(); ++i) {
    const ModelInput& input = model->inputs[i];
    bool driven = false;
    for (const auto& controller : model->controllers)
      for (const FmuController::Output& o : controller->outputs)
        driven = driven || o.input == static_cast<int>(i);
    if (!driven) add({0, 'i', input.name, input.unit, "input of the model", input.default_value}, out.inputs);
  }
  std::vector<std::string> names;
  std::map<std::string, std::string> units;
  for (const SignalDefinition& signal : all_signals(*model))
    names.push_back(signal.name), units[signal.name] = signal.unit;
  std::vector<std::string> recorded;
  for (const Signal& signal : simulation.signals()) recorded.push_back(signal.name);
  out.outputs =
      options.outputs.empty() ? recorded : selected(names, options.outputs, spec.file, "--outputs", "signal");
  if (out.outputs.empty()) refuse(spec.file, "has no outputs: `output.signals` and --outputs choose none");
  const std::vector<std::string> outputs = std::move(out.outputs);
  out.outputs.clear();
  for (const std::string& name : outputs) add({0, 'o', name, units[name], "", 0}, out.outputs);
  for (FmuVariable& v : parameters_of(root, options, spec.file)) add(std::move(v), out.parameters);
  std::set<std::string> once;
  for (const FmuVariable& v : facts.variables)
    if (!once.insert(v.name).second)
      refuse(spec.file,
             fmt::format(
                 "has two variables named '{}', which an FMU must not: choose by --outputs and --parameters",
                 v.name));

  // Its outputs are what the model records.
  Value signals;
  signals.kind = Value::Kind::sequence;
  for (const std::string& name : outputs) {
    Value item;
    item.kind = Value::Kind::scalar;
    item.text = name;
    item.quoted = true;
    signals.items.push_back(std::move(item));
  }
  set_value(root, "output.signals", std::move(signals), spec.pos);
  const Packed packed = pack(spec, *model, std::move(root));
  check_packed(packed, *model, spec.file);

  std::string identity =
      fmt::format("{} {} {}\n{}", options.version, version(), build_identity(), packed.model);
  for (const FmuVariable& v : facts.variables) identity += fmt::format("{}{}\n", v.kind, v.name);
  for (const auto& [name, bytes] : packed.contents) identity += name + content_hash(bytes);
  const std::string hash = content_hash(identity);
  facts.token = fmt::format("{{{}-{}-{}-{}-{}}}", hash.substr(0, 8), hash.substr(8, 4), hash.substr(12, 4),
                            hash.substr(16, 4), hash.substr(20));

  std::string why;
  const auto object = read_input_file(shared_object().string(), why);
  if (!object) refuse(shared_object().string(), why);
  fmi::ArchiveWriter archive;
  archive.add("documentation/tappet.txt", fmt::format("Written by Tappet {}\n", version()), true);
  archive.add("documentation/index.html", page(facts));
  archive.add("modelDescription.xml", fmu_description(facts));
  archive.add("resources/model.yaml", packed.model);
  archive.add("resources/variables.txt", variables_text(facts));
  for (const auto& [name, bytes] : packed.contents) {
    archive.add("resources/" + name, bytes);
    out.files.push_back(name);
  }
  std::vector<std::string> sources;
  for (const FmuSource& source : fmu_sources()) {
    if (source.name == "LICENSE") {
      archive.add("documentation/licenses/license.txt", source.text);
      continue;
    }
    archive.add("sources/" + source.name, source.text);
    sources.push_back(source.name);
  }
  if (options.version == 3)
    archive.add("sources/buildDescription.xml", fmu_build_description(facts, sources));
  archive.add(
      (options.version == 2 ? "binaries/linux64/" : "binaries/x86_64-linux/") + facts.identifier + ".so",
      *object);
  out.identifier = facts.identifier;
  try {
    out.bytes = archive.finish();
  } catch (const fmi::ArchiveError& error) {
    refuse(spec.file, error.what());
  }
  return out;
}

}  // namespace tappet
