#include "random_model.hpp"

#include <random>
#include <vector>

#include <fmt/format.h>

namespace tappet::fuzz {

namespace {

/// Numbers by arithmetic of our own: those of the standard's distributions differ between libraries.
class Dice {
 public:
  explicit Dice(unsigned long number) : engine_(number * 2654435761u + 12345u) {}
  double between(double low, double high) {
    return low + (high - low) * static_cast<double>(engine_() >> 11) / static_cast<double>(1ull << 53);
  }
  bool chance(double p) { return between(0, 1) < p; }
  std::size_t below(std::size_t n) { return static_cast<std::size_t>(engine_() % n); }

 private:
  std::mt19937_64 engine_;
};

class Writer {
 public:
  explicit Writer(unsigned long number) : dice_(number) {}

  RandomModel write() {
    planar_ = dice_.chance(0.6);
    out_.contacts = dice_.chance(0.6);
    count_ = 1 + static_cast<int>(dice_.below(3));
    write_bodies();
    write_forces();
    write_motion();
    const std::string contacts = contact_text();
    std::string& text = out_.text;
    text = fmt::format("tappet: 1\ndimension: {}\ngravity: {}\n", planar_ ? "planar" : "spatial",
                       planar_ ? "[0, -9.81]" : "[0, 0, -9.81]");
    if (out_.contacts)
      text += fmt::format("ground: {{shapes: {{floor: {{plane: {{point: {}, normal: {}}}}}}}}}\n",
                          vector(0, 0, 0), up());
    text += "bodies:\n" + bodies_;
    if (!joints_.empty()) text += "joints:\n" + joints_;
    if (!motion_.empty()) text += "motions:\n" + motion_;
    if (!forces_.empty()) text += "forces:\n" + forces_;
    text += contacts;
    return out_;
  }

 private:
  /// Along the floor, across it (in space), up.
  std::string vector(double along, double across, double height) const {
    return planar_ ? fmt::format("[{:.6g}, {:.6g}]", along, height)
                   : fmt::format("[{:.6g}, {:.6g}, {:.6g}]", along, across, height);
  }
  std::string up() const { return vector(0, 0, 1); }
  std::string any_vector(double size) {
    const double a = dice_.between(-size, size), b = dice_.between(-size, size),
                 c = dice_.between(-size, size);
    return vector(a, b, c);
  }

  void write_bodies() {
    double x = 0;
    for (int i = 0; i < count_; ++i) {
      const std::string name = fmt::format("b{}", i);
      const double mass = dice_.between(0.2, 4), radius = dice_.between(0.05, 0.15);
      // Half-way between a disc's and a rod's.
      const double inertia = mass * radius * radius * dice_.between(0.4, 3);
      x += dice_.between(0.4, 0.6);
      const double height = radius + dice_.between(0.1, 0.8);
      const bool joined = write_joint(i, x, height);
      bodies_ +=
          fmt::format("  {}: {{mass: {:.6g}, position: {}, inertia: ", name, mass, vector(x, 0, height));
      // Principal moments that a body can have: the largest is below the sum of the others.
      const double second = inertia * dice_.between(0.8, 1.2), third = inertia * dice_.between(0.8, 1.2);
      bodies_ += planar_ ? fmt::format("{:.6g}", inertia)
                         : fmt::format("[{:.6g}, {:.6g}, {:.6g}]", inertia, second, third);
      if (!joined) {
        bodies_ += ", velocity: " + any_vector(1.5) + ", angular_velocity: ";
        bodies_ += planar_ ? fmt::format("{:.6g}", dice_.between(-4, 4)) : any_vector(4);
      }
      last_x_ = x, last_height_ = height;
      if (out_.contacts) bodies_ += ", shapes: {skin: " + shape_text(radius) + "}";
      bodies_ += "}\n";
    }
    out_.size = x + 1;
  }

  std::string shape_text(double radius) {
    box_ = dice_.chance(0.25);
    if (!box_) return fmt::format("{{{}: {{radius: {:.6g}}}}}", planar_ ? "circle" : "sphere", radius);
    // Within the circle of that radius, so that it does not touch at the start either.
    const double a = 1.2 * radius, b = 0.9 * radius;
    return planar_ ? fmt::format("{{box: {{size: [{:.6g}, {:.6g}]}}}}", a, b)
                   : fmt::format("{{box: {{size: [{:.6g}, {:.6g}, {:.6g}]}}}}", a, b, 0.8 * radius);
  }

  /// To the ground or to the body before; false: it is free.
  bool write_joint(int i, double x, double height) {
    if (dice_.chance(0.4)) return false;
    const bool chained = i > 0 && dice_.chance(0.5);
    const std::string first = chained ? fmt::format("b{}", i - 1) : "ground";
    const double back = dice_.between(0.1, 0.3);
    // The point where they meet, seen from both.
    const std::string seen_here = vector(-back, 0, 0);
    const std::string seen_there =
        chained ? vector(x - back - last_x_, 0, height - last_height_) : vector(x - back, 0, height);
    const char* kinds_in_space[] = {"revolute", "spherical", "translational", "universal", "cylindrical"};
    const std::string type =
        planar_ ? (dice_.chance(0.7) ? "revolute" : "translational") : kinds_in_space[dice_.below(5)];
    joints_ += fmt::format("  j{}: {{type: {}, bodies: [{}, b{}], points: [{}, {}]", i, type, first, i,
                           seen_there, seen_here);
    if (type == "translational") {
      joints_ += ", axis: " + (dice_.chance(0.5) ? vector(1, 0, 0.5) : up());
    } else if (!planar_ && (type == "revolute" || type == "cylindrical")) {
      joints_ += ", axis: " + vector(0, 1, dice_.chance(0.5) ? 0 : 0.3);
    } else if (type == "universal") {
      joints_ += ", axes: [[0, 1, 0], [0, 0, 1]]";
    }
    joints_ += "}\n";
    if (!chained && (type == "revolute" || type == "translational") && drivable_.empty())
      drivable_ = fmt::format("j{}", i), turning_ = type == "revolute";
    return true;
  }

  void write_forces() {
    for (int i = 0; i < count_; ++i) {
      if (dice_.chance(0.4)) {
        const double along = dice_.between(0, 1), height = dice_.between(1.5, 2),
                     stiffness = dice_.between(5, 200);
        const double damping = dice_.chance(0.5) ? 0 : dice_.between(0, 3), length = dice_.between(0.3, 1.5);
        forces_ += fmt::format(
            "  s{0}: {{type: spring-damper, bodies: [ground, b{0}], points: [{1}, {2}], stiffness: {3:.6g}, "
            "damping: {4:.6g}, length: "
            "{5:.6g}}}\n",
            i, vector(along, 0, height), any_vector(0.05), stiffness, damping, length);
      }
      if (dice_.chance(0.15)) {
        forces_ +=
            fmt::format("  f{0}: {{type: force, body: b{0}, force: {1}}}\n", i,
                        planar_ ? "[\"3*sin(9*t)\", \"2*cos(7*t)\"]" : "[\"3*sin(9*t)\", 0, \"2*cos(7*t)\"]");
        out_.passive = false;
      }
    }
  }

  void write_motion() {
    if (drivable_.empty() || !dice_.chance(0.2)) return;
    motion_ = fmt::format("  m: {{joint: {}, speed: \"{}\"}}\n", drivable_,
                          turning_ ? "3*sin(5*t)" : "0.5*sin(5*t)");
    out_.passive = false;
  }

  std::string contact_text() {
    if (!out_.contacts) return {};
    const double restitution = dice_.chance(0.2) ? 0.05 : dice_.between(0.1, 0.9);
    const double friction = dice_.chance(0.3) ? 0 : dice_.between(0.05, 0.8);
    const double stiffness = dice_.between(1e5, 1e6);
    std::string laws = fmt::format("normal: {{law: flores, stiffness: {:.6g}, restitution: {:.6g}}}",
                                   stiffness, restitution);
    if (friction > 0) laws += fmt::format(", friction: {{law: coulomb, coefficient: {:.6g}}}", friction);
    std::string out;
    for (int i = 0; i < count_; ++i) {
      // A motion that drives a rigid body into the floor has no solution.
      if (!motion_.empty() && drivable_ == fmt::format("j{}", i)) continue;
      out += fmt::format("  c{0}: {{between: [ground.floor, b{0}.skin], {1}}}\n", i, laws);
    }
    return out.empty() ? out : "contacts:\n" + out;
  }

  Dice dice_;
  RandomModel out_;
  bool planar_ = true, box_ = false, turning_ = true;
  int count_ = 1;
  double last_x_ = 0, last_height_ = 0;
  std::string bodies_, joints_, motion_, forces_, drivable_;
};

}  // namespace

RandomModel random_model(unsigned long number) {
  return Writer(number).write();
}

}  // namespace tappet::fuzz
