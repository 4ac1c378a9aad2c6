// kill -9 at random instants, over all methods and kinds of contact: a run that is resumed as often as it was killed ends in the
// state of one that was left alone, to the last bit.
//
// TAPPET_KILLS: how many kills all cases together get.
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <functional>
#include <random>
#include <signal.h>
#include <string>
#include <unistd.h>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "regressions/program.hpp"
#include "support/flexible_crank.hpp"
#include "support/paths.hpp"
#include "tappet/results/result_file.hpp"

namespace tappet::test::cli_kill_test {
namespace {

/// Balls that fall on the ground and on each other, a group that touches anywhere.
std::string pile(const std::string& contact, const std::string& simulation, int count = 18) {
  std::string text =
      "tappet: 1\ndimension: spatial\ngravity: [0, 0, -9.81]\n"
      "ground: {shapes: {floor: {plane: {normal: [0, 0, 1], point: [0, 0, 0]}}}}\nbodies:\n";
  for (int i = 0; i < count; ++i)
    text += fmt::format(
        "  b{}: {{density: 1000, position: [{}, {}, {}], shapes: {{s: {{sphere: {{radius: 0.05}}}}}}}}\n", i,
        0.09 * (i % 3) + 0.003 * i, 0.09 * (i / 3 % 3) - 0.002 * i, 0.06 + 0.11 * (i / 9));
  text += fmt::format(
      "contacts:\n  balls: {{between: [\"b*.s\", \"b*.s\"], {0}, group: true}}\n"
      "  floor: {{between: [ground.floor, \"b*.s\"], {0}, group: true}}\n",
      contact);
  return text + "simulation: {" + simulation + "}\noutput: {step: 0.01}\n";
}

/// A slider-crank whose rod bends.
std::string flexible(const std::string& simulation) {
  testing::FlexibleCrank crank;
  crank.simulation = simulation;
  return crank.text();
}

struct Killed {
  std::string name, example;  ///< under examples/, or a model's text
  std::vector<std::string> settings;
};

void PrintTo(const Killed& c, std::ostream* out) {
  *out << c.name;
}

std::vector<Killed> cases() {
  return {
      {"smooth_dopri5",
       "slider_crank/clearance.yaml",
       {"simulation.duration=60 ms", "simulation.integrator=dopri5"}},
      {"smooth_dop853", "slider_crank/spatial.yaml", {"simulation.duration=30 ms"}},
      {"smooth_adams", "slider_crank/ideal.yaml", {"simulation.duration=1 s", "simulation.integrator=adams"}},
      {"smooth_bdf",
       "slider_crank/clearance.yaml",
       {"simulation.duration=2 ms", "simulation.integrator=bdf"}},
      {"smooth_many", "hexapod/hexapod.yaml", {"simulation.duration=1 s"}},
      {"event_driven", "woodpecker/toy.yaml", {"simulation.duration=4 s"}},
      {"event_driven_space", "rattleback/rattleback.yaml", {}},
      {"moreau",
       "woodpecker/toy.yaml",
       {"simulation.method=moreau", "simulation.step=5 us", "simulation.duration=1 s"}},
      {"smooth_group", pile("normal: {law: flores, stiffness: 1e6, restitution: 0.3}", "duration: 20"), {}},
      {"moreau_group",
       pile("normal: {restitution: 0.3}, friction: {coefficient: 0.3}",
            "method: moreau, duration: 1, step: 0.2 ms"),
       {}},
      {"moreau_wall", "wall/wall.yaml", {"simulation.duration=2 s"}},
      {"event_driven_group",
       pile("normal: {restitution: 0.3}, friction: {coefficient: 0.3}", "method: event-driven, duration: 40",
            6),
       {}},
      {"smooth_flexible", flexible("duration: 0.3, tolerance: 1e-8"), {}},
      {"moreau_flexible", flexible("method: moreau, step: 5e-6, duration: 0.5"), {}},
      {"smooth_states", "balance/balance.yaml", {"simulation.duration=1200 s"}},
      {"moreau_structure", "bouncing_shell/shell.yaml", {"simulation.duration=20 ms"}},
      {"smooth_structure",
       "tappet: 1\ndimension: spatial\ngravity: [0, 0, -9.81]\nmaterials: {m: {young: 1e6, poisson: 0.3, "
       "density: "
       "100}}\n"
       "bodies:\n  block: {position: [0, 0, 0.02], structure: {generate: {block: {size: [1, 1, 0.1], "
       "divisions: [4, 4, "
       "1]}}, material: m}}\n"
       "  ball: {mass: 2, inertia: [0.1, 0.1, 0.1], position: [0.4, 0.5, 0.4], shapes: {skin: {sphere: "
       "{radius: "
       "0.2}}}}\n"
       "ground: {shapes: {floor: {plane: {normal: [0, 0, 1]}}}}\n"
       "contacts:\n  hit: {between: [ground.floor, block.zmin], normal: {law: flores, stiffness: 1e6, "
       "restitution: 0.5}}\n"
       "  drop: {between: [block.zmax, ball.skin], normal: {law: hertz, stiffness: 1e6}}\n"
       "simulation: {method: smooth, duration: 0.3, tolerance: 1e-5}\noutput: {step: 1e-3}\n",
       {}},
      {"moreau_faces", "block_on_plate/block.yaml", {"simulation.duration=20 ms"}},
  };
}

int kills_of_a_case() {
  const char* all = std::getenv("TAPPET_KILLS");
  const int count = static_cast<int>(cases().size());
  return all ? (std::max(std::atoi(all), 1) + count - 1) / count : 2;
}

class CliKillTest : public ProgramTest, public ::testing::WithParamInterface<Killed> {};

TEST_P(CliKillTest, EndsInTheSameState) {
  const Killed& c = GetParam();
  const bool is_text = c.example.find("tappet: 1") != std::string::npos;
  if (is_text) write("model.yaml", c.example);
  const auto arguments = [&](const std::string& result) {
    std::vector<std::string> out = {
        "run",  is_text ? path("model.yaml") : testing::source_dir() + "/examples/" + c.example,
        "-q",   "-o",
        result, "--checkpoint-interval",
        "0.002"};
    for (const std::string& setting : c.settings) out.insert(out.end(), {"--set", setting});
    return out;
  };
  const auto begun = std::chrono::steady_clock::now();
  ASSERT_EQ(run(arguments("whole.h5")).status, 0);
  const auto taken =
      std::chrono::duration_cast<std::chrono::microseconds>(std::chrono::steady_clock::now() - begun);
  const auto whole = ResultFile(path("whole.h5")).last_checkpoint();
  ASSERT_TRUE(whole);

  auto again = arguments("killed.h5");
  again.push_back("--resume");
  std::mt19937 draw(static_cast<unsigned>(std::hash<std::string>{}(c.name)));
  // At any moment of a run, however long it takes on this machine; most kills are to find some of it done.
  std::uniform_int_distribution<long> microseconds(2000, std::max<long>(taken.count(), 20'000));
  int kills = 0, ends = 0, resumable = 0;
  const auto expect_whole = [&] {
    const ResultFile pieced(path("killed.h5"));
    ASSERT_EQ(pieced.status(), "completed");
    const auto end = pieced.last_checkpoint();
    ASSERT_TRUE(end);
    EXPECT_EQ(end->samples, whole->samples);
    EXPECT_EQ(end->impacts, whole->impacts);
    EXPECT_EQ(end->events, whole->events);
    ASSERT_TRUE(end->state == whole->state) << "after " << kills << " kills";
    ++ends;
  };
  while (kills < kills_of_a_case()) {
    const pid_t child = start(again);
    ::usleep(static_cast<useconds_t>(microseconds(draw)));
    ::kill(child, SIGKILL);
    const Outcome outcome = wait(child);
    if (outcome.status == 128 + SIGKILL) {
      ++kills;
      resumable += exists("killed.h5") && ResultFile(path("killed.h5")).last_checkpoint().has_value();
      continue;
    }
    // It had ended before.
    ASSERT_EQ(outcome.status, 0) << outcome.err;
    expect_whole();
    if (HasFatalFailure()) return;
    std::filesystem::remove(path("killed.h5"));
  }
  const Outcome rest = run(again);
  ASSERT_EQ(rest.status, 0) << rest.err;
  expect_whole();
  EXPECT_GE(ends, 1);
  // A run that is over before it has written anything would show nothing.
  EXPECT_TRUE(kills < 8 || 4 * resumable >= kills) << resumable << " of " << kills;
  std::printf("%d kills, %d of them of runs that can be resumed, %d ends in the same state\n", kills,
              resumable, ends);
}

INSTANTIATE_TEST_SUITE_P(Table, CliKillTest, ::testing::ValuesIn(cases()),
                         [](const auto& info) { return info.param.name; });

}  // namespace
}  // namespace tappet::test::cli_kill_test
