// The page of viewer/ as the build made it.
#pragma once

#include <string_view>

namespace tappet {

/// HTML that shows what stands between its two data marks; empty if the build could not fetch its libraries.
std::string_view viewer_page();

}  // namespace tappet
