// modelDescription.xml and buildDescription.xml of a Tappet model.
#pragma once

#include <string>
#include <vector>

namespace tappet {

struct FmuVariable {
  unsigned reference = 0;
  char kind = 0;  ///< 't'ime, 'i'nput, 'o'utput, 'p'arameter
  std::string name, unit, help;
  double start = 0;  ///< of inputs and parameters, in the SI
};

struct FmuFacts {
  int version = 2;
  std::string name, identifier, token, title;
  double duration = 0, step = 0, tolerance = 0;
  bool gets_state = true;  ///< a state can be taken, and gone on from
  bool has_impacts = true;
  std::vector<FmuVariable> variables;  ///< time first
};

/// Without pugixml empty texts.
std::string fmu_description(const FmuFacts& facts);
std::string fmu_build_description(const FmuFacts& facts, const std::vector<std::string>& sources);

}  // namespace tappet
