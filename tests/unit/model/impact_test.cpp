// Episodes over steps made by hand: each contact's row is what its steps add up to, whatever the others do.
#include "tappet/model/impact.hpp"

#include <gtest/gtest.h>

#include "support/run_model.hpp"

namespace tappet::impact_test {
namespace {

// Two contacts that are followed, with restitution 0.25 and 0.5.
const std::string two_balls = R"(tappet: 1
dimension: planar
ground: {shapes: {floor: {plane: {normal: [0, 1], point: [0, 0]}}}}
bodies:
  a: {mass: 1, inertia: 1, position: [0, 1], shapes: {s: {circle: {radius: 0.1}}}}
  b: {mass: 1, inertia: 1, position: [1, 1], shapes: {s: {circle: {radius: 0.1}}}}
contacts:
  one: {between: [ground.floor, a.s], normal: {restitution: 0.25}}
  two: {between: [ground.floor, b.s], normal: {restitution: 0.5}}
simulation: {method: moreau, duration: 1, step: 0.1}
output: {step: 0.1}
)";

TEST(Episodes, AddUpTheirSteps) {
  const auto model = testing::model_of_text(two_balls);
  State state;
  EpisodeTable table;
  ImpactList rows;
  const auto take = [&](std::vector<ContactStep> steps, double from) {
    table.take(*model, steps, from, state, rows);
  };
  take({}, 0);
  EXPECT_TRUE(state.episodes.empty());
  // The second begins; then the first beside it; the second goes on, and ends before the first does.
  take({{.id = {.entry = 1}, .normal = 2, .rate_before = -3, .rate_after = -1, .gap = -0.25}}, 1);
  take({{.id = {.entry = 0}, .normal = 1, .rate_before = 0.5, .rate_after = 0.25, .gap = 0.125},
        {.id = {.entry = 1}, .normal = 4, .rate_before = -1, .rate_after = 1.5, .gap = -0.5}},
       1.5);
  EXPECT_EQ(state.episodes.size(), 2u);
  EXPECT_TRUE(rows.rows.empty());
  take({{.id = {.entry = 0}, .normal = 8, .rate_before = 0, .rate_after = 0.75, .gap = 0}}, 2);
  ASSERT_EQ(rows.rows.size(), 1u);
  const Impact& two = rows.rows[0];
  EXPECT_EQ(two.contact, 1);
  EXPECT_EQ(two.start, 1);
  EXPECT_EQ(two.end, 2);
  EXPECT_EQ(two.speed_in, 3);
  EXPECT_EQ(two.speed_out, 1.5);
  EXPECT_EQ(two.restitution, 0.5);
  EXPECT_EQ(two.requested, 0.5);
  EXPECT_EQ(two.max_penetration, 0.5);
  EXPECT_EQ(two.peak_force, 0);  // impulses over a step's length would be larger the shorter it is
  EXPECT_EQ(two.impulse, 6);
  EXPECT_EQ(state.counters.impacts, 1);
  EXPECT_EQ(state.counters.max_first_penetration, 0.25);
  // Both again: the second is a new one. Nothing any more: both end, in the order of their names.
  take({{.id = {.entry = 1}, .normal = 1}}, 2.5);
  EXPECT_EQ(rows.rows[1].contact, 0);
  EXPECT_EQ(rows.rows[1].impulse, 9);
  EXPECT_EQ(rows.rows[1].requested, 0.25);
  EXPECT_EQ(rows.rows[1].speed_in, 0);
  EXPECT_EQ(rows.rows[1].restitution, 0);
  take({}, 3);
  ASSERT_EQ(rows.rows.size(), 3u);
  EXPECT_EQ(rows.rows[2].start, 2.5);
  EXPECT_TRUE(state.episodes.empty());
  EXPECT_EQ(state.counters.impacts, 3);
}

TEST(Episodes, OfStructuresHaveTheLargestMeanForceOfAStep) {
  const auto model = testing::model_of_text(R"(tappet: 1
dimension: spatial
ground: {shapes: {floor: {plane: {normal: [0, 0, 1], point: [0, 0, 0]}}}}
materials: {rubber: {young: 1 MPa, poisson: 0.3, density: 1000}}
bodies:
  block: {position: [0, 0, 0.1], structure: {generate: {block: {size: [0.1, 0.1, 0.1], divisions: [1, 1, 1]}}, material: rubber}}
contacts: {c: {between: [ground.floor, block.all], normal: {law: newton, restitution: 0}}}
simulation: {method: moreau, duration: 1, step: 0.1}
)");
  ASSERT_EQ(model->first_structure_contact(), 0);
  State state;
  EpisodeTable table;
  ImpactList rows;
  state.t = 1.5;
  table.take(*model, {{.id = {.entry = 0}, .normal = 4, .rate_before = -3}}, 1, state, rows);  // 8 N
  state.t = 1.75;
  table.take(*model, {{.id = {.entry = 0}, .normal = 1.5}}, 1.5, state, rows);  // 6 N
  table.take(*model, {}, 1.75, state, rows);
  ASSERT_EQ(rows.rows.size(), 1u);
  EXPECT_EQ(rows.rows[0].peak_force, 8);
  EXPECT_EQ(rows.rows[0].impulse, 5.5);
}

}  // namespace
}  // namespace tappet::impact_test
