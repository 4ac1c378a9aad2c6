// Where a room further down says what `flexible` of a body may hold.
#pragma once

#include "tappet/base/table.hpp"

namespace tappet {

/// Empty until that room fills it in, before main().
Table& flexible_table();

}  // namespace tappet
