// The operating system says no: the nth write, fsync, close, rename, open or allocation fails (tests/faults/faults.cpp). Whatever
// fails, the program ends with a status of its own and a sentence; status 0 means that the result is whole; and what is left behind
// is taken up again, or begun anew, to the same last bit.
//
// TAPPET_FAULTS: how many faults each case gets, spread over all calls that there are; default 10.
#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <map>
#include <set>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "regressions/program.hpp"
#include "support/paths.hpp"
#include "tappet/base/diagnostics.hpp"
#include "tappet/results/result_file.hpp"

#ifdef TAPPET_FAULTS

namespace tappet::test::fault_injection_test {
namespace {

constexpr char ball[] =
    "tappet: 1\ndimension: planar\ngravity: [0, -9.81]\n"
    "bodies: {ball: {mass: 1, inertia: 0.1, position: [0, 0.2], shapes: {skin: {circle: {radius: 0.1}}}}}\n"
    "ground: {shapes: {floor: {plane: {point: [0, 0], normal: [0, 1]}}}}\n"
    "contacts: {bounce: {between: [ground.floor, ball.skin], normal: {law: flores, stiffness: 1e5, "
    "restitution: 0.5}}}\n"
    "simulation: {duration: 0.2}\noutput: {step: 0.02}\n";

/// Numbers of calls from 1 to `calls`: the first and the last ones, and some between.
std::vector<long> spread(long calls) {
  const char* wish = std::getenv("TAPPET_FAULTS");
  const long count = wish ? std::max(std::atol(wish), 2L) : 10;
  std::set<long> out;
  for (long i = 0; i < count; ++i) out.insert(1 + (calls - 1) * i / (count - 1));
  for (long i = 1; i <= std::min({calls, count / 2}); ++i) out.insert({i, calls + 1 - i});
  return {out.begin(), out.end()};
}

struct Fault {
  std::string name, kind, error;
};
void PrintTo(const Fault& fault, std::ostream* out) {
  *out << fault.name;
}

class FaultTest : public ProgramTest, public ::testing::WithParamInterface<Fault> {
 protected:
  ~FaultTest() override {
    if (injected_ > 0) std::printf("%ld faults injected\n", injected_);
  }
  void SetUp() override {
    write("ball.yaml", ball);
    ASSERT_EQ(run(arguments("whole.h5")).status, 0);
    whole_ = contents("whole.h5");
  }
  std::vector<std::string> arguments(const std::string& result, bool resume = false) const {
    std::vector<std::string> out = {"run",  path("ball.yaml"),       "-q", "-o",
                                    result, "--checkpoint-interval", "0"};
    if (resume) out.push_back("--resume");
    return out;
  }
  Outcome run_with(const std::string& fault, const std::vector<std::string>& words) {
    injected_ += !fault.empty();
    ::setenv("LD_PRELOAD", testing::faults_library().c_str(), 1);
    ::setenv("TAPPET_FAULT", fault.c_str(), 1);
    ::setenv("TAPPET_FAULT_COUNTS", path("counts").c_str(), 1);
    const Outcome out = run(words);
    for (const char* name : {"LD_PRELOAD", "TAPPET_FAULT", "TAPPET_FAULT_COUNTS"}) ::unsetenv(name);
    return out;
  }
  std::map<std::string, long> counts() const {
    std::map<std::string, long> out;
    std::ifstream in(path("counts"));
    for (std::string kind; in >> kind;) in >> out[kind];
    return out;
  }

  /// What the other commands read.
  void write_inputs() const {
    write("study.yaml",
          "study: 1\nmodel: ball.yaml\nparameters: {m: {path: bodies.ball.mass, values: [1, 2]}}\nmetrics: "
          "{top: max(ball.y)}\n");
    write("r.urdf",
          "<robot name=\"r\"><link name=\"world\"/><link name=\"a\"><inertial><mass value=\"1\"/><inertia "
          "ixx=\"1\" "
          "iyy=\"1\" izz=\"1\" ixy=\"0\" ixz=\"0\" iyz=\"0\"/></inertial></link><joint name=\"j\" "
          "type=\"continuous\"><parent link=\"world\"/><child link=\"a\"/><axis xyz=\"0 0 "
          "1\"/></joint></robot>");
    const std::string block =
        "tappet: 1\ndimension: spatial\nmaterials: {steel: {young: 210e9, poisson: 0.3, density: 7850}}\n"
        "bodies: {block: {structure: {";
    write("block.yaml",
          block +
              "generate: {block: {size: [1, 1, 1], divisions: [1, 1, 1]}}, material: steel, fix: "
              "{zmin: [x, y, z]}}}}\nsimulation: {method: moreau, duration: 1 ms, step: 0.1 ms}\n");
    write("beam.inp",
          "*NODE\n1, 0, 0, 0\n2, 1, 0, 0\n*ELEMENT, TYPE=B31, ELSET=all\n1, 1, 2\n*NSET, NSET=root\n1\n");
    write("quake.csv", "t,z\n0,0\n1,0.001\n");
    write("shaken.yaml",
          block +
              "mesh: beam.inp, material: steel, section: {rectangle: [10 mm, 10 mm]}, fix: {root: [x, "
              "y, rx, ry, rz]}, move: {root: {table: quake.csv}}}}}\nsimulation: {method: moreau, "
              "duration: 1 ms, step: 0.1 ms}\n");
  }

  /// All that a finished run leaves, but for the time that it took.
  struct Contents {
    std::string status;
    std::vector<double> samples, impacts;
    std::vector<std::byte> state;
    bool operator==(const Contents&) const = default;
  };
  Contents contents(const std::string& name) const {
    const ResultFile file(path(name));
    Contents out;
    out.status = file.status();
    for (std::size_t i = 0; i < file.columns().size(); ++i)
      for (const double number : file.column(i)) out.samples.push_back(number);
    for (const Impact& impact : file.impacts())
      out.impacts.insert(out.impacts.end(),
                         {impact.start, impact.speed_in, impact.speed_out, impact.impulse});
    if (const auto last = file.last_checkpoint()) out.state = last->state;
    return out;
  }
  void expect_sentence(const Outcome& outcome) const {
    EXPECT_TRUE(outcome.status == 1 || outcome.status == 2) << outcome.status << ": " << outcome.err;
    expect_no_riddle(outcome.err);
  }
  static void expect_no_riddle(const std::string& text) {
    EXPECT_FALSE(text.empty());
    for (const char* word : {"internal error", "json", "terminate", "HDF5 gives no reason"})
      EXPECT_EQ(text.find(word), std::string::npos) << text;
  }
  /// Without the fault, the run goes on or begins anew.
  void expect_recovers(const std::string& name) {
    const Outcome again = run(arguments(name, true));
    EXPECT_EQ(again.status, 0) << again.err;
    if (again.status == 0) {
      EXPECT_TRUE(contents(name) == whole_);
    }
  }

  Contents whole_;
  long injected_ = 0;
};

TEST_P(FaultTest, LosesNothing) {
  const Fault& fault = GetParam();
  ASSERT_EQ(run_with("", arguments("counted.h5")).status, 0);
  const long calls = counts()[fault.kind];
  ASSERT_GT(calls, 0);
  for (const long call : spread(calls)) {
    SCOPED_TRACE(fmt::format("{}:{}:{}", fault.kind, call, fault.error));
    std::filesystem::remove(path("r.h5"));
    const bool for_ever = fault.error.ends_with('+');
    const Outcome outcome = run_with(
        fmt::format("{}:{}{}:{}", fault.kind, call, for_ever ? "+" : "", std::atoi(fault.error.c_str())),
        arguments("r.h5"));
    if (outcome.status == 0) {
      EXPECT_TRUE(contents("r.h5") == whole_) << "status 0, but the result is not whole";
    } else {
      expect_sentence(outcome);
    }
    expect_recovers("r.h5");
    if (HasFailure()) return;
  }
}

// A result that was there stays readable, or a new one that is readable takes its place.
TEST_P(FaultTest, LeavesAnOldResultOrANewOne) {
  const Fault& fault = GetParam();
  ASSERT_EQ(run_with("", arguments("counted.h5")).status, 0);
  const long calls = counts()[fault.kind];
  for (long call = 1; call <= std::min(calls, 6L); ++call) {
    SCOPED_TRACE(fmt::format("{}:{}:{}", fault.kind, call, fault.error));
    std::filesystem::copy_file(path("whole.h5"), path("r.h5"),
                               std::filesystem::copy_options::overwrite_existing);
    run_with(fmt::format("{}:{}:{}", fault.kind, call, std::atoi(fault.error.c_str())), arguments("r.h5"));
    EXPECT_NO_THROW(ResultFile(path("r.h5"))) << "neither the old result nor a new one";
    if (HasFailure()) return;
  }
}

// Reading and checking need no file that is written; memory they need.
TEST_F(FaultTest, EveryCommandSaysThatMemoryIsShort) {
  write_inputs();
  const std::vector<std::vector<std::string>> commands = {
      {"check", path("ball.yaml")},
      {"check", path("study.yaml")},
      {"schema"},
      {"laws", "hertz"},
      {"export", path("whole.h5")},
      {"info", path("whole.h5")},
      {"import", "r.urdf", "-o", "r.yaml"},
      {"solve", "block.yaml", "--static"},
      {"compare", "ball.yaml", "--integrators", "dopri5", "-q", "-o", "c.csv"},
      {"sweep", path("study.yaml"), "-q", "-o", path("s.csv")}};
  for (const auto& command : commands) {
    SCOPED_TRACE(command.front());
    ASSERT_EQ(run_with("", command).status, 0);
    for (const long call : spread(counts()["malloc"])) {
      const Outcome outcome = run_with(fmt::format("malloc:{}:{}", call, ENOMEM), command);
      SCOPED_TRACE(fmt::format("allocation {}", call));
      if (outcome.status != 0) expect_sentence(outcome);
      if (HasFailure()) return;
    }
  }
}

/// A command that writes files that are the same each time.
struct Writing {
  std::vector<std::string> command, written;
};

// Every other output: told, or whole; and what was there before stays readable, or the new one is whole.
TEST_F(FaultTest, EveryCommandThatWritesTellsOrIsWhole) {
  write_inputs();
  const std::vector<Writing> commands = {
      {{"export", "whole.h5", "-o", "e.csv"}, {"e.csv"}},
      {{"export", "whole.h5", "--impacts", "-o", "i.csv"}, {"i.csv"}},
      {{"plot", "whole.h5", "ball.y", "-o", "p.svg"}, {}},
      {{"sweep", "study.yaml", "-q", "-j", "1", "--restart", "-o", "s.csv"}, {"s.csv"}},
      {{"compare", "ball.yaml", "--integrators", "dopri5", "-q", "-o", "c.csv"}, {}},
      {{"import", "r.urdf", "-o", "r.yaml"}, {"r.yaml"}},
      {{"solve", "block.yaml", "--static", "--json", "--vtk", "v"}, {"v_block_static.vtu"}}};
  for (const Writing& one : commands) {
    SCOPED_TRACE(fmt::format("{}", fmt::join(one.command, " ")));
    const Outcome good = run_with("", one.command);
    ASSERT_EQ(good.status, 0) << good.err;
    const auto calls = counts();
    std::vector<std::string> whole;
    for (const std::string& name : one.written) whole.push_back(text(name));
    for (const auto& [kind, error] : {std::pair{"write", EIO},
                                      {"write", ENOSPC},
                                      {"write", 0},
                                      {"fsync", EIO},
                                      {"close", EIO},
                                      {"rename", EIO},
                                      {"open", EACCES},
                                      {"space", ENOSPC}}) {
      const auto made = calls.find(kind);
      if (made == calls.end() || made->second == 0) continue;
      for (const long call : spread(made->second)) {
        SCOPED_TRACE(fmt::format("{}:{}:{}", kind, call, error));
        const Outcome outcome = run_with(fmt::format("{}:{}:{}", kind, call, error), one.command);
        if (outcome.status != 0) expect_sentence(outcome);
        for (std::size_t i = 0; i < whole.size(); ++i) EXPECT_EQ(text(one.written[i]), whole[i]);
        if (HasFailure()) return;
      }
    }
  }
  for (const auto& entry : std::filesystem::directory_iterator(folder_))
    EXPECT_NE(entry.path().extension(), ".part") << entry.path();
}

// A disk that cannot be read any more.
TEST_F(FaultTest, EveryCommandSaysWhatCannotBeRead) {
  write_inputs();
  const std::vector<std::vector<std::string>> commands = {
      {"check", "shaken.yaml"},
      {"check", "study.yaml"},
      {"export", "whole.h5"},
      {"info", "whole.h5"},
      {"plot", "whole.h5", "ball.y", "-o", "p.svg"},
      {"sweep", "study.yaml", "-q", "-j", "1", "-o", "s.csv"},
      {"import", "r.urdf", "-o", "r.yaml"},
      {"run", "ball.yaml", "-q", "-o", "whole.h5", "--resume"}};
  for (const auto& command : commands) {
    SCOPED_TRACE(fmt::format("{}", fmt::join(command, " ")));
    const Outcome good = run_with("", command);
    ASSERT_EQ(good.status, 0) << good.err;
    const long calls = counts()["read"];
    ASSERT_GT(calls, 0);
    for (const long call : spread(calls)) {
      SCOPED_TRACE(fmt::format("read {}", call));
      const Outcome outcome = run_with(fmt::format("read:{}:{}", call, EIO), command);
      if (outcome.status != 0) expect_sentence(outcome);
      if (HasFailure()) return;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Table, FaultTest,
                         ::testing::Values(Fault{"write_error", "write", "5"},
                                           Fault{"write_disk_full", "write", "28+"},
                                           Fault{"write_disk_full_once", "write", "28"},
                                           Fault{"write_short", "write", "0"}, Fault{"fsync", "fsync", "5"},
                                           Fault{"close", "close", "5"}, Fault{"rename", "rename", "5"},
                                           Fault{"open", "open", "13"}, Fault{"space", "space", "28"},
                                           Fault{"memory", "malloc", "12"}),
                         [](const auto& info) { return info.param.name; });

// A disk that is really full: a file system in memory, of a namespace of our own.
TEST_F(FaultTest, AFullDiskIsToldAndTheRunGoesOnWhenThereIsRoom) {
  write("full.sh",
        fmt::format("mount -t tmpfs -o size=$2k none disk || exit 77\n"
                    "'{0}' run ball.yaml -q -o disk/r.h5 --checkpoint-interval 0 2> first; echo $? > status\n"
                    "mount -o remount,size=64m disk\n"
                    "'{0}' run ball.yaml -q -o disk/r.h5 --checkpoint-interval 0 --resume || exit 1\n"
                    "cp disk/r.h5 r.h5\n",
                    testing::program()));
  std::filesystem::create_directory(path("disk"));
  int full = 0;
  for (const int kilobytes : {4, 40, 100, 160, 200, 260, 330}) {
    SCOPED_TRACE(kilobytes);
    const std::string command =
        fmt::format("cd '{}' && unshare -rm sh full.sh - {} 2> /dev/null", folder_.string(), kilobytes);
    const int status = std::system(command.c_str());
    if (!exists("status")) GTEST_SKIP() << "no file system can be mounted here";
    EXPECT_EQ(status, 0);
    if (text("status") != "0\n") {
      ++full;
      EXPECT_EQ(text("first").find("internal"), std::string::npos) << text("first");
      EXPECT_NE(text("first").find("No space left"), std::string::npos) << text("first");
    }
    if (status == 0) {
      EXPECT_TRUE(contents("r.h5") == whole_);
    }
    std::filesystem::remove(path("status"));
  }
  EXPECT_GT(full, 0);
}

}  // namespace
}  // namespace tappet::test::fault_injection_test

#endif
