// The command line with a simulation: what a user's run leaves behind, however it ends.
#include <signal.h>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "regressions/program.hpp"
#include "support/paths.hpp"
#include "tappet/results/result_file.hpp"

namespace tappet::test::cli_run_test {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

const std::string slider_crank = testing::source_dir() + "/examples/slider_crank/ideal.yaml";

class CliRunTest : public ProgramTest {
 protected:
  /// A run that lasts some seconds of wall time. Few signals, so that most of it is computing.
  std::vector<std::string> long_run(const std::string& result) const {
    return {"run",   slider_crank,      "-o", result, "--set", "simulation.duration=60 s",
            "--set", "output.step=1 ms"};
  }
  /// Waits until the run has left a checkpoint behind.
  void wait_for_checkpoint(const std::string& result) const {
    for (int i = 0; i < 600; ++i) {
      ::usleep(50000);
      if (is_result_file(path(result)) && ResultFile(path(result)).last_checkpoint()) return;
    }
    FAIL() << "no checkpoint within 30 s";
  }
};

TEST_F(CliRunTest, RunWritesAResultNamedAfterTheModel) {
  const Outcome outcome = run({"run", slider_crank});
  EXPECT_EQ(outcome.status, 0) << outcome.err;
  EXPECT_EQ(outcome.err, "");  // no progress when piped
  EXPECT_THAT(outcome.out, HasSubstr("Completed"));
  const ResultFile result(path("ideal.h5"));
  EXPECT_EQ(result.status(), "completed");
  EXPECT_GT(result.rows(), 100u);
  EXPECT_NO_THROW(result.column("slider.x"));
}

TEST_F(CliRunTest, JsonIsOneObjectAndNothingElse) {
  const Outcome outcome = run({"run", slider_crank, "--json", "-o", "r.h5"});
  EXPECT_EQ(outcome.status, 0) << outcome.err;
  const auto json = nlohmann::json::parse(outcome.out);
  EXPECT_EQ(json["result"], "r.h5");
  EXPECT_EQ(json["status"], "completed");
  EXPECT_GT(json["steps"], 0);
  EXPECT_EQ(json["samples"], ResultFile(path("r.h5")).rows());
}

// m ẍ = F: with 4 N, 2 kg go 1 m in a second.
TEST_F(CliRunTest, InputsAreGivenByName) {
  write("cart.yaml", R"(tappet: 1
inputs: {push: {unit: N}, drag: {unit: N}}
bodies: {cart: {mass: 2}}
forces: {engine: {type: force, body: cart, force: [push - drag, 0]}}
simulation: {duration: 1}
)");
  const Outcome outcome = run({"run", "cart.yaml", "--input", "push=6 N", "--input", "drag=2e-3kN", "-q"});
  EXPECT_EQ(outcome.status, 0) << outcome.err;
  const ResultFile result(path("cart.h5"));
  EXPECT_NEAR(result.column("cart.x").back(), 1, 1e-12);
  EXPECT_EQ(result.column("inputs.push").back(), 6);

  const Outcome unknown = run({"run", "cart.yaml", "--input", "pull=6 N"});
  EXPECT_EQ(unknown.status, 2);
  EXPECT_THAT(unknown.err,
              HasSubstr("--input pull=6 N: error: there is no input 'pull'; inputs: push and drag"));
  const Outcome unit = run({"check", "cart.yaml", "--input", "push=6 kg"});
  EXPECT_EQ(unit.status, 2);
  EXPECT_THAT(unit.err, HasSubstr("'kg' is a mass, but a force is expected"));
  const Outcome no_value = run({"run", "cart.yaml", "--input", "push"});
  EXPECT_EQ(no_value.status, 2);
  EXPECT_THAT(no_value.err, HasSubstr("an input is written NAME=VALUE"));
  const Outcome none = run({"run", slider_crank, "--input", "push=1"});
  EXPECT_EQ(none.status, 2);
  EXPECT_THAT(none.err, HasSubstr("there is no input 'push': the model has no inputs"));
}

TEST_F(CliRunTest, QuietSaysNothing) {
  const Outcome outcome = run({"run", slider_crank, "--quiet"});
  EXPECT_EQ(outcome.status, 0);
  EXPECT_EQ(outcome.out + outcome.err, "");
}

TEST_F(CliRunTest, SettingsChangeTheModelThatIsStored) {
  EXPECT_EQ(run({"run", "-q", slider_crank, "-o", "a.h5", "--set", "simulation.duration=1 ms"}).status, 0);
  const ResultFile result(path("a.h5"));
  EXPECT_NEAR(result.column("time").back(), 1e-3, 1e-12);
  EXPECT_THAT(result.header().model_text, HasSubstr("1 ms"));

  // The stored model runs by itself and gives the same.
  write("again.yaml", run({"info", "a.h5", "--model"}).out);
  EXPECT_EQ(run({"run", "-q", "again.yaml"}).status, 0);
  EXPECT_EQ(ResultFile(path("again.h5")).column("slider.vx"), result.column("slider.vx"));

  const Outcome wrong = run({"run", slider_crank, "--set", "simulation.durration=1 s"});
  EXPECT_EQ(wrong.status, 2);
  EXPECT_THAT(wrong.err, HasSubstr("duration"));
}

TEST_F(CliRunTest, FaultsOfTheIntegrationHaveTheirPlace) {
  const auto said = [&](const std::string& setting) {
    const Outcome outcome = run({"run", slider_crank, "--set", setting});
    EXPECT_EQ(outcome.status, 2) << setting;
    return outcome.err;
  };
  EXPECT_THAT(said("simulation.integrator=rk5"),
              AllOf(HasSubstr("--set simulation.integrator=rk5: error"), HasSubstr("dopri5")));
  EXPECT_THAT(said("simulation.step=1e-30"),
              AllOf(HasSubstr("--set simulation.step=1e-30: error"), HasSubstr("at most 1e12 are allowed")));
}

TEST_F(CliRunTest, CheckCountsAndRunsNothing) {
  const Outcome outcome = run({"check", slider_crank});
  EXPECT_EQ(outcome.status, 0) << outcome.err;
  EXPECT_THAT(outcome.out, HasSubstr("ok: 3 bodies, 4 joints, 0 degrees of freedom"));
  EXPECT_FALSE(exists("ideal.h5"));
}

TEST_F(CliRunTest, AModelIsNeverOverwritten) {
  const std::string model = "tappet: 1\n";
  write("m.yaml", model);
  const Outcome outcome = run({"run", slider_crank, "-o", "m.yaml"});
  EXPECT_EQ(outcome.status, 2);
  EXPECT_EQ(text("m.yaml"), model);
}

TEST_F(CliRunTest, AKilledRunIsReadableAndResumesToTheSameBits) {
  ASSERT_EQ(run(long_run("whole.h5")).status, 0);

  const pid_t child = start(long_run("killed.h5"));
  wait_for_checkpoint("killed.h5");
  ::kill(child, SIGKILL);
  EXPECT_EQ(wait(child).status, 128 + SIGKILL);
  EXPECT_EQ(run({"export", "killed.h5", "-o", "part.csv"}).status, 0);

  auto again = long_run("killed.h5");
  again.push_back("--resume");
  const Outcome resumed = run(again);
  EXPECT_EQ(resumed.status, 0) << resumed.err;
  const ResultFile whole(path("whole.h5")), pieced(path("killed.h5"));
  EXPECT_EQ(pieced.status(), "completed");
  ASSERT_EQ(whole.rows(), pieced.rows());
  for (std::size_t i = 0; i < whole.columns().size(); ++i) {
    ASSERT_EQ(whole.column(i), pieced.column(i)) << whole.columns()[i].name;
  }

  // Nothing is left to resume, and that is fine.
  const Outcome third = run(again);
  EXPECT_EQ(third.status, 0);
  EXPECT_THAT(third.err, HasSubstr("already complete"));
}

TEST_F(CliRunTest, AnInterruptedRunKeepsWhatItComputedAndResumes) {
  const pid_t child = start(long_run("r.h5"));
  wait_for_checkpoint("r.h5");
  ::kill(child, SIGINT);
  const Outcome outcome = wait(child);
  EXPECT_EQ(outcome.status, 1);
  EXPECT_THAT(outcome.err, HasSubstr("interrupted (Ctrl-C); what was computed is in r.h5"));
  const std::size_t rows = ResultFile(path("r.h5")).rows();
  EXPECT_GT(rows, 10u);
  EXPECT_EQ(ResultFile(path("r.h5")).status(), "stopped");

  auto again = long_run("r.h5");
  again.insert(again.end(), {"--resume", "--quiet"});
  EXPECT_EQ(run(again).status, 0);
  EXPECT_GT(ResultFile(path("r.h5")).rows(), rows);
}

TEST_F(CliRunTest, ResumeOfAnotherModelIsRefused) {
  EXPECT_EQ(run({"run", "-q", slider_crank, "-o", "r.h5", "--set", "simulation.duration=1 ms"}).status, 0);
  const Outcome outcome = run({"run", slider_crank, "-o", "r.h5", "--resume"});
  EXPECT_EQ(outcome.status, 2);
  EXPECT_THAT(outcome.err, HasSubstr("another model"));
  // Nothing there yet: the run simply starts.
  EXPECT_EQ(run({"run", "-q", slider_crank, "-o", "new.h5", "--resume"}).status, 0);
}

}  // namespace
}  // namespace tappet::test::cli_run_test
