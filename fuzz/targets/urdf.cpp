// Robots described in URDF: what is imported is a model that can be written, read again and checked.
#include "tappet/imports/urdf.hpp"

#include <string>

#include "tappet/model/compile.hpp"
#include "tappet/model/model.hpp"
#include "tappet/spec/spec.hpp"
#include "target.hpp"

namespace tappet::fuzz::urdf_target {
namespace {

void run(std::string_view input) {
  try {
    // The first byte chooses the options.
    const bool repair = !input.empty() && input.back() % 2 == 1;
    const UrdfImport robot =
        import_urdf_text(std::string(input), "fuzz.urdf", {.repair = repair, .stops = repair});
    Diagnostics diagnostics;
    compile(spec_from_text(to_yaml(robot.model), "fuzz.yaml"), diagnostics);
  } catch (const InputError&) {
  }
}

const Registration<FuzzTarget> registered{{.name = "urdf",
                                           .help = "robots described in URDF, imported and checked",
                                           .examples = {".urdf"},
                                           .run = run,
                                           .words = {"<robot name=\"r\">",
                                                     "</robot>",
                                                     "<link name=\"a\">",
                                                     "</link>",
                                                     "<inertial>",
                                                     "<mass value=\"",
                                                     "<inertia ixx=\"1\" ",
                                                     "<origin xyz=\"",
                                                     "rpy=\"",
                                                     "<joint name=\"j\" type=\"",
                                                     "revolute",
                                                     "continuous",
                                                     "prismatic",
                                                     "fixed",
                                                     "floating",
                                                     "planar",
                                                     "<parent link=\"",
                                                     "<child link=\"",
                                                     "<axis xyz=\"0 0 0\"/>",
                                                     "<limit ",
                                                     "<mimic joint=\"j\" multiplier=\"",
                                                     "<dynamics damping=\"",
                                                     "<collision>",
                                                     "<visual>",
                                                     "<geometry>",
                                                     "<box size=\"",
                                                     "<cylinder radius=\"",
                                                     "<sphere radius=\"",
                                                     "<mesh filename=\"",
                                                     "<safety_controller",
                                                     "<transmission",
                                                     "<gazebo",
                                                     "nan",
                                                     "inf",
                                                     "-1",
                                                     "1e400",
                                                     "&lt;",
                                                     "<!DOCTYPE"}}};

}  // namespace
}  // namespace tappet::fuzz::urdf_target
