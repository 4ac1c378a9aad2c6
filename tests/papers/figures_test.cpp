// Figures 1 to 7 and 9 of Flores 2006 and figure 8 of Flores & Ambrósio 2004, as data: of `tappet laws NAME
// --curve` and of the single impacts of examples/single_impact. What is asserted of each is what its document
// shows.
//
// The documents give stiffnesses, radii, length and material, but neither mass nor speed of these impacts:
// 0.14 kg, the slider's, and 1 m/s are chosen here.
#include <algorithm>
#include <functional>
#include <sstream>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "regressions/program.hpp"
#include "support/run_model.hpp"

namespace tappet::testing::figures_test {
namespace {

constexpr double mass = 0.14, speed = 1, energy = 0.5 * mass * speed * speed;

struct Point {
  double time, depth, rate, force;
};
struct Curve {
  std::vector<Point> loading, unloading;

  double peak() const {
    double most = 0;
    for (const auto* phase : {&loading, &unloading})
      for (const Point& p : *phase) most = std::max(most, p.force);
    return most;
  }
  double depth() const { return loading.back().depth; }
  /// Area under a phase, by the trapezoidal rule: work that goes in, or comes out.
  static double work(const std::vector<Point>& phase) {
    double sum = 0;
    for (std::size_t i = 1; i < phase.size(); ++i)
      sum += 0.5 * (phase[i].force + phase[i - 1].force) * (phase[i].depth - phase[i - 1].depth);
    return std::abs(sum);
  }
  double loop() const { return work(loading) - work(unloading); }
  double restitution() const { return -unloading.back().rate / loading.front().rate; }
  /// Force on the way in or out at a penetration, between the points.
  static double at(const std::vector<Point>& phase, double depth) {
    for (std::size_t i = 1; i < phase.size(); ++i) {
      const Point &a = phase[i - 1], &b = phase[i];
      if ((a.depth - depth) * (b.depth - depth) > 0 || a.depth == b.depth) continue;
      return a.force + (b.force - a.force) * (depth - a.depth) / (b.depth - a.depth);
    }
    return NAN;
  }
};

class Figures : public test::ProgramTest {
 protected:
  std::vector<std::vector<std::string>> csv(std::vector<std::string> arguments) const {
    arguments.insert(arguments.begin(), "laws");
    const test::Outcome outcome = run(arguments);
    EXPECT_EQ(outcome.status, 0) << outcome.err;
    std::vector<std::vector<std::string>> rows;
    std::istringstream lines(outcome.out);
    for (std::string line; std::getline(lines, line);) {
      rows.emplace_back();
      std::istringstream cells(line);
      for (std::string cell; std::getline(cells, cell, ',');) rows.back().push_back(cell);
    }
    return rows;
  }

  static std::vector<std::string> joint(const std::string& law, const std::vector<std::string>& parameters) {
    std::vector<std::string> out = {law,        "--curve", "--radius-i", "-10mm",  "--radius-j", "9.5mm",
                                    "--length", "15mm",    "--young",    "207GPa", "--poisson",  "0.3"};
    for (const std::string& p : parameters) out.insert(out.end(), {"--set", p});
    return out;
  }

  /// A figure's curve: the impact of a law, loading and unloading.
  Curve impact(const std::string& law, const std::vector<std::string>& parameters = {}) const {
    std::vector<std::string> arguments = joint(law, parameters);
    arguments.insert(arguments.end(), {"--mass", "0.14kg", "--speed", "1m/s", "--points", "4001"});
    Curve out;
    for (const auto& row : csv(arguments)) {
      if (row[0] != "loading" && row[0] != "unloading") continue;
      (row[0] == "loading" ? out.loading : out.unloading)
          .push_back({std::stod(row[1]), std::stod(row[2]), std::stod(row[3]), std::stod(row[4])});
    }
    EXPECT_EQ(out.loading.size(), 4001u);
    EXPECT_EQ(out.unloading.size(), 4001u);
    return out;
  }

  /// Penetrations and forces at rest.
  std::vector<std::array<double, 2>> at_rest(const std::string& law, double depth,
                                             const std::vector<std::string>& parameters = {}) const {
    std::vector<std::string> arguments = joint(law, parameters);
    arguments.insert(arguments.end(), {"--static", "--depth", fmt::format("{} m", depth), "--points", "101"});
    std::vector<std::array<double, 2>> out;
    for (const auto& row : csv(arguments))
      if (row[0] != "penetration") out.push_back({std::stod(row[0]), std::stod(row[1])});
    EXPECT_EQ(out.size(), 101u);
    return out;
  }
};

// What the parts a, b and c of figures 1 to 6 have in common: penetration rises to its largest and falls back
// to 0, the force never pulls, and what the loop of force against penetration encloses is the energy that the
// impact loses.
void expect_an_impact(const Curve& c) {
  for (const auto* phase : {&c.loading, &c.unloading})
    for (std::size_t i = 1; i < phase->size(); ++i) {
      const bool loading = phase == &c.loading;
      EXPECT_GT((*phase)[i].time, (*phase)[i - 1].time);
      EXPECT_EQ((*phase)[i].depth > (*phase)[i - 1].depth, loading) << i;
      EXPECT_GE((*phase)[i].force, 0);
    }
  EXPECT_EQ(c.loading.front().depth, 0);
  EXPECT_EQ(c.unloading.back().depth, 0);
  EXPECT_NEAR(Curve::work(c.loading), energy, 1e-6 * energy);
  EXPECT_NEAR(c.loop(), energy * (1 - c.restitution() * c.restitution()), 1e-6 * energy);
}

// The run of the model with this law shows the same curve, sample by sample, and the same row in its impact
// table.
void expect_the_run(const std::string& example, const std::string& normal, const Curve& curve) {
  const Recording r = run_example("single_impact/" + example, {"joints.wall.clearance.normal=" + normal});
  ASSERT_TRUE(r.summary.completed) << r.summary.stop_reason;
  EXPECT_LT(r.summary.energy_residual, 1e-8);
  ASSERT_EQ(r.impacts.size(), 1u);
  const Impact& i = r.impacts[0];
  EXPECT_NEAR(i.speed_in, speed, 1e-9);
  EXPECT_NEAR(i.restitution, curve.restitution(), 1e-7);
  EXPECT_NEAR(i.max_penetration / curve.depth(), 1, 1e-7);
  EXPECT_NEAR(i.peak_force / curve.peak(), 1, 1e-6);
  EXPECT_NEAR((i.end - i.start) / curve.unloading.back().time, 1, 1e-7);
  EXPECT_NEAR(r.last("wall.normal_loss"), energy * (1 - i.restitution * i.restitution), 1e-8 * energy);
  double apart = 0;
  for (const auto& row : r.rows) {
    const double t = row[0] - i.start, depth = row[r.column("wall.penetration")];
    if (t <= 0 || row[0] >= i.end) {
      EXPECT_EQ(row[r.column("wall.normal")], 0);
      continue;
    }
    const bool loading = t < curve.loading.back().time;
    // Next to the turn, where Kelvin and Voigt's force falls, a sample lies on either side of it.
    if (std::abs(depth / curve.depth() - 1) < 1e-4) continue;
    apart = std::max(apart, std::abs(row[r.column("wall.normal")] -
                                     Curve::at(loading ? curve.loading : curve.unloading, depth)));
  }
  fmt::print(
      "{}: restitution {:.6f}, depth {:.4f} µm, peak {:.1f} N, lasts {:.3f} µs; run within {:.1e} of the "
      "peak\n",
      normal, i.restitution, 1e6 * i.max_penetration, curve.peak(), 1e6 * (i.end - i.start),
      apart / curve.peak());
  EXPECT_LT(apart, 1e-5 * curve.peak());
}

// Unloading goes back the way that loading came.
void expect_elastic(const Curve& c) {
  EXPECT_NEAR(c.loop(), 0, 1e-6 * energy);
  EXPECT_NEAR(c.restitution(), 1, 1e-9);
  for (const double part : {0.2, 0.5, 0.8})
    EXPECT_NEAR(Curve::at(c.unloading, part * c.depth()) / Curve::at(c.loading, part * c.depth()), 1, 1e-6);
}

// Figure 1: Kelvin and Voigt, c_e = 0.9, K = 1.5e8 N/m. Two straight lines; the force falls at the largest
// penetration, from K δ to c_e K δ; the loop loses 1 − c_e of the energy.
TEST_F(Figures, One) {
  const Curve c = impact("kelvin-voigt", {"stiffness=1.5e8", "restitution=0.9"});
  expect_an_impact(c);
  for (const double part : {0.1, 0.4, 0.7, 0.95}) {
    const double depth = part * c.depth();
    EXPECT_NEAR(Curve::at(c.loading, depth), 1.5e8 * depth, 1e-6 * 1.5e8 * c.depth());
    EXPECT_NEAR(Curve::at(c.unloading, depth), 0.9 * 1.5e8 * depth, 1e-6 * 1.5e8 * c.depth());
  }
  EXPECT_NEAR(c.peak(), 1.5e8 * c.depth(), 1e-3 * c.peak());
  EXPECT_NEAR(c.unloading.front().force, 0.9 * 1.5e8 * c.depth(), 1e-6 * c.peak());
  EXPECT_NEAR(c.loop(), 0.1 * energy, 1e-6 * energy);
  EXPECT_NEAR(c.depth(), speed * std::sqrt(mass / 1.5e8), 1e-6 * c.depth());
  expect_the_run("spheres.yaml", "{law: kelvin-voigt, stiffness: 1.5e8, restitution: 0.9}", c);
}

// Figure 2: Hertz. The stiffness that the document prints, 6.6e10 N/m^1.5, is what its radii and material
// give; the curve is a power of the penetration, the same in both phases.
TEST_F(Figures, Two) {
  const Curve c = impact("hertz");
  expect_an_impact(c);
  expect_elastic(c);
  const double K = c.peak() / std::pow(c.depth(), 1.5);
  EXPECT_NEAR(K, 6.6e10, 0.05e10);
  EXPECT_NEAR(K, 4 / (3 * 2 * 0.91 / 207e9) * std::sqrt(0.010 * 0.0095 / 0.0005), 1e-6 * K);
  EXPECT_NEAR(c.depth(), std::pow(1.25 * mass * speed * speed / K, 0.4), 1e-8 * c.depth());
  expect_the_run("spheres.yaml", "{law: hertz}", c);
}

// Figure 3: Lankarani and Nikravesh. Loading lies above Hertz' curve and unloading below it; the force has no
// jump and is largest before the penetration is.
TEST_F(Figures, Three) {
  const Curve hertz = impact("hertz"), c = impact("lankarani-nikravesh", {"restitution=0.9"});
  expect_an_impact(c);
  const double K = hertz.peak() / std::pow(hertz.depth(), 1.5);
  for (const double part : {0.2, 0.5, 0.8}) {
    const double depth = part * c.depth(), elastic = K * std::pow(depth, 1.5);
    EXPECT_GT(Curve::at(c.loading, depth), 1.02 * elastic);
    EXPECT_LT(Curve::at(c.unloading, depth), 0.98 * elastic);
  }
  EXPECT_NEAR(c.loading.back().force, c.unloading.front().force, 1e-9 * c.peak());
  EXPECT_GT(c.peak(), c.loading.back().force);
  EXPECT_LT(c.depth(), hertz.depth());
  EXPECT_GT(c.loop(), 0.1 * energy);
  expect_the_run("spheres.yaml", "{law: lankarani-nikravesh, restitution: 0.9}", c);
}

// Figures 4 to 6: the cylinder laws give back what they take, and are closer to a straight line than Hertz'
// curve; Goldsmith's is almost one.
TEST_F(Figures, FourToSix) {
  // How far the force at half the penetration is from half the largest force.
  const auto bend = [](const Curve& c) {
    return 1 - Curve::at(c.loading, 0.5 * c.depth()) / (0.5 * c.peak());
  };
  const double hertz = bend(impact("hertz"));
  double goldsmith = 1;
  for (const char* law : {"dubowsky-freudenstein", "goldsmith", "esdu-78035"}) {
    const Curve c = impact(law, {"compliance=flores-2006"});
    expect_an_impact(c);
    expect_elastic(c);
    fmt::print("{}: at half the penetration {:.3f} below half the force (hertz {:.3f})\n", law, bend(c),
               hertz);
    EXPECT_GT(bend(c), 0);
    EXPECT_LT(bend(c), 0.5 * hertz);
    if (std::string(law) == "goldsmith") goldsmith = bend(c);
    expect_the_run("cylinders.yaml", fmt::format("{{law: {}, compliance: flores-2006}}", law), c);
  }
  EXPECT_LT(goldsmith, 0.06);
  for (const char* law : {"dubowsky-freudenstein", "esdu-78035"})
    EXPECT_LT(goldsmith, 0.7 * bend(impact(law, {"compliance=flores-2006"})));
}

// Figure 7: spherical and cylindrical laws in one diagram. They are reasonably close with the compliance as
// printed there: Dubowsky and Freudenstein's and ESDU's forces are within a fifth of Hertz' at the depth of
// such an impact, Goldsmith's is half of it. Only Lankarani and Nikravesh's curve encloses an area.
TEST_F(Figures, Seven) {
  const std::vector<std::string> printed = {"compliance=flores-2006"};
  const double depth = impact("hertz").depth();
  const auto hertz = at_rest("hertz", depth), df = at_rest("dubowsky-freudenstein", depth, printed),
             esdu = at_rest("esdu-78035", depth, printed), goldsmith = at_rest("goldsmith", depth, printed);
  for (int i = 40; i <= 100; i += 10) {
    EXPECT_NEAR(df[i][1] / hertz[i][1], 1, 0.25) << i;
    EXPECT_NEAR(esdu[i][1] / hertz[i][1], 1, 0.3) << i;
    // Goldsmith softest, ESDU a little below Dubowsky and Freudenstein.
    EXPECT_LT(goldsmith[i][1], 0.6 * esdu[i][1]) << i;
    EXPECT_LT(esdu[i][1], df[i][1]) << i;
    EXPECT_GT(esdu[i][1], 0.9 * df[i][1]) << i;
  }
  // The curves cross: near the surface the cylinders are stiffer, deeper down the spheres are.
  EXPECT_GT(df[20][1], hertz[20][1]);
  EXPECT_LT(df[100][1], hertz[100][1]);
  const double damped = impact("lankarani-nikravesh", {"restitution=0.9"}).loop();
  EXPECT_GT(damped, 0.1 * energy);
  for (const char* law : {"hertz", "dubowsky-freudenstein", "goldsmith", "esdu-78035"})
    EXPECT_LT(
        std::abs(impact(law, std::string(law) == "hertz" ? std::vector<std::string>{} : printed).loop()),
        1e-5 * damped)
        << law;
}

// Figure 8 of Flores & Ambrósio 2004: the same comparison with the compliance of that document, (1 −
// ν²)/(πE), and Kelvin and Voigt's line. In an impact of one energy the laws' penetrations and forces are of
// one size.
TEST_F(Figures, EightOf2004) {
  const Curve hertz = impact("hertz");
  std::vector<std::pair<std::string, Curve>> all = {
      {"kelvin-voigt", impact("kelvin-voigt", {"stiffness=1.5e8", "restitution=0.9"})},
      {"lankarani-nikravesh", impact("lankarani-nikravesh", {"restitution=0.9"})},
      {"dubowsky-freudenstein", impact("dubowsky-freudenstein")},
      {"esdu-78035", impact("esdu-78035")}};
  for (const auto& [name, c] : all) {
    fmt::print("{}: depth {:.2f} of Hertz', peak {:.2f} of Hertz'\n", name, c.depth() / hertz.depth(),
               c.peak() / hertz.peak());
    EXPECT_NEAR(std::log(c.peak() / hertz.peak()), 0, std::log(1.7)) << name;
    EXPECT_NEAR(std::log(c.depth() / hertz.depth()), 0, std::log(1.7)) << name;
    const bool dissipates = name == "kelvin-voigt" || name == "lankarani-nikravesh";
    EXPECT_EQ(c.loop() > 0.05 * energy, dissipates) << name;
  }
  // The factor π between the two documents: the same law, the same depth.
  const auto strain = at_rest("esdu-78035", 1e-5),
             printed = at_rest("esdu-78035", 1e-5, {"compliance=flores-2006"});
  EXPECT_NEAR(strain.back()[1] / printed.back()[1], std::numbers::pi, 0.1);
}

// Figure 9: Threlfall's curve rises as 1 − exp(−3 v/v_r) to 0.95 at v_r, and Ambrósio's by a straight line
// between its two speeds; both are odd in v and oppose it.
TEST_F(Figures, Nine) {
  const auto friction = [&](const std::string& law, std::vector<std::string> parameters) {
    std::vector<std::string> arguments = {law,     "--curve",  "--speed", "0.2 m/s", "--normal-force",
                                          "100 N", "--points", "201"};
    for (const std::string& p : parameters) arguments.insert(arguments.end(), {"--set", p});
    std::vector<std::array<double, 2>> out;
    for (const auto& row : csv(arguments))
      if (row[0].find_first_of("0123456789") != std::string::npos)
        out.push_back({std::stod(row[0]), std::stod(row[1])});
    return out;
  };
  const auto threlfall = friction("threlfall", {"coefficient=0.1", "v0=0.1"});
  const auto ambrosio = friction("ambrosio", {"coefficient=0.1", "v0=0.02", "v1=0.1"});
  ASSERT_FALSE(threlfall.empty());
  ASSERT_EQ(threlfall.size(), ambrosio.size());
  double slowest = 0, fastest = 0;
  for (std::size_t i = 0; i < threlfall.size(); ++i) {
    const double v = threlfall[i][0], size = std::abs(v), direction = v > 0 ? 1 : v < 0 ? -1 : 0;
    slowest = std::min(slowest, v), fastest = std::max(fastest, v);
    const double rise = size < 0.1 ? 1 - std::exp(-3 * size / 0.1) : 1 - std::exp(-3.0);
    EXPECT_NEAR(threlfall[i][1], -direction * 0.1 * 100 * rise, 1e-9) << v;
    EXPECT_NEAR(ambrosio[i][1], -direction * 0.1 * 100 * std::clamp((size - 0.02) / 0.08, 0.0, 1.0), 1e-9)
        << v;
  }
  EXPECT_NEAR(slowest, -0.2, 1e-12);
  EXPECT_NEAR(fastest, 0.2, 1e-12);
}

}  // namespace
}  // namespace tappet::testing::figures_test
