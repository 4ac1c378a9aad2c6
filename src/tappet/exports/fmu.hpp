// A model as an FMU for co-simulation, FMI 2.0 or 3.0: an archive with its description, the model with every file that it reads, the shared
// object that runs it, and the source of what is Tappet's interface in it.
//
//   modelDescription.xml   documentation/   sources/   resources/model.yaml, variables.txt and the model's files
//   binaries/linux64/NAME.so (2.0)   binaries/x86_64-linux/NAME.so (3.0)
#pragma once

#include <string>
#include <vector>

#include "tappet/spec/spec.hpp"

namespace tappet {

struct FmuOptions {
  int version = 2;                        ///< of FMI, 2 or 3
  std::vector<std::string> outputs = {};  ///< signals or patterns; empty: what the model records
  std::vector<std::string> parameters =
      {};  ///< paths as settings have them, or patterns; empty: every number of the model
};

struct FmuExport {
  std::string bytes;       ///< of the archive
  std::string identifier;  ///< name of its shared object
  std::vector<std::string> inputs, outputs, parameters;
  std::vector<std::string> files;  ///< of the model, as they are called in its resources
  std::vector<std::string> warnings;
};

/// Throws InputError: for a model that does not compile, a name that nothing has, and where this Tappet was built without what FMUs need.
FmuExport make_fmu(const Spec& spec, const FmuOptions& options);

/// What it was built without, with what to install; "": it can make FMUs.
std::string fmu_obstacle();

}  // namespace tappet
