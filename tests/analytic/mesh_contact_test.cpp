// Meshes that are not convex, on each other: plates that meet edge to edge, gears, a ratchet. All parts of a machine cut from one sheet
// are equally thick, so their faces lie in common planes, and the shortest way out of any overlap is 0 mm, sideways.
#include <algorithm>
#include <cmath>
#include <map>
#include <numbers>
#include <numeric>
#include <string>
#include <tuple>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "support/folder_test.hpp"
#include "support/plate_meshes.hpp"
#include "support/run_model.hpp"
#include "tappet/geometry/pair.hpp"
#include "tappet/geometry/shapes/mesh.hpp"

namespace tappet::mesh_contact_test {
namespace {

using testing::Outline;
using testing::Recording;

constexpr double pi = std::numbers::pi;

// ----------------------------------------------------------------------------------------------------------------- plates

/// Two plates that lie in one plane. The second comes along −x at 1 m/s.
struct Meeting {
  double beside = 0, turned = 0;  ///< of the second: its y, its angle
  double above = 0;               ///< its z
  std::string method = "smooth", normal = "", settings = "tolerance: 1e-8";
  double duration = 0.1;
  bool held = true;  ///< planar joints, otherwise free
  double friction = 0;
};

constexpr double plate_mass = 1, plate_inertia = 1e-3;

class Plates : public FolderTest {
 protected:
  void cut(const Outline& first, double t1, const Outline& second, double t2) const {
    testing::write_stl(testing::plate(first, t1), path("a.stl"));
    testing::write_stl(testing::plate(second, t2), path("b.stl"));
  }
  void cut_stars(double t1 = 0.01, double t2 = 0.01) const {
    cut(testing::star(6, 0.05, 0.03), t1, testing::star(6, 0.05, 0.03), t2);
  }
  std::string model(const Meeting& m) const {
    const auto body = [&](const char* name, double x, double y, double z, double v, double angle) {
      return fmt::format(
          "  {0}: {{mass: {1}, inertia: [{2}, {2}, {2}], position: [{3}, {4}, {5}], velocity: [{6}, 0, 0],\n"
          "      angular_velocity: [0, 0, 0], orientation: {{axis: [0, 0, 1], angle: {7}}},\n"
          "      shapes: {{skin: {{mesh: {{file: '{8}', scale: 1 mm}}}}}}}}\n",
          name, plate_mass, plate_inertia, x, y, z, v, angle, path(fmt::format("{}.stl", name)));
    };
    std::string out = "tappet: 1\ndimension: spatial\ngravity: [0, 0, 0]\nbodies:\n";
    out += body("a", 0, 0, 0, 0, 0) + body("b", 0.12, m.beside, m.above, -1, m.turned);
    if (m.held)
      out += fmt::format(
          "joints:\n"
          "  pa: {{type: planar, bodies: [ground, a], points: [[0, 0, 0], [0, 0, 0]], axis: [0, 0, 1]}}\n"
          "  pb: {{type: planar, bodies: [ground, b], points: [[0, 0, {}], [0, 0, 0]], axis: [0, 0, 1]}}\n",
          m.above);
    out += fmt::format(
        "contacts:\n  c: {{between: [a.skin, b.skin], normal: {{{}}}{}}}\n", m.normal,
        m.friction > 0 ? fmt::format(", friction: {{{}coefficient: {}}}",
                                     m.method == "smooth" ? "law: threlfall, v0: 1 mm/s, " : "", m.friction)
                       : "");
    out += fmt::format("simulation: {{method: {}, duration: {}, {}}}\noutput: {{step: {}}}\n", m.method,
                       m.duration, m.settings, m.duration / 10);
    return out;
  }
};

constexpr const char* stiff = "law: hertz, stiffness: 1e9, exponent: 1.5";

struct After {
  Vec3 a, b;        ///< velocity in the plane, spin
  double time = 0;  ///< of first touch
  double energy() const {
    double sum = 0;
    for (const Vec3& v : {a, b})
      sum += 0.5 * plate_mass * v.head<2>().squaredNorm() + 0.5 * plate_inertia * v.z() * v.z();
    return sum;
  }
};

After after(const Recording& r) {
  const auto of = [&](const std::string& n) {
    return Vec3(r.last(n + ".vx"), r.last(n + ".vy"), r.last(n + ".wz"));
  };
  return {of("a"), of("b")};
}

/// The same by rigid-body mechanics: the first corner that meets a side as b comes along −x gives P = (1 + e) m_eff v_n there, along the
/// side's normal.
After rigid_impact(const Outline& a, const Outline& b0, const Meeting& m, double e) {
  Outline b;
  const Eigen::Rotation2Dd turn(m.turned);
  for (const Vec2& p : b0) b.push_back(turn * p + Vec2(0.12, m.beside));
  double first = HUGE_VAL;
  Vec2 at, normal;  // on a at the moment of touch; from a to b
  const auto corners_on_sides = [&](const Outline& corners, const Outline& sides, double sense) {
    for (const Vec2& c : corners)
      for (std::size_t i = 0; i < sides.size(); ++i) {
        // c + s·x meets the side; b moves by −way.
        const Vec2 &p = sides[i], &q = sides[(i + 1) % sides.size()];
        if ((c.y() - p.y()) * (c.y() - q.y()) >= 0) continue;
        const double x = p.x() + (q.x() - p.x()) * (c.y() - p.y()) / (q.y() - p.y());
        const double way = sense * (c.x() - x);
        if (way < 0 || way >= first) continue;
        first = way;
        at = sense > 0 ? Vec2(x, c.y()) : c;
        normal = sense * Vec2(q.y() - p.y(), p.x() - q.x()).normalized();
      }
  };
  corners_on_sides(b, a, 1);
  corners_on_sides(a, b, -1);
  const Vec2 arm_b = at - Vec2(0.12 - first, m.beside);
  const double ja = cross(at, normal), jb = cross(arm_b, normal);
  const double mobility = 2 / plate_mass + (ja * ja + jb * jb) / plate_inertia;
  const double P = (1 + e) * normal.x() / mobility;  // approach 1 m/s along x
  After out;
  out.time = first;
  out.a << -P * normal / plate_mass, -P * ja / plate_inertia;
  out.b << Vec2(-1, 0) + P * normal / plate_mass, P * jb / plate_inertia;
  return out;
}

void expect_conserved(const Recording& r, const Meeting& m, double spin_tolerance = 1e-6) {
  const After v = after(r);
  EXPECT_NEAR(v.a.x() + v.b.x(), -1, 1e-9);
  EXPECT_NEAR(v.a.y() + v.b.y(), 0, 1e-9);
  double L = plate_inertia * (v.a.z() + v.b.z());
  for (const char* n : {"a", "b"}) {
    const std::string s = n;
    L += plate_mass * (r.last(s + ".x") * r.last(s + ".vy") - r.last(s + ".y") * r.last(s + ".vx"));
  }
  EXPECT_NEAR(L, plate_mass * m.beside, spin_tolerance);
  for (const char* n : {"a.vz", "b.vz"}) EXPECT_LT(r.largest(n), 1e-9);
}

// A tip on a flat flank: one normal, known beforehand. What follows the first impact is not.
TEST_F(Plates, StarsOfEqualThicknessBounceByForces) {
  cut_stars();
  const Outline star = testing::star(6, 0.05, 0.03);
  for (const auto& [beside, turned] : {std::pair{0.004, 0.3}, {0.012, 0.3}}) {
    Meeting m{.beside = beside, .turned = turned, .normal = "law: hertz, stiffness: 1e12, exponent: 1.5"};
    const After rigid = rigid_impact(star, star, m, 1);
    m.duration = rigid.time + 3e-4;
    const Recording r = testing::run_text(model(m));
    ASSERT_EQ(r.impacts.size(), 1u);
    EXPECT_NEAR(r.impacts[0].start, rigid.time, 1e-9);
    const After v = after(r);
    expect_conserved(r, m);
    EXPECT_NEAR(v.energy(), 0.5, 1e-6);
    EXPECT_LT((v.a - rigid.a).norm() + (v.b - rigid.b).norm(), 0.01 * rigid.b.norm()) << beside;
    EXPECT_LT(r.summary.steps, 300);
  }
  // To the end, whatever else they meet.
  const Meeting m{.beside = 0.012, .turned = 0.3, .normal = stiff};
  const Recording r = testing::run_text(model(m));
  expect_conserved(r, m);
  EXPECT_NEAR(after(r).energy(), 0.5, 1e-5);
  EXPECT_LT(r.summary.steps, 600);
}

// Tips that meet head-on slip off each other late: what is known is what is conserved, and that hardly any spin was there to be had.
TEST_F(Plates, TipsMeetHeadOn) {
  cut_stars();
  for (const double above : {0.0, 1e-9, 1e-4, 3e-3}) {
    const Meeting m{.above = above, .normal = stiff, .settings = "tolerance: 1e-6"};
    const Recording r = testing::run_text(model(m));
    expect_conserved(r, m);
    const After v = after(r);
    EXPECT_NEAR(v.energy(), 0.5, 5e-4) << above;
    EXPECT_NEAR(v.a.x(), -0.993, 5e-3) << above;
    EXPECT_LT(r.summary.steps + r.summary.rejected, 800) << above;
  }
}

TEST_F(Plates, StarsBounceByImpactsWithTheRestitutionAskedFor) {
  cut_stars();
  const Outline star = testing::star(6, 0.05, 0.03);
  for (const double e : {1.0, 0.5, 0.0}) {
    Meeting m{.beside = 0.012,
              .turned = 0.3,
              .method = "moreau",
              .normal = fmt::format("restitution: {}", e),
              .settings = "step: 10 us"};
    const After rigid = rigid_impact(star, star, m, e);
    m.duration = rigid.time + 3e-4;
    const Recording r = testing::run_text(model(m));
    expect_conserved(r, m);
    const After v = after(r);
    EXPECT_NEAR(v.b.x(), rigid.b.x(), 2e-3) << e;
    EXPECT_NEAR(v.b.y(), rigid.b.y(), 2e-3) << e;
    EXPECT_NEAR(v.b.z(), rigid.b.z(), 0.05) << e;
    EXPECT_NEAR(v.a.z(), rigid.a.z(), 0.05) << e;
  }
  // Head-on: m_eff = m/2, P = (1 + e)/2.
  const Meeting head_on{.method = "moreau", .normal = "restitution: 0.9", .settings = "step: 50 us"};
  const Recording r = testing::run_text(model(head_on));
  EXPECT_NEAR(after(r).a.x(), -0.95, 1e-6);
  EXPECT_NEAR(after(r).b.x(), -0.05, 1e-6);
}

// However the plates lie to each other across their thickness, they meet alike in their plane.
TEST_F(Plates, ThicknessAndHeightDoNotMatter) {
  const Outline star = testing::star(6, 0.05, 0.03);
  Meeting m{.beside = 0.012, .turned = 0.3, .normal = stiff, .settings = "tolerance: 1e-7"};
  m.duration = rigid_impact(star, star, m, 1).time + 2e-3;
  cut_stars();
  const After flush = after(testing::run_text(model(m)));
  for (const auto& [t1, t2, above] : {std::tuple{0.01, 0.01, 1e-9},
                                      {0.01, 0.01, 3e-3},
                                      {0.01, 0.008, 0.0},
                                      {0.01, 0.008, 1e-3},
                                      {0.001, 0.001, 0.0}}) {
    cut_stars(t1, t2);
    m.above = above;
    const After v = after(testing::run_text(model(m)));
    EXPECT_LT((v.b - flush.b).norm(), 0.02) << t1 << ' ' << t2 << ' ' << above;
    EXPECT_NEAR(v.energy(), 0.5, 1e-5);
  }
}

// At the instant of impact: the tip's two corners touch the other's flank, and nothing is left to step length.
TEST_F(Plates, StarsBounceAtTheInstantOfTheirImpact) {
  const Outline star = testing::star(6, 0.05, 0.03);
  for (const double thickness : {0.01, 0.008}) {
    cut_stars(0.01, thickness);
    for (const auto& [beside, turned] : {std::pair{0.004, 0.3}, {0.012, 0.3}, {-0.02, 0.1}})
      for (const double e : {1.0, 0.5, 0.0}) {
        Meeting m{.beside = beside,
                  .turned = turned,
                  .method = "event-driven",
                  .normal = fmt::format("restitution: {}", e)};
        const After rigid = rigid_impact(star, star, m, e);
        m.duration = rigid.time + 1e-8;
        const Recording r = testing::run_text(model(m));
        ASSERT_TRUE(r.summary.completed) << r.summary.stop_reason;
        ASSERT_GE(r.impacts.size(), 1u) << beside;
        for (const Impact& impact : r.impacts) {
          EXPECT_NEAR(impact.start, rigid.time, 1e-9) << beside;
          EXPECT_NEAR(impact.restitution, e, 1e-9) << beside;
        }
        expect_conserved(r, m, 1e-10);
        const After v = after(r);
        EXPECT_LT((v.a - rigid.a).norm() + (v.b - rigid.b).norm(), 1e-6 * rigid.b.norm())
            << thickness << ' ' << beside << ' ' << e;
      }
  }
  // Tip on tip: m_eff = m/2, P = (1 + e)/2.
  cut_stars();
  const Meeting head_on{.method = "event-driven", .normal = "restitution: 0.9"};
  const Recording r = testing::run_text(model(head_on));
  EXPECT_NEAR(after(r).a.x(), -0.95, 1e-9);
  EXPECT_NEAR(after(r).b.x(), -0.05, 1e-9);
}

// To the end, whatever else they meet.
TEST_F(Plates, StarsThatBounceAtInstantsKeepWhatIsConserved) {
  cut_stars();
  for (const auto& [beside, turned] : {std::pair{0.004, 0.3}, {0.012, 0.3}, {0.02, 0.1}}) {
    const Meeting m{.beside = beside, .turned = turned, .method = "event-driven", .normal = "restitution: 1"};
    const Recording r = testing::run_text(model(m));
    ASSERT_TRUE(r.summary.completed) << r.summary.stop_reason;
    expect_conserved(r, m, 1e-9);
    EXPECT_NEAR(after(r).energy(), 0.5, 1e-9) << beside;
    EXPECT_GT(after(r).b.x(), after(r).a.x()) << beside;
  }
}

// Flush on each other, held by joints: nothing touches, whatever the coefficient.
TEST_F(Plates, SlideFlushOnACommonPlane) {
  cut_stars();
  for (const char* method : {"smooth", "moreau", "event-driven"}) {
    Meeting m{.above = 0.01, .method = method, .friction = 0.5};
    m.normal = m.method == "smooth" ? stiff : "restitution: 0.5";
    m.settings = m.method == "moreau" ? "step: 0.1 ms" : "tolerance: 1e-8";
    m.duration = 0.2;
    const Recording r = testing::run_text(model(m));
    EXPECT_NEAR(r.last("b.vx"), -1, 1e-9) << method;
    EXPECT_NEAR(r.last("b.x"), 0.12 - 0.2, 1e-9) << method;
    EXPECT_LT(r.largest("a.vx"), 1e-9) << method;
  }
}

// The same where nothing else holds them: the upper one rests on the lower, and friction stops it.
TEST_F(Plates, RestOnEachOtherWhereNothingElseHoldsThem) {
  cut(testing::star(6, 0.05, 0.045), 0.01, testing::star(6, 0.2, 0.18), 0.01);
  for (const std::string method : {"smooth", "moreau", "event-driven"}) {
    const bool smooth = method == "smooth";
    const std::string text = fmt::format(
        "tappet: 1\ndimension: spatial\ngravity: [0, 0, -10]\nbodies:\n"
        "  upper: {{mass: 1, inertia: [1e-3, 1e-3, 2e-3], position: [0, 0, 0.01], velocity: [0.3, 0, 0], "
        "angular_velocity: [0, 0, 0],\n"
        "      shapes: {{skin: {{mesh: {{file: '{}', scale: 1 mm}}}}}}}}\n"
        "ground: {{shapes: {{floor: {{mesh: {{file: '{}', scale: 1 mm}}}}}}}}\n"
        "contacts:\n  c: {{between: [ground.floor, upper.skin], normal: {{{}}}, friction: {{{}coefficient: "
        "0.5}}}}\n"
        "simulation: {{method: {}, duration: 0.04, {}}}\noutput: {{step: 0.01}}\n",
        path("a.stl"), path("b.stl"),
        smooth ? "law: kelvin-voigt, stiffness: 1e6, restitution: 0.3" : "restitution: 0",
        smooth ? "law: threlfall, v0: 1 mm/s, " : "", method,
        method == "moreau" ? "step: 0.1 ms" : "tolerance: 1e-7");
    const Recording r = testing::run_text(text);
    ASSERT_TRUE(r.summary.completed) << r.summary.stop_reason;
    EXPECT_NEAR(r.last("upper.z"), 0.01, 2e-5) << method;
    const double mu = smooth ? 0.5 * (1 - std::exp(-3)) : 0.5;
    EXPECT_NEAR(r.last("upper.vx"), 0.3 - mu * 10 * 0.04, 0.02) << method;
    EXPECT_LT(std::abs(r.last("upper.wx")) + std::abs(r.last("upper.wy")), 0.05) << method;
  }
}

// 1.4 mm in each other from the beginning: pushed apart in their plane.
TEST_F(Plates, ADeepStartIsPushedOutInThePlane) {
  cut_stars();
  for (const char* method : {"smooth", "moreau"}) {
    Meeting m{.beside = 0.012, .turned = 0.3, .method = method};
    m.normal = m.method == "smooth" ? "law: hertz, stiffness: 1e6, exponent: 1.5" : "restitution: 0";
    m.settings = m.method == "smooth" ? "tolerance: 1e-5" : "step: 0.1 ms";
    m.duration = 0.02;
    std::string text = model(m);
    const std::string from = "position: [0.12,", to = "position: [0.0935,";
    text.replace(text.find(from), from.size(), to);
    const std::string moving = "velocity: [-1,", still = "velocity: [0,";
    text.replace(text.find(moving), moving.size(), still);
    const Recording r = testing::run_text(text);
    EXPECT_LT(r.largest("b.vz"), 1e-9);
    if (m.method == "smooth") {
      EXPECT_GT(r.last("b.vx"), 0.01);
    }
    EXPECT_LT(r.summary.steps, 3000);
  }
}

// Two stars that tumble in space and meet: a force law neither stalls nor hangs.
TEST_F(Plates, TumblingStarsNeitherStallNorHang) {
  cut_stars();
  Meeting m{.beside = 0.01,
            .turned = 0.3,
            .above = 2e-3,
            .normal = "law: hunt-crossley, stiffness: 1e8, exponent: 1.5, restitution: 0.7",
            .settings = "tolerance: 1e-5"};
  m.held = false;
  m.duration = 0.3;
  std::string text = model(m);
  const std::string from = "angular_velocity: [0, 0, 0]", to = "angular_velocity: [3, 20, 5]";
  text.replace(text.rfind(from), from.size(), to);
  const Recording r = testing::run_text(text);
  EXPECT_NEAR(r.rows.back()[0], 0.3, 1e-9);
  EXPECT_LT(r.summary.steps + r.summary.rejected, 6000);
  EXPECT_NEAR(r.last("a.vx") + r.last("b.vx"), -1, 1e-6);
  EXPECT_LT(after(r).b.x(), 0.2);
}

// ----------------------------------------------------------------------------------------------------------------- gears

class Gears : public FolderTest {
 protected:
  testing::Gear pinion{.teeth = 20, .pieces = 4}, wheel{.teeth = 30, .pieces = 4};
  static constexpr double width = 0.01, load = 1, speed = 200, distance = 0.05;

  std::string model(const std::string& method, const std::string& normal, const std::string& settings,
                    double duration, double sample = 1e-5) const {
    testing::write_stl(testing::plate(pinion.outline(), width), path("pinion.stl"));
    testing::write_stl(testing::plate(wheel.outline(), width), path("wheel.stl"));
    return fmt::format(
        "tappet: 1\ndimension: spatial\ngravity: [0, 0, 0]\nbodies:\n"
        "  pinion: {{density: 7800, position: [0, 0, 0], velocity: [0, 0, 0], angular_velocity: [0, 0, "
        "{0}],\n"
        "      shapes: {{skin: {{mesh: {{file: '{1}', scale: 1 mm}}}}}}}}\n"
        "  wheel: {{density: 7800, position: [{2}, 0, 0], velocity: [0, 0, 0], angular_velocity: [0, 0, "
        "{3}],\n"
        "      orientation: {{axis: [0, 0, 1], angle: {4}}}, shapes: {{skin: {{mesh: {{file: '{5}', scale: 1 "
        "mm}}}}}}}}\n"
        "joints:\n"
        "  p: {{type: revolute, bodies: [ground, pinion], points: [[0, 0, 0], [0, 0, 0]], axis: [0, 0, 1]}}\n"
        "  w: {{type: revolute, bodies: [ground, wheel], points: [[{2}, 0, 0], [0, 0, 0]], axis: [0, 0, "
        "1]}}\n"
        "motions: {{drive: {{joint: p, speed: {0}}}}}\n"
        "forces: {{load: {{type: torque, body: wheel, vector: [0, 0, {6}]}}}}\n"
        "contacts:\n  teeth: {{between: [pinion.skin, wheel.skin], normal: {{{7}}}}}\n"
        "simulation: {{method: {8}, duration: {9}, {10}}}\noutput: {{step: {11:.17g}}}\n",
        -speed, path("pinion.stl"), distance, speed * 2 / 3, pi + pi / wheel.teeth, path("wheel.stl"), -load,
        normal, method, duration, settings, sample);
  }
  /// Mean over the rows from a time on.
  static double mean(const Recording& r, const std::string& signal, double from) {
    double sum = 0;
    int n = 0;
    for (const auto& row : r.rows)
      if (row[0] >= from) sum += row[r.column(signal)], ++n;
    return sum / n;
  }
  void expect_ratio(const Recording& r, double from, const std::string& method) const {
    double begin[2] = {0, 0}, end[2] = {0, 0};
    for (const auto& row : r.rows)
      for (int i = 0; i < 2; ++i) {
        const double angle = row[r.column(i == 0 ? "p.angle" : "w.angle")];
        if (row[0] <= from + 1e-9) begin[i] = angle;
        end[i] = angle;
      }
    // The wheel lags by no more than the play between the teeth and what they give way, here less than 30 µm on its base circle.
    const double turned = end[0] - begin[0];
    EXPECT_GT(std::abs(turned), 3 * 2 * pi / pinion.teeth);
    EXPECT_NEAR(end[1] - begin[1], -turned * pinion.teeth / wheel.teeth,
                (pinion.backlash + 3e-5) / wheel.base_radius())
        << method;
    // Power: what the motor gives the load takes, but for what the teeth lose.
    EXPECT_NEAR(mean(r, "drive.torque", from), -load * pinion.teeth / wheel.teeth, 0.1 * load) << method;
    EXPECT_LT(r.largest("wheel.vz"), 1e-9) << method;
  }
};

TEST_F(Gears, TurnEachOtherAtTheRatioOfTheirTeethByForces) {
  const Recording r =
      testing::run_text(model("smooth", "law: hunt-crossley, stiffness: 1e9, exponent: 1.5, restitution: 0.3",
                              "tolerance: 1e-4", 0.008));
  expect_ratio(r, 0.002, "smooth");
  EXPECT_LT(r.summary.steps + r.summary.rejected, 6000);
}

TEST_F(Gears, TurnEachOtherAtTheRatioOfTheirTeethByImpacts) {
  const Recording r = testing::run_text(model("moreau", "restitution: 0", "step: 20 us", 0.008));
  expect_ratio(r, 0.002, "moreau");
}

// How far the pieces of a flank are inside the involute, at most.
double chord_error(const testing::Gear& gear) {
  testing::Gear fine = gear;
  constexpr int parts = 16;
  fine.pieces = parts * gear.pieces;
  const Outline coarse = gear.tooth(0), exact = fine.tooth(0);
  // The first flank: after a point of the foot where there is one.
  const std::size_t foot = coarse.size() / 2 - (gear.pieces + 1);
  double most = 0;
  for (int i = 0; i < fine.pieces; ++i) {
    const Vec2 &a = coarse[foot + i / parts], &b = coarse[foot + i / parts + 1];
    most = std::max(most, std::abs(cross(Vec2((b - a).normalized()), Vec2(exact[foot + i] - a))));
  }
  return most;
}

// At instants all is exact but the facets. Plastic impacts leave nothing of the start: each tooth does what the last one did, and the wheel
// turns by a tooth while the pinion does, to the gap that counts as none: the tolerance, of half the thickness, at both ends. What bounces
// stays within the play of the teeth.
TEST_F(Gears, TurnEachOtherAtTheRatioOfTheirTeethAtInstants) {
  const double pitch_time = 2 * pi / pinion.teeth / speed;
  for (const double e : {0.0, 0.3}) {
    const Recording r = testing::run_text(model("event-driven", fmt::format("restitution: {}", e),
                                                "tolerance: 1e-6", 5 * pitch_time, pitch_time / 10));
    ASSERT_TRUE(r.summary.completed) << r.summary.stop_reason;
    EXPECT_LT(r.summary.max_first_penetration, 1e-8);
    EXPECT_LT(r.largest("wheel.vz"), 1e-9);
    const double play = (pinion.backlash + chord_error(pinion) + chord_error(wheel)) / wheel.base_radius();
    const double closed = 2 * 1e-6 * width / 2 / wheel.base_radius();
    int compared = 0;
    for (std::size_t i = 20; i + 20 < r.rows.size(); ++i, ++compared)
      for (const int teeth : {1, 2}) {
        const double turned = r.rows[i + 10 * teeth][r.column("w.angle")] - r.rows[i][r.column("w.angle")];
        EXPECT_NEAR(turned, teeth * 2 * pi / wheel.teeth, e == 0 ? closed : play) << e << ' ' << i;
      }
    EXPECT_GT(compared, 9);
  }
}

/// The same gears as they stand, in space as meshes and in the plane as polygons, one for each tooth: angles of both, and the force law.
class StandingGears : public Gears {
 protected:
  static constexpr double deepest = 1e-6;
  const Mesh pinion_mesh{testing::plate(pinion.outline(), width)},
      wheel_mesh{testing::plate(wheel.outline(), width)};

  /// The wheel's angle, less than that of the middle of its play, at which the deepest place is so deep.
  double wheel_angle(double pinion_angle) const {
    const Pair pair(pinion_mesh, wheel_mesh);
    std::vector<Proximity> places(pair.candidates());
    const auto depth = [&](double angle) {
      Pose p, q;
      p.R = Eigen::AngleAxisd(pinion_angle, Vec3::UnitZ());
      q.R = Eigen::AngleAxisd(angle, Vec3::UnitZ());
      q.r.x() = distance;
      pair.evaluate(p, q, places);
      double out = -HUGE_VAL;
      for (const Proximity& place : places) out = std::max(out, -place.gap);
      return out;
    };
    double high = pi + pi / wheel.teeth - pinion_angle * pinion.teeth / wheel.teeth, low = high - 4e-3;
    EXPECT_LT(depth(high), 0);
    EXPECT_GT(depth(low), deepest);
    for (int n = 0; n < 30; ++n) (depth(0.5 * (low + high)) > deepest ? low : high) = 0.5 * (low + high);
    return low;
  }
  static std::string drives(const char* axis, const std::string& points) {
    return fmt::format(
        "joints:\n  p: {{type: revolute, bodies: [ground, pinion], points: {1}{0}}}\n"
        "  w: {{type: revolute, bodies: [ground, wheel], points: {2}{0}}}\n"
        "motions: {{mp: {{joint: p, speed: 0}}, mw: {{joint: w, speed: 0}}}}\n",
        axis, points.substr(0, points.find('|')), points.substr(points.find('|') + 1));
  }
  static constexpr const char* end =
      "simulation: {method: smooth, duration: 1e-9, tolerance: 1e-6}\noutput: {step: 1e-9, places: true}\n";

  std::string in_space(double p, double w) const {
    testing::write_stl(testing::plate(pinion.outline(), width), path("pinion.stl"));
    testing::write_stl(testing::plate(wheel.outline(), width), path("wheel.stl"));
    const auto body = [&](const char* name, double x, double angle) {
      return fmt::format(
          "  {0}: {{mass: 1, inertia: [1, 1, 1], position: [{1}, 0, 0], velocity: [0, 0, 0], "
          "angular_velocity: [0, 0, "
          "0],\n      orientation: {{axis: [0, 0, 1], angle: {2:.17g}}}, shapes: {{skin: {{mesh: {{file: "
          "'{3}', scale: "
          "1 mm}}}}}}}}\n",
          name, x, angle, path(fmt::format("{}.stl", name)));
    };
    return "tappet: 1\ndimension: spatial\ngravity: [0, 0, 0]\nbodies:\n" + body("pinion", 0, p) +
           body("wheel", distance, w) +
           drives(", axis: [0, 0, 1]", "[[0, 0, 0], [0, 0, 0]]|[[0.05, 0, 0], [0, 0, 0]]") +
           fmt::format("contacts:\n  teeth: {{between: [pinion.skin, wheel.skin], normal: {{{}}}}}\n",
                       stiff) +
           end;
  }
  /// Teeth that are this near the line of centres.
  static constexpr double near = 0.5;
  static std::vector<int> near_teeth(const testing::Gear& gear, double angle, double towards) {
    std::vector<int> out;
    for (int i = 0; i < gear.teeth; ++i)
      if (std::abs(std::remainder(angle + 2 * pi * i / gear.teeth - towards, 2 * pi)) < near)
        out.push_back(i);
    return out;
  }
  std::string in_plane(double p, double w) const {
    // A tooth without its foot is convex.
    const auto body = [&](const char* name, const testing::Gear& gear, double x, double angle,
                          const std::vector<int>& teeth) {
      std::string shapes;
      for (const int i : teeth) {
        const Outline all = gear.tooth(i);
        const std::size_t foot = all.size() / 2 - (gear.pieces + 1);
        std::string points;
        for (std::size_t k = foot; k < all.size() - foot; ++k)
          points += fmt::format("[{:.17g}, {:.17g}], ", all[k].x(), all[k].y());
        shapes += fmt::format("t{}: {{polygon: {{points: [{}]}}}}, ", i, points);
      }
      return fmt::format(
          "  {}: {{mass: 1, inertia: 1, position: [{}, 0], velocity: [0, 0], angular_velocity: 0, angle: "
          "{:.17g}, shapes: "
          "{{{}}}}}\n",
          name, x, angle, shapes);
    };
    const std::vector<int> first = near_teeth(pinion, p, 0), second = near_teeth(wheel, w, pi);
    std::string contacts;
    for (const int i : first)
      for (const int j : second)
        contacts +=
            fmt::format("  c{0}_{1}: {{between: [pinion.t{0}, wheel.t{1}], normal: {{{2}}}}}\n", i, j, stiff);
    return "tappet: 1\ndimension: planar\ngravity: [0, 0]\nbodies:\n" + body("pinion", pinion, 0, p, first) +
           body("wheel", wheel, distance, w, second) + drives("", "[[0, 0], [0, 0]]|[[0.05, 0], [0, 0]]") +
           "contacts:\n" + contacts + end;
  }
  /// Normal forces at the start, of each pair of teeth: in the plane the corners of a pair, in space its one place. Ascending.
  /// Of a contact whose places are recorded one by one.
  static bool is_total(const Recording& r, const std::string& name) {
    const std::string first = name.substr(0, name.find('.')) + ".1.normal";
    return name != first && std::count(name.begin(), name.end(), '.') == 1 &&
           std::find(r.names.begin(), r.names.end(), first) != r.names.end();
  }
  static std::vector<std::vector<double>> forces(const Recording& r) {
    std::map<std::string, std::vector<double>> pairs;
    for (const std::string& name : r.names)
      if (const std::size_t at = name.find(".normal"); at != std::string::npos)
        if (const double force = r.rows[0][r.column(name)]; force > 0 && !is_total(r, name))
          pairs[name[0] == 'c' ? name.substr(0, name.find('.')) : name].push_back(force);
    std::vector<std::vector<double>> out;
    for (const auto& [name, all] : pairs) out.push_back(all);
    std::sort(out.begin(), out.end(), [](const auto& a, const auto& b) {
      return *std::max_element(a.begin(), a.end()) < *std::max_element(b.begin(), b.end());
    });
    return out;
  }
};

/// Corners of one outline in sides of the other, by at most `deepest`: how many there are, and whether each one's wedge, where it is inside, is
/// over that one side and within the corner's own sides.
struct Wedges {
  int corners = 0;
  bool alone = true;
};
void find_wedges(const Outline& of, const Outline& in, double deepest, Wedges& out) {
  for (std::size_t i = 0; i < of.size(); ++i)
    for (std::size_t j = 0; j < in.size(); ++j) {
      const Vec2 &c = of[i], &p = in[j], side = in[(j + 1) % in.size()] - p;
      const double length = side.norm();
      const Vec2 t = side / length, m(t.y(), -t.x());
      const double depth = -m.dot(c - p), at = t.dot(c - p);
      if (!(depth > 0 && depth < 1.001 * deepest && at > 0 && at < length)) continue;
      ++out.corners;
      for (const std::size_t k : {(i + 1) % of.size(), (i + of.size() - 1) % of.size()}) {
        const Vec2 away = of[k] - c;
        const double rise = m.dot(away) / depth;  // of the other end, in depths
        const double end = at + t.dot(away) / rise;
        out.alone = out.alone && rise > 1 && end > 0 && end < length;
      }
    }
}
Outline placed(const Outline& outline, double angle, double x) {
  Outline out;
  for (const Vec2& p : outline) out.push_back(Eigen::Rotation2Dd(angle) * p + Vec2(x, 0));
  return out;
}

// An edge on a face has the depth of the corner on the side: where each pair of teeth touches with one corner, whose wedge is over one side,
// meshes and polygons give the same forces and torques, to the rounding of the moments that depth comes from. Elsewhere the depth of the patch
// is that of the corner but for its shape, which is between a wedge and a face: 0.90 of it at least (a box that is tilted on a face), and
// polygons may have the law's stiffness twice.
TEST_F(StandingGears, PushEachOtherAsThePlanarPolygonsDo) {
  constexpr int positions = 12;
  const double least = std::pow(0.9, 1.5), same = 1e-6;
  int alike = 0;
  double space = 0, plane = 0;
  for (int n = 0; n < positions; ++n) {
    const double p = -2 * pi / pinion.teeth * (n + 0.87) / positions, w = wheel_angle(p);
    const Recording in3 = testing::run_text(in_space(p, w)), in2 = testing::run_text(in_plane(p, w));
    const auto f3 = forces(in3), f2 = forces(in2);
    ASSERT_EQ(f3.size(), f2.size()) << n;
    const Outline first = placed(pinion.outline(), p, 0), second = placed(wheel.outline(), w, distance);
    Wedges wedges;
    find_wedges(first, second, deepest, wedges);
    find_wedges(second, first, deepest, wedges);
    const bool one_each = wedges.alone && wedges.corners == static_cast<int>(f2.size());
    for (std::size_t i = 0; i < f2.size(); ++i) {
      const double most = *std::max_element(f2[i].begin(), f2[i].end());
      EXPECT_GE(f3[i][0], most * (one_each ? 1 - same : least)) << n << ' ' << i;
      EXPECT_LE(f3[i][0] * (one_each ? 1 - same : least), most) << n << ' ' << i;
    }
    if (!one_each) continue;
    ++alike;
    for (const char* torque : {"mp.torque", "mw.torque"})
      EXPECT_NEAR(in3.rows[0][in3.column(torque)] / in2.rows[0][in2.column(torque)], 1, same) << n << torque;
    space += in3.rows[0][in3.column("mw.torque")] / positions;
    plane += in2.rows[0][in2.column("mw.torque")] / positions;
  }
  fmt::print("{} of {} positions alike, torques {:.9g} and {:.9g} N m\n", alike, positions, space, plane);
  EXPECT_GT(alike, positions / 2);
  EXPECT_NEAR(space / plane, 1, same);
}

// --------------------------------------------------------------------------------------------------------------- ratchet

class Ratchet : public FolderTest {
 protected:
  /// A wheel of twelve teeth and a pawl that a spring presses on it. `drive`: of the wheel.
  std::string model(const std::string& method, double wheel_thickness, double pawl_thickness,
                    const std::string& drive, double duration) const {
    testing::write_stl(testing::plate(testing::ratchet_wheel(12, 0.05, 0.04), wheel_thickness),
                       path("wheel.stl"));
    // Its centre of mass at the origin.
    const double s = 0.000497175;
    const Outline pawl{
        {-.03 + s, -.003}, {.028 + s, -.003}, {.03 + s, 0}, {.028 + s, .003}, {-.03 + s, .003}};
    testing::write_stl(testing::plate(pawl, pawl_thickness), path("pawl.stl"));
    const double angle = -95 * pi / 180;
    const Vec2 pivot(0.065, 0.056), middle = pivot - Vec2(Eigen::Rotation2Dd(angle) * Vec2(-0.03, 0));
    const bool smooth = method == "smooth";
    return fmt::format(
        "tappet: 1\ndimension: spatial\ngravity: [0, -9.81, 0]\nbodies:\n"
        "  wheel: {{mass: 0.5, inertia: [5e-4, 5e-4, 5e-4], position: [0, 0, 0], velocity: [0, 0, 0],\n"
        "      shapes: {{skin: {{mesh: {{file: '{0}', scale: 1 mm}}}}}}}}\n"
        "  pawl: {{mass: 0.028, inertia: [9e-6, 9e-6, 9e-6], position: [{1}, {2}, 0], velocity: [0, 0, 0], "
        "angular_velocity: [0, 0, 0],\n"
        "      orientation: {{axis: [0, 0, 1], angle: {3}}}, shapes: {{skin: {{mesh: {{file: '{4}', scale: 1 "
        "mm}}}}}}}}\n"
        "joints:\n"
        "  w: {{type: revolute, bodies: [ground, wheel], points: [[0, 0, 0], [0, 0, 0]], axis: [0, 0, 1]}}\n"
        "  p: {{type: revolute, bodies: [ground, pawl], points: [[{5}, {6}, 0], [-0.03, 0, 0]], axis: [0, 0, "
        "1]}}\n"
        "{7}"
        "contacts:\n  c: {{between: [wheel.skin, pawl.skin], normal: {{{8}}}}}\n"
        "simulation: {{method: {9}, duration: {10}, {11}}}\noutput: {{step: 0.5 ms}}\n",
        path("wheel.stl"), middle.x(), middle.y(), angle, path("pawl.stl"), pivot.x(), pivot.y(), drive,
        smooth ? "law: hunt-crossley, stiffness: 1e8, exponent: 1.5, restitution: 0.3" : "restitution: 0",
        method, duration,
        smooth               ? "tolerance: 1e-4"
        : method == "moreau" ? "step: 0.1 ms"
                             : "tolerance: 1e-6");
  }
  static constexpr const char* press =
      "  press: {type: rotational-spring-damper, joint: p, stiffness: 2, damping: 0.001, angle: -150 deg}\n";
};

TEST_F(Ratchet, ClicksOnceForEachToothInTheFreeDirection) {
  for (const char* method : {"smooth", "moreau", "event-driven"})
    for (const double pawl : {0.01, 0.008}) {
      const Recording r = testing::run_text(model(
          method, 0.01, pawl,
          fmt::format("motions: {{turn: {{joint: w, speed: {}}}}}\nforces:\n{}", -12 * pi, press), 0.05));
      // A click: the pawl falls by more than half of what a tooth has lifted it (10 mm at an arm of 60 mm).
      int clicks = 0;
      double highest = -10;
      for (const auto& row : r.rows) {
        const double angle = row[r.column("p.angle")];
        highest = std::max(highest, angle);
        if (angle > highest - 0.08) continue;
        highest = angle;
        clicks += row[0] > 0.005;
      }
      EXPECT_NEAR(clicks, 12 * 6 * 0.045, 1)
          << method << ' ' << pawl;  // teeth that pass in 45 ms at six turns per second
      EXPECT_LT(r.largest("pawl.vz"), 1e-9) << method;
    }
}

TEST_F(Ratchet, HoldsTheOtherDirection) {
  for (const char* method : {"smooth", "moreau", "event-driven"}) {
    const Recording r = testing::run_text(model(
        method, 0.01, 0.01,
        fmt::format("forces:\n{}  pull: {{type: torque, body: wheel, vector: [0, 0, 1]}}\n", press), 0.1));
    // Freely it would turn by T t²/2J = 10 rad. It goes until the pawl meets the next tooth, and stays.
    EXPECT_LT(r.largest("w.angle"), 2 * pi / 12 + 0.02) << method;
    EXPECT_NEAR(r.last("wheel.wz"), 0, 0.05) << method;
  }
}

}  // namespace
}  // namespace tappet::mesh_contact_test
