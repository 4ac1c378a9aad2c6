// Every method with every kind of contact: a run taken up again at any instant ends in the same state, bit for bit.
#include "support/resume.hpp"

#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "support/run_model.hpp"

namespace tappet::testing::resume_test {
namespace {

struct Case {
  std::string name;     ///< method_kind
  std::string example;  ///< under examples/
  std::vector<std::string> settings;
};

void PrintTo(const Case& c, std::ostream* out) {
  *out << c.name;
}

class Resumes : public ::testing::TestWithParam<Case> {};

TEST_P(Resumes, InTheSameState) {
  const Case& c = GetParam();
  expect_resumes(*model_of_example(c.example, c.settings));
}

std::vector<std::string> integrated(const std::string& integrator, const std::string& duration) {
  return {"simulation.integrator=" + integrator, "simulation.duration=" + duration,
          "simulation.tolerance=1e-7"};
}
/// A law of penetration says nothing about restitution.
std::vector<std::string> bouncing(std::vector<std::string> settings) {
  settings.push_back("contacts.bounce.normal.restitution=0.8");
  return settings;
}
std::vector<std::string> stepped(const std::string& step, const std::string& duration) {
  return {"simulation.method=moreau", "simulation.step=" + step, "simulation.duration=" + duration};
}

std::vector<Case> cases() {
  std::vector<Case> out;
  for (const std::string integrator : {"dopri5", "dop853", "adams", "bdf"}) {
    // A joint without contact; a ball with regularised friction; a journal in the plane and in space; a guide; friction that sticks.
    out.push_back(
        {"smooth_joints_" + integrator, "four_bar_chain/two.yaml", integrated(integrator, "0.3 s")});
    out.push_back(
        {"smooth_followed_" + integrator, "rolling_ball/rolling.yaml", integrated(integrator, "0.2 s")});
    out.push_back(
        {"smooth_journal_" + integrator, "slider_crank/clearance.yaml", integrated(integrator, "6 ms")});
    out.push_back(
        {"smooth_sticks_" + integrator, "reproduce/pushed_block.yaml", integrated(integrator, "2 s")});
  }
  out.push_back({"smooth_journal_in_space", "slider_crank/spatial.yaml", integrated("dop853", "4 ms")});
  out.push_back({"smooth_guide", "translational_clearance/model.yaml", integrated("dop853", "10 ms")});
  out.push_back({"smooth_face", "engines/coin.yaml", integrated("dopri5", "0.1 s")});
  out.push_back({"smooth_many_followed", "hexapod/hexapod.yaml", {"simulation.duration=0.3 s"}});
  out.push_back({"smooth_fixed_step",
                 "slider_crank/ideal.yaml",
                 {"simulation.step=0.1 ms", "simulation.duration=20 ms"}});
  out.push_back(
      {"event_driven_ball", "bouncing_ball/impact.yaml", bouncing({"simulation.method=event-driven"})});
  out.push_back({"event_driven_sticks", "woodpecker/toy.yaml", {"simulation.duration=0.4 s"}});
  out.push_back({"event_driven_corners", "rocking_block/rocking.yaml", {}});
  out.push_back({"event_driven_motion", "cam_tappet/cam.yaml", {}});
  out.push_back({"event_driven_in_space", "rattleback/rattleback.yaml", {"simulation.duration=1 s"}});
  out.push_back({"event_driven_journal", "slider_crank/methods.yaml", {"simulation.method=event-driven"}});
  out.push_back({"moreau_ball", "bouncing_ball/impact.yaml", bouncing(stepped("1 ms", "1.5 s"))});
  out.push_back({"moreau_sticks", "woodpecker/toy.yaml", stepped("0.1 ms", "0.4 s")});
  out.push_back({"moreau_in_space", "rattleback/rattleback.yaml", stepped("1 ms", "1 s")});
  out.push_back({"moreau_journal", "slider_crank/methods.yaml", stepped("2 us", "1.5 ms")});
  out.push_back({"moreau_redundant_joints", "hexapod/hexapod.yaml", stepped("2 ms", "0.4 s")});
  out.push_back({"moreau_many_followed", "wall/wall.yaml", {"simulation.duration=0.6 s"}});
  out.push_back({"moreau_structure_nodes",
                 "bouncing_shell/shell.yaml",
                 {"simulation.duration=20 ms", "simulation.step=0.2 ms"}});
  out.push_back({"moreau_structure_faces",
                 "block_on_plate/block.yaml",
                 {"simulation.duration=20 ms", "simulation.step=0.2 ms"}});
  out.push_back({"moreau_structure_attached",
                 "machine_on_frame/machine.yaml",
                 {"simulation.duration=50 ms", "simulation.step=1 ms"}});
  return out;
}

INSTANTIATE_TEST_SUITE_P(Table, Resumes, ::testing::ValuesIn(cases()),
                         [](const auto& info) { return info.param.name; });

}  // namespace
}  // namespace tappet::testing::resume_test
