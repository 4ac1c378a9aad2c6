#include "tappet/multibody/contact_field.hpp"

#include <map>
#include <random>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "support/run_model.hpp"

namespace tappet::testing::contact_field_test {
namespace {

std::string balls(int count) {
  std::string text = "tappet: 1\ndimension: spatial\nbodies:\n";
  for (int i = 0; i < count; ++i)
    text += fmt::format(
        "  b{}: {{density: 1000, position: [{}, 0, 0], shapes: {{s: {{sphere: {{radius: 0.1}}}}}}}}\n", i, i);
  return text +
         "ground: {shapes: {floor: {plane: {point: [0, 0, 0], normal: [0, 0, 1]}}}}\ncontacts:\n"
         "  balls: {between: [\"b*.s\", \"b*.s\"], normal: {restitution: 0.5}, group: true}\n"
         "  floor: {between: [ground.floor, \"b*.s\"], normal: {restitution: 0.5}, group: true}\n"
         "simulation: {method: moreau, duration: 1, step: 1e-3}\n";
}

TEST(ContactField, FindsWhatABruteForceSearchFinds) {
  const auto model = model_of_text(balls(60));
  const Mechanism& m = model->mechanism;
  ASSERT_TRUE(m.contacts.empty());
  ASSERT_EQ(m.groups.size(), 2u);
  ContactField field(m);
  std::mt19937 engine(3);
  std::uniform_real_distribution<double> uniform(0, 1);
  Kinematics k;
  resize(k, m.dimension, m.body_count());
  std::vector<double> q = model->q0, u = model->u0;
  constexpr double time = 0.01;
  std::map<std::pair<int, int>, int> slots;
  for (int step = 0; step < 200; ++step) {
    for (int b = 0; b < m.body_count(); ++b)
      for (int i = 0; i < 3; ++i) {
        if (step == 0) q[7 * b + i] = uniform(engine);
        u[6 * b + i] = 2 * uniform(engine) - 1;
        q[7 * b + i] += time * u[6 * b + i];
      }
    update_kinematics(k, 0, q.data(), u.data(), nullptr);
    field.update(k, u.data(), time);
    std::map<std::pair<int, int>, int> now;
    field.each_place(k, [&](const ContactField::Place& place) {
      const auto bodies = std::minmax(place.bodies[0], place.bodies[1]);
      EXPECT_TRUE(now.emplace(bodies, place.slot).second) << "a place is visited once";
      EXPECT_EQ(place.group, place.bodies[0] == m.ground() ? 1 : 0);
    });
    // Whatever can meet within the time is there.
    for (int a = 0; a < m.body_count(); ++a) {
      for (int b = a + 1; b < m.body_count(); ++b) {
        const double gap = (k.spatial[a].r - k.spatial[b].r).norm() - 0.2;
        const double reach = time * (k.spatial[a].v.norm() + k.spatial[b].v.norm());
        EXPECT_TRUE(gap > reach || now.contains({a, b})) << a << ' ' << b;
      }
      EXPECT_TRUE(k.spatial[a].r.z() - 0.1 > time * k.spatial[a].v.norm() || now.contains({a, m.ground()}));
    }
    // A pair that stays near keeps its slot, and no slot is handed on at once.
    for (const auto& [pair, slot] : slots) {
      EXPECT_TRUE(!now.contains(pair) || now.at(pair) == slot);
      for (const auto& [other, taken] : now) EXPECT_TRUE(other == pair || taken != slot);
    }
    slots = now;
  }
  EXPECT_LT(field.capacity(), 2 * 60 * 61);
}

TEST(ContactField, ReopensAPlaceByItsSurfaces) {
  const auto model = model_of_text(balls(10));
  ContactField field(model->mechanism);
  const ContactId name{.entry = 0, .first = 2, .second = 7, .place = 0};
  const int slot = field.reopen(name),
            other = field.reopen({.entry = 0, .first = 2, .second = 5, .place = 0});
  EXPECT_EQ(field.reopen(name), slot);
  EXPECT_NE(slot, other);
  EXPECT_EQ(field.name(slot), name);
}

}  // namespace
}  // namespace tappet::testing::contact_field_test
