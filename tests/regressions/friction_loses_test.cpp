// Friction never drives: what it has taken does not fall, whatever law holds, lets go and catches again at the corners of a box.
#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "support/friction_laws.hpp"
#include "support/run_model.hpp"

namespace tappet::testing::friction_loses_test {
namespace {

class FrictionLoses : public ::testing::TestWithParam<std::string> {};

TEST_P(FrictionLoses, BoxOnItsCornersPushedToAndFro) {
  for (const char* velocity : {"1e-9, 0, 0", "0, 0, 0", "1e-9, 1e-10, 0", "0.3, 0.2, 0"}) {
    for (const char* tolerance : {"1e-7", "1e-8"}) {
      const std::string text =
          std::string(
              "tappet: 1\ndimension: spatial\ngravity: [1, 0.5, -10]\nbodies:\n  box: {mass: 1, "
              "inertia: [0.1, 0.1, 0.1], position: [0, 0, 0.0999], velocity: [") +
          velocity +
          "], shapes: {skin: {box: {size: [0.4, 0.3, 0.2]}}}}\nground: {shapes: {floor: {plane: {point: [0, "
          "0, 0], "
          "normal: [0, 0, 1]}}}}\nforces: {push: {type: expression, body: box, fx: 3*sin(5*t), fy: "
          "1.5*cos(3*t)}}\ncontacts: {c: {between: [ground.floor, box.skin], normal: {law: hooke, stiffness: "
          "1e5, "
          "damping: 300}, friction: {" +
          GetParam() + "}}}\nsimulation: {duration: 1 s, method: smooth, tolerance: " + tolerance +
          "}\noutput: {step: 10 ms, signals: [energy.friction_loss]}\n";
      const Recording run = run_text(text);
      ASSERT_TRUE(run.summary.completed) << velocity << run.summary.stop_reason;
      double most = 0;
      for (const auto& row : run.rows) {
        // Where a contact counts as at rest its speed is the tolerance's: 1e-7 of 0.3 m/s, times 4 N in 1 s.
        EXPECT_GT(row[1], most - 1e-6) << velocity << " " << tolerance << " at " << row[0];
        most = std::max(most, row[1]);
      }
      EXPECT_LT(run.summary.energy_residual, 1e-6) << velocity << " " << tolerance;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(All, FrictionLoses, ::testing::ValuesIn(friction_laws(0.3, 0.4, 0.05)));

}  // namespace
}  // namespace tappet::testing::friction_loses_test
