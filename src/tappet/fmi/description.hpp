// modelDescription.xml of an FMU: what it is, what it can do and which variables it has. Reading it runs nothing.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <vector>

namespace tappet::fmi {

/// What can be exchanged with an FMU: FMI 2's Real, Integer and Boolean, FMI 3's Float64, Int32 and Boolean.
enum class ValueType { real, integer, boolean, other };

struct Variable {
  std::string name;
  unsigned reference = 0;  ///< valueReference
  ValueType type = ValueType::other;
  std::string type_name;  ///< as written: "Real", "Float32"
  std::string causality;  ///< "input", "output", "parameter", …; "local" where none is written
  std::string unit;       ///< a name in Description::units, or ""
  std::string start;      ///< as written; ""
  bool array = false;     ///< FMI 3: it has dimensions
};

/// value in SI's base units = factor · value + offset
struct DescribedUnit {
  std::string name;
  bool known = false;           ///< its base units are written
  std::array<int, 8> powers{};  ///< of m, kg, s, A, K, mol, cd, rad
  double factor = 1, offset = 0;
};

struct Description {
  int version = 0;                            ///< 2 or 3
  std::string model_name, token, identifier;  ///< guid or instantiationToken; name of the shared object
  bool co_simulation = false;
  bool needs_execution_tool = false, only_once_per_process = false;
  bool gets_state = false, serialises_state = false;
  std::vector<Variable> variables;
  std::vector<DescribedUnit> units;

  const Variable* find(const std::string& name) const;       ///< null: there is none
  const DescribedUnit* unit(const std::string& name) const;  ///< likewise
  /// "input: e, r"; at most `limit`.
  std::vector<std::string> names(const std::string& causality) const;
};

/// Nothing where the text is not a description of FMI 2 or 3; `fault` then goes on after the file's name.
std::optional<Description> read_description(const std::string& text, std::string& fault);

}  // namespace tappet::fmi
