// Where the room fem, further down, says what `structure` of a body may hold.
#pragma once

#include "tappet/base/table.hpp"

namespace tappet {

/// Empty until fem fills it in, before main().
Table& structure_table();

}  // namespace tappet
