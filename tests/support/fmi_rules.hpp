// What FMI's standard says about modelDescription.xml, as far as co-simulation needs it: the elements of the schemas in their order, their
// attributes with types, and the rules that no schema can say. Written from the standard's text; the faults of a description, a line each.
#pragma once

#include <algorithm>
#include <charconv>
#include <functional>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "tappet/base/xml.hpp"

namespace tappet::testing {

class FmiRules {
 public:
  /// "" where nothing is wrong.
  static std::string faults(const std::string& xml) {
    std::string fault;
    const auto root = read_xml(xml, fault);
    if (!root) return fault;
    FmiRules rules;
    rules.check_root(*root);
    return rules.faults_;
  }

 private:
  enum class Type { text, number, whole, unsigned_whole, truth };
  struct Attribute {
    Type type = Type::text;
    bool required = false;
    std::set<std::string> values = {};
  };
  using Attributes = std::map<std::string, Attribute>;

  void fault(const XmlElement& at, const std::string& what) {
    faults_ += "line " + std::to_string(at.line) + ", " + at.name + ": " + what + "\n";
  }

  static bool is(Type type, const std::string& text) {
    double number = 0;
    const char *begin = text.data(), *end = begin + text.size();
    const auto read = std::from_chars(begin, end, number);
    const bool numeric = read.ec == std::errc() && read.ptr == end && !text.empty();
    const bool digits = !text.empty() && std::all_of(text.begin() + (text[0] == '-' ? 1 : 0), text.end(),
                                                     [](char c) { return c >= '0' && c <= '9'; });
    switch (type) {
      case Type::text:
        return text.find_first_of("\n\t\r") == std::string::npos;
      case Type::number:
        return numeric;
      case Type::whole:
        return digits;
      case Type::unsigned_whole:
        return digits && text[0] != '-';
      case Type::truth:
        return text == "true" || text == "false" || text == "0" || text == "1";
    }
    return false;
  }

  void check_attributes(const XmlElement& element, const Attributes& known) {
    std::set<std::string> seen;
    for (const auto& [name, value] : element.attributes) {
      const auto at = known.find(name);
      if (at == known.end()) {
        fault(element, "has an attribute '" + name + "' that the standard does not know");
        continue;
      }
      if (!seen.insert(name).second) fault(element, "has '" + name + "' twice");
      if (!is(at->second.type, value)) fault(element, name + "=\"" + value + "\" is of another type");
      if (!at->second.values.empty() && !at->second.values.contains(value))
        fault(element, name + "=\"" + value + "\" is not allowed");
    }
    for (const auto& [name, attribute] : known)
      if (attribute.required && !seen.contains(name)) fault(element, "lacks '" + name + "'");
  }

  /// Children in this order; those with + may come again and again, those with ! must come.
  void check_children(const XmlElement& element, const std::vector<std::string>& order) {
    std::size_t at = 0;
    std::map<std::string, int> count;
    for (const XmlElement& child : element.children) {
      ++count[child.name];
      std::size_t place = order.size();
      for (std::size_t i = 0; i < order.size(); ++i)
        if (order[i].substr(0, order[i].find_first_of("+!")) == child.name) place = i;
      if (place == order.size()) {
        fault(element, "holds a '" + child.name + "' that the standard does not know");
        continue;
      }
      if (place < at) fault(element, "holds '" + child.name + "' too late");
      at = std::max(at, place);
      if (count[child.name] > 1 && order[place].find('+') == std::string::npos)
        fault(element, "holds '" + child.name + "' twice");
    }
    for (const std::string& name : order)
      if (name.find('!') != std::string::npos && count[name.substr(0, name.find_first_of("+!"))] == 0)
        fault(element, "lacks a '" + name + "'");
  }

  void check_root(const XmlElement& root) {
    if (root.name != "fmiModelDescription") return fault(root, "must be fmiModelDescription");
    version_ = root.attribute("fmiVersion") == "2.0" ? 2 : 3;
    Attributes known = {{"fmiVersion", {Type::text, true, {"2.0", "3.0"}}},
                        {"modelName", {Type::text, true}},
                        {version_ == 2 ? "guid" : "instantiationToken", {Type::text, true}},
                        {"description", {}},
                        {"author", {}},
                        {"version", {}},
                        {"copyright", {}},
                        {"license", {}},
                        {"generationTool", {}},
                        {"generationDateAndTime", {}},
                        {"variableNamingConvention", {Type::text, false, {"flat", "structured"}}}};
    if (version_ == 2) known["numberOfEventIndicators"] = {Type::unsigned_whole};
    check_attributes(root, known);
    std::vector<std::string> order = {"ModelExchange", "CoSimulation!"};
    if (version_ == 3) order.push_back("ScheduledExecution");
    order.insert(order.end(), {"UnitDefinitions", "TypeDefinitions", "LogCategories", "DefaultExperiment"});
    if (version_ == 2) order.push_back("VendorAnnotations");
    order.insert(order.end(), {"ModelVariables!", "ModelStructure!"});
    if (version_ == 3) order.push_back("Annotations");
    check_children(root, order);
    for (const XmlElement& child : root.children) {
      if (child.name == "CoSimulation") check_co_simulation(child);
      if (child.name == "UnitDefinitions") check_units(child);
      if (child.name == "LogCategories") check_categories(child);
      if (child.name == "DefaultExperiment")
        check_attributes(child, {{"startTime", {Type::number}},
                                 {"stopTime", {Type::number}},
                                 {"tolerance", {Type::number}},
                                 {"stepSize", {Type::number}}});
      if (child.name == "ModelVariables") check_variables(child);
      if (child.name == "ModelStructure") check_structure(child);
    }
  }

  void check_co_simulation(const XmlElement& e) {
    const Attribute truth{Type::truth};
    Attributes known = {{"modelIdentifier", {Type::text, true}},
                        {"needsExecutionTool", truth},
                        {"canHandleVariableCommunicationStepSize", truth},
                        {"maxOutputDerivativeOrder", {Type::unsigned_whole}},
                        {"canBeInstantiatedOnlyOncePerProcess", truth}};
    const std::vector<std::string> more =
        version_ == 2 ? std::vector<std::string>{"canInterpolateInputs",
                                                 "canRunAsynchronuously",
                                                 "canNotUseMemoryManagementFunctions",
                                                 "canGetAndSetFMUstate",
                                                 "canSerializeFMUstate",
                                                 "providesDirectionalDerivative"}
                      : std::vector<std::string>{"canGetAndSetFMUState",
                                                 "canSerializeFMUState",
                                                 "providesDirectionalDerivatives",
                                                 "providesAdjointDerivatives",
                                                 "providesPerElementDependencies",
                                                 "providesIntermediateUpdate",
                                                 "mightReturnEarlyFromDoStep",
                                                 "canReturnEarlyAfterIntermediateUpdate",
                                                 "hasEventMode",
                                                 "providesEvaluateDiscreteStates"};
    for (const std::string& name : more) known[name] = truth;
    if (version_ == 3) known["fixedInternalStepSize"] = {Type::number};
    if (version_ == 3) known["recommendedIntermediateInputSmoothness"] = {Type::whole};
    check_attributes(e, known);
    check_children(
        e, version_ == 2 ? std::vector<std::string>{"SourceFiles"} : std::vector<std::string>{"Annotations"});
    const std::string identifier = e.attribute("modelIdentifier");
    const auto c = [](char x) {
      return (x >= 'a' && x <= 'z') || (x >= 'A' && x <= 'Z') || x == '_' || (x >= '0' && x <= '9');
    };
    if (identifier.empty() || !std::all_of(identifier.begin(), identifier.end(), c) ||
        (identifier[0] >= '0' && identifier[0] <= '9'))
      fault(e, "modelIdentifier is no identifier of C: " + identifier);
  }

  void check_units(const XmlElement& e) {
    check_children(e, {"Unit+!"});
    for (const XmlElement& unit : e.children) {
      check_attributes(unit, {{"name", {Type::text, true}}});
      check_children(unit, {"BaseUnit", "DisplayUnit+"});
      if (!units_.insert(unit.attribute("name")).second) fault(unit, "is defined twice");
      for (const XmlElement& base : unit.children) {
        Attributes known = {{"factor", {Type::number}}, {"offset", {Type::number}}};
        for (const char* name : {"kg", "m", "s", "A", "K", "mol", "cd", "rad"}) known[name] = {Type::whole};
        check_attributes(base, known);
      }
    }
  }

  void check_categories(const XmlElement& e) {
    check_children(e, {"Category+!"});
    std::set<std::string> names;
    for (const XmlElement& category : e.children) {
      check_attributes(category, {{"name", {Type::text, true}}, {"description", {}}});
      if (!names.insert(category.attribute("name")).second) fault(category, "is there twice");
    }
  }

  void check_variables(const XmlElement& e) {
    if (e.children.empty()) fault(e, "is empty");
    std::set<std::string> names;
    std::set<std::string> references;
    int independent = 0;
    for (const XmlElement& v : e.children) {
      const XmlElement* typed = &v;
      Attributes known = {
          {"name", {Type::text, true}},
          {"valueReference", {Type::unsigned_whole, true}},
          {"description", {}},
          {"causality",
           {Type::text,
            false,
            {"parameter", "calculatedParameter", "input", "output", "local", "independent"}}},
          {"variability", {Type::text, false, {"constant", "fixed", "tunable", "discrete", "continuous"}}},
          {"initial", {Type::text, false, {"exact", "approx", "calculated"}}}};
      Attributes real = {{"declaredType", {}},
                         {"quantity", {}},
                         {"unit", {}},
                         {"displayUnit", {}},
                         {"min", {Type::number}},
                         {"max", {Type::number}},
                         {"start", {Type::number}},
                         {"nominal", {Type::number}},
                         {"unbounded", {Type::truth}}};
      if (version_ == 2) {
        if (v.name != "ScalarVariable") fault(v, "is no ScalarVariable");
        check_attributes(v, known);
        check_children(v, {"Real!", "Annotations"});
        if (v.children.empty()) continue;
        typed = &v.children[0];
        check_attributes(*typed, real);
      } else {
        if (v.name != "Float64") fault(v, "is no Float64");
        real.merge(known);
        real["intermediateUpdate"] = {Type::truth};
        check_attributes(v, real);
      }
      if (!names.insert(v.attribute("name")).second)
        fault(v, "its name is there twice: " + v.attribute("name"));
      if (!references.insert(v.attribute("valueReference")).second)
        fault(v, "its valueReference is there twice");
      const std::string unit = typed->attribute("unit");
      if (!unit.empty() && !units_.contains(unit)) fault(v, "its unit is not defined: " + unit);
      const std::string causality = v.attribute("causality"), variability = v.attribute("variability"),
                        initial = v.attribute("initial");
      const bool start = !typed->attribute("start").empty();
      // The standard's table of what goes together, section 2.2.7 of FMI 2.0.4, 2.4.7.4 of FMI 3.0.2.
      if (causality == "parameter") {
        if (variability != "fixed" && variability != "tunable")
          fault(v, "a parameter must be fixed or tunable");
        if (!initial.empty() && initial != "exact") fault(v, "a parameter begins exactly");
        if (!start) fault(v, "a parameter has a start value");
      } else if (causality == "input") {
        if (variability != "continuous" && variability != "discrete")
          fault(v, "an input is continuous or discrete");
        if (!initial.empty()) fault(v, "an input has no 'initial'");
        if (!start) fault(v, "an input has a start value");
        inputs_.push_back(v.attribute("valueReference"));
      } else if (causality == "output") {
        if (variability != "continuous" && variability != "discrete")
          fault(v, "this output is continuous or discrete");
        if (initial == "calculated" && start) fault(v, "what is calculated has no start value");
        if (initial != "calculated") fault(v, "an output of ours is calculated");
        outputs_.push_back(version_ == 2 ? std::to_string(&v - e.children.data() + 1)
                                         : v.attribute("valueReference"));
      } else if (causality == "independent") {
        ++independent;
        if (variability != "continuous") fault(v, "time is continuous");
        if (!initial.empty() || start) fault(v, "time has no start");
      } else {
        fault(v, "is of causality '" + causality + "'");
      }
    }
    if (independent > 1 || (version_ == 3 && independent != 1))
      fault(e, "must have one independent variable");
  }

  void check_structure(const XmlElement& e) {
    std::vector<std::string> outputs, unknowns;
    if (version_ == 2) {
      check_children(e, {"Outputs", "Derivatives", "InitialUnknowns"});
      for (const XmlElement& list : e.children) {
        check_children(list, {"Unknown+!"});
        for (const XmlElement& unknown : list.children) {
          check_attributes(
              unknown,
              {{"index", {Type::unsigned_whole, true}}, {"dependencies", {}}, {"dependenciesKind", {}}});
          (list.name == "Outputs" ? outputs : unknowns).push_back(unknown.attribute("index"));
        }
      }
    } else {
      check_children(e, {"Output+", "ContinuousStateDerivative+", "ClockedState+", "InitialUnknown+",
                         "EventIndicator+"});
      for (const XmlElement& unknown : e.children) {
        check_attributes(unknown, {{"valueReference", {Type::unsigned_whole, true}},
                                   {"dependencies", {}},
                                   {"dependenciesKind", {}}});
        (unknown.name == "Output" ? outputs : unknowns).push_back(unknown.attribute("valueReference"));
      }
    }
    if (outputs != outputs_) fault(e, "must list all outputs");
    if (unknowns != outputs_)
      fault(e, "must list all that is calculated at the start, in the order of the variables");
  }

  int version_ = 2;
  std::string faults_;
  std::set<std::string> units_;
  std::vector<std::string> inputs_, outputs_;
};

}  // namespace tappet::testing
