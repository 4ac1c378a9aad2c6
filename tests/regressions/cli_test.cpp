// The command line without a simulation: usage, schema, and everything that reads a result.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "regressions/program.hpp"
#include "tappet/base/version.hpp"
#include "tappet/results/result_writer.hpp"

namespace tappet::test::cli_test {
namespace {

using ::testing::HasSubstr;
using ::testing::StartsWith;

class CliTest : public ProgramTest {
 protected:
  void expect_usage_error(const std::vector<std::string>& arguments, const std::string& message) {
    const Outcome outcome = run(arguments);
    EXPECT_EQ(outcome.status, 2) << outcome.err;
    EXPECT_EQ(outcome.out, "");
    EXPECT_THAT(outcome.err, HasSubstr(message));
  }

  void make_result() {
    ResultHeader header;
    header.title = "A ball";
    header.model_file = "ball.yaml";
    header.model_text = "tappet: 1\n";
    header.signals = {{"ball.x", "m"}, {"ball.vx", "m/s"}};
    header.contacts = {"floor"};
    header.events = {"top"};
    auto writer = ResultWriter::create(path("r.h5"), header);
    for (int i = 0; i < 5; ++i) {
      const double row[] = {0.1 * i, 1.0 / (i + 1), -0.5 * i};
      writer.sample(row);
    }
    writer.impact(
        {.contact = 0, .start = 0.1, .end = 0.2, .speed_in = 1, .speed_out = 0.5, .restitution = 0.5});
    writer.event({0, 0.25});
    writer.finish({});
  }
};

TEST_F(CliTest, UsageErrorsExitWith2AndSayWhatToDo) {
  expect_usage_error({}, "Usage: tappet");
  expect_usage_error({"rnu", "model.yaml"}, "did you mean 'run'?");
  expect_usage_error({"frobnicate"}, "the commands are");
  expect_usage_error({"run"}, "MODEL is required");
  expect_usage_error({"run", "--bogus", "m.yaml"}, "--bogus");
  expect_usage_error({"run", "m.yaml", "extra"}, "extra");
  expect_usage_error({"run", "m.yaml", "--set"}, "--set");
  expect_usage_error({"--bogus"}, "--bogus");
  expect_usage_error({"export"}, "RESULT is required");
  expect_usage_error({"plot", "r.h5", "ball.x"}, "--output is required");
  expect_usage_error({"plot", "r.h5", "ball.x", "-o", "a.svg", "--from", "soon"}, "soon");
  expect_usage_error({"export", "r.h5", "ball.x", "--impacts"}, "excludes");
}

TEST_F(CliTest, FilesThatCannotBeUsedExitWith2) {
  write("text.h5", "not HDF5");
  expect_usage_error({"run", "none.yaml"}, "none.yaml: error:");
  expect_usage_error({"check", "."}, "error:");
  expect_usage_error({"info", "none.h5"}, "none.h5: error: there is no such file");
  expect_usage_error({"info", "text.h5"}, "text.h5: error: is not a Tappet result");
  expect_usage_error({"export", "."}, "is a directory");
}

TEST_F(CliTest, HelpAndVersion) {
  EXPECT_EQ(run({"--help"}).status, 0);
  EXPECT_THAT(run({"run", "--help"}).out, HasSubstr("--resume"));
  EXPECT_EQ(run({"--version"}).out, std::string("tappet ") + version() + "\n");
  EXPECT_EQ(run({"version"}).out, run({"--version"}).out);
}

TEST_F(CliTest, SchemaIsJson) {
  const Outcome outcome = run({"schema"});
  EXPECT_EQ(outcome.status, 0);
  EXPECT_TRUE(nlohmann::json::parse(outcome.out).is_object());
}

TEST_F(CliTest, Integrators) {
  const Outcome outcome = run({"integrators"});
  EXPECT_EQ(outcome.status, 0);
  EXPECT_THAT(outcome.out, HasSubstr("dopri5"));
}

TEST_F(CliTest, ExportWritesToStandardOutputOrAFile) {
  make_result();
  EXPECT_THAT(run({"export", "r.h5"}).out, StartsWith("time [s],ball.x [m],ball.vx [m/s]\n0,1,"));
  EXPECT_THAT(run({"export", "r.h5", "*.vx"}).out, StartsWith("time [s],ball.vx [m/s]\n"));
  EXPECT_EQ(run({"export", "r.h5", "--impacts"}).out,
            "contact,start [s],end [s],speed_in [m/s],speed_out [m/s],restitution,requested,max_penetration "
            "[m],peak_force [N],impulse [N s]\n"
            "floor,0.1,0.2,1,0.5,0.5,0,0,0,0\n");
  EXPECT_EQ(run({"export", "r.h5", "--events"}).out, "event,time [s]\ntop,0.25\n");
  const Outcome to_file = run({"export", "r.h5", "-o", "r.csv"});
  EXPECT_EQ(to_file.status, 0);
  EXPECT_EQ(to_file.out, "");
  EXPECT_EQ(text("r.csv"), run({"export", "r.h5"}).out);
}

TEST_F(CliTest, ExportRefusesWhatItCannotDo) {
  make_result();
  expect_usage_error({"export", "r.h5", "ball.y"}, "there is no signal 'ball.y': did you mean 'ball.x'?");
  expect_usage_error({"export", "r.h5", "-o", "r.h5"}, "is what is read: choose another name");
  expect_usage_error({"export", "r.h5", "-o", "no/folder/r.csv"}, "No such file");
  expect_usage_error({"export", "r.h5", "-o", "/dev/full"}, "not an ordinary file");
  EXPECT_EQ(run({"info", "r.h5"}).status, 0);
}

TEST_F(CliTest, InfoForPeopleAndPrograms) {
  make_result();
  EXPECT_THAT(run({"info", "r.h5"}).out, HasSubstr("ball.vx  m/s"));
  const auto json = nlohmann::json::parse(run({"info", "r.h5", "--json"}).out);
  EXPECT_EQ(json["samples"], 5);
  EXPECT_EQ(json["columns"][1]["unit"], "m");
  EXPECT_EQ(json["summary"]["status"], "stopped");
  EXPECT_EQ(run({"info", "r.h5", "--model"}).out, "tappet: 1\n");
}

TEST_F(CliTest, PlotDraws) {
  make_result();
  const Outcome outcome = run({"plot", "r.h5", "ball.*", "-o", "a.svg"});
  EXPECT_EQ(outcome.status, 0) << outcome.err;
  EXPECT_THAT(text("a.svg"), HasSubstr("ball.vx [m/s]"));
  EXPECT_EQ(
      run({"plot", "r.h5", "ball.vx", "--x", "ball.x", "--from", "0.1", "--to=0.3", "-o", "b.png"}).status,
      0);
  expect_usage_error({"plot", "r.h5", "ball.x", "-o", "a.jpg"}, ".svg, .png or .pdf");
}

}  // namespace
}  // namespace tappet::test::cli_test
