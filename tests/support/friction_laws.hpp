// A text for each registered friction law, so that a law that is added is among what tests try.
#pragma once
#include <algorithm>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "tappet/contact/friction_law.hpp"

namespace tappet::testing {

/// "law: NAME" with a number for each key that the law requires, without braces: `coefficient` and `dynamic` as given, `static`
/// wherever there is the key, and for speeds 2, 4, 8 … units. `none` is left out.
inline std::vector<std::string> friction_laws(double sliding, double holding, double speed_unit = 1e-3) {
  std::vector<std::string> out;
  for (const FrictionLawType& type : FrictionLawRegistry::instance().entries()) {
    if (type.name == "none") continue;
    std::string law = "law: " + type.name;
    double speed = speed_unit;
    for (const Parameter& p : type.table.parameters) {
      if (p.name == "static")
        law += fmt::format(", static: {}", holding);
      else if (!p.required)
        continue;
      else if (p.name == "coefficient" || p.name == "dynamic")
        law += fmt::format(", {}: {}", p.name, sliding);
      else
        law += fmt::format(", {}: {}", p.name, speed *= 2);
    }
    out.push_back(law);
  }
  return out;
}

}  // namespace tappet::testing
