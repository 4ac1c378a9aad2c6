// Ctrl-C in commands that run many times: they end in good order, with status 1, and say what is kept.
#include <signal.h>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "regressions/program.hpp"

namespace tappet::test::cli_interrupt_test {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

class CliInterrupt : public ProgramTest {
 protected:
  CliInterrupt() {
    write("m.yaml",
          "tappet: 1\ngravity: [0, -9.81]\nbodies: {ball: {mass: 1, inertia: 1, position: [0, 1], shapes: "
          "{s: {circle: {radius: "
          "0.1}}}}}\nground: {shapes: {f: {plane: {point: [0, 0], normal: [0, 1]}}}}\ncontacts: {hit: "
          "{between: [ground.f, ball.s], "
          "normal: {law: flores, stiffness: 1e7, restitution: 0.9}}}\nsimulation: {duration: 10000 "
          "s}\noutput: {step: 1 s}\n");
    write("s.yaml",
          "study: 1\nmodel: m.yaml\nparameters: {T: {path: simulation.duration, values: [0.1, 0.2, 0.3, "
          "10000 s, 10000 s, 10000 "
          "s]}}\nset: [output.step=1 ms]\nmetrics: {h: max(ball.y)}\n");
    write("c.yaml",
          "catalogue: 1\ntitle: A\nauthors: B\npublished: C\nfigures:\n  1: {title: quick, model: m.yaml, "
          "plots: {h: {y: [ball.y]}}, set: "
          "[simulation.duration=0.1 s, output.step=1 ms], numbers: {h: max(ball.y)}, claims: {c: {says: it "
          "falls, holds: h > 0}}}\n"
          "  2: {title: long, model: m.yaml, plots: {h: {y: [ball.y]}}, numbers: {h: max(ball.y)}, claims: "
          "{c: {says: it falls, holds: h "
          "> 0}}}\n");
  }
  /// Waits until `ready`, interrupts, and returns how it ended.
  template <class Ready>
  Outcome interrupted(const std::vector<std::string>& arguments, Ready ready) {
    const pid_t child = start(arguments);
    for (int i = 0; i < 3000 && !ready(); ++i) ::usleep(10000);
    ::usleep(300000);
    ::kill(child, SIGINT);
    return wait(child);
  }
};

TEST_F(CliInterrupt, SweepKeepsItsJournalAndGoesOn) {
  const Outcome outcome = interrupted({"sweep", "s.yaml", "-j", "2"},
                                      [&] { return exists("s.journal") && text("s.journal").size() > 200; });
  EXPECT_EQ(outcome.status, 1) << outcome.err;
  EXPECT_THAT(outcome.err,
              AllOf(HasSubstr("interrupted (Ctrl-C)"), HasSubstr("of 6 runs are kept in s.journal")));
  EXPECT_FALSE(exists("s.csv"));
  EXPECT_TRUE(exists("s.journal"));
}

TEST_F(CliInterrupt, VerifySaysThatNothingIsKept) {
  const Outcome outcome = interrupted({"verify", "m.yaml"}, [] { return true; });
  EXPECT_EQ(outcome.status, 1) << outcome.err;
  EXPECT_THAT(outcome.err, AllOf(HasSubstr("interrupted (Ctrl-C)"), HasSubstr("nothing is kept")));
}

TEST_F(CliInterrupt, CompareKeepsTheVariantsThatAreDone) {
  const Outcome outcome = interrupted({"compare", "m.yaml", "--laws", "flores,hertz"}, [] { return true; });
  EXPECT_EQ(outcome.status, 1) << outcome.err;
  EXPECT_THAT(outcome.err, AllOf(HasSubstr("interrupted (Ctrl-C)"),
                                 HasSubstr("of 2 variants are done and kept in m_laws.csv")));
  EXPECT_TRUE(exists("m_laws.csv"));
}

TEST_F(CliInterrupt, ReproduceKeepsTheFiguresThatAreDone) {
  const Outcome outcome =
      interrupted({"reproduce", "c.yaml", "-o", "out"}, [&] { return exists("out/c/figure_1_numbers.csv"); });
  EXPECT_EQ(outcome.status, 1) << outcome.err;
  EXPECT_THAT(outcome.err, AllOf(HasSubstr("interrupted (Ctrl-C)"),
                                 HasSubstr("1 figures are not finished; the others are kept in out")));
  EXPECT_TRUE(exists("out/verdicts.csv"));
  EXPECT_THAT(text("out/verdicts.csv"), HasSubstr("c,1,seen"));
}

}  // namespace
}  // namespace tappet::test::cli_interrupt_test
