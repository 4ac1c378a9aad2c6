// FMUs as files: archives and descriptions that somebody else wrote. Nothing of them is run.
#include <string>

#include "tappet/fmi/package.hpp"
#include "target.hpp"

namespace tappet::fuzz::fmu_target {
namespace {

void run(std::string_view input) {
  std::string fault;
  const auto package = fmi::open_package_bytes(std::string(input), "fuzz.fmu", fault);
  if (!package && fault.empty()) throw Contradiction("an FMU is refused without a word");
  // The description alone: most bytes that are changed in an archive are only a wrong checksum.
  fault.clear();
  const auto description = fmi::read_description(std::string(input), fault);
  if (!description && fault.empty()) throw Contradiction("a description is refused without a word");
  try {
    const fmi::Archive archive{std::string(input)};
    for (const std::string& name : archive.names()) archive.read(name, 1 << 20);
  } catch (const fmi::ArchiveError&) {
  }
}

const Registration<FuzzTarget> registered{{.name = "fmu",
                                           .help = "FMUs: archives and their descriptions",
                                           .examples = {".fmu"},
                                           .run = run,
                                           .words = {"PK\x03\x04",
                                                     "PK\x01\x02",
                                                     "PK\x05\x06",
                                                     "modelDescription.xml",
                                                     "binaries/linux64/",
                                                     "../",
                                                     "<fmiModelDescription fmiVersion=\"2.0\"",
                                                     "<fmiModelDescription fmiVersion=\"3.0\"",
                                                     "<CoSimulation modelIdentifier=\"",
                                                     "<ModelVariables>",
                                                     "<ScalarVariable name=\"x\" valueReference=\"1\"",
                                                     "<Float64 name=\"x\" valueReference=\"1\"",
                                                     "causality=\"input\"",
                                                     "<Real start=\"0\"/>",
                                                     "<Unit name=\"m\"><BaseUnit m=\"1\" factor=\"",
                                                     "<Dimension start=\"2\"/>",
                                                     "4294967296",
                                                     "-1",
                                                     "&lt;",
                                                     "<!DOCTYPE",
                                                     "<!ENTITY"}}};

}  // namespace
}  // namespace tappet::fuzz::fmu_target
