// Where the sources and what was built from them lie. Only paths.cpp is compiled with these paths: the objects of all other tests are the
// same in every checkout, and a compiler cache finds them again.
#pragma once

#include <string>

namespace tappet::testing {

std::string source_dir();
std::string program();         ///< tappet
std::string faults_library();  ///< what makes calls of the operating system's fail; "" with a sanitiser
std::string pid_library();     ///< the controller that the tests pack; "" without FMI, as the next
std::string fmi_importer();    ///< not ours; "" with a sanitiser: it cannot load what has one

}  // namespace tappet::testing
