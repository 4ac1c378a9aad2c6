// An inverted pendulum on a cart, built in code and balanced by a controller, until somebody throws a ball at it.
//
// The controller sees the cart's place and the pole's angle, and their rates, 200 times a second, and sets one input of the
// model: the force that pushes the cart. Whenever the ball touches the pole, the contact is printed.
//
// The pole leans by φ to the left, s is the cart's place. M: cart, m: pole, ℓ: half of the pole's length, I = m ℓ²/3. With
//
//   A = M + m,   B = m ℓ,   J = I + m ℓ²,   G = m g ℓ,   D = A J − B²
//
// small motions about the upright pole obey
//
//   A s̈ − B φ̈ = F,   J φ̈ − B s̈ = G φ.
//
// The force F = −(k₁ s + k₂ ṡ + k₃ φ + k₄ φ̇) makes their characteristic polynomial
//
//   (A λ² + k₂ λ + k₁)(J λ² − G) + B λ² (−B λ² + k₄ λ + k₃),
//
// and this is D (λ + p)⁴, four equal and stable poles, where, power by power of λ,
//
//   k₁ = −D p⁴/G,   k₂ = −4 D p³/G,   k₃ = (6 D p² + A G − J k₁)/B,   k₄ = (4 D p − J k₂)/B.
#include <cmath>
#include <cstdio>
#include <memory>
#include <numbers>
#include <tappet/base/diagnostics.hpp>
#include <tappet/contact/friction/none.hpp>
#include <tappet/contact/laws/hooke.hpp>
#include <tappet/geometry/shapes/capsule.hpp>
#include <tappet/geometry/shapes/sphere.hpp>
#include <tappet/model/model.hpp>
#include <tappet/model/model_builder.hpp>
#include <tappet/model/run_parameters.hpp>
#include <tappet/multibody/body.hpp>
#include <tappet/multibody/force_parameters.hpp>
#include <tappet/multibody/joint_parameters.hpp>
#include <tappet/multibody/surface_contact.hpp>
#include <tappet/run/simulation.hpp>

namespace {

using namespace tappet;

constexpr double cart_mass = 1, pole_mass = 0.2, half_length = 0.5, gravity = 9.81;  // kg, kg, m, m/s²
constexpr double pole_inertia = pole_mass * half_length * half_length / 3;           // kg m²
constexpr double degrees = 180 / std::numbers::pi;
constexpr double lean = 0.1;                    // at the start, rad
constexpr double duration = 5, period = 0.005;  // of the run, of the controller, s

Mat3 about_z(double inertia) {
  Mat3 out = Mat3::Zero();
  out(2, 2) = inertia;
  return out;
}

std::shared_ptr<const Model> build_model() {
  ModelBuilder builder(Dimension::planar);
  builder.title("Inverted pendulum, built in code").gravity({0, -gravity, 0});
  builder.add("push", InputParameters{.unit = "N"});

  builder.add("cart", BodyParameters{.mass = cart_mass, .inertia = about_z(0.01)});
  builder.add(
      "pole",
      BodyParameters{
          .mass = pole_mass,
          .inertia = about_z(pole_inertia),
          .position = half_length * Vec3(-std::sin(lean), std::cos(lean), 0),
          .angle = lean,
          .shapes = {{"side", SegmentParameters{.points = {Vec3(0, -half_length, 0), Vec3(0, half_length, 0)},
                                                .radius = 0.01}}}});
  builder.add("ball", BodyParameters{.mass = 0.05,
                                     .inertia = about_z(5e-5),
                                     .position = Vec3(-1.26, 0, 0),
                                     .velocity = Vec3(1.2, 5.6, 0),
                                     .shapes = {{"skin", CircleParameters{.radius = 0.05}}}});

  builder.add("rail", TranslationalParameters{.bodies = {"ground", "cart"},
                                              .points = {Vec3(0, 0, 0), Vec3(0, 0, 0)},
                                              .axis = Vec3(1, 0, 0)});
  builder.add("hinge", RevoluteParameters{.bodies = {"cart", "pole"},
                                          .points = {Vec3(0, 0, 0), Vec3(0, -half_length, 0)}});
  builder.add("motor", ForceParameters{.body = "cart", .force = {"push", 0}});
  // A soft ball: it stays for some 30 ms.
  builder.add("throw", ContactParameters{.between = {"pole.side", "ball.skin"},
                                         .normal = HookeParameters{.stiffness = 500, .damping = 0.5},
                                         .friction = NoFrictionParameters{}});
  builder.set(SimulationParameters{.duration = duration});
  Diagnostics diagnostics;
  auto model = builder.build(diagnostics);
  for (const Diagnostic& each : diagnostics.all()) std::fprintf(stderr, "%s\n", each.text().c_str());
  return model;
}

/// F = −(k₁ s + k₂ ṡ + k₃ φ + k₄ φ̇), with four poles at −p.
struct Controller {
  double k1, k2, k3, k4;

  explicit Controller(double p) {
    const double A = cart_mass + pole_mass, B = pole_mass * half_length,
                 J = pole_inertia + pole_mass * half_length * half_length,
                 G = pole_mass * gravity * half_length, D = A * J - B * B;
    k1 = -D * std::pow(p, 4) / G;
    k2 = -4 * D * std::pow(p, 3) / G;
    k3 = (6 * D * p * p + A * G - J * k1) / B;
    k4 = (4 * D * p - J * k2) / B;
  }
  double force(double s, double s_rate, double phi, double phi_rate) const {
    return -(k1 * s + k2 * s_rate + k3 * phi + k4 * phi_rate);
  }
};

}  // namespace

int main() try {
  Simulation simulation(build_model());
  const int place = simulation.signal("rail.displacement"),
            speed = simulation.signal("rail.displacement_rate"), angle = simulation.signal("hinge.angle"),
            rate = simulation.signal("hinge.angle_rate"), push = simulation.input("push");
  const Controller controller(4);
  int touches = 0;
  double widest = 0;  // since the ball
  for (int n = 1; simulation.time() < duration; ++n) {
    simulation.set_input(push, controller.force(simulation.value(place), simulation.value(speed),
                                                simulation.value(angle), simulation.value(rate)));
    simulation.advance(std::fmin(n * period, duration));

    for (const ContactInfo& contact : simulation.contacts()) {
      std::printf("%.3f s: %s touches %s at (%.3f, %.3f) m, %.2f mm deep, and is pushed by (%.2f, %.2f) N\n",
                  simulation.time(), contact.second.c_str(), contact.first.c_str(), contact.point.x(),
                  contact.point.y(), -1e3 * contact.gap, contact.force.x(), contact.force.y());
      ++touches;
    }
    if (touches > 0) widest = std::fmax(widest, std::fabs(simulation.value(angle)));
    if (n % 200 == 0)
      std::printf("%.3f s: pole at %+.3f deg, cart at %+.4f m\n", simulation.time(),
                  simulation.value(angle) * degrees, simulation.value(place));
  }
  const bool upright = std::fabs(simulation.value(angle)) < 1e-3 && std::fabs(simulation.value(place)) < 1e-2;
  std::printf("%s after a blow that turned it by %.1f deg\n", upright ? "balanced" : "fallen",
              widest * degrees);
  return upright && touches > 0 ? 0 : 1;
} catch (const tappet::InputError& error) {
  std::fputs(error.what(), stderr);
  return 2;
}
