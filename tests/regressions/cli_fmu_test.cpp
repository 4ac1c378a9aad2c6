// FMUs as a user meets them: written by the program and driven by an importer that is not ours (tests/fmi/importer.c), and in controllers.
#include <cmath>
#include <cstdlib>
#include <sstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "regressions/program.hpp"
#include "support/fmu.hpp"
#include "support/paths.hpp"
#include "tappet/fmi/description.hpp"
#include "tappet/results/result_file.hpp"

#ifdef TAPPET_FMI

namespace tappet::test::cli_fmu_test {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

const std::string examples = testing::source_dir() + "/examples/";

class CliFmuTest : public ProgramTest {
 protected:
  static bool no_importer() { return testing::fmi_importer().empty(); }
  using Rows = std::vector<std::vector<double>>;

  /// An FMU, unpacked into a folder of its name, with its description.
  struct Unpacked {
    std::filesystem::path folder;
    fmi::Description description;
    int version;
    std::string reference(const std::string& name) const {
      const fmi::Variable* v = description.find(name);
      if (!v) throw std::runtime_error("no variable " + name);
      return std::to_string(v->reference);
    }
  };
  Unpacked unpacked(const std::string& fmu) const {
    const std::string bytes = text(fmu);
    const std::filesystem::path folder = folder_ / std::filesystem::path(fmu).stem();
    testing::unpack(bytes, folder);
    std::string fault;
    const auto description = fmi::read_description(fmi::Archive(bytes).read("modelDescription.xml"), fault);
    if (!description) throw std::runtime_error(fault);
    return {folder, *description, description->version};
  }
  Unpacked fmu_of(const std::string& model, int version, std::vector<std::string> more = {}) const {
    const std::string name = "v" + std::to_string(version) + ".fmu";
    std::vector<std::string> arguments = {"fmu", model, "--fmi", std::to_string(version), "-o", name};
    arguments.insert(arguments.end(), more.begin(), more.end());
    const Outcome outcome = run(arguments);
    EXPECT_EQ(outcome.status, 0) << outcome.err;
    return unpacked(name);
  }

  /// What the importer prints, number by number; lines that begin with a word are events.
  struct Driven {
    int status = 0;
    Rows rows, events;
    std::string err;
  };
  Driven drive(const Unpacked& fmu, const std::string& mode, double step, long steps,
               const std::vector<std::string>& what) const {
    const std::string object =
        (fmu.folder / (fmu.version == 2 ? "binaries/linux64" : "binaries/x86_64-linux") /
         (fmu.description.identifier + ".so"))
            .string();
    std::ostringstream line;
    line.precision(17);
    line << "'" << testing::fmi_importer() << "' " << mode << " " << fmu.version << " '" << object << "' '"
         << fmu.description.token << "' '" << (fmu.folder / "resources").string() << "' " << step << " "
         << steps;
    for (const std::string& w : what) line << " '" << w << "'";
    line << " > '" << path("rows.txt") << "' 2> '" << path("rows.err") << "'";
    Driven out;
    out.status = std::system(line.str().c_str());
    out.err = text("rows.err");
    std::istringstream in(text("rows.txt"));
    for (std::string row; std::getline(in, row);) {
      const bool event = row.starts_with("event ");
      std::istringstream words(event ? row.substr(6) : row);
      std::vector<double> numbers;
      for (std::string word; words >> word;) numbers.push_back(std::strtod(word.c_str(), nullptr));
      (event ? out.events : out.rows).push_back(numbers);
    }
    return out;
  }
  /// Time and signals of a result, row by row.
  Rows rows_of(const std::string& result, const std::vector<std::string>& signals) const {
    const ResultFile file(path(result));
    std::vector<std::size_t> columns = {0};
    for (const std::string& s : signals) columns.push_back(file.index(s));
    const std::vector<double> all = file.read(0, file.rows(), columns);
    Rows out;
    for (std::size_t i = 0; i < all.size(); i += columns.size())
      out.emplace_back(all.begin() + static_cast<long>(i),
                       all.begin() + static_cast<long>(i + columns.size()));
    return out;
  }
};

// A dry clearance joint at 5000 rpm: two revolutions with dozens of impacts. What an importer sees at its communication points is what
// `tappet run` records there, to the bit; a step that is taken back and taken again is the same, and so is a second instance that goes on from a
// state that was written out.
TEST_F(CliFmuTest, TheSliderCrankIsThatOfARun) {
  if (no_importer()) GTEST_SKIP() << "the importer is built without the sanitiser";
  const std::string crank = examples + "slider_crank/clearance.yaml";
  const std::vector<std::string> set = {"--set", "simulation.duration=24 ms", "--set", "output.step=1e-4 s"};
  std::vector<std::string> arguments = {"run", crank, "-q", "-o", "run.h5"};
  arguments.insert(arguments.end(), set.begin(), set.end());
  ASSERT_EQ(run(arguments).status, 0);
  const std::vector<std::string> signals = {"slider.x",     "slider.vx",      "crank.angle", "rod.alpha",
                                            "wrist.normal", "energy.kinetic", "motor.torque"};
  const Rows expected = rows_of("run.h5", signals);
  ASSERT_EQ(expected.size(), 241u);
  for (const int version : {2, 3}) {
    const Unpacked fmu = fmu_of(crank, version, set);
    std::vector<std::string> what;
    for (const std::string& s : signals) what.push_back(fmu.reference(s));
    for (const char* mode : {"run", "rollback", "serialise"}) {
      const Driven driven = drive(fmu, mode, 1e-4, 240, what);
      EXPECT_EQ(driven.status, 0) << mode << ": " << driven.err;
      ASSERT_EQ(driven.rows.size(), expected.size());
      for (std::size_t i = 0; i < expected.size(); ++i)
        for (std::size_t k = 0; k < expected[i].size(); ++k)
          ASSERT_EQ(driven.rows[i][k], expected[i][k])
              << "FMI " << version << ", " << mode << ", row " << i << ", column " << k;
    }
  }
}

// With event mode and early return steps end where impacts begin: at the instants of the impact table.
TEST_F(CliFmuTest, StepsEndAtImpacts) {
  if (no_importer()) GTEST_SKIP() << "the importer is built without the sanitiser";
  const std::string crank = examples + "slider_crank/clearance.yaml";
  ASSERT_EQ(run({"run", crank, "-q", "-o", "run.h5", "--set", "simulation.duration=6 ms"}).status, 0);
  const std::vector<Impact> impacts = ResultFile(path("run.h5")).impacts();
  ASSERT_GT(impacts.size(), 5u);
  const Unpacked fmu = fmu_of(crank, 3, {"--set", "simulation.duration=6 ms"});
  const Driven driven =
      drive(fmu, "early", 1e-3, 6, {fmu.reference("wrist.penetration"), fmu.reference("wrist.normal")});
  EXPECT_EQ(driven.status, 0) << driven.err;
  ASSERT_GE(driven.events.size(), impacts.size());
  for (std::size_t i = 0; i < impacts.size(); ++i) EXPECT_EQ(driven.events[i][0], impacts[i].start) << i;
  for (const auto& event : driven.events)
    EXPECT_LT(event[1], 1e-9);  // where it begins, there is no depth yet
  EXPECT_EQ(driven.rows.back()[0], 6e-3);
}

// Bodies in free fall, x = x₀ + F/(2 m) t²: parameters are set by their paths and inputs between steps.
TEST_F(CliFmuTest, ParametersAndInputsAreSet) {
  if (no_importer()) GTEST_SKIP() << "the importer is built without the sanitiser";
  write(
      "cart.yaml",
      "tappet: 1\ninputs: {push: {unit: N, default: 1}}\nbodies: {cart: {mass: 2 kg, position: [10 cm, 0]}}\n"
      "forces: {drive: {type: force, body: cart, force: [push, 0]}}\nsimulation: {duration: 1 s}\n");
  for (const int version : {2, 3}) {
    const Unpacked fmu = fmu_of("cart.yaml", version);
    const std::string x = fmu.reference("cart.x"), push = fmu.reference("push"),
                      mass = fmu.reference("bodies.cart.mass"),
                      place = fmu.reference("bodies.cart.position.0");
    EXPECT_NEAR(drive(fmu, "run", 0.1, 10, {x}).rows.back()[1], 0.1 + 0.5 * 1.0 / 2, 1e-12);
    EXPECT_NEAR(drive(fmu, "run", 0.1, 10, {x, mass + "=4", place + "=-1"}).rows.back()[1],
                -1 + 0.5 * 1.0 / 4, 1e-12);
    EXPECT_NEAR(drive(fmu, "run", 0.1, 10, {x, push + "=3"}).rows.back()[1], 0.1 + 0.5 * 3.0 / 2, 1e-12);
    // 0, 6, 12, 0, 6, 12, … N for 0.1 s each.
    double s = 0.1, v = 0;
    for (int k = 0; k < 10; ++k) {
      const double a = 6.0 * (k % 3) / 2;
      s += 0.1 * v + 0.005 * a, v += 0.1 * a;
    }
    for (const char* mode : {"run", "rollback", "serialise"}) {
      const Driven driven = drive(fmu, mode, 0.1, 10, {x, push + "~6"});
      EXPECT_EQ(driven.status, 0) << driven.err;
      EXPECT_NEAR(driven.rows.back()[1], s, 1e-12) << mode;
    }
    // A number that cannot be.
    const Driven wrong = drive(fmu, "run", 0.1, 10, {x, mass + "=-4"});
    EXPECT_NE(wrong.status, 0);
    EXPECT_THAT(wrong.err, HasSubstr("'mass' is '-4', but must be > 0"));
  }
}

TEST_F(CliFmuTest, AnotherTokenGivesNoInstance) {
  if (no_importer()) GTEST_SKIP() << "the importer is built without the sanitiser";
  Unpacked fmu = fmu_of(examples + "bouncing_ball/impact.yaml", 2);
  fmu.description.token = "another";
  const Driven driven = drive(fmu, "run", 0.1, 1, {"1"});
  EXPECT_NE(driven.status, 0);
  EXPECT_THAT(driven.err, HasSubstr("the token 'another' is not that of this FMU"));
}

// A controller's FMU within the FMU of the machine.
TEST_F(CliFmuTest, AModelWithAControllerGoesOut) {
  if (no_importer()) GTEST_SKIP() << "the importer is built without the sanitiser";
  write("pid.fmu", testing::pid_fmu({.version = 3}));
  write("held.yaml", testing::held_rod(testing::pid_section));
  ASSERT_EQ(run({"run", "held.yaml", "-q", "-o", "run.h5", "--set", "simulation.duration=1 s"}).status, 0);
  const Rows expected = rows_of("run.h5", {"cart.x", "rod.angle"});
  const Unpacked fmu = fmu_of("held.yaml", 2, {"--set", "simulation.duration=1 s"});
  std::filesystem::remove(folder_ / "pid.fmu");
  for (const char* mode : {"run", "rollback", "serialise"}) {
    const Driven driven = drive(fmu, mode, 0.005, 200, {fmu.reference("cart.x"), fmu.reference("rod.angle")});
    ASSERT_EQ(driven.status, 0) << driven.err;
    ASSERT_EQ(driven.rows.size(), expected.size());
    for (std::size_t i = 0; i < expected.size(); ++i) {
      ASSERT_EQ(driven.rows[i][1], expected[i][1]) << mode << " " << i;
      ASSERT_EQ(driven.rows[i][2], expected[i][2]) << mode << " " << i;
    }
  }
}

TEST_F(CliFmuTest, TheCommandSaysWhatItChose) {
  const Outcome outcome = run({"fmu", examples + "python/pendulum_on_cart.yaml"});
  EXPECT_EQ(outcome.status, 0) << outcome.err;
  EXPECT_THAT(outcome.out, AllOf(HasSubstr("pendulum_on_cart.fmu: FMI 2.0 co-simulation"),
                                 HasSubstr("inputs      2: push and gust"),
                                 HasSubstr("what `tappet run` records (--outputs chooses)")));
  const Outcome json = run({"fmu", examples + "python/pendulum_on_cart.yaml", "--fmi", "3", "--outputs",
                            "cart.x,rod.angle", "--json"});
  const auto said = nlohmann::json::parse(json.out);
  EXPECT_EQ(said["fmi"], 3);
  EXPECT_EQ(said["outputs"], (std::vector<std::string>{"cart.x", "rod.angle"}));
  // Nobody's file is lost for one.
  write("mine.fmu", "something of mine");
  const Outcome refused = run({"fmu", examples + "python/pendulum_on_cart.yaml", "-o", "mine.fmu"});
  EXPECT_EQ(refused.status, 2);
  EXPECT_THAT(refused.err, HasSubstr("is not an FMU that Tappet wrote"));
  EXPECT_EQ(run({"fmu", examples + "python/pendulum_on_cart.yaml", "--fmi", "1"}).status, 2);
}

// ---- controllers

TEST_F(CliFmuTest, AFailingControllerLeavesWhatWasComputed) {
  write("pid.fmu", testing::pid_fmu());
  write("held.yaml", testing::held_rod(testing::pid_section));
  const Outcome outcome =
      run({"run", "held.yaml", "--add", "controllers.pid.parameters.fail_at=0.25", "-o", "r.h5"});
  EXPECT_EQ(outcome.status, 1);
  EXPECT_THAT(outcome.err,
              AllOf(HasSubstr("stopped at t = 0.25 s: controller 'pid'"),
                    HasSubstr("it was told to fail at 0.25 s"), HasSubstr("what was computed is in r.h5")));
  EXPECT_EQ(ResultFile(path("r.h5")).rows(), 51u);
}

TEST_F(CliFmuTest, CheckReadsAndRunsNothing) {
  // Its binary is none: loading would fail.
  fmi::ArchiveWriter archive;
  archive.add("modelDescription.xml", testing::pid_description({}));
  archive.add("binaries/linux64/pid.so", "no shared object");
  write("pid.fmu", archive.finish());
  write("held.yaml", testing::held_rod(testing::pid_section));
  const Outcome checked = run({"check", "held.yaml"});
  EXPECT_EQ(checked.status, 0) << checked.err;
  const Outcome ran = run({"run", "held.yaml", "-o", "r.h5"});
  EXPECT_EQ(ran.status, 2);
  EXPECT_THAT(ran.err, HasSubstr("cannot be loaded"));
  EXPECT_FALSE(exists("r.h5"));
}

TEST_F(CliFmuTest, ARunThatCannotBeGoneOnFromSaysSo) {
  write("pid.fmu", testing::pid_fmu({.serialises = false}));
  write("held.yaml", testing::held_rod(testing::pid_section));
  EXPECT_EQ(run({"run", "held.yaml", "-q", "-o", "r.h5"}).status, 0);
  write("held.yaml", testing::held_rod(testing::pid_section) + "\n# begun anew\n");
  const Outcome resumed = run({"run", "held.yaml", "-o", "other.h5", "--resume"});
  EXPECT_EQ(resumed.status, 2);
  EXPECT_THAT(resumed.err, HasSubstr("cannot say what it remembers"));
}

// Gains of a controller as parameters of a study: runs in threads, each with instances of its own.
TEST_F(CliFmuTest, ASweepTurnsItsGains) {
  write("pid.fmu", testing::pid_fmu());
  write("held.yaml", testing::held_rod(testing::pid_section));
  write("gains.yaml",
        "study: 1\nmodel: held.yaml\nparameters:\n  kp: {values: [0, 20, 25, 30]}\n"
        "set: ['controllers.pid.parameters.kp=${kp}', 'simulation.duration=2 s']\n"
        "metrics: {angle: {value: max(abs(rod.angle))}}\n");
  const Outcome outcome = run({"sweep", "gains.yaml", "-j", "2", "-o", "gains.csv"});
  EXPECT_EQ(outcome.status, 0) << outcome.err << outcome.out << text("gains.csv");
  std::istringstream in(text("gains.csv"));
  std::string line;
  std::getline(in, line);
  std::vector<double> angles;
  while (std::getline(in, line)) {
    const std::size_t second = line.find(',', line.find(',') + 1);
    angles.push_back(std::strtod(line.substr(second + 1).c_str(), nullptr));
  }
  ASSERT_EQ(angles.size(), 4u) << text("gains.csv");
  EXPECT_GT(angles[0], 1.5);  // it falls
  for (std::size_t i = 1; i < 4; ++i) EXPECT_LT(angles[i], 0.2);
}

}  // namespace
}  // namespace tappet::test::cli_fmu_test

#endif
