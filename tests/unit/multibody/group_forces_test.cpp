// Contacts of groups under force laws act like those that are followed one by one.
#include "tappet/multibody/group_forces.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/run_model.hpp"

namespace tappet::testing::group_forces_test {
namespace {

using ::testing::HasSubstr;

std::string model(const std::string& group,
                  const std::string& friction = "{law: threlfall, coefficient: 0.2, v0: 0.01}") {
  return "tappet: 1\ndimension: spatial\ngravity: [0, 0, -9.81]\nmaterials: {steel: {young: 207 GPa, "
         "poisson: 0.3}}\nbodies:\n"
         "  b1: {density: 7800, position: [0, 0, 0.11], velocity: [0.3, 0, 0], shapes: {s: {sphere: {radius: "
         "0.1}}}}\n"
         "  b2: {density: 7800, position: [0.05, 0, 0.35], shapes: {s: {sphere: {radius: 0.1}}}}\n"
         "  b3: {density: 7800, position: [0.3, 0.05, 0.3], velocity: [-1, 0, 0], shapes: {s: {sphere: "
         "{radius: 0.05}}}}\n"
         "ground: {shapes: {floor: {plane: {point: [0, 0, 0], normal: [0, 0, 1]}}}}\ncontacts:\n"
         "  touch: {between: [\"*\", \"b*.s\"], materials: [steel, steel], normal: {law: flores, "
         "restitution: 0.6}, friction: " +
         friction + ", group: " + group +
         "}\nsimulation: {duration: 0.25, tolerance: 1e-9}\noutput: {step: 0.01}\n";
}

TEST(GroupForces, EqualContactsThatAreFollowed) {
  const Recording group = run_text(model("true")), each = run_text(model("false"));
  ASSERT_TRUE(group.summary.completed) << group.summary.stop_reason;
  ASSERT_EQ(group.impacts.size(), each.impacts.size());
  ASSERT_GT(group.impacts.size(), 4u);
  // Stiffness follows from materials and the radii of each pair: durations tell.
  for (std::size_t i = 0; i < group.impacts.size(); ++i) {
    EXPECT_NEAR(group.impacts[i].start, each.impacts[i].start, 1e-6);
    EXPECT_NEAR(group.impacts[i].speed_in, each.impacts[i].speed_in, 1e-4);
    EXPECT_NEAR(group.impacts[i].impulse, each.impacts[i].impulse, 1e-2 * each.impacts[i].impulse);
    EXPECT_EQ(group.impacts[i].requested, 0.6);
  }
  for (const char* body : {"b1.x", "b2.x", "b3.z"}) EXPECT_NEAR(group.last(body), each.last(body), 1e-5);
  EXPECT_LT(group.summary.energy_residual, 1e-6);
  EXPECT_LE(group.summary.max_first_penetration, 1.01e-9);  // 10⁻⁸ of the radius
  EXPECT_NEAR(group.last("touch.normal_loss"), group.last("energy.normal_loss"), 1e-12);
}

TEST(GroupForces, RefuseFrictionThatMustBeFollowed) {
  try {
    model_of_text(model("true", "{law: coulomb, coefficient: 0.2}"));
    FAIL();
  } catch (const InputError& e) {
    EXPECT_THAT(e.what(), HasSubstr("contact 'touch' is a group"));
    EXPECT_THAT(e.what(), HasSubstr("'coulomb'"));
  }
}

}  // namespace
}  // namespace tappet::testing::group_forces_test
