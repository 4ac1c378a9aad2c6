// The program in its surroundings: manual page, completion, keys, and --json and --quiet of every command.
#include <cstdlib>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "regressions/program.hpp"
#include "tappet/base/version.hpp"

namespace tappet::test::cli_shell_test {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;

/// The commands, as --help lists them.
std::vector<std::string> commands_in(const std::string& help) {
  std::vector<std::string> out;
  std::size_t at = help.find("Subcommands:");
  while ((at = help.find("\n  ", at + 1)) != std::string::npos) {
    const std::size_t begin = at + 3, end = help.find(' ', begin);
    if (help[begin] != ' ') out.push_back(help.substr(begin, end - begin));
  }
  return out;
}

class CliShell : public ProgramTest {
 protected:
  CliShell() : commands(commands_in(run({"--help"}).out)) {}
  std::vector<std::string> commands;
};

TEST_F(CliShell, EveryCommandHasJsonAndQuiet) {
  ASSERT_GT(commands.size(), 18u);
  for (const std::string& command : commands) {
    const std::string help = run({command, "--help"}).out;
    EXPECT_THAT(help, HasSubstr("--quiet")) << command;
    const bool prints_data = command != "completion" && command != "manual" && command != "view";
    if (prints_data) {
      EXPECT_THAT(help, HasSubstr("--json")) << command;
    }
  }
}

TEST_F(CliShell, JsonIsJsonAndQuietIsQuiet) {
  write("m.yaml",
        "tappet: 1\nbodies: {c: {mass: 1, inertia: 1, velocity: [1, 0]}}\nsimulation: {duration: 1}\n");
  ASSERT_EQ(run({"run", "m.yaml", "-q"}).status, 0);
  for (const std::vector<std::string>& words :
       std::vector<std::vector<std::string>>{{"check", "m.yaml"},
                                             {"laws"},
                                             {"laws", "hertz"},
                                             {"methods"},
                                             {"integrators"},
                                             {"materials"},
                                             {"keys"},
                                             {"keys", "joints.clearance"},
                                             {"version"},
                                             {"schema"},
                                             {"info", "m.h5"},
                                             {"export", "m.h5"},
                                             {"export", "m.h5", "--impacts"},
                                             {"plot", "m.h5", "c.x", "-o", "a.svg"},
                                             {"advise", "m.yaml"}}) {
    std::vector<std::string> json = words, quiet = words;
    json.push_back("--json");
    quiet.push_back("-q");
    const Outcome as_json = run(json);
    EXPECT_EQ(as_json.status, 0) << words[0] << as_json.err;
    EXPECT_TRUE(nlohmann::json::accept(as_json.out)) << words[0] << ": " << as_json.out;
    const Outcome silent = run(quiet);
    EXPECT_EQ(silent.status, 0) << words[0];
    EXPECT_EQ(silent.out, "") << words[0];
    EXPECT_EQ(silent.err, "") << words[0];
  }
  const auto exported = nlohmann::json::parse(run({"export", "m.h5", "c.vx", "--json"}).out);
  EXPECT_EQ(exported["columns"][1]["unit"], "m/s");
  EXPECT_EQ(exported["rows"][0], nlohmann::json({0.0, 1.0}));
}

TEST_F(CliShell, ManualHasEveryCommandAndOption) {
  const std::string page = run({"manual"}).out;
  EXPECT_THAT(page, HasSubstr(".TH TAPPET 1"));
  for (const std::string& command : commands)
    EXPECT_THAT(page, HasSubstr(".SS tappet " + command)) << command;
  EXPECT_THAT(page, AllOf(HasSubstr("\\fB\\-\\-checkpoint\\-interval\\fR"), HasSubstr("\\fB\\-\\-add\\fR"),
                          HasSubstr("\\fB\\-\\-resume\\fR")));
  if (std::system("command -v man > /dev/null") != 0) GTEST_SKIP() << "no man here";
  write("tappet.1", page);
  ASSERT_EQ(
      std::system(("cd '" + path("") + "' && man --warnings=all -l tappet.1 > shown 2> faults").c_str()), 0);
  EXPECT_EQ(text("faults"), "");
  EXPECT_THAT(text("shown"), HasSubstr("tappet sweep STUDY"));
}

TEST_F(CliShell, CompletionKnowsCommandsAndOptions) {
  write("tappet.bash", run({"completion", "bash"}).out);
  // As bash calls it, for `tappet sw` and `tappet run --res`.
  const std::string ask =
      "cd '" + path("") +
      "' && bash -c 'source ./tappet.bash; COMP_WORDS=(tappet sw) COMP_CWORD=1; _tappet; echo "
      "${COMPREPLY[@]}; "
      "COMP_WORDS=(tappet run --res) COMP_CWORD=2; _tappet; echo ${COMPREPLY[@]}' > completed";
  ASSERT_EQ(std::system(ask.c_str()), 0);
  EXPECT_EQ(text("completed"), "sweep\n--resume\n");
  for (const std::string shell : {"zsh", "fish"}) {
    const Outcome script = run({"completion", shell});
    EXPECT_EQ(script.status, 0);
    for (const std::string& command : commands) EXPECT_THAT(script.out, HasSubstr(command)) << shell;
    EXPECT_THAT(script.out, HasSubstr("resume")) << shell;
    if (std::system(("command -v " + shell + " > /dev/null").c_str()) != 0) continue;
    write("script." + shell, script.out);
    EXPECT_EQ(std::system(("cd '" + path("") + "' && " + shell + " -n script." + shell).c_str()), 0) << shell;
  }
  EXPECT_EQ(run({"completion", "tcsh"}).status, 2);
}

TEST_F(CliShell, KeysAreThoseOfTheReader) {
  EXPECT_THAT(run({"keys"}).out, AllOf(HasSubstr("joints"), HasSubstr("simulation")));
  const std::string clearance = run({"keys", "joints.clearance"}).out;
  EXPECT_THAT(clearance,
              AllOf(HasSubstr("bearing_radius"), HasSubstr("journal_radius"), HasSubstr("normal")));
  // Names of one's own may stand in the path or not.
  EXPECT_THAT(run({"keys", "joints.wrist.clearance"}).out, HasSubstr("bearing_radius"));
  EXPECT_THAT(run({"keys", "contacts.normal.impact"}).out,
              AllOf(HasSubstr("depth"), HasSubstr("damping"), HasSubstr("N s/m")));
  EXPECT_THAT(run({"keys", "simulation.duration"}).out, HasSubstr("in s"));
  const Outcome wrong = run({"keys", "simulation.durration"});
  EXPECT_EQ(wrong.status, 2);
  EXPECT_THAT(wrong.err, HasSubstr("did you mean 'duration'?"));
}

TEST_F(CliShell, TablesCarryTheirUnits) {
  write("m.yaml",
        "tappet: 1\nbodies: {c: {mass: 1, inertia: 1, velocity: [1, 0]}}\nsimulation: {duration: 1}\n");
  ASSERT_EQ(run({"run", "m.yaml", "-q"}).status, 0);
  EXPECT_THAT(run({"export", "m.h5", "c.vx"}).out, HasSubstr("time [s],c.vx [m/s]\n0,1\n"));
  EXPECT_EQ(run({"export", "m.h5", "--impacts"}).out,
            "contact,start [s],end [s],speed_in [m/s],speed_out [m/s],restitution,requested,max_penetration "
            "[m],peak_force [N],impulse "
            "[N s]\n");
}

TEST_F(CliShell, FiguresForPrint) {
  write("m.yaml",
        "tappet: 1\nbodies: {c: {mass: 1, inertia: 1, velocity: [1 mm/s, 0], position: [1 mm, "
        "0]}}\nsimulation: {duration: 1}\n");
  ASSERT_EQ(run({"run", "m.yaml", "-q"}).status, 0);
  ASSERT_EQ(run({"run", "m.yaml", "-q", "-o", "n.h5", "--set", "bodies.c.velocity=[2 mm/s, 0]"}).status, 0);
  const Outcome both = run({"plot", "m.h5", "c.x", "--compare", "n.h5", "--size", "85x60", "--font", "8",
                            "--log", "y", "-o", "a.svg"});
  EXPECT_EQ(both.status, 0) << both.err;
  // 85 mm are 301 pixels of 1/90 inch; millimetres since numbers are that small; a curve for each result, and their
  // common name once.
  EXPECT_THAT(text("a.svg"), AllOf(HasSubstr("width=\"301\" height=\"213\""), HasSubstr("[mm]"),
                                   HasSubstr("<text>c.x [mm]</text>"), HasSubstr("<text>m</text>"),
                                   HasSubstr("<text>n</text>")));
  EXPECT_EQ(run({"plot", "m.h5", "c.x", "--size", "85x60", "-o", "a.pdf"}).status, 0);
  EXPECT_EQ(run({"plot", "m.h5", "c.x", "--size", "85x60", "-o", "a.png"}).status, 0);
  EXPECT_EQ(run({"plot", "m.h5", "c.x", "--size", "wide", "-o", "a.svg"}).status, 2);
  const Outcome none = run({"plot", "m.h5", "c.y", "--log", "y", "-o", "a.svg"});
  EXPECT_EQ(none.status, 2);
  EXPECT_THAT(none.err, HasSubstr("no logarithmic axis can show it"));
}

}  // namespace
}  // namespace tappet::test::cli_shell_test
