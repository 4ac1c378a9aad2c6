// The summary says which modes set the step.
#include "tappet/methods/fast_modes.hpp"

#include <cmath>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace tappet::testing::fast_modes_test {
namespace {

using ::testing::HasSubstr;

TEST(FastModes, AreThoseThatTurnByMuchOfARadianInAStep) {
  Mechanism m;
  m.flexible.bodies.emplace_back();
  FlexibleBody& body = m.flexible.bodies.back();
  body.name = "rod";
  body.modes = 3;
  body.stiffness = Eigen::Vector3d(1e6, 1e8, 4e8);  // ω = 1e3, 1e4, 2e4 rad/s
  std::vector<std::string> notes;
  note_fast_modes(m, 1e-6, notes);
  EXPECT_TRUE(notes.empty());
  note_fast_modes(m, 3e-5, notes);
  ASSERT_EQ(notes.size(), 1u);
  EXPECT_THAT(notes[0], HasSubstr("mode 3, 3183 Hz, turns by 0.6 rad"));
  note_fast_modes(m, 1e-4, notes);
  ASSERT_EQ(notes.size(), 2u);
  EXPECT_THAT(notes[1], HasSubstr("modes 2 to 3, from 1592 to 3183 Hz, turn by 1 to 2 rad"));
}

}  // namespace
}  // namespace tappet::testing::fast_modes_test
