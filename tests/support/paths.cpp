#include "support/paths.hpp"

// Not every build has them.
#ifndef TAPPET_FAULTS_LIBRARY
#define TAPPET_FAULTS_LIBRARY ""
#endif
#ifndef TAPPET_PID_FMU
#define TAPPET_PID_FMU ""
#define TAPPET_FMI_IMPORTER ""
#endif

namespace tappet::testing {

std::string source_dir() {
  return TAPPET_SOURCE_DIR;
}
std::string program() {
  return TAPPET_PROGRAM;
}
std::string faults_library() {
  return TAPPET_FAULTS_LIBRARY;
}
std::string pid_library() {
  return TAPPET_PID_FMU;
}
std::string fmi_importer() {
  return TAPPET_FMI_IMPORTER;
}

}  // namespace tappet::testing
