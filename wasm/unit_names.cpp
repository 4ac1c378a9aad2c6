// Names of units from a table that UDUNITS-2 made (unit_table.cpp), since UDUNITS-2 itself is not here.
#include "tappet/base/unit_names.hpp"

#include <map>

namespace tappet {

std::optional<Unit> unit_of_name(const std::string& name) {
  static const std::map<std::string, Unit> table = {
#include "unit_table.inc"
  };
  const auto found = table.find(name);
  if (found == table.end()) return std::nullopt;
  return found->second;
}

}  // namespace tappet
