// Messages that say what to do, for mistakes that people were seen to make.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "regressions/program.hpp"

namespace tappet::test::cli_messages_test {
namespace {

using ::testing::HasSubstr;
using CliMessages = ProgramTest;

struct Mistake {
  const char *name, *model, *says;
};

const char* const ball =
    "tappet: 1\ndimension: spatial\ngravity: [0, 0, -9.81]\nbodies: {b: {mass: 1, inertia: [1, 1, 1], "
    "position: [0, 0, 1], "
    "shapes: {s: {sphere: {radius: 0.1}}}}}\nground: {shapes: {f: {plane: {point: [0, 0, 0], normal: [0, 0, "
    "1]}}}}\n"
    "simulation: {duration: 1}\n";

TEST_F(CliMessages, SayWhatToDo) {
  const Mistake mistakes[] = {
      {"tab", "tappet: 1\nbodies:\n\tcrank: {mass: 1}\n",
       "line 3 is indented by a tab; YAML is indented by spaces alone"},
      {"decimal comma", "tappet: 1\nbodies:\n  c: {mass: 1,5 kg, inertia: 1}\nsimulation: {duration: 1}\n",
       "'5 kg' in a body 'c' is no key: the comma before it ends a value. A decimal point is written '.'"},
      {"comma in text",
       "tappet: 1\nbodies: {c: {mass: 1, inertia: 1}}\nforces: {p: {type: expression, body: c, fx: max(1, "
       "t)}}\nsimulation: "
       "{duration: 1}\n",
       "a text with a comma in quotes"},
      {"cycle",
       "tappet: 1\ndefine:\n  a: 2*b\n  b: 3*a\nbodies: {c: {mass: 1, inertia: 1}}\nsimulation: {duration: "
       "1}\n",
       ":3:6: error: 'a' of 'define' is defined by itself: a needs b needs a"},
      {"itself",
       "tappet: 1\ndefine: {a: 1 + a}\nbodies: {c: {mass: 1, inertia: 1}}\nsimulation: {duration: 1}\n",
       "is defined by itself: a needs a"},
      {"section", "tappet: 1\nbodys:\n  c: {mass: 1, inertia: 1}\nsimulation: {duration: 1}\n",
       "did you mean 'bodies'?"},
      {"umlaut", "tappet: 1\nbodies:\n  Stängel: {mass: 1, inertia: 1}\nsimulation: {duration: 1}\n",
       "'Stängel' cannot be a name: the letters a–z and A–Z, digits"},
      {"bushing",
       "tappet: 1\nbodies:\n  c: {mass: 1, inertia: 1}\nforces: {b: {type: bushing, bodies: [ground, c], "
       "points: [[0, 0], [0, "
       "0]], stiffness: 5}}\nsimulation: {duration: 1}\n",
       "6×6 in space (x, y, z, rotations), 3×3 in the plane"},
      // Two bars of 1 m from both ends of 20 m: 16 m are missing in the middle.
      {"assembly",
       "tappet: 1\nbodies:\n  a: {mass: 1, inertia: 1, position: [1, 0]}\n  b: {mass: 1, inertia: 1, "
       "position: [19, 0]}\njoints:\n"
       "  p: {type: revolute, bodies: [ground, a], points: [[0, 0], [-1, 0]]}\n"
       "  q: {type: revolute, bodies: [a, b], points: [[1, 0], [-1, 0]]}\n"
       "  r: {type: revolute, bodies: [ground, b], points: [[20, 0], [1, 0]]}\nsimulation: {duration: 1}\n",
       "'q' by 16 m at ("},
      {"motions",
       "tappet: 1\nbodies:\n  a: {mass: 1, inertia: 1, position: [1, 0]}\njoints:\n  p: {type: revolute, "
       "bodies: [ground, a], "
       "points: [[0, 0], [-1, 0]]}\nmotions:\n  m1: {joint: p, speed: 1 rad/s}\n  m2: {joint: p, speed: 2 "
       "rad/s}\nsimulation: "
       "{duration: 1}\n",
       ":8:3: error: motion 'm2' moves the same coordinate as motion 'm1'"},
      // The same contradiction through another body: two motors at both ends of a pair of equal gears' worth of bodies.
      {"motions of two joints",
       "tappet: 1\nbodies:\n  a: {mass: 1, inertia: 1}\n  b: {mass: 1, inertia: 1}\njoints:\n"
       "  p: {type: revolute, bodies: [ground, a], points: [[0, 0], [0, 0]]}\n  q: {type: revolute, bodies: "
       "[ground, b], points: "
       "[[0, 0], [0, 0]]}\n  g: {type: fixed, bodies: [a, b], points: [[0, 0], [0, 0]]}\nmotions:\n"
       "  m1: {joint: p, speed: 1 rad/s}\n  m2: {joint: q, speed: 2 rad/s}\nsimulation: {duration: 1}\n",
       "joints and motions contradict each other: at the start"},
  };
  for (const Mistake& mistake : mistakes) {
    write("m.yaml", mistake.model);
    const Outcome outcome = run({"check", "m.yaml"});
    EXPECT_EQ(outcome.status, 2) << mistake.name;
    EXPECT_THAT(outcome.err, HasSubstr(mistake.says)) << mistake.name;
  }
}

TEST_F(CliMessages, DefinitionsStandInAnyOrder) {
  write("m.yaml",
        "tappet: 1\ndefine:\n  twice(u): 2*u*unit\n  a: twice(b)\n  b: 3*unit\n  unit: 1 kg\nbodies: {c: "
        "{mass: a, inertia: "
        "1}}\nsimulation: {duration: 1}\n");
  const Outcome outcome = run({"check", "m.yaml"});
  EXPECT_EQ(outcome.status, 0) << outcome.err;
}

// K = 4/3 · E/(2 (1 − ν²)) · √R of Shigley's steel: built-in names have elastic constants, and plain `steel` is one of them.
TEST_F(CliMessages, BuiltInMaterialsAreElastic) {
  const double K = 4. / 3 * 207e9 / (2 * (1 - 0.292 * 0.292)) * std::sqrt(0.1);
  for (const char* materials : {"[dry steel, dry steel]", "[steel, steel]", "[dry steel, greasy steel]"}) {
    write("m.yaml", std::string(ball) + "contacts: {k: {between: [ground.f, b.s], materials: " + materials +
                        ", normal: {law: hertz}}}\n");
    const Outcome outcome = run({"check", "m.yaml"});
    EXPECT_EQ(outcome.status, 0) << materials << outcome.err;
    const std::size_t at = outcome.out.find("K = ");
    ASSERT_NE(at, std::string::npos) << outcome.out;
    EXPECT_NEAR(std::stod(outcome.out.substr(at + 4)) / K, 1, 1e-3);
  }
  write("m.yaml",
        std::string(ball) +
            "contacts: {k: {between: [ground.f, b.s], materials: [stel, steel], normal: {law: hertz}}}\n");
  EXPECT_THAT(run({"check", "m.yaml"}).err, HasSubstr("did you mean 'steel'?"));
}

TEST_F(CliMessages, NumbersOfOptionsTakeUnits) {
  write("m.yaml",
        "tappet: 1\nbodies: {c: {mass: 1, inertia: 1, velocity: [1, 0]}}\nsimulation: {duration: 1}\n");
  ASSERT_EQ(run({"run", "m.yaml", "-q", "--checkpoint-interval", "1 min"}).status, 0);
  EXPECT_EQ(run({"plot", "m.h5", "c.x", "--from", "300ms", "--to", "0.5", "-o", "a.svg"}).status, 0);
  const Outcome wrong = run({"plot", "m.h5", "c.x", "--from", "3 kg", "-o", "a.svg"});
  EXPECT_EQ(wrong.status, 2);
  EXPECT_THAT(wrong.err, HasSubstr("'kg' is a mass, but a time is expected"));
}

}  // namespace
}  // namespace tappet::test::cli_messages_test
