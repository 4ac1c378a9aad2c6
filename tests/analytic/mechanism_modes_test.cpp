// Linear modes of mechanisms against closed forms: oscillators, pendula, rotors, beams that turn.
#include <algorithm>
#include <cmath>
#include <complex>
#include <numbers>

#include <Eigen/Eigenvalues>
#include <Eigen/LU>
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "support/run_model.hpp"
#include "tappet/equilibrium/linear_modes.hpp"

namespace tappet::testing::mechanism_modes_test {
namespace {

constexpr double g = 9.81, pi = std::numbers::pi;

struct Found {
  LinearSystem system;
  LinearModes modes;
};

Found about_start(const std::shared_ptr<const Model>& model, const std::string& axes = "") {
  Simulation simulation(model);
  simulation.begin();
  LinearOptions options;
  for (int b = 0; b < model->mechanism.body_count(); ++b)
    if (model->mechanism.bodies[b].name == axes) options.axes = b;
  Found out;
  out.system = linearise(*model, simulation.state(), options);
  out.modes = find_modes(model->mechanism, out.system);
  return out;
}
Found about_start(const std::string& text, const std::string& axes = "") {
  return about_start(model_of_text(text), axes);
}

std::vector<double> frequencies(const LinearModes& modes) {  // rad/s
  std::vector<double> out;
  for (const LinearMode& mode : modes.modes) out.push_back(2 * pi * mode.frequency);
  return out;
}

// ---- one oscillator: s = (−c ± √(c² − 4 m k))/2m ----

void expect_oscillator(const std::string& text, double m, double c, double k) {
  const Found f = about_start(text);
  std::vector<std::complex<double>> exact;
  const std::complex<double> root = std::sqrt(std::complex<double>(c * c - 4 * m * k));
  exact = {(-c + root) / (2 * m), (-c - root) / (2 * m)};
  for (const LinearMode& mode : f.modes.modes) {
    double nearest = HUGE_VAL;
    for (const auto& s : exact) nearest = std::min(nearest, std::abs(s - mode.eigenvalue));
    EXPECT_LT(nearest, 1e-10 * std::abs(mode.eigenvalue)) << text;
    EXPECT_NEAR(mode.damping, -mode.eigenvalue.real() / std::abs(mode.eigenvalue), 1e-15);
  }
  EXPECT_EQ(f.modes.modes.size(), c * c > 4 * m * k ? 2u : 1u);
  EXPECT_EQ(f.modes.stability, Stability::stable);
}

TEST(MechanismModes, OfADampedOscillatorInPlaneAndSpaceByEveryMethod) {
  for (const char* method : {"smooth", "event-driven", "moreau, step: 1e-3"})
    for (const double c : {0.0, 4.0, 100.0}) {
      expect_oscillator(fmt::format(R"(
tappet: 1
dimension: planar
bodies: {{m: {{mass: 2, inertia: 1, position: [1, 0]}}}}
joints: {{s: {{type: translational, bodies: [ground, m], points: [[0, 0], [0, 0]], axis: [1, 0]}}}}
forces: {{k: {{type: spring-damper, bodies: [ground, m], points: [[0, 0], [0, 0]], stiffness: 800, damping: {}, length: 1}}}}
simulation: {{duration: 1, method: {}}}
)",
                                    c, method),
                        2, c, 800);
      expect_oscillator(fmt::format(R"(
tappet: 1
dimension: spatial
bodies: {{m: {{mass: 2, inertia: [0.2, 0.3, 0.4], orientation: {{axis: [1, 2, 3], angle: 40 deg}}}}}}
joints: {{s: {{type: revolute, bodies: [ground, m], points: [[0, 0, 0], [0, 0, 0]], axes: [[0, 0, 1], [0, 0, 1]]}}}}
forces: {{k: {{type: rotational-spring-damper, joint: s, stiffness: 800, damping: {}, angle: 0}}}}
simulation: {{duration: 1, method: {}}}
)",
                                    c / 5, method),
                        0.4, c / 5, 800);
    }
}

// ---- inputs and outputs: x/f = 1/(m s² + c s + k), reaction of the spring k x + c ẋ, u̇/f through D ----

TEST(MechanismModes, LinearSystemHasTheTransferFunctionsOfAnOscillator) {
  const auto model = model_of_text(R"(
tappet: 1
dimension: planar
bodies: {m: {mass: 2, inertia: 1, position: [1, 0]}}
joints: {s: {type: translational, bodies: [ground, m], points: [[0, 0], [0, 0]], axis: [1, 0]}}
inputs: {push: {default: 0, unit: N}, turn: {default: 0, unit: N m}}
forces:
  k: {type: spring-damper, bodies: [ground, m], points: [[0, 0], [0, 0]], stiffness: 800, damping: 4, length: 1}
  f: {type: force, body: m, force: [push, 0]}
  t: {type: torque, body: m, torque: turn}
simulation: {duration: 1}
)");
  Simulation simulation(model);
  simulation.begin();
  LinearOptions options{.inputs = {0, 1}};
  for (const char* name : {"m.x", "m.vx", "m.ax", "s.torque"})
    for (const SignalDefinition& signal : all_signals(*model))
      if (signal.name == name) options.outputs.push_back(signal);
  const LinearSystem l = linearise(*model, simulation.state(), options);
  for (const std::complex<double> s : {std::complex<double>(0, 3), {0, 20}, {-1, 40}}) {
    const Eigen::MatrixXcd I = Eigen::MatrixXcd::Identity(2, 2);
    const Eigen::MatrixXcd H = l.C * (s * I - l.A).inverse() * l.B + l.D.cast<std::complex<double>>();
    const std::complex<double> x = 1.0 / (2.0 * s * s + 4.0 * s + 800.0);
    EXPECT_LT(std::abs(H(0, 0) - x), 1e-10 * std::abs(x));
    EXPECT_LT(std::abs(H(1, 0) - s * x), 1e-10 * std::abs(s * x));
    EXPECT_LT(std::abs(H(2, 0) - s * s * x), 1e-10 * std::abs(s * s * x));
    EXPECT_LT(std::abs(H(0, 1)), 1e-14);
    EXPECT_LT(std::abs(H(3, 1) + 1.0), 1e-10);  // the slide takes the torque
  }
}

// ---- N equal masses on a hanging chain of equal massless links: ω² = (g/l) x, x a zero of Laguerre's L_N ----

// The zeros are the eigenvalues of the Jacobi matrix of its recurrence: diagonal 2k + 1, beside it k + 1 [GolubWelsch1969].
Eigen::VectorXd laguerre_zeros(int n) {
  Eigen::MatrixXd J = Eigen::MatrixXd::Zero(n, n);
  for (int k = 0; k < n; ++k) {
    J(k, k) = 2 * k + 1;
    if (k + 1 < n) J(k, k + 1) = J(k + 1, k) = k + 1;
  }
  return Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd>(J).eigenvalues();
}

std::string chain(int n, double l, bool spatial) {
  std::string bodies, joints;
  for (int i = 1; i <= n; ++i) {
    bodies += fmt::format("  m{}: {{mass: 0.5, position: [0, {}{}]}}\n", i, -l * i, spatial ? ", 0" : "");
    joints +=
        fmt::format("  l{0}: {{type: distance, bodies: [{1}, m{0}], points: [{2}, {2}], length: {3}}}\n", i,
                    i == 1 ? "ground" : fmt::format("m{}", i - 1), spatial ? "[0, 0, 0]" : "[0, 0]", l);
  }
  return fmt::format(
      "tappet: 1\ndimension: {}\ngravity: {}\nbodies:\n{}joints:\n{}simulation: {{duration: 1}}\n",
      spatial ? "spatial" : "planar", spatial ? "[0, -9.81, 0]" : "[0, -9.81]", bodies, joints);
}

TEST(MechanismModes, OfAHangingChainAreLaguerresZeros) {
  for (const int n : {1, 2, 3, 5, 10, 20})
    for (const bool spatial : {false, true}) {
      const double l = 0.3;
      const Found f = about_start(chain(n, l, spatial));
      const Eigen::VectorXd x = laguerre_zeros(n);
      const std::vector<double> found = frequencies(f.modes);
      const int each = spatial ? 2 : 1;
      ASSERT_EQ(found.size(), static_cast<std::size_t>(each * n));
      double worst = 0;
      for (int i = 0; i < each * n; ++i)
        worst = std::max(worst, std::abs(found[i] / std::sqrt(g / l * x[i / each]) - 1));
      printf("%d masses, %s: %.1e, derivatives to %.1e\n", n, spatial ? "space" : "plane", worst,
             f.system.derivative_error);
      // ω² of the slowest is known to the rounding of the fastest.
      EXPECT_LT(worst, 1e-11 * std::max(1.0, x[n - 1] / x[0])) << n;
      EXPECT_EQ(f.modes.stability, Stability::stable);
    }
}

// The same in bars with revolute joints: two bars of length l, whose closed form is a quadratic equation.
TEST(MechanismModes, OfTwoHingedBars) {
  // Bars of mass m and length l: (m l²/3)[[4, 3/2], [3/2, 1]] θ̈ + (m g l/2)[[3, 0], [0, 1]] θ = 0.
  const double l = 0.8;
  Eigen::Matrix2d M, K;
  M << 4.0 / 3, 0.5, 0.5, 1.0 / 3;
  K << 1.5, 0, 0, 0.5;
  const Eigen::Vector2d exact =
      Eigen::GeneralizedSelfAdjointEigenSolver<Eigen::Matrix2d>(K * g / l, M).eigenvalues().cwiseSqrt();
  const Found f = about_start(fmt::format(R"(
tappet: 1
dimension: planar
gravity: [0, -9.81]
bodies:
  a: {{mass: 3, inertia: 3*{0}^2/12, position: [0, -{0}/2]}}
  b: {{mass: 3, inertia: 3*{0}^2/12, position: [0, -3*{0}/2]}}
joints:
  top: {{type: revolute, bodies: [ground, a], points: [[0, 0], [0, {0}/2]]}}
  knee: {{type: revolute, bodies: [a, b], points: [[0, -{0}/2], [0, {0}/2]]}}
simulation: {{duration: 1}}
)",
                                          l));
  const std::vector<double> found = frequencies(f.modes);
  ASSERT_EQ(found.size(), 2u);
  for (int i = 0; i < 2; ++i) EXPECT_NEAR(found[i], exact[i], 1e-11 * exact[i]);
}

// ---- pendula up and down ----

TEST(MechanismModes, OfAPendulumUpGrowAndDownOscillate) {
  const double s = std::sqrt(1.5 * g / 1.2);  // √(m g ℓ/2 / (m ℓ²/3))
  for (const bool up : {true, false}) {
    const Found f = about_start(fmt::format(R"(
tappet: 1
dimension: planar
gravity: [0, -9.81]
bodies: {{rod: {{mass: 1, inertia: 1.2^2/12, position: [0, {}], angle: {} deg}}}}
joints: {{hinge: {{type: revolute, bodies: [ground, rod], points: [[0, 0], [-0.6, 0]]}}}}
simulation: {{duration: 1}}
)",
                                            up ? 0.6 : -0.6, up ? 90 : -90));
    if (up) {
      EXPECT_EQ(f.modes.stability, Stability::unstable);
      EXPECT_NEAR(f.modes.growth, s, 1e-11 * s);
      ASSERT_EQ(f.modes.modes.size(), 2u);
    } else {
      EXPECT_EQ(f.modes.stability, Stability::stable);
      EXPECT_NEAR(f.modes.modes[0].eigenvalue.imag(), s, 1e-11 * s);
      ASSERT_EQ(f.modes.modes.size(), 1u);
    }
  }
}

// ---- Jeffcott's rotor: a disc in the middle of a massless shaft, in isotropic bearings ----
//
// Translation: m r̈ + c ṙ + k r = 0, whatever the speed. Tilting: I s² + k_t = ± i I_p Ω s, so that the whirl frequencies are
//   ω = ± I_p Ω/2I + √((I_p Ω/2I)² + k_t/I)        forward the upper, backward the lower

std::string rotor(double speed, double damping) {
  return fmt::format(R"(
tappet: 1
dimension: spatial
bodies: {{disc: {{mass: 12, inertia: [0.09, 0.09, 0.16], angular_velocity: [0, 0, {}]}}}}
forces:
  shaft: {{type: bushing, bodies: [ground, disc], points: [[0, 0, 0], [0, 0, 0]], stiffness_diagonal: [4e5, 4e5, 1e7, 900, 900, 0],
          damping_diagonal: [{}, {}, 0, 0, 0, 0]}}
simulation: {{duration: 1}}
)",
                     speed, damping, damping);
}

TEST(MechanismModes, OfARotorWhirlForwardAndBackward) {
  const double k = 4e5, m = 12, kt = 900, I = 0.09, Ip = 0.16;
  for (const double speed : {0.0, 50.0, 300.0}) {
    const Found f = about_start(rotor(speed, 0));
    const double gyro = Ip * speed / (2 * I), root = std::sqrt(gyro * gyro + kt / I);
    std::vector<double> exact = {0,           std::sqrt(k / m), std::sqrt(k / m), std::sqrt(1e7 / m),
                                 root - gyro, root + gyro};
    std::sort(exact.begin(), exact.end());
    std::vector<double> found;
    for (const LinearMode& mode : f.modes.modes)
      if (mode.eigenvalue != 0.0) found.push_back(mode.eigenvalue.imag());
    std::sort(found.begin(), found.end());
    exact.erase(exact.begin());  // the angle about the axis is free: 0
    ASSERT_EQ(found.size(), exact.size()) << speed;
    for (std::size_t i = 0; i < exact.size(); ++i)
      EXPECT_NEAR(found[i], exact[i], 1e-9 * exact[i]) << speed << " rad/s, " << i;
    EXPECT_GT(f.modes.free, 0);
    EXPECT_NE(f.modes.stability, Stability::unstable);
    // The tilting modes are circles: forward, turning with the rotor, and backward.
    for (const LinearMode& mode : f.modes.modes) {
      const std::complex<double> x = mode.shape[3], y = mode.shape[4];
      if (speed == 0 || std::abs(x) < 1e-6) continue;
      const double turning = std::imag(std::conj(x) * y) / std::norm(x);  // −1: y follows x
      EXPECT_NEAR(turning, mode.eigenvalue.imag() > root ? -1 : 1, 1e-6);
    }
  }
}

// Damping of the supports in the frame of the ground, seen in the ground's axes at any speed: the same.
TEST(MechanismModes, OfARotorAreDampedBySupportsAlike) {
  for (const double speed : {0.0, 300.0}) {
    const Found f = about_start(rotor(speed, 240));
    int found = 0;
    for (const LinearMode& mode : f.modes.modes)
      if (std::abs(mode.eigenvalue.real() + 10) < 1e-8) ++found;  // −c/2m
    EXPECT_EQ(found, 2);
  }
}

// ---- a pendulum on a spindle that is driven at Ω: s² = −(g/l) about straight down becomes Ω² − g/l in the spindle's axes ----
//
// Watt's governor: beyond Ω = √(g/l) the arms fly out to cos θ = g/(Ω² l), and oscillate there with Ω sin θ.

std::string governor(double speed, double angle) {
  return fmt::format(R"(
tappet: 1
dimension: spatial
gravity: [0, 0, -9.81]
bodies:
  spindle: {{mass: 1, inertia: [0.1, 0.1, 0.1]}}
  arm: {{mass: 2, inertia: [1e-9, 1e-9, 1e-9], position: [0.5*sin({1}), 0, -0.5*cos({1})], orientation: {{axis: [0, 1, 0], angle: -{1}}}}}
joints:
  bearing: {{type: revolute, bodies: [ground, spindle], points: [[0, 0, 0], [0, 0, 0]], axis: [0, 0, 1]}}
  hinge: {{type: revolute, bodies: [spindle, arm], points: [[0, 0, 0], [0, 0, 0.5]], axis: [0, 1, 0]}}
motions: {{motor: {{joint: bearing, speed: {0}}}}}
simulation: {{duration: 1}}
)",
                     speed, angle);
}

TEST(MechanismModes, OfWattsGovernorLoseTheirStabilityWhereItsArmsFlyOut) {
  const double critical = std::sqrt(g / 0.5);
  for (const double part : {0.5, 0.99, 1.01, 1.5}) {
    const Found f = about_start(governor(part * critical, 0), "spindle");
    const double square = critical * critical * (part * part - 1);  // s²
    EXPECT_EQ(f.modes.stability, part > 1 ? Stability::unstable : Stability::stable) << part;
    const LinearMode& mode = f.modes.modes[0];
    EXPECT_NEAR(part > 1 ? mode.eigenvalue.real() : mode.eigenvalue.imag(), std::sqrt(std::abs(square)),
                1e-6 * critical);
  }
}

TEST(MechanismModes, OfWattsGovernorWhereItsArmsStand) {
  for (const double speed : {5.0, 8.0, 20.0}) {
    const double angle = std::acos(g / (speed * speed * 0.5));
    const Found f = about_start(governor(speed, angle), "spindle");
    EXPECT_EQ(f.modes.stability, Stability::stable);
    EXPECT_NEAR(f.modes.modes[0].eigenvalue.imag(), speed * std::sin(angle), 1e-7 * speed);
  }
}

// ---- a beam that turns: flapwise frequency against Wright's exact one ----

TEST(MechanismModes, OfABeamThatTurnsBecomeStiffer) {
  const struct {
    double eta, frequency;
  } exact[] = {{0, 3.516016}, {2, 4.137319}, {6, 7.360371}, {12, 13.170150}};
  for (const auto& row : exact) {
    const auto model = model_of_text(fmt::format(R"(
tappet: 1
dimension: spatial
materials: {{m: {{young: 1e6, poisson: 0, density: 1}}}}
bodies:
  hub: {{mass: 1, inertia: [1, 1, 1]}}
  beam:
    flexible:
      generate: {{beam: {{from: [0, 0, 0], to: [1, 0, 0], elements: 16}}}}
      material: m
      section: {{area: 1, inertia_y: 1e-6, inertia_z: 4e-6, torsion: 5e-6}}
      interfaces: {{root: {{group: start}}, tip: {{group: end}}}}
      frame: root
      modes: 6
joints:
  bearing: {{type: revolute, bodies: [ground, hub], points: [[0, 0, 0], [0, 0, 0]], axis: [0, 0, 1]}}
  clamp: {{type: fixed, bodies: [hub, beam.root], points: [[0, 0, 0], [0, 0, 0]]}}
motions: {{motor: {{joint: bearing, speed: {}}}}}
simulation: {{duration: 1}}
)",
                                                 row.eta));
    const Found f = about_start(model, "hub");
    // The slowest one that leaves the plane of rotation.
    const FlexibleBody& beam = model->mechanism.flexible.bodies[0];
    double flap = HUGE_VAL;
    for (const LinearMode& mode : f.modes.modes) {
      const Eigen::VectorXcd q = mode.shape.tail(beam.modes);
      const Eigen::Vector3cd tip = beam.interfaces[1].translation * q;
      if (std::abs(tip.z()) > 0.9 * tip.norm()) flap = std::min(flap, mode.eigenvalue.imag());
    }
    printf("eta %-2g exact %.6f, found %.6f (%.1e)\n", row.eta, row.frequency, flap,
           flap / row.frequency - 1);
    EXPECT_NEAR(flap, row.frequency, 3e-3 * row.frequency);
  }
}

}  // namespace
}  // namespace tappet::testing::mechanism_modes_test
