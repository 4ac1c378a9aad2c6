// Names of units. Private to base/.
#pragma once

#include <optional>
#include <string>

#include "tappet/base/unit.hpp"

namespace tappet {

/// What a name with its prefix means, "mm" or "newton", by UDUNITS-2; nothing for one that it does not know. Throws UnitError where its
/// database is missing.
std::optional<Unit> unit_of_name(const std::string& name);

}  // namespace tappet
