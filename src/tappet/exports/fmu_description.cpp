#include "tappet/exports/fmu_description.hpp"

#include <array>
#include <cmath>
#include <map>
#include <optional>
#include <sstream>

#include <fmt/format.h>

#include "tappet/base/unit_system.hpp"
#include "tappet/base/version.hpp"

#ifdef TAPPET_FMI
#include <pugixml.hpp>
#endif

namespace tappet {

#ifdef TAPPET_FMI

namespace {

using Node = pugi::xml_node;

void put(Node node, const char* name, const std::string& value) {
  node.append_attribute(name) = value.c_str();
}
void put(Node node, const char* name, double value) {
  put(node, name, fmt::format("{:.17g}", value));
}
void put(Node node, const char* name, bool value) {
  put(node, name, std::string(value ? "true" : "false"));
}
void put(Node node, const char* name, unsigned value) {
  put(node, name, std::to_string(value));
}

std::string text_of(const pugi::xml_document& document) {
  std::ostringstream out;
  document.save(out, "  ", pugi::format_default, pugi::encoding_utf8);
  return out.str();
}

void declare(pugi::xml_document& document) {
  Node declaration = document.append_child(pugi::node_declaration);
  put(declaration, "version", std::string("1.0"));
  put(declaration, "encoding", std::string("UTF-8"));
}

/// "1" and "" are plain numbers, which have none.
bool is_unit(const std::string& unit) {
  return !unit.empty() && unit != "1";
}

/// Units by name, with powers of the base units where these are whole: N/m^1.5 has none that the standard can write.
void add_units(Node root, const FmuFacts& facts) {
  constexpr std::array<const char*, base_unit_count> names = {"m", "kg", "s", "A", "K", "mol", "cd", "rad"};
  std::map<std::string, std::optional<Unit>> units;
  for (const FmuVariable& v : facts.variables) {
    if (!is_unit(v.unit) || units.contains(v.unit)) continue;
    try {
      units[v.unit] = parse_unit(v.unit);
    } catch (const std::exception&) {
      units[v.unit] = std::nullopt;
    }
  }
  if (units.empty()) return;
  Node all = root.append_child("UnitDefinitions");
  for (const auto& [name, unit] : units) {
    Node node = all.append_child("Unit");
    put(node, "name", name);
    bool whole = unit.has_value();
    for (std::size_t i = 0; whole && i < names.size(); ++i)
      whole = unit->powers[i] == std::round(unit->powers[i]);
    if (!whole) continue;
    Node base = node.append_child("BaseUnit");
    for (std::size_t i = 0; i < names.size(); ++i)
      if (unit->powers[i] != 0) put(base, names[i], fmt::format("{:.0f}", unit->powers[i]));
    if (unit->factor != 1) put(base, "factor", unit->factor);
  }
}

void add_co_simulation(Node root, const FmuFacts& facts) {
  Node node = root.append_child("CoSimulation");
  put(node, "modelIdentifier", facts.identifier);
  if (facts.version == 3) {
    put(node, "canGetAndSetFMUState", facts.gets_state);
    put(node, "canSerializeFMUState", facts.gets_state);
    put(node, "canHandleVariableCommunicationStepSize", true);
    put(node, "mightReturnEarlyFromDoStep", true);
    put(node, "hasEventMode", true);
    return;
  }
  put(node, "canHandleVariableCommunicationStepSize", true);
  put(node, "canGetAndSetFMUstate", facts.gets_state);
  put(node, "canSerializeFMUstate", facts.gets_state);
}

const char* causality(char kind) {
  return kind == 't' ? "independent" : kind == 'i' ? "input" : kind == 'o' ? "output" : "parameter";
}

void add_variables(Node root, const FmuFacts& facts) {
  Node all = root.append_child("ModelVariables");
  for (const FmuVariable& v : facts.variables) {
    Node node = all.append_child(facts.version == 2 ? "ScalarVariable" : "Float64");
    put(node, "name", v.name);
    put(node, "valueReference", v.reference);
    if (!v.help.empty()) put(node, "description", v.help);
    put(node, "causality", std::string(causality(v.kind)));
    put(node, "variability", std::string(v.kind == 'p' ? "fixed" : "continuous"));
    if (v.kind == 'o') put(node, "initial", std::string("calculated"));
    if (v.kind == 'p') put(node, "initial", std::string("exact"));
    Node typed = facts.version == 2 ? node.append_child("Real") : node;
    if (is_unit(v.unit)) put(typed, "unit", v.unit);
    if (v.kind == 'i' || v.kind == 'p') put(typed, "start", v.start);
  }
}

void add_structure(Node root, const FmuFacts& facts) {
  Node structure = root.append_child("ModelStructure");
  if (facts.version == 3) {
    for (const char* list : {"Output", "InitialUnknown"})
      for (const FmuVariable& v : facts.variables)
        if (v.kind == 'o') put(structure.append_child(list), "valueReference", v.reference);
    return;
  }
  for (const char* list : {"Outputs", "InitialUnknowns"}) {
    Node of;
    for (std::size_t i = 0; i < facts.variables.size(); ++i) {
      if (facts.variables[i].kind != 'o') continue;
      if (!of) of = structure.append_child(list);
      put(of.append_child("Unknown"), "index", static_cast<unsigned>(i + 1));
    }
  }
}

}  // namespace

std::string fmu_description(const FmuFacts& facts) {
  pugi::xml_document document;
  declare(document);
  Node root = document.append_child("fmiModelDescription");
  put(root, "fmiVersion", std::string(facts.version == 2 ? "2.0" : "3.0"));
  put(root, "modelName", facts.name);
  put(root, facts.version == 2 ? "guid" : "instantiationToken", facts.token);
  if (!facts.title.empty()) put(root, "description", facts.title);
  put(root, "generationTool", fmt::format("Tappet {}", version()));
  put(root, "variableNamingConvention", std::string("flat"));
  if (facts.version == 2) put(root, "numberOfEventIndicators", 0u);
  add_co_simulation(root, facts);
  add_units(root, facts);
  Node categories = root.append_child("LogCategories");
  for (const char* name : {"logStatusWarning", "logStatusDiscard", "logStatusError"})
    put(categories.append_child("Category"), "name", std::string(name));
  Node experiment = root.append_child("DefaultExperiment");
  put(experiment, "startTime", 0.0);
  put(experiment, "stopTime", facts.duration);
  put(experiment, "tolerance", facts.tolerance);
  put(experiment, "stepSize", facts.step);
  add_variables(root, facts);
  add_structure(root, facts);
  return text_of(document);
}

std::string fmu_build_description(const FmuFacts& facts, const std::vector<std::string>& sources) {
  pugi::xml_document document;
  declare(document);
  Node root = document.append_child("fmiBuildDescription");
  put(root, "fmiVersion", std::string("3.0"));
  Node configuration = root.append_child("BuildConfiguration");
  put(configuration, "modelIdentifier", facts.identifier);
  put(configuration, "description",
      std::string(
          "the interface of FMI; the simulation itself is Tappet's library, which is installed by itself"));
  Node set = configuration.append_child("SourceFileSet");
  put(set, "language", std::string("C++20"));
  for (const std::string& source : sources)
    if (source.ends_with(".cpp")) put(set.append_child("SourceFile"), "name", source);
  Node library = configuration.append_child("Library");
  put(library, "name", std::string("tappet"));
  put(library, "version", std::string(version()));
  put(library, "external", true);
  put(library, "description", std::string("find_package(tappet), target tappet::tappet"));
  return text_of(document);
}

#else

std::string fmu_description(const FmuFacts&) {
  return "";
}
std::string fmu_build_description(const FmuFacts&, const std::vector<std::string>&) {
  return "";
}

#endif

}  // namespace tappet
