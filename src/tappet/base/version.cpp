#include "tappet/base/version.hpp"

namespace tappet {

// The number is the project's in CMakeLists.txt, handed over by the build.
const char* version() {
  return TAPPET_VERSION;
}

}  // namespace tappet
