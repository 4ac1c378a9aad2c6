// The sources of the interface that every FMU of ours holds (app/fmu), as texts: they are built into the library.
#pragma once

#include <string>
#include <vector>

namespace tappet {

struct FmuSource {
  std::string name, text;
};
const std::vector<FmuSource>& fmu_sources();

}  // namespace tappet
