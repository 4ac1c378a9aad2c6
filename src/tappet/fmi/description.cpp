#include "tappet/fmi/description.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>

#include <fmt/format.h>

#include "tappet/fmi/archive.hpp"

#ifdef TAPPET_FMI
#include <pugixml.hpp>
#endif

namespace tappet::fmi {

const Variable* Description::find(const std::string& name) const {
  const auto at =
      std::find_if(variables.begin(), variables.end(), [&](const Variable& v) { return v.name == name; });
  return at == variables.end() ? nullptr : &*at;
}

const DescribedUnit* Description::unit(const std::string& name) const {
  const auto at =
      std::find_if(units.begin(), units.end(), [&](const DescribedUnit& u) { return u.name == name; });
  return at == units.end() ? nullptr : &*at;
}

std::vector<std::string> Description::names(const std::string& causality) const {
  std::vector<std::string> out;
  for (const Variable& v : variables)
    if (v.causality == causality) out.push_back(v.name);
  return out;
}

#ifdef TAPPET_FMI

namespace {

constexpr std::size_t most_variables = 1'000'000;
constexpr const char* base_units[] = {"m", "kg", "s", "A", "K", "mol", "cd", "rad"};

ValueType type_of(int version, const std::string& name) {
  if (name == (version == 2 ? "Real" : "Float64")) return ValueType::real;
  if (name == (version == 2 ? "Integer" : "Int32")) return ValueType::integer;
  return name == "Boolean" ? ValueType::boolean : ValueType::other;
}

DescribedUnit read_unit(const pugi::xml_node& node) {
  DescribedUnit out;
  out.name = node.attribute("name").as_string();
  const pugi::xml_node base = node.child("BaseUnit");
  out.known = !base.empty();
  for (std::size_t i = 0; i < std::size(base_units); ++i)
    out.powers[i] = std::clamp(base.attribute(base_units[i]).as_int(0), -100, 100);
  out.factor = base.attribute("factor").as_double(1);
  out.offset = base.attribute("offset").as_double(0);
  return out;
}

/// Throws std::string, a fault.
Variable read_variable(const pugi::xml_node& node, int version) {
  Variable out;
  out.name = node.attribute("name").as_string();
  if (out.name.empty()) throw std::string("has a variable without a name");
  const pugi::xml_attribute reference = node.attribute("valueReference");
  if (reference.empty()) throw fmt::format("has no valueReference for its variable '{}'", out.name);
  out.reference = reference.as_uint();
  out.causality = node.attribute("causality").as_string("local");
  pugi::xml_node typed = node;
  if (version == 2) {
    typed = node.first_child();
    while (typed && typed.type() != pugi::node_element) typed = typed.next_sibling();
    if (!typed) throw fmt::format("has no type for its variable '{}'", out.name);
  }
  out.type_name = typed.name();
  out.type = type_of(version, out.type_name);
  out.unit = typed.attribute("unit").as_string();
  out.start = typed.attribute("start").as_string();
  out.array = version == 3 && !typed.child("Dimension").empty();
  return out;
}

}  // namespace

std::optional<Description> read_description(const std::string& text, std::string& fault) {
  pugi::xml_document document;
  const pugi::xml_parse_result parsed = document.load_buffer(text.data(), text.size());
  if (!parsed) {
    const auto line =
        1 + std::count(text.begin(),
                       text.begin() + std::clamp<std::ptrdiff_t>(parsed.offset, 0,
                                                                 static_cast<std::ptrdiff_t>(text.size())),
                       '\n');
    fault =
        fmt::format("has a modelDescription.xml that is not XML: line {}: {}", line, parsed.description());
    return std::nullopt;
  }
  const pugi::xml_node root = document.document_element();
  const std::string written = root.attribute("fmiVersion").as_string();
  if (std::string(root.name()) != "fmiModelDescription" || written.empty()) {
    fault =
        "has a modelDescription.xml that describes no FMU: it must hold a 'fmiModelDescription' with a "
        "'fmiVersion'";
    return std::nullopt;
  }
  Description out;
  out.version = written == "2.0" ? 2 : written == "3.0" || written.starts_with("3.") ? 3 : 0;
  if (out.version == 0) {
    fault = fmt::format("is of FMI {}; versions 2.0 and 3.0 are read", written);
    return std::nullopt;
  }
  const bool two = out.version == 2;
  out.model_name = root.attribute("modelName").as_string();
  out.token = root.attribute(two ? "guid" : "instantiationToken").as_string();
  if (const pugi::xml_node kind = root.child("CoSimulation")) {
    out.co_simulation = true;
    out.identifier = kind.attribute("modelIdentifier").as_string();
    out.needs_execution_tool = kind.attribute("needsExecutionTool").as_bool();
    out.only_once_per_process = kind.attribute("canBeInstantiatedOnlyOncePerProcess").as_bool();
    out.gets_state = kind.attribute(two ? "canGetAndSetFMUstate" : "canGetAndSetFMUState").as_bool();
    out.serialises_state =
        out.gets_state && kind.attribute(two ? "canSerializeFMUstate" : "canSerializeFMUState").as_bool();
  }
  for (const pugi::xml_node& node : root.child("UnitDefinitions").children("Unit"))
    out.units.push_back(read_unit(node));
  try {
    for (const pugi::xml_node& node : root.child("ModelVariables").children()) {
      if (node.type() != pugi::node_element) continue;
      out.variables.push_back(read_variable(node, out.version));
      if (out.variables.size() > most_variables)
        throw fmt::format("has more than {} variables, which is the most that is read", most_variables);
    }
  } catch (const std::string& why) {
    fault = why;
    return std::nullopt;
  }
  return out;
}

#else

std::optional<Description> read_description(const std::string&, std::string& fault) {
  fault = std::string("cannot be read: ") + archives_missing;
  return std::nullopt;
}

#endif

}  // namespace tappet::fmi
