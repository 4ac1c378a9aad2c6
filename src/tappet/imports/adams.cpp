#include "tappet/imports/adams.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "tappet/base/registry.hpp"
#include "tappet/imports/adams/conversion.hpp"
#include "tappet/imports/adams/measures.hpp"
#include "tappet/imports/values.hpp"

namespace tappet::adams {
namespace {

using namespace values;

/// Statements may be cut short, to four letters at least.
const StatementType* find_type(const std::string& name) {
  const StatementType* found = nullptr;
  for (const StatementType& type : Registry<StatementType>::instance().entries()) {
    if (type.name == name) return &type;
    if (name.size() >= 4 && type.name.starts_with(name) && !found) found = &type;
  }
  return found;
}

void read_all(const DataSet& data, Conversion& into) {
  struct Step {
    StatementType::Stage stage;
    void (*read)(const Given&, Conversion&);
    std::size_t given;
  };
  std::vector<Given> all;
  std::vector<Step> steps;
  for (const Statement& statement : data.statements) {
    const StatementType* type = find_type(statement.name);
    all.emplace_back(statement, type ? type->arguments : std::vector<std::string>{});
    const Given& given = all.back();
    if (!type) {
      const std::string near = nearest_name(statement.name, Registry<StatementType>::instance().names());
      into.lost(given, near.empty() ? "statements of this kind are not translated"
                                    : fmt::format("there is no such statement; did you mean {}?", near));
      continue;
    }
    for (const Argument& unknown : given.unknown())
      into.lost(given, fmt::format("argument {} in line {} is not translated", unknown.name, unknown.line));
    steps.push_back({type->stage, type->read, all.size() - 1});
    if (type->finish) steps.push_back({type->finishing, type->finish, all.size() - 1});
  }
  std::stable_sort(steps.begin(), steps.end(),
                   [](const Step& a, const Step& b) { return a.stage < b.stage; });
  for (const Step& step : steps) step.read(all[step.given], into);
}

Value model_of(const DataSet& data, Conversion& from) {
  Value model = mapping();
  add(model, "tappet", scalar("1"));
  if (!data.title.empty()) {
    Value title = scalar(data.title);
    title.quoted = true;
    add(model, "title", std::move(title));
  }
  add(model, "dimension", scalar("spatial"));
  add(model, "gravity", values::vector(from.gravity));
  if (!from.sections["tables"].map.empty()) add(model, "tables", from.sections["tables"]);
  Value bodies = from.sections["bodies"];
  bodies.kind = Value::Kind::mapping;
  for (const auto& [id, part] : from.parts) {
    if (part.shapes.map.empty()) continue;
    if (part.ground) {
      Value ground = mapping();
      add(ground, "shapes", part.shapes);
      add(model, "ground", std::move(ground));
    } else if (Value* body = bodies.find(part.name)) {
      add(*body, "shapes", part.shapes);
    }
  }
  add(model, "bodies", std::move(bodies));
  for (const char* section : {"joints", "motions", "forces", "contacts", "events"})
    if (!from.sections[section].map.empty()) add(model, section, from.sections[section]);
  Value simulation = mapping(), output = mapping();
  add(simulation, "duration", scalar("5 s"));
  add(simulation, "tolerance", scalar("1e-9"));
  add(output, "step", scalar("10 ms"));
  if (!from.sections["measures"].map.empty()) add(output, "measures", from.sections["measures"]);
  add(model, "simulation", std::move(simulation));
  add(model, "output", std::move(output));
  return model;
}

}  // namespace
}  // namespace tappet::adams

namespace tappet {

namespace {

constexpr std::size_t most_data_set_bytes = 64 << 20;

}  // namespace

ImportedModel import_adams_text(const std::string& text, const std::string& name,
                                const RobotOptions& options) {
  Diagnostics diagnostics;
  const SourcePos file{std::make_shared<const std::string>(name), 0, 0};
  if (text.size() > most_data_set_bytes)
    diagnostics.error(file, fmt::format("is larger than {} MiB, which is the most that is read of a data set",
                                        most_data_set_bytes >> 20));
  diagnostics.throw_if_errors();
  const adams::DataSet data = adams::read_data_set(text, file, diagnostics);
  if (!diagnostics.has_errors() && data.statements.empty())
    diagnostics.error(file,
                      "this is no Adams Solver data set: it has no statements such as PART/2, MASS = 1");
  diagnostics.throw_if_errors();
  adams::Conversion conversion(file, options.partial, diagnostics);
  conversion.signals = adams::of_places_and_speeds(conversion);
  adams::read_all(data, conversion);
  diagnostics.throw_if_errors();
  Value model = adams::model_of(data, conversion);
  conversion.notes.push_back(
      "how long Adams simulates stands in its commands, not in the data set: duration and output step are 5 "
      "s and "
      "10 ms until you set them");
  return {std::move(model), std::move(conversion.notes)};
}

std::vector<std::string> adams_statements() {
  return Registry<adams::StatementType>::instance().names();
}

namespace {

const Registration<Importer> registered{
    {.name = "adm", .help = "Adams Solver data sets", .import = import_adams_text}};

}  // namespace

}  // namespace tappet
