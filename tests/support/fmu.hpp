// FMUs for tests: the PID of examples/fmu/pid.c, packed, and FMUs unpacked for an importer.
#pragma once

#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

#include <fmt/format.h>

#include "support/paths.hpp"
#include "tappet/fmi/archive.hpp"

namespace tappet::testing {

inline std::string bytes_of(const std::filesystem::path& file) {
  std::ifstream in(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

struct PidFmu {
  int version = 2;
  std::string token = "pid-token";
  bool serialises = true, co_simulation = true, once = false;
  std::string folder = "";  ///< of its binary; "": that of this platform
  std::string input_unit = "", more = "";
};

inline std::string pid_description(const PidFmu& fmu) {
  const bool two = fmu.version == 2;
  const std::string flags =
      two ? fmt::format("canGetAndSetFMUstate=\"{0}\" canSerializeFMUstate=\"{0}\"", fmu.serialises)
          : fmt::format("canGetAndSetFMUState=\"{0}\" canSerializeFMUState=\"{0}\"", fmu.serialises);
  std::string out = fmt::format(
      "<?xml version=\"1.0\"?>\n<fmiModelDescription fmiVersion=\"{}.0\" modelName=\"pid\" {}=\"{}\">\n",
      fmu.version, two ? "guid" : "instantiationToken", fmu.token);
  out += fmt::format("<{} modelIdentifier=\"pid\" {} canBeInstantiatedOnlyOncePerProcess=\"{}\"/>\n",
                     fmu.co_simulation ? "CoSimulation" : "ModelExchange", flags, fmu.once);
  if (!fmu.input_unit.empty()) out += "<UnitDefinitions>" + fmu.input_unit + "</UnitDefinitions>\n";
  out += "<ModelVariables>\n";
  const auto variable = [&](const char* name, int reference, const char* causality,
                            const std::string& attributes) {
    const char* variability = std::string(causality) == "parameter" ? "fixed" : "continuous";
    out += two ? fmt::format(
                     "<ScalarVariable name=\"{}\" valueReference=\"{}\" causality=\"{}\" "
                     "variability=\"{}\"><Real "
                     "{}/></ScalarVariable>\n",
                     name, reference, causality, variability, attributes)
               : fmt::format(
                     "<Float64 name=\"{}\" valueReference=\"{}\" causality=\"{}\" variability=\"{}\" {}/>\n",
                     name, reference, causality, variability, attributes);
  };
  variable("e", 1, "input", fmu.input_unit.empty() ? "start=\"0\"" : "start=\"0\" unit=\"own\"");
  variable("u", 2, "output", "");
  variable("kp", 3, "parameter", "start=\"0\"");
  variable("ki", 4, "parameter", "start=\"0\"");
  variable("kd", 5, "parameter", "start=\"0\"");
  variable("fail_at", 6, "parameter", "start=\"1e300\"");
  return out + fmu.more + "</ModelVariables>\n<ModelStructure/>\n</fmiModelDescription>\n";
}

#ifdef TAPPET_FMI
inline std::string pid_fmu(const PidFmu& fmu = {}) {
  fmi::ArchiveWriter archive;
  archive.add("modelDescription.xml", pid_description(fmu));
  const std::string folder = !fmu.folder.empty() ? fmu.folder
                             : fmu.version == 2  ? "binaries/linux64/"
                                                 : "binaries/x86_64-linux/";
  archive.add(folder + "pid.so", bytes_of(pid_library()));
  return archive.finish();
}
#endif

/// All of its files beneath a folder.
inline void unpack(const std::string& bytes, const std::filesystem::path& folder) {
  const fmi::Archive archive(bytes);
  for (const std::string& name : archive.names()) {
    std::filesystem::create_directories((folder / name).parent_path());
    std::ofstream(folder / name, std::ios::binary) << archive.read(name);
  }
}

/// A rod on a cart, held up by that PID: e = 0.1 x − φ of the cart's place and the rod's angle.
inline std::string held_rod(const std::string& controllers, const std::string& method = "method: smooth") {
  return fmt::format(R"(tappet: 1
gravity: [0, -9.81]
inputs: {{push: {{unit: N}}}}
bodies:
  cart: {{mass: 1 kg, inertia: 0.01 kg m^2}}
  rod: {{mass: 0.2 kg, inertia: 0.006 kg m^2, angle: 5 deg, position: [-0.026146722824297, 0.298858409427523]}}
joints:
  rail: {{type: translational, bodies: [ground, cart], points: [[0, 0], [0, 0]], axis: [1, 0]}}
  pivot: {{type: revolute, bodies: [cart, rod], points: [[0, 0], [0, -0.3]]}}
forces:
  drive: {{type: force, body: cart, force: [push, 0]}}
{}
simulation: {{{}, duration: 8 s}}
output: {{step: 5 ms}}
)",
                     controllers, method);
}
inline const std::string pid_section =
    "controllers:\n  pid:\n    fmu: pid.fmu\n    inputs: {e: '0.1*cart.x - rod.angle'}\n    outputs: {u: "
    "push}\n"
    "    parameters: {kp: 25, ki: 20, kd: 3}\n    step: 5 ms\n";

}  // namespace tappet::testing
