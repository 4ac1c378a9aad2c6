// Rows of the table of structures, for other tables that have them too.
#pragma once

#include <string>

#include "tappet/base/table.hpp"

namespace tappet::fem {

/// Of that name, which must be there.
const Parameter& structure_row(const std::string& name);

}  // namespace tappet::fem
