#include "tappet/base/version.hpp"

namespace tappet {

const char* version() { return "0.1.0"; }

}  // namespace tappet
