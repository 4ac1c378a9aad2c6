// What can be wrong with a clearance: each fault is an error that says where it is.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/run_model.hpp"

namespace tappet::testing::clearance_input_test {
namespace {

using ::testing::HasSubstr;

struct Fault {
  const char* name;
  const char* clearance;  ///< lines under `clearance`, from line 9 on, indented by six
  const char* place;      ///< line:column
  const char* message;
};
std::ostream& operator<<(std::ostream& out, const Fault& fault) {
  return out << fault.name;
}

class ClearanceFault : public ::testing::TestWithParam<Fault> {};

TEST_P(ClearanceFault, IsAnErrorWithItsPlace) {
  const std::string text = std::string(
                               "tappet: 1\n"
                               "bodies: {rod: {mass: 1, inertia: 1}}\n"
                               "joints:\n"
                               "  pin:\n"
                               "    type: revolute\n"
                               "    bodies: [ground, rod]\n"
                               "    points: [[0, 0], [0, 0]]\n"
                               "    clearance:\n") +
                           GetParam().clearance +
                           "simulation: {duration: 1}\nmaterials: {steel: {young: 207 GPa, poisson: 0.3}}\n";
  try {
    model_of_text(text);
    FAIL() << "accepted";
  } catch (const InputError& e) {
    EXPECT_THAT(e.what(), HasSubstr(std::string("test.yaml:") + GetParam().place));
    EXPECT_THAT(e.what(), HasSubstr(GetParam().message));
  }
}

INSTANTIATE_TEST_SUITE_P(
    Faults, ClearanceFault,
    ::testing::Values(
        Fault{"JournalLargerThanBearing",
              "      bearing_radius: 10 mm\n      journal_radius: 11 mm\n      normal: {law: hertz, "
              "stiffness: 1e10}\n",
              "10:23", "must be smaller than `bearing_radius`"},
        Fault{"JournalAsLargeAsBearing",
              "      bearing_radius: 10 mm\n      journal_radius: 10 mm\n      normal: {law: hertz, "
              "stiffness: 1e10}\n",
              "10:23", "must be smaller than `bearing_radius`"},
        Fault{"NegativeRadius",
              "      bearing_radius: -10 mm\n      journal_radius: 9 mm\n      normal: {law: hertz, "
              "stiffness: 1e10}\n",
              "9:23", "bearing_radius"},
        Fault{"FrictionOfAMasslessLink",
              "      model: massless-link\n      bearing_radius: 10 mm\n      journal_radius: 9 mm\n"
              "      friction: {law: coulomb, coefficient: 0.1}\n",
              "12:7",
              "unknown key 'friction' in the clearance (massless-link) of a revolute joint, a bar without "
              "mass and friction"},
        Fault{"MissingRadius", "      bearing_radius: 10 mm\n      normal: {law: hertz, stiffness: 1e10}\n",
              "", "journal_radius"},
        Fault{"UnknownMaterial",
              "      bearing_radius: 10 mm\n      journal_radius: 9 mm\n      materials: [steel, brass]\n"
              "      normal: {law: hertz}\n",
              "11:26", "'brass'"},
        Fault{"OneMaterial",
              "      bearing_radius: 10 mm\n      journal_radius: 9 mm\n      materials: [steel]\n"
              "      normal: {law: hertz}\n",
              "11:18", "materials"},
        Fault{"NoStiffness",
              "      bearing_radius: 10 mm\n      journal_radius: 9 mm\n      normal: {law: hertz}\n",
              "11:15", "stiffness"},
        Fault{"CylinderLawWithoutLength",
              "      bearing_radius: 10 mm\n      journal_radius: 9 mm\n      materials: [steel, steel]\n"
              "      normal: {law: esdu-78035}\n",
              "12:15", "length"},
        Fault{"UnknownLaw",
              "      bearing_radius: 10 mm\n      journal_radius: 9 mm\n      normal: {law: herz}\n", "11:21",
              "herz"},
        Fault{"NoLaw", "      bearing_radius: 10 mm\n      journal_radius: 9 mm\n", "", "normal"},
        Fault{"RestitutionOutOfRange",
              "      bearing_radius: 10 mm\n      journal_radius: 9 mm\n"
              "      normal: {law: flores, stiffness: 1e10, restitution: 1.5}\n",
              "11:59", "restitution"},
        Fault{"NegativeFriction",
              "      bearing_radius: 10 mm\n      journal_radius: 9 mm\n      normal: {law: hertz, "
              "stiffness: 1e10}\n"
              "      friction: {law: coulomb, coefficient: -0.1}\n",
              "12:45", "coefficient"},
        Fault{"RampsInTheWrongOrder",
              "      bearing_radius: 10 mm\n      journal_radius: 9 mm\n      normal: {law: hertz, "
              "stiffness: 1e10}\n"
              "      friction: {law: ambrosio, coefficient: 0.1, v0: 1 m/s, v1: 1 mm/s}\n",
              "12:", "v1"},
        Fault{"UnknownModel",
              "      model: rubber\n      bearing_radius: 10 mm\n      journal_radius: 9 mm\n", "9:14",
              "rubber"},
        Fault{"SpringWithoutStiffness",
              "      model: spring-damper\n      bearing_radius: 10 mm\n      journal_radius: 9 mm\n", "",
              "stiffness"},
        Fault{"UnknownKey",
              "      bearing_radius: 10 mm\n      journal_radius: 9 mm\n      play: 1 mm\n"
              "      normal: {law: hertz, stiffness: 1e10}\n",
              "11:7", "play"}),
    [](const auto& info) { return std::string(info.param.name); });

// A joint that has no clearance, and a guide that has two models of it.
TEST(ClearanceFaults, JointsThatCannotHaveIt) {
  auto fault = [](const std::string& joint) {
    try {
      model_of_text("tappet: 1\nbodies: {rod: {mass: 1, inertia: 1}}\njoints:\n  j: " + joint +
                    "\nsimulation: {duration: 1}\n");
    } catch (const InputError& e) {
      return std::string(e.what());
    }
    return std::string("accepted");
  };
  EXPECT_THAT(fault("{type: fixed, bodies: [ground, rod], points: [[0, 0], [0, 0]], clearance: "
                    "{bearing_radius: 1, journal_radius: 0.9}}"),
              HasSubstr("test.yaml:4:"));
  EXPECT_THAT(fault("{type: translational, bodies: [ground, rod], points: [[0, 0], [0, 0]], axis: [1, 0], "
                    "clearance: {model: spring-damper, "
                    "clearance: 1 mm, slider_length: 1, slider_height: 1}}"),
              HasSubstr("stiffness"));
  EXPECT_THAT(fault("{type: translational, bodies: [ground, rod], points: [[0, 0], [0, 0]], axis: [1, 0], "
                    "clearance: {model: massless-link, "
                    "clearance: 1 mm, slider_length: 1, slider_height: 1}}"),
              HasSubstr("massless-link"));
}

}  // namespace
}  // namespace tappet::testing::clearance_input_test
