// Candidate points of every clearance: their rates are those of their geometry, the rows that hold a sticking
// contact are those of its sliding velocity, and its tangents never jump.
#include "tappet/multibody/contact_point.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "support/random_poses.hpp"
#include "support/run_model.hpp"
#include "tappet/multibody/constraint_system.hpp"

namespace tappet::testing::contact_point_test {
namespace {

struct Case {
  const char* name;
  Dimension dimension;
  const char* joint;
  friend std::ostream& operator<<(std::ostream& out, const Case& c) { return out << c.name; }
};

constexpr const char* laws =
    "normal: {law: hertz, stiffness: 1e9}, friction: {law: rooney-deravi, coefficient: 0.3}";

std::shared_ptr<const Model> model_with(const Case& c) {
  const bool planar = c.dimension == Dimension::planar;
  return model_of_text(fmt::format(
      "tappet: 1\n"
      "dimension: {}\n"
      "bodies:\n"
      "  a: {{mass: 1, inertia: {}}}\n"
      "  b: {{mass: 2, inertia: {}}}\n"
      "joints:\n"
      "  play: {{bodies: [a, b], points: {}, {}, {}}}}}\n"
      "simulation: {{duration: 1}}\n",
      planar ? "planar" : "spatial", planar ? "1" : "[1, 2, 2.5]", planar ? "2" : "[2, 2, 3]",
      planar ? "[[0.3, -0.2], [0.1, 0.4]]" : "[[0.3, -0.2, 0.5], [0.1, 0.4, -0.3]]", c.joint, laws));
}

// The contacts of a model at any positions and velocities, all of them sticking.
class Contacts {
 public:
  explicit Contacts(const Model& model) : m(model.mechanism), states(m.contacts.size()), z_(m.aux_size, 0.0) {
    resize(k, m.dimension, m.body_count());
    k.contacts = states.data();
    for (ContactState& s : states) s.touching = s.stick.sticking = true;
  }
  const Kinematics& at(const std::vector<double>& q, const std::vector<double>& u) {
    update_kinematics(k, 0, q.data(), u.data(), z_.data());
    return k;
  }
  const Mechanism& m;
  std::vector<ContactState> states;
  Kinematics k;

 private:
  std::vector<double> z_;
};

class EveryContact : public ::testing::TestWithParam<Case> {};

TEST_P(EveryContact, MovesAsItsRatesSay) {
  const auto model = model_with(GetParam());
  Contacts contacts(*model);
  RandomPoses random(3);
  const double h = 1e-6;
  for (int n = 0; n < 20; ++n) {
    const std::vector<double> q = random.positions(contacts.m), u = random.velocities(contacts.m);
    for (const auto& point : contacts.m.contacts) {
      const Touch here = point->touch(contacts.at(q, u)),
                  on = point->touch(contacts.at(moved(contacts.m, q, u, h), u)),
                  back = point->touch(contacts.at(moved(contacts.m, q, u, -h), u));
      const TouchMotion motion = point->motion(contacts.at(q, u));
      EXPECT_NEAR(here.rate, (on.gap - back.gap) / (2 * h), 1e-8) << point->name;
      EXPECT_LT((motion.normal - (on.normal - back.normal) / (2 * h)).norm(), 1e-7) << point->name;
      EXPECT_LT((motion.at - (on.at - back.at) / (2 * h)).norm(), 1e-7) << point->name;
    }
  }
}

// At velocities that do not slide, J u = 0 and d(J u)/dt = J u̇ − γ.
TEST_P(EveryContact, IsHeldByTheRowsOfItsSlidingVelocity) {
  const auto model = model_with(GetParam());
  Contacts contacts(*model);
  RandomPoses random(4);
  const double h = 1e-5;
  for (int n = 0; n < 20; ++n) {
    const std::vector<double> q = random.positions(contacts.m);
    for (const auto& point : contacts.m.contacts) {
      ConstraintSystem rows(contacts.m.dimension, contacts.m.body_count(), {point->stick});
      std::vector<double> u = random.velocities(contacts.m), residual(rows.rows()), lambda(rows.rows()),
                          change(u.size());
      contacts.states[point->index].tangent.setZero();
      contacts.states[point->index].tangent =
          point->carried_tangent(contacts.at(q, u), point->touch(contacts.k));
      const auto rate = [&](double time) {
        rows.evaluate(contacts.at(moved(contacts.m, q, u, time), u));
        std::vector<double> out(rows.rows());
        rows.times(u.data(), out.data());
        return out;
      };
      // The rows are the components of the slip; without them nothing slides.
      residual = rate(0);
      const Touch touch = point->touch(contacts.k);
      const Tangential slip = point->tangents(contacts.k, touch).components(touch.slip);
      for (int r = 0; r < rows.rows(); ++r) EXPECT_NEAR(residual[r], slip[r], 1e-12) << point->name;
      for (int pass = 0; pass < 3; ++pass) {
        for (double& x : residual) x = -x;
        rows.factor(contacts.m.inverse_mass);
        rows.solve(nullptr, residual.data(), change.data(), lambda.data());
        for (std::size_t i = 0; i < u.size(); ++i) u[i] += change[i];
        residual = rate(0);
      }
      for (const double x : residual) ASSERT_NEAR(x, 0, 1e-12);
      const std::vector<double> gamma = rows.gamma(), on = rate(h), back = rate(-h);
      for (int r = 0; r < rows.rows(); ++r)
        EXPECT_NEAR(-gamma[r], (on[r] - back[r]) / (2 * h), 1e-7) << point->name << ", row " << r;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(
    Clearances, EveryContact,
    ::testing::Values(
        Case{"PlanarJournal", Dimension::planar,
             "type: revolute, clearance: {bearing_radius: 0.2, journal_radius: 0.15"},
        Case{"PlanarSlider", Dimension::planar,
             "type: translational, axis: [0.6, 0.8], clearance: {clearance: 0.1, slider_length: 0.7, "
             "slider_height: 0.3"},
        Case{"TiltingJournal", Dimension::spatial,
             "type: revolute, axis: [0.5, 0.7, -0.4], clearance: {bearing_radius: 0.2, journal_radius: 0.15, "
             "length: 0.3, "
             "axial_play: 0.1"},
        Case{"ParallelJournal", Dimension::spatial,
             "type: revolute, axis: [0.5, 0.7, -0.4], clearance: {bearing_radius: 0.2, journal_radius: 0.15"},
        Case{"Ball", Dimension::spatial,
             "type: spherical, clearance: {bearing_radius: 0.2, journal_radius: 0.15"},
        Case{"SpatialSlider", Dimension::spatial,
             "type: translational, axis: [0.6, 0.8, 0.1], clearance: {clearance: 0.1, slider_length: 0.7, "
             "slider_height: "
             "0.3, slider_width: 0.2"}),
    [](const auto& info) { return std::string(info.param.name); });

// Carried along from step to step, the tangents follow a normal all over the sphere without a jump, and a
// body that turns about the normal takes them with it.
TEST(Tangents, AreCarriedAlong) {
  Vec3 carried = Vec3::Zero(), last = Vec3::Zero();
  double jump = 0, off = 0;
  for (int n = 0; n <= 20000; ++n) {
    const double s = n * 2e-3;
    const Vec3 normal = Vec3(std::sin(s) * std::cos(1.7 * s), std::sin(s) * std::sin(1.7 * s), std::cos(s));
    const Tangents t = Tangents::in_space(normal, carried);
    off = std::max(
        {off, std::abs(t.t1.dot(normal)), std::abs(t.t1.norm() - 1), (normal.cross(t.t1) - t.t2).norm()});
    if (n > 0) jump = std::max(jump, (t.t1 - last).norm());
    carried = last = t.t1;
  }
  EXPECT_LT(off, 1e-14);
  EXPECT_LT(jump, 5e-3);  // what the normal itself turns in a step is at most 4e-3

  const Vec3 normal(0, 0, 1), turned = Eigen::AngleAxisd(1.2, normal) * Vec3(1, 0, 0);
  EXPECT_LT((Tangents::in_space(normal, turned).t1 - turned).norm(), 1e-15);
}

}  // namespace
}  // namespace tappet::testing::contact_point_test
