#include "tappet/spec/spec.hpp"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <random>
#include <unistd.h>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace tappet::spec_test {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

namespace {

const std::string pendulum =
    "tappet: 1\n"
    "title: Pendulum\n"
    "gravity: [0, -9.81]\n"
    "bodies:\n"
    "  rod: {mass: 1 kg, inertia: 1/12 kg m^2, position: [0.5 m, 0]}\n"
    "joints:\n"
    "  hinge: {type: revolute, bodies: [ground, rod], points: [[0, 0], [-0.5 m, 0]]}\n"
    "motions: {}\n"
    "simulation: {duration: 10 s}\n"
    "output: {step: 10 ms}\n";

std::string fault(const std::string& text, const std::vector<std::string>& settings = {}) {
  try {
    spec_from_text(text, "m", settings);
  } catch (const InputError& error) {
    return error.what();
  }
  return "no error";
}

/// The pendulum with one line replaced.
std::string with(const std::string& old_text, const std::string& new_text) {
  std::string text = pendulum;
  text.replace(text.find(old_text), old_text.size(), new_text);
  return text;
}

}  // namespace

TEST(Spec, ReadsAModel) {
  const Spec spec = spec_from_text(pendulum, "pendulum.yaml");
  EXPECT_EQ(spec.file, "pendulum.yaml");
  EXPECT_EQ(spec.title, "Pendulum");
  EXPECT_EQ(spec.dimension, Dimension::planar);
  EXPECT_THAT(spec.gravity, ElementsAre(0, -9.81));
  ASSERT_EQ(spec.bodies.size(), 1u);
  EXPECT_EQ(spec.bodies[0].name, "rod");
  EXPECT_EQ(spec.bodies[0].name_pos.line, 5);
  EXPECT_THAT(spec.bodies[0].vector("inertia"), ElementsAre(1.0 / 12));
  ASSERT_EQ(spec.joints.size(), 1u);
  EXPECT_EQ(spec.joints[0].type, "revolute");
  EXPECT_TRUE(spec.motions.empty());
  EXPECT_EQ(spec.simulation.number("duration"), 10);
  EXPECT_EQ(spec.output.number("step"), 0.01);
}

TEST(Spec, Defaults) {
  const Spec planar = spec_from_text("tappet: 1\nsimulation: {duration: 1}\n", "m");
  EXPECT_EQ(planar.dimension, Dimension::planar);
  EXPECT_EQ(planar.title, "");
  EXPECT_THAT(planar.gravity, ElementsAre(0, 0));
  const Spec spatial = spec_from_text("tappet: 1\ndimension: spatial\nsimulation: {duration: 1}\n", "m");
  EXPECT_THAT(spatial.gravity, ElementsAre(0, 0, 0));
}

TEST(Spec, SectionsThatAreNotWrittenAreReadAllTheSame) {
  EXPECT_THAT(fault("tappet: 1\n"), HasSubstr("missing key 'duration' in `simulation`"));
  EXPECT_THAT(fault("tappet: 1\nsimulation:\n"),
              HasSubstr("m:2:1: error: missing key 'duration' in `simulation`"));
}

TEST(Spec, Version) {
  EXPECT_EQ(
      fault("title: x\n"),
      "m:1:1: error: missing key 'tappet': a model begins with 'tappet: 1', the version of its language");
  // what another version's keys mean is not known here
  EXPECT_EQ(fault("tappet: 2\nnew_key: 3\n"),
            "m:1:9: error: 'tappet' is '2', but this program reads version 1");
  EXPECT_THAT(fault("tappet: one\n"), HasSubstr("'tappet' must be a plain number"));
  EXPECT_THAT(fault("tappet: 1.5\n"), HasSubstr("must be a whole number"));
  EXPECT_THAT(fault("tappet:\n"), HasSubstr("'tappet' has no value; it must be 1"));
  EXPECT_THAT(fault("tappet: [1]\n"), HasSubstr("not a list"));
}

TEST(Spec, DimensionComesFirst) {
  // wherever it is written
  EXPECT_EQ(fault("gravity: [0, 0, -9.81]\nsimulation: {duration: 1}\ndimension: spatial\ntappet: 1\n"),
            "no error");
  EXPECT_EQ(fault("tappet: 1\ndimension: spacial\ngravity: [0, 0, 1]\n"),
            "m:2:12: error: 'dimension' is 'spacial', which is not known; did you mean 'spatial'? allowed: "
            "planar and spatial");
  EXPECT_THAT(fault("tappet: 1\ndimension:\n"), HasSubstr("'dimension' has no value"));
  EXPECT_THAT(fault("tappet: 1\ndimension: [planar]\n"),
              HasSubstr("must be one of planar and spatial, not a list"));
  EXPECT_THAT(fault(with("[0, -9.81]", "[0, 0, -9.81]")),
              HasSubstr("m:3:10: error: 'gravity' has 3 numbers, but 2 are expected in a planar model"));
}

TEST(Spec, UnknownSection) {
  EXPECT_THAT(fault(with("joints:", "joint:")),
              HasSubstr("m:6:1: error: unknown key 'joint' in the model; did you mean 'joints'?"));
}

TEST(Spec, OneNameOneThing) {
  EXPECT_EQ(fault(with("  hinge:", "  rod:")),
            "m:7:3: error: the joint 'rod' has the same name as the body at line 5; names must differ");
  for (const char* name : {"ground", "energy", "time"})
    EXPECT_THAT(fault(with("  rod:", fmt::format("  {}:", name))),
                HasSubstr(fmt::format("the name '{}' is reserved", name)));
  EXPECT_THAT(fault(with("  rod:", "  my.rod:")), HasSubstr("'my.rod' cannot be a name"));
  EXPECT_THAT(fault(with("  hinge:", "  hinge: {}\n  hinge:")),
              HasSubstr("duplicate key 'hinge' (first at line 7)"));
}

TEST(Spec, SeveralFaultsInOneRun) {
  EXPECT_THAT(fault("tappet: 1\ngravity: 9.81\nbodies: {a: {mass: -1, inertia: 0}, b: 7}\nsimulation: "
                    "{duration: 1 m}\nx: 1\n"),
              AllOf(HasSubstr("m:2:10"), HasSubstr("m:3:20"), HasSubstr("m:3:33"), HasSubstr("m:3:40"),
                    HasSubstr("m:4:24"), HasSubstr("m:5:1")));
}

TEST(Spec, Settings) {
  const Spec spec = spec_from_text(pendulum, "m", {"bodies.rod.mass=2 kg", "simulation.duration=1 min"});
  EXPECT_EQ(spec.bodies[0].number("mass"), 2);
  EXPECT_EQ(spec.simulation.number("duration"), 60);
  EXPECT_EQ(fault(pendulum, {"bodies.rod.mass=-2 kg"}),
            "--set bodies.rod.mass=-2 kg: error: 'mass' is '-2 kg', but must be > 0 (in kg)");
  EXPECT_THAT(fault(pendulum, {"bodies.rod.mas=2"}),
              HasSubstr("--set bodies.rod.mas=2: error: unknown key 'mas'"));
  // every setting that cannot be applied
  EXPECT_THAT(fault(pendulum, {"nonsense", "title.x=1"}),
              AllOf(HasSubstr("--set nonsense"), HasSubstr("--set title.x=1")));
}

TEST(Spec, ModelTextReproducesTheModel) {
  const Spec spec = spec_from_text(pendulum, "m", {"bodies.rod.mass=2 kg"});
  const Spec again = spec_from_text(spec.model_text, "again");
  EXPECT_EQ(again.model_text, spec.model_text);
  EXPECT_EQ(again.bodies[0].number("mass"), 2);
  EXPECT_EQ(again.joints[0].points("points"), spec.joints[0].points("points"));
}

TEST(Spec, LoadsAFile) {
  const auto path = std::filesystem::temp_directory_path() / fmt::format("tappet_spec_{}.yaml", ::getpid());
  std::ofstream(path) << pendulum;
  const Spec spec = load_spec(path.string(), {"title=Another"});
  std::filesystem::remove(path);
  EXPECT_EQ(spec.title, "Another");
  EXPECT_EQ(spec.file, path.string());
  EXPECT_THROW(load_spec(path.string()), InputError);
}

TEST(Spec, TenThousandBodies) {
  std::string text = "tappet: 1\nsimulation: {duration: 1}\nbodies:\n";
  for (int i = 0; i < 10000; ++i)
    text += fmt::format("  b{}: {{mass: 1 kg, inertia: 1e-3 kg m^2, position: [{} mm, 0]}}\n", i, i);
  EXPECT_EQ(spec_from_text(text, "m").bodies.size(), 10000u);
}

// Whatever is given, the answer is a model or an InputError: never another exception, never a crash.
class Mangled {
 public:
  explicit Mangled(unsigned seed) : random_(seed) {}

  std::string next() {
    std::string text = pendulum;
    for (int i = below(8); i >= 0; --i) change(text);
    return text;
  }

 private:
  int below(std::size_t n) { return n == 0 ? 0 : static_cast<int>(random_() % n); }

  void change(std::string& text) {
    static const std::vector<std::string> pieces = {
        "[",        "]",         "{",     "}",        ":",
        ": ",       "- ",        "#",     "&a ",      "*a ",
        "!!str ",   "'",         "\"",    "\\",       "|\n",
        ">\n",      "---\n",     "...\n", "\t",       "  ",
        "\n",       ",",         "?",     "%",        "@",
        "<<: ",     "~",         "null",  "1e999",    "-1",
        "nan",      "inf",       "1/0",   "kg",       "m^",
        "µ",        "\xff",      "\x01",  "(",        "))",
        "sin(",     "^",         "t",     "pi",       "dimension: spatial\n",
        "type: ",   "universal", "0",     "[[[[[[[[", "{{{{{{{{",
        "bodies: ", "mass: "};
    const std::size_t at = below(text.size() + 1);
    switch (below(5)) {
      case 0:
        text.insert(at, pieces[below(pieces.size())]);
        break;
      case 1:
        text.erase(at, 1 + below(20));
        break;
      case 2:
        text.insert(at, text.substr(below(text.size() + 1), below(60)));
        break;
      case 3:
        if (at < text.size()) text[at] = static_cast<char>(random_());
        break;
      default:
        text.replace(at, std::min<std::size_t>(text.size() - at, below(4)), pieces[below(pieces.size())]);
    }
  }

  std::mt19937 random_;
};

TEST(Spec, MangledModelsNeverCrash) {
  Mangled mangled(1);
  int accepted = 0, refused = 0;
  for (int i = 0; i < 20000; ++i) {
    const std::string text = mangled.next();
    try {
      spec_from_text(text, "m");
      ++accepted;
    } catch (const InputError& error) {
      ++refused;
      ASSERT_FALSE(error.diagnostics().empty());
    } catch (const std::exception& error) {
      FAIL() << "not an InputError: " << error.what() << "\n" << text;
    }
  }
  // The mangling is neither harmless nor always fatal.
  EXPECT_GT(accepted, 100);
  EXPECT_GT(refused, 10000);
}

TEST(Spec, MangledSettingsNeverCrash) {
  Mangled mangled(2);
  for (int i = 0; i < 2000; ++i) {
    const std::string text = mangled.next();
    for (const std::string& setting : {"bodies.rod=" + text.substr(100), text.substr(0, 40)}) {
      try {
        spec_from_text(pendulum, "m", {setting});
      } catch (const InputError&) {
      }
    }
  }
}

TEST(Spec, GarbageNeverCrashes) {
  std::mt19937 random(3);
  for (int i = 0; i < 5000; ++i) {
    std::string text(random() % 200, ' ');
    for (char& c : text) c = static_cast<char>(i % 2 ? random() : 32 + random() % 95);
    EXPECT_THROW(spec_from_text(text, "m"), InputError) << text;
  }
}

}  // namespace tappet::spec_test
