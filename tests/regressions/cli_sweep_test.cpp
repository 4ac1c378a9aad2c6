// Studies as a user runs them: killed, resumed, under mpirun, with faults.
#include <cstdlib>
#include <signal.h>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "regressions/program.hpp"
#include "support/paths.hpp"

namespace tappet::test::cli_sweep_test {
namespace {

using ::testing::HasSubstr;

class CliSweepTest : public ProgramTest {
 protected:
  /// Some runs of the slider-crank with clearance, each of a few revolutions.
  void write_study(int runs, const std::string& extra = "") const {
    write("study.yaml",
          "study: 1\nmodel: " + testing::source_dir() +
              "/examples/slider_crank/clearance.yaml\n"
              "parameters:\n  clearance: {from: 0.05 mm, to: 0.5 mm, count: " +
              std::to_string(runs) +
              "}\nset: [\"joints.wrist.clearance.journal_radius=10 - ${clearance} mm\", "
              "simulation.duration=36 ms]\nrevolution: crank.angle\n"
              "metrics:\n  peak: max(abs(motor.torque))\n  section: {section: slider.vx, last: 2}\n" +
              extra);
  }
};

TEST_F(CliSweepTest, WritesTablesAndPictures) {
  write_study(3, "plots: {diagram: {x: clearance, y: section}, peak: {x: clearance, y: peak}}\n");
  const Outcome outcome = run({"sweep", "study.yaml"});
  EXPECT_EQ(outcome.status, 0) << outcome.err;
  EXPECT_EQ(outcome.err, "");  // no progress when piped
  EXPECT_THAT(outcome.out, HasSubstr("3 runs: 3 done, 0 failed"));
  EXPECT_THAT(text("study.csv"), HasSubstr("run,clearance [mm],peak [N m],status,reason\n0,0.05,"));
  EXPECT_THAT(text("study_section.csv"), HasSubstr("run,clearance [mm],time [s],section [m/s]\n"));
  EXPECT_THAT(text("study_diagram.svg"), HasSubstr("clearance [mm]"));
  EXPECT_TRUE(exists("study_peak.svg"));
  EXPECT_FALSE(exists("study.journal"));
}

TEST_F(CliSweepTest, KilledStudiesGoOnToTheSameFile) {
  write_study(60);
  ASSERT_EQ(run({"sweep", "study.yaml", "-q", "-o", "whole.csv"}).status, 0);
  const pid_t child = start({"sweep", "study.yaml", "-q", "-o", "killed.csv", "-j", "2"});
  // Until some rows are in the journal.
  for (int i = 0; i < 3000 && (!exists("killed.journal") || text("killed.journal").size() < 1500); ++i)
    ::usleep(10000);
  ::kill(child, SIGKILL);
  EXPECT_EQ(wait(child).status, 128 + SIGKILL);
  ASSERT_TRUE(exists("killed.journal"));
  EXPECT_FALSE(exists("killed.csv"));
  const Outcome outcome = run({"sweep", "study.yaml", "--json", "-o", "killed.csv", "-j", "1"});
  EXPECT_EQ(outcome.status, 0) << outcome.err;
  EXPECT_GT(nlohmann::json::parse(outcome.out)["resumed"], 3);
  EXPECT_LT(nlohmann::json::parse(outcome.out)["resumed"], 60);
  EXPECT_EQ(text("killed.csv"), text("whole.csv"));
  EXPECT_EQ(text("killed_section.csv"), text("whole_section.csv"));
  EXPECT_FALSE(exists("killed.journal"));
}

TEST_F(CliSweepTest, AChangedStudyIsNotMixedWithTheOldJournal) {
  write_study(3);
  write("study.journal", "tappet study journal 1 0123456789abcdef\n and what followed");
  const Outcome refused = run({"sweep", "study.yaml"});
  EXPECT_EQ(refused.status, 2);
  EXPECT_THAT(refused.err, HasSubstr("study.journal: error: belongs to another study"));
  EXPECT_EQ(run({"sweep", "study.yaml", "--restart", "-q"}).status, 0);
}

TEST_F(CliSweepTest, MpiRanksGiveTheSameFile) {
  if (std::system("command -v mpirun > /dev/null") != 0) GTEST_SKIP() << "no mpirun here";
  write_study(10);
  ASSERT_EQ(run({"sweep", "study.yaml", "-q", "-o", "threads.csv"}).status, 0);
  const auto mpirun = [&](const std::string& arguments) {
    return std::system(("cd '" + path("") +
                        "' && OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 "
                        "mpirun --oversubscribe -n 2 '" +
                        testing::program() + "' sweep study.yaml " + arguments + " > mpi.out 2>&1")
                           .c_str());
  };
  EXPECT_EQ(mpirun("-o ranks.csv"), 0) << text("mpi.out");
  EXPECT_EQ(text("ranks.csv"), text("threads.csv"));
  EXPECT_EQ(text("ranks_section.csv"), text("threads_section.csv"));
  EXPECT_THAT(text("mpi.out"), HasSubstr("10 runs: 10 done"));  // once, not by every rank
  EXPECT_EQ(text("mpi.out").find("10 runs"), text("mpi.out").rfind("10 runs"));
}

TEST_F(CliSweepTest, FaultsHaveTheirPlace) {
  write_study(3, "plots: {a: {x: nothing, y: peak}}\n");
  const Outcome outcome = run({"check", "study.yaml"});
  EXPECT_EQ(outcome.status, 2);
  EXPECT_THAT(outcome.err, HasSubstr("study.yaml:10:16"));
  EXPECT_EQ(run({"sweep", "none.yaml"}).status, 2);
  EXPECT_EQ(run({"sweep", "study.yaml", "-j", "0"}).status, 2);
  write_study(3);
  EXPECT_EQ(run({"sweep", "study.yaml", "-o", "no/such/folder.csv"}).status, 2);
}

TEST_F(CliSweepTest, AStudyOfWhichEveryRunFailsSaysSo) {
  write_study(2, "");
  std::string study = text("study.yaml");
  study.replace(study.find("duration=36 ms"), 14, "duration=11 ms");  // less than two revolutions
  write("study.yaml", study);
  const Outcome outcome = run({"sweep", "study.yaml"});
  EXPECT_EQ(outcome.status, 1);
  EXPECT_THAT(outcome.out, HasSubstr("first failure, run 0: the last 2 revolutions are asked for"));
  EXPECT_THAT(text("study.csv"), HasSubstr("failed"));
}

}  // namespace
}  // namespace tappet::test::cli_sweep_test
