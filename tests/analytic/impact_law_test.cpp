// Impacts with friction never gain energy, and time stepping takes the same law as a single impact worked out by hand.
//
// A rod at 45° meets the floor with one end. Newton's law along the normal with Coulomb's friction would give it up to 10 % more
// energy than it had; scaled back between the plastic impact and the law it keeps it. Poisson's law, by compression and expansion, loses.
#include <array>
#include <cmath>
#include <random>

#include <Eigen/Core>
#include <Eigen/LU>
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/run_model.hpp"

namespace tappet::testing::impact_law_test {
namespace {

using Eigen::Matrix2d;
using Eigen::Vector2d;
using Eigen::Vector3d;

struct Coefficients {
  double restitution = 0, friction = 0, tangential = 0;
  std::string text() const {
    return fmt::format(
        "normal: {{restitution: {}}}, friction: {{coefficient: {}, tangential_restitution: {}}}", restitution,
        friction, tangential);
  }
};

/// A rod of 1 kg and 1 m in the plane with a round end of 1 mm, 0.5 m from its centre on one side.
struct Rod {
  double side = 1;
  Vector3d q, u;  ///< x, y, angle and their rates
  double gravity = 0;
  static constexpr double radius = 1e-3, inertia = 0.0833333333;

  std::string text(const Coefficients& c, const std::string& simulation) const {
    return fmt::format(
        "tappet: 1\ndimension: planar\ngravity: [0, {:.17g}]\nbodies:\n  rod: {{mass: 1, inertia: {:.17g}, "
        "position: "
        "[{:.17g}, {:.17g}], angle: {:.17g}, velocity: [{:.17g}, {:.17g}], angular_velocity: {:.17g}, "
        "shapes: {{tip: "
        "{{circle: {{radius: {}, position: [{}, 0]}}}}}}}}\n"
        "ground: {{shapes: {{floor: {{plane: {{point: [0, 0], normal: [0, 1]}}}}}}}}\n"
        "contacts: {{c: {{between: [ground.floor, rod.tip], {}}}}}\nsimulation: {{{}}}\n",
        -gravity, inertia, q[0], q[1], q[2], u[0], u[1], u[2], radius, 0.5 * side, c.text(), simulation);
  }
  double gap(const Vector3d& at) const { return at[1] + 0.5 * side * std::sin(at[2]) - radius; }
  Eigen::Matrix<double, 2, 3> rows(const Vector3d& at) const {
    const double x = 0.5 * side * std::cos(at[2]), y = 0.5 * side * std::sin(at[2]) - radius;
    Eigen::Matrix<double, 2, 3> H;
    H << 0, 1, x, 1, 0, -y;
    return H;
  }
  static double energy(const Vector3d& v) {
    return 0.5 * (v[0] * v[0] + v[1] * v[1] + inertia * v[2] * v[2]);
  }
  static Eigen::Matrix<double, 3, 2> pushed(const Eigen::Matrix<double, 2, 3>& H) {
    Eigen::Matrix<double, 3, 2> out = H.transpose();
    out.row(2) /= inertia;
    return out;
  }
};

/// γ = G P + b with Coulomb's law and P_n ≥ floor, by trying open, stick and slip in turn.
Vector2d coulomb(const Matrix2d& G, const Vector2d& b, double mu, double floor = 0) {
  const auto slip_with = [&](double n) {
    // P_n is known: friction to stop the slip, or what the disc allows.
    const double t = -(b[1] + G(1, 0) * n) / G(1, 1);
    return Vector2d(n, std::clamp(t, -mu * n, mu * n));
  };
  const Vector2d stick = -G.inverse() * b;
  if (stick[0] >= floor && std::abs(stick[1]) <= mu * stick[0]) return stick;
  for (double s : {-mu, mu}) {
    const Vector2d P = -b[0] / (G(0, 0) + s * G(0, 1)) * Vector2d(1, s), after = b + G * P;
    if (P[0] >= floor && s * after[1] < 0) return P;
  }
  return slip_with(floor);
}

/// Impulse of one impact: the law, scaled back where it would gain.
Vector2d impact(const Matrix2d& G, const Vector2d& before, const Coefficients& c, bool poisson,
                double* scale = nullptr) {
  const Vector2d plastic = coulomb(G, before, c.friction), tangential(0, c.tangential * before[1]);
  const Vector2d law =
      poisson ? Vector2d(plastic + coulomb(G, before + G * plastic + tangential, c.friction,
                                           c.restitution * plastic[0]))
              : coulomb(G, before + Vector2d(c.restitution * before[0], 0) + tangential, c.friction);
  const auto gain = [&](double s) {
    const Vector2d P = plastic + s * (law - plastic);
    return P.dot(before + 0.5 * G * P);
  };
  double low = 0, high = 1;
  if (gain(1) <= 0) low = 1;
  for (int n = 0; n < 100 && low < 1; ++n) (gain(0.5 * (low + high)) > 0 ? high : low) = 0.5 * (low + high);
  if (scale) *scale = low;
  return plastic + low * (law - plastic);
}

struct Row {
  Coefficients c;
  double energy, omega, poisson_energy, poisson_omega;
};
// Computed by a separate program; the rod of 0.680 J.
const Row table[] = {
    {{0.9, 1, 0}, 0.6800, 2.54145, 0.5839, 2.3051},   {{0.9, 0.5, 0}, 0.6800, 2.54145, 0.5855, 2.4580},
    {{1, 0.3, 0}, 0.6800, 2.73177, 0.6263, 2.8836},   {{0.5, 1, 0}, 0.5582, 2.22446, 0.5121, 2.0341},
    {{0.9, 1, 0.5}, 0.6602, 2.96625, 0.6018, 2.8139},
};

const Rod falling{.q = {0, 0.36, -M_PI / 4}, .u = {-0.6, -1, 0}};

// The rod does not turn before: the law comes out at every step length, wherever in its step the impact falls, but for the place
// of the contact, which is in the middle of a gap of up to v h/2.
TEST(ImpactLaw, RodThatNewtonsLawWouldSpeedUpByMoreau) {
  for (const Row& row : table)
    for (double step : {1e-3, 1e-5, 1.7e-6})
      for (bool poisson : {false, true}) {
        const Recording r = run_text(falling.text(
            row.c, fmt::format("method: moreau, impact_law: {}, duration: 0.02, step: {}, tolerance: 1e-12",
                               poisson ? "poisson" : "newton", step)));
        ASSERT_TRUE(r.summary.completed) << r.summary.stop_reason;
        const std::string what = fmt::format("e {}, mu {}, {}, step {}", row.c.restitution, row.c.friction,
                                             poisson ? "poisson" : "newton", step);
        EXPECT_NEAR(r.last("energy.kinetic"), poisson ? row.poisson_energy : row.energy, 1e-4) << what;
        EXPECT_NEAR(r.last("rod.omega"), poisson ? row.poisson_omega : row.omega,
                    (poisson ? 1e-4 : 1e-5) + 0.2 * step)
            << what;
        EXPECT_GE(r.last("energy.friction_loss"), 0) << what;
        EXPECT_LT(std::abs(r.last("energy.residual")), 1e-9) << what;
        // An impact that was scaled is told.
        const bool scaled = !poisson && row.energy > 0.6799;
        EXPECT_EQ(::testing::Value(r.summary.notes,
                                   ::testing::Contains(::testing::HasSubstr("would have gained energy"))),
                  scaled)
            << what;
      }
}

// A rod that turns as it falls: the law is met in the limit of short steps.
TEST(ImpactLaw, MoreauConvergesToASingleImpact) {
  Rod rod{.side = -1,
          .q = {0, 0.5 * std::sin(0.75) + 0.05 + Rod::radius, 0.75},
          .u = {0.6, -0.3, 0.3},
          .gravity = 9.81};
  const double duration = 0.1;
  const auto fall = [&](double t, Vector3d q, Vector3d u, double* rate) {
    q += t * u, q[1] -= 0.5 * rod.gravity * t * t, u[1] -= rod.gravity * t;
    if (rate) *rate = u[1];
    return std::pair(q, u);
  };
  double low = 0, high = 0.1;
  for (int n = 0; n < 100; ++n)
    (rod.gap(fall(0.5 * (low + high), rod.q, rod.u, nullptr).first) > 0 ? low : high) = 0.5 * (low + high);
  const auto [q, u] = fall(low, rod.q, rod.u, nullptr);
  const auto H = rod.rows(q);
  const Matrix2d G = H * Rod::pushed(H);
  for (const Coefficients& c :
       {Coefficients{0.9, 1, 0}, Coefficients{0.5, 1, 0}, Coefficients{0.8, 0.1, 0.3}})
    for (bool poisson : {false, true}) {
      double scale = 0;
      const Vector3d after = u + Rod::pushed(H) * impact(G, H * u, c, poisson, &scale);
      for (double h : {1e-3, 2.5e-4, 6.25e-5}) {
        const Recording r = run_text(rod.text(
            c, fmt::format("method: moreau, impact_law: {}, duration: {}, step: {}, tolerance: 1e-12",
                           poisson ? "poisson" : "newton", duration, h)));
        ASSERT_EQ(r.summary.completed, true) << r.summary.stop_reason;
        const double error = std::abs(r.last("rod.omega") - after[2]);
        fmt::print("e {}, {}, s {:.4f}, step {}: omega {:.6f}, error {:.1e}\n", c.restitution,
                   poisson ? "poisson" : "newton", scale, h, after[2], error);
        EXPECT_LT(error, 15 * h) << c.text() << (poisson ? " poisson " : " newton ") << h;
      }
    }
}

/// A body with circles that touch planes of all directions, all closed at once, in one step.
std::string touching(int tips, bool poisson, std::mt19937& random, double& energy) {
  std::uniform_real_distribution<double> some(0, 1);
  std::normal_distribution<double> normal;
  const double inertia = std::pow(10, -2.5 * some(random)), radius = 0.01;
  std::vector<Vector2d> arms, normals;
  for (int i = 0; i < tips; ++i) {
    const double a = 2 * M_PI * some(random);
    normals.emplace_back(std::cos(a), std::sin(a));
    arms.emplace_back(2 * some(random) - 1, 2 * some(random) - 1);
  }
  Vector3d u(normal(random), normal(random), 3 * normal(random));
  const auto rate = [&](int i) {
    const Vector2d r = arms[i] - radius * normals[i];
    return normals[i].dot(Vector2d(u[0] - u[2] * r[1], u[1] + u[2] * r[0]));
  };
  bool approaches = false;
  for (int i = 0; i < tips; ++i) approaches = approaches || rate(i) < 0;
  if (!approaches) u = -u;
  energy = 0.5 * (u[0] * u[0] + u[1] * u[1] + inertia * u[2] * u[2]);
  std::string shapes, planes, contacts;
  const double shared = some(random);
  for (int i = 0; i < tips; ++i) {
    const Vector2d foot = arms[i] - radius * normals[i];
    shapes += fmt::format("s{}: {{circle: {{radius: {}, position: [{:.17g}, {:.17g}]}}}}, ", i, radius,
                          arms[i].x(), arms[i].y());
    planes += fmt::format("p{}: {{plane: {{point: [{:.17g}, {:.17g}], normal: [{:.17g}, {:.17g}]}}}}, ", i,
                          foot.x(), foot.y(), normals[i].x(), normals[i].y());
    contacts += fmt::format("  c{0}: {{between: [ground.p{0}, body.s{0}], {1}}}\n", i,
                            Coefficients{some(random) < 0.5 ? shared : some(random), 2 * some(random),
                                         some(random) < 0.3 ? some(random) : 0}
                                .text());
  }
  return fmt::format(
      "tappet: 1\ndimension: planar\nbodies:\n  body: {{mass: 1, inertia: {:.17g}, position: [0, 0], "
      "velocity: "
      "[{:.17g}, {:.17g}], angular_velocity: {:.17g}, shapes: {{{}}}}}\n"
      "ground: {{shapes: {{{}}}}}\ncontacts:\n{}"
      "simulation: {{method: moreau, impact_law: {}, duration: 1e-7, step: 1e-7, tolerance: 1e-12}}\noutput: "
      "{{step: 1e-7}}\n",
      inertia, u[0], u[1], u[2], shapes, planes, contacts, poisson ? "poisson" : "newton");
}

TEST(ImpactLaw, RandomBodiesNeverGain) {
  std::mt19937 random(1);
  int scaled = 0, plastic = 0;
  for (int n = 0; n < 300; ++n) {
    double energy = 0;
    const int tips = 1 + n % 3;
    const std::string text = touching(tips, n % 4 == 3, random, energy);
    const Recording r = run_text(text);
    ASSERT_TRUE(r.summary.completed) << r.summary.stop_reason << '\n' << text;
    EXPECT_LE(r.last("energy.kinetic"), energy * (1 + 1e-9)) << text;
    EXPECT_GE(r.last("energy.friction_loss"), 0);
    EXPECT_LT(std::abs(r.last("energy.residual")), 1e-9 * energy);
    for (const std::string& note : r.summary.notes) {
      scaled += note.find("would have gained energy") != std::string::npos;
      plastic += note.find("has no solution") != std::string::npos;
    }
  }
  fmt::print("{} scaled, {} without a solution of the law\n", scaled, plastic);
  EXPECT_GT(scaled, 5);
  EXPECT_GT(plastic, 2);
}

TEST(ImpactLaw, BallBetweenTwoWallsComesToRest) {
  for (const char* law : {"newton", "poisson"}) {
    const Recording r =
        run_text(fmt::format("tappet: 1\ndimension: planar\nbodies:\n  ball: {{mass: 1, inertia: 0.004, "
                             "position: [0, 0], velocity: [1, 0], "
                             "angular_velocity: 0, shapes: {{s: {{circle: {{radius: 0.1}}}}}}}}\n"
                             "ground: {{shapes: {{left: {{plane: {{point: [-0.1, 0], normal: [1, 0]}}}}, "
                             "right: {{plane: {{point: [0.1, 0], "
                             "normal: [-1, 0]}}}}}}}}\n"
                             "contacts: {{c: {{between: ['ground.*', ball.s], normal: {{restitution: 0.5}}, "
                             "friction: {{coefficient: 0.3}}}}}}\n"
                             "simulation: {{method: moreau, impact_law: {}, duration: 0.05, step: 1e-3}}\n",
                             law));
    ASSERT_TRUE(r.summary.completed) << r.summary.stop_reason;
    EXPECT_NEAR(r.last("ball.vx"), 0, 1e-9) << law;
    EXPECT_NEAR(r.last("ball.x"), 0, 1e-3) << law;
  }
}

// A disc falls straight into a groove of 90°. For μ < 1 it rebounds with ε. For μ > 1 the groove can hold it by forces along the
// line between both contacts, and no impulse gives both contacts the rebound that Newton's law asks for: it stops.
TEST(ImpactLaw, DiscInAGroove) {
  for (double mu : {0.0, 0.5, 1.2}) {
    const Recording r =
        run_text(fmt::format("tappet: 1\ndimension: planar\nbodies:\n  disc: {{mass: 1, inertia: 0.005, "
                             "position: [0, {:.17g}], velocity: [0, "
                             "-1], angular_velocity: 0, shapes: {{s: {{circle: {{radius: 0.1}}}}}}}}\n"
                             "ground: {{shapes: {{left: {{plane: {{point: [0, 0], normal: [1, 1]}}}}, right: "
                             "{{plane: {{point: [0, 0], "
                             "normal: [-1, 1]}}}}}}}}\n"
                             "contacts: {{c: {{between: ['ground.*', disc.s], normal: {{restitution: 0.5}}, "
                             "friction: {{coefficient: {}}}}}}}\n"
                             "simulation: {{method: moreau, duration: 0.01, step: 1e-3}}\n",
                             0.1 * std::sqrt(2) + 2.5e-3, mu));
    ASSERT_TRUE(r.summary.completed) << r.summary.stop_reason;
    EXPECT_NEAR(r.last("disc.vy"), mu < 1 ? 0.5 : 0, 1e-7) << mu;
    EXPECT_NEAR(r.last("disc.omega"), 0, 1e-7) << mu;
    EXPECT_EQ(::testing::Value(r.summary.notes, ::testing::Contains(::testing::HasSubstr("has no solution"))),
              mu > 1);
  }
}

}  // namespace
}  // namespace tappet::testing::impact_law_test
