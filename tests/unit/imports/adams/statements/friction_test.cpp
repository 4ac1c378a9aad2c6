#include <cmath>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/run_adams.hpp"

namespace tappet::adams_friction_test {
namespace {

using testing::adams_mass_at;
using testing::Recording;
using testing::run_adams;

// A slide without bending: v = v₀ − μ g t while it is faster than the transition.
TEST(AdamsFriction, SlidesSlowDownByTheirWeight) {
  const Recording r = run_adams(
      "ACCGRAV/JGRAV=-10\n" + adams_mass_at("0,0,0", ", VZ=3") +
          "JOINT/1, TRANSLATIONAL, I=20, J=10\n"
          "FRICTION/1, JOINT=1, MU_STATIC=0.4, MU_DYNAMIC=0.2, STICTION_TRANSITION_VELOCITY=0.01\n"
          ", MAX_STICTION_DEFORMATION=0.01, FRICTION_FORCE_PRELOAD=0, REACTION_ARM=1, INITIAL_OVERLAP=1000\n"
          ", OVERLAP_DELTA=CONSTANT, EFFECT=ALL, INPUTS=REACTION_FORCE\n",
      1);
  EXPECT_NEAR(r.last("part_2.vz"), 1, 1e-7);
}

// A weight held at an arm of 2 m bends the guide: |M|/overlap presses beside |F|.
TEST(AdamsFriction, BendingPressesOverTheOverlap) {
  const auto speed = [](const std::string& overlap) {
    return run_adams("ACCGRAV/JGRAV=-10\n" + adams_mass_at("0,0,2", ", VZ=3") +
                         "MARKER/21, PART=2\nJOINT/1, TRANSLATIONAL, I=21, J=10\n"
                         "FRICTION/1, JOINT=1, MU_STATIC=0.02, MU_DYNAMIC=0.02, "
                         "STICTION_TRANSITION_VELOCITY=0.001, "
                         "INITIAL_OVERLAP=" +
                         overlap + ", INPUTS=REACTION_FORCE:BENDING_MOMENT\n",
                     0.1)
        .last("part_2.vz");
  };
  // The reaction refers to the point of the slide, from which the centre of mass keeps its distance.
  EXPECT_NEAR(speed("1000"), 3 - 0.02 * 0.1 * 10 * (1 + 2 / 1000.0), 1e-6);
  EXPECT_NEAR(speed("0.5"), 3 - 0.02 * 0.1 * 10 * (1 + 2 / 0.5), 1e-6);
}

TEST(AdamsFriction, WhatIsNotTranslatedIsRefused) {
  for (const auto& [arguments, words] :
       {std::pair{"MU_DYNAMIC=0.1", "MU_STATIC is missing"},
        {"MU_STATIC=0.1, MU_DYNAMIC=0.1, OVERLAP_DELTA=INCREASE",
         "OVERLAP_DELTA = INCREASE is not translated"},
        {"MU_STATIC=0.1, MU_DYNAMIC=0.1, EFFECT=SLIDING", "EFFECT = SLIDING is not translated"},
        {"MU_STATIC=0.1, MU_DYNAMIC=0.1, INPUTS=NONE", "friction that the reaction force does not press"},
        {"MU_STATIC=0.1, MU_DYNAMIC=0.1, FRICTION_FORCE_PRELOAD=5",
         "FRICTION_FORCE_PRELOAD, friction whatever presses"}}) {
    try {
      import_adams_text(testing::adams_head + adams_mass_at("0,0,0") +
                            "JOINT/1, TRANSLATIONAL, I=20, J=10\nFRICTION/1, JOINT=1, " + arguments + "\n",
                        "test.adm");
      FAIL() << arguments;
    } catch (const InputError& fault) {
      EXPECT_THAT(fault.what(), ::testing::HasSubstr(words)) << arguments;
    }
  }
}

}  // namespace
}  // namespace tappet::adams_friction_test
