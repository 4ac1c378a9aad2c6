// The program's version, stored in every result.
#pragma once

namespace tappet {

const char* version();

}  // namespace tappet
