// The section `controllers`: its table, and what FMUs' descriptions say against it. No FMU is loaded here.
#include <algorithm>
#include <cmath>
#include <filesystem>
#include <set>

#include <fmt/format.h>

#include "tappet/base/sections.hpp"
#include "tappet/base/unit_system.hpp"
#include "tappet/model/controller.hpp"
#include "tappet/model/model.hpp"
#include "tappet/model/run_parameters.hpp"
#include "tappet/model/signals.hpp"
#include "tappet/spec/spec.hpp"

namespace tappet::compile_controllers_file {
namespace {

const Table& controller_table() {
  using P = ControllerParameters;
  static const Table table = table_of<P>(
      "a controller", "An FMU of co-simulation that reads signals and sets inputs at steps of its own",
      {{&P::fmu,
        {.name = "fmu",
         .kind = Kind::text,
         .help = "its file, of FMI 2.0 or 3.0; relative names are looked for from the folder of this file",
         .required = true}},
       {&P::step,
        {.name = "step",
         .unit = "s",
         .help = "time between two exchanges with it",
         .required = true,
         .range = positive()}},
       {&P::inputs,
        {.name = "inputs",
         .kind = Kind::definitions,
         .help = "what its inputs are, by its names: signals or expressions of them, in the SI"}},
       {&P::outputs,
        {.name = "outputs",
         .kind = Kind::definitions,
         .help = "which inputs of this model its outputs set, by its names",
         .required = true}},
       {&P::parameters,
        {.name = "parameters",
         .kind = Kind::numbers,
         .help =
             "what it begins with: numbers in its own units, by its names of parameters and of inputs"}}});
  return table;
}

const bool registered = (register_table("controllers", &controller_table()), true);

/// NAME: TEXT of a mapping, with their places.
struct Entry {
  Name name, text;
};

std::vector<Entry> entries(const Object& o, const char* key) {
  std::vector<Entry> out;
  if (!o.has(key)) return out;
  const std::vector<Name>& both = o.names(key);
  for (std::size_t i = 0; i + 1 < both.size(); i += 2) out.push_back({both[i], both[i + 1]});
  return out;
}

class Reader {
 public:
  Reader(const Object& o, const Spec& spec, const Model& model, const std::vector<SignalDefinition>& signals,
         Diagnostics& diagnostics)
      : o_(o), spec_(spec), model_(model), signals_(signals), diagnostics_(diagnostics) {}

  std::shared_ptr<const FmuController> read() {
    out_->name = o_.name;
    out_->pos = o_.pos;
    out_->step = o_.number_or("step", 1);
    const std::filesystem::path folder = std::filesystem::path(spec_.file).parent_path();
    const std::string file = folder.empty() ? o_.text("fmu") : (folder / o_.text("fmu")).string();
    std::string fault;
    out_->package = fmi::open_package(file, fault);
    if (!out_->package) {
      diagnostics_.error(o_.where("fmu"),
                         fmt::format("the FMU {} of controller '{}' {}", quote(file), o_.name, fault));
      return nullptr;
    }
    if (const double steps = model_.settings.duration / out_->step; steps > 1e9)
      diagnostics_.error(
          o_.where("step"),
          fmt::format("`step` of {:g} s makes {:.3g} exchanges in {:g} s; at most 1e9 are allowed",
                      out_->step, steps, model_.settings.duration));
    read_inputs();
    read_outputs();
    read_parameters();
    return out_;
  }

 private:
  const fmi::Description& description() const { return out_->package->description; }

  /// The variable of one of these causalities; nothing, and said.
  bool find(const Name& name, std::vector<std::string> causalities, FmuController::Port& port) {
    const fmi::Variable* found = description().find(name.text);
    const auto allowed = [&](const fmi::Variable& v) {
      return std::find(causalities.begin(), causalities.end(), v.causality) != causalities.end();
    };
    if (!found || !allowed(*found)) {
      std::vector<std::string> names;
      for (const fmi::Variable& v : description().variables)
        if (allowed(v)) names.push_back(v.name);
      const std::string near = nearest_name(name.text, names);
      const std::string what = causalities.front();
      diagnostics_.error(
          name.pos,
          fmt::format("the FMU of controller '{}' has no {} {}{}; it has {}", o_.name, what, quote(name.text),
                      found ? fmt::format(": '{}' is of causality '{}'", found->name, found->causality)
                      : near.empty() ? ""
                                     : fmt::format(": did you mean '{}'?", near),
                      names.empty() ? "none" : join_names(names, 12)));
      return false;
    }
    if (found->type == fmi::ValueType::other || found->array) {
      diagnostics_.error(
          name.pos, fmt::format("{} of the FMU of controller '{}' is {}: what can be exchanged is {}",
                                quote(found->name), o_.name,
                                found->array ? "an array" : fmt::format("of type {}", found->type_name),
                                description().version == 2 ? "Real, Integer and Boolean"
                                                           : "Float64, Int32 and Boolean, single values"));
      return false;
    }
    port.variable = *found;
    if (const fmi::DescribedUnit* unit = description().unit(found->unit); unit && unit->known) {
      port.factor = unit->factor;
      port.offset = unit->offset;
      if (!(std::isfinite(port.factor) && port.factor != 0 && std::isfinite(port.offset))) {
        diagnostics_.error(
            name.pos, fmt::format("the FMU of controller '{}' defines its unit '{}' with the factor {:g} "
                                  "and the offset {:g}",
                                  o_.name, unit->name, unit->factor, unit->offset));
        return false;
      }
    }
    return true;
  }

  /// Whether what the FMU's unit measures is what ours does; angles are numbers.
  void check_unit(const Name& name, const FmuController::Port& port, const std::string& own,
                  const std::string& of) {
    const fmi::DescribedUnit* unit = description().unit(port.variable.unit);
    if (!unit || !unit->known) return;
    const Unit ours = parse_unit(own == "1" ? "" : own);
    for (int i = 0; i < radian; ++i)
      if (ours.powers[static_cast<std::size_t>(i)] != unit->powers[static_cast<std::size_t>(i)]) {
        diagnostics_.error(name.pos, fmt::format("'{}' of the FMU of controller '{}' is in {}, but {} is {}",
                                                 port.variable.name, o_.name, unit->name, of,
                                                 own.empty() || own == "1" ? "a plain number" : "in " + own));
        return;
      }
  }

  void read_inputs() {
    std::set<std::string> connected;
    for (const Entry& entry : entries(o_, "inputs")) {
      FmuController::Input input;
      if (!find(entry.name, {"input"}, input)) continue;
      connected.insert(entry.name.text);
      // Read as a measure is: an expression of signals.
      AnyParameters measure(MeasureParameters{.value = entry.text.text, .unit = {}});
      measure.origin.name = o_.name + ".inputs." + entry.name.text;
      measure.origin.pos = measure.origin.name_pos = entry.text.pos;
      Measures read =
          make_measures({{measure.origin.name, measure}}, signals_, spec_.definitions.get(), diagnostics_);
      if (read.all.empty()) continue;
      input.value = std::move(read.all.front());
      if (input.value.arguments.size() == 1 && input.value.arguments[0].name == entry.text.text)
        check_unit(entry.name, input, input.value.arguments[0].unit, "the signal '" + entry.text.text + "'");
      for (const SignalDefinition& s : input.value.arguments)
        out_->needs_forces = out_->needs_forces || s.needs_forces;
      out_->inputs.push_back(std::move(input));
    }
    // Silence would leave somebody waiting for an effect.
    for (const std::string& name : description().names("input")) {
      const bool given =
          o_.has("parameters") && std::any_of(o_.names("parameters").begin(), o_.names("parameters").end(),
                                              [&](const Name& n) { return n.text == name; });
      if (!connected.contains(name) && !given)
        diagnostics_.warning(
            o_.pos, fmt::format("the input '{}' of the FMU of controller '{}' is not connected: it keeps its "
                                "start value {}",
                                name, o_.name, description().find(name)->start));
    }
  }

  void read_outputs() {
    for (const Entry& entry : entries(o_, "outputs")) {
      FmuController::Output output;
      if (!find(entry.name, {"output"}, output)) continue;
      std::vector<std::string> names;
      output.input = -1;
      for (std::size_t i = 0; i < model_.inputs.size(); ++i) {
        names.push_back(model_.inputs[i].name);
        if (names.back() == entry.text.text) output.input = static_cast<int>(i);
      }
      if (output.input < 0) {
        const std::string near = nearest_name(entry.text.text, names);
        diagnostics_.error(entry.text.pos,
                           fmt::format("controller '{}' sets {}, which is no input of this model{}; {}",
                                       o_.name, quote(entry.text.text),
                                       near.empty() ? "" : fmt::format(" (did you mean '{}'?)", near),
                                       names.empty() ? "it has no inputs: name them under `inputs`"
                                                     : "inputs: " + join_names(names)));
        continue;
      }
      for (const auto& other : model_.controllers) refuse_second(*other, output, entry);
      refuse_second(*out_, output, entry);
      const ModelInput& input = model_.inputs[static_cast<std::size_t>(output.input)];
      check_unit(entry.name, output, input.unit, "the input '" + input.name + "'");
      if (spec_.inputs[static_cast<std::size_t>(output.input)].given("default"))
        diagnostics_.warning(
            spec_.inputs[static_cast<std::size_t>(output.input)].where("default"),
            fmt::format("the input '{}' is set by controller '{}' from t = 0 on: its `default` has no effect",
                        input.name, o_.name));
      out_->outputs.push_back(std::move(output));
    }
    if (o_.has("outputs") && o_.names("outputs").empty())
      diagnostics_.error(o_.where("outputs"),
                         fmt::format("controller '{}' sets no input: `outputs` is empty", o_.name));
  }

  void refuse_second(const FmuController& other, const FmuController::Output& output, const Entry& entry) {
    for (const FmuController::Output& o : other.outputs)
      if (o.input == output.input)
        diagnostics_.error(
            entry.text.pos,
            fmt::format("the input '{}' is set twice: by '{}' of controller '{}' and by '{}' "
                        "of controller '{}'",
                        entry.text.text, o.variable.name, other.name, output.variable.name, o_.name));
  }

  void read_parameters() {
    if (!o_.has("parameters")) return;
    const std::vector<Name>& names = o_.names("parameters");
    for (std::size_t i = 0; i < names.size(); ++i) {
      FmuController::Start start;
      if (!find(names[i], {"parameter", "input", "structuralParameter"}, start)) continue;
      const bool connected = std::any_of(
          out_->inputs.begin(), out_->inputs.end(),
          [&](const FmuController::Input& input) { return input.variable.name == names[i].text; });
      if (connected)
        diagnostics_.error(
            names[i].pos,
            fmt::format("'{}' of controller '{}' is given under `inputs` and under `parameters`",
                        names[i].text, o_.name));
      start.value = o_.vector("parameters")[i];
      out_->parameters.push_back(std::move(start));
    }
  }

  const Object& o_;
  const Spec& spec_;
  const Model& model_;
  const std::vector<SignalDefinition>& signals_;
  Diagnostics& diagnostics_;
  std::shared_ptr<FmuController> out_ = std::make_shared<FmuController>();
};

}  // namespace
}  // namespace tappet::compile_controllers_file

namespace tappet {

void compile_controllers(const Spec& spec, Model& model, Diagnostics& diagnostics) {
  if (spec.controllers.empty()) return;
  const std::vector<SignalDefinition> signals = all_signals(model);
  for (const Object& o : spec.controllers) {
    compile_controllers_file::Reader reader(o, spec, model, signals, diagnostics);
    if (auto controller = reader.read()) model.controllers.push_back(std::move(controller));
  }
}

}  // namespace tappet
