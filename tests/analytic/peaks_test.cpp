// Impacts far shorter than the output step: what verify, compare, a sweep's metric, the report and a picture's rows say of the largest force
// and penetration is what the impact table says, whatever the samples show.
#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "support/folder_test.hpp"
#include "support/paths.hpp"
#include "support/resume.hpp"
#include "support/run_model.hpp"
#include "tappet/contact/normal_law.hpp"
#include "tappet/results/report.hpp"
#include "tappet/results/result_writer.hpp"
#include "tappet/studies/compare.hpp"
#include "tappet/studies/recording.hpp"
#include "tappet/studies/sweep.hpp"
#include "tappet/studies/verify.hpp"
#include "unit/results/base64_numbers.hpp"

namespace tappet::peaks_test {
namespace {

using ::testing::HasSubstr;

struct Case {
  std::string name, model;
  std::vector<std::string> methods;  ///< beside smooth
  double peak_force = 0;             ///< in closed form, of the first contact; 0: there is none
  std::vector<std::string> contacts = {"hit"};
  double exact = 1e-7;  ///< the closed form, to this part
};

/// Contacts of groups begin at the end of a step, this deep at most: 1e-8 of the ball's radius, m.
constexpr double first_depth = 1e-8 * 0.1;

const std::string steel = "materials: {steel: {young: 207 GPa, poisson: 0.3, density: 7800 kg/m^3}}\n";

/// A ball of 1 kg that meets the floor at 2 m/s after 33 ms; nothing else acts.
std::string ball(const std::string& law, const std::string& friction = "{law: none}", double along = 0) {
  return fmt::format(
      "tappet: 1\ndimension: planar\ngravity: [0, 0]\n{}"
      "ground: {{shapes: {{floor: {{plane: {{normal: [0, 1], point: [0, 0]}}}}}}}}\n"
      "bodies: {{ball: {{mass: 1, inertia: 0.004, position: [0, 0.166], velocity: [{}, -2], shapes: {{s: "
      "{{circle: "
      "{{radius: 0.1}}}}}}}}}}\n"
      "contacts: {{hit: {{between: [ground.floor, ball.s], normal: {}, friction: {}}}}}\n"
      "simulation: {{duration: 0.19 s, tolerance: 1e-9}}\noutput: {{step: 20 ms}}\n",
      steel, along, law, friction);
}

/// Balls of 1 kg in a row, the first of which comes at 3 m/s.
std::string row_of_balls(int count, double apart, const std::string& law) {
  std::string bodies, contacts;
  for (int i = 0; i < count; ++i)
    bodies += fmt::format(
        "  b{}: {{mass: 1, inertia: [0.004, 0.004, 0.004], position: [{}, 0, 0], velocity: [{}, 0, 0], "
        "shapes: {{s: "
        "{{sphere: {{radius: 0.1}}}}}}}}\n",
        i, i == 0 ? 0.0 : 0.1 + (0.2 + apart) * i, i == 0 ? 3 : 0);
  for (int i = 1; i < count; ++i)
    contacts += fmt::format("  {}: {{between: [b{}.s, b{}.s], normal: {}}}\n",
                            i == 1 ? "hit" : fmt::format("next{}", i), i - 1, i, law);
  return fmt::format(
      "tappet: 1\ndimension: spatial\ngravity: [0, 0, 0]\n{}bodies:\n{}contacts:\n{}"
      "simulation: {{duration: 0.19 s, tolerance: 1e-9}}\noutput: {{step: 20 ms}}\n",
      steel, bodies, contacts);
}

/// Balls of 1 kg that come to a floor at 2 m/s in space, 33 ms later and `delays`; a contact for each of them, or one group for all.
std::string landing(const std::string& law, bool group, const std::vector<double>& delays = {0}) {
  std::string bodies;
  for (std::size_t i = 0; i < delays.size(); ++i)
    bodies += fmt::format(
        "  a{}: {{mass: 1, inertia: [0.004, 0.004, 0.004], position: [{}, 0, {:.17g}], velocity: [0, 0, -2], "
        "shapes: {{s: {{sphere: {{radius: 0.1}}}}}}}}\n",
        i, i, 0.166 + 2 * delays[i]);
  return fmt::format(
      "tappet: 1\ndimension: spatial\ngravity: [0, 0, 0]\n{}"
      "ground: {{shapes: {{floor: {{plane: {{normal: [0, 0, 1], point: [0, 0, 0]}}}}}}}}\nbodies:\n{}"
      "contacts: {{hit: {{between: [ground.floor, {}], group: {}, materials: [steel, steel], normal: {}}}}}\n"
      "simulation: {{duration: 0.19 s, tolerance: 1e-9}}\noutput: {{step: 20 ms}}\n",
      steel, bodies, group ? "'*.s'" : "a0.s", group, law);
}

/// A cube of 1 kg in ten slices that meets a wall at 10 m/s with the four nodes of its face, or one of them.
std::string bar(const std::string& law, const std::string& simulation,
                const std::string& nodes = "bar.xmin") {
  return fmt::format(
      "tappet: 1\ndimension: spatial\nmaterials: {{m: {{young: 900, poisson: 0, density: 1}}}}\nbodies:\n"
      "  bar: {{velocity: [-10, 0, 0], structure: {{generate: {{block: {{size: [1, 1, 1], divisions: [10, 1, "
      "1]}}}}, "
      "material: m, fix: {{all: [y, z]}}, points: {{tip: {{at: [0, 0, 0]}}}}}}}}\n"
      "ground: {{shapes: {{wall: {{plane: {{point: [-1, 0, 0], normal: [1, 0, 0]}}}}}}}}\n"
      "contacts: {{hit: {{between: [ground.wall, {}], normal: {}}}}}\n"
      "simulation: {{{}}}\noutput: {{step: 2 s}}\n",
      nodes, law, simulation);
}

/// A rod of 1 kg that turns at 10 rad/s about its end until a stop, 50 mm from there, holds it.
std::string rod_at_its_limit(const std::string& law) {
  return fmt::format(
      "tappet: 1\ndimension: planar\ngravity: [0, 0]\n"
      "bodies: {{rod: {{mass: 1, inertia: 0.02, position: [0.2, 0], velocity: [0, 2], angular_velocity: "
      "10}}}}\n"
      "joints: {{hinge: {{type: revolute, bodies: [ground, rod], points: [[0, 0], [-0.2, 0]], "
      "limits: {{from: -30 deg, to: 30 deg, arm: 50 mm, normal: {}}}}}}}\n"
      "simulation: {{duration: 0.19 s, tolerance: 1e-9}}\noutput: {{step: 20 ms}}\n",
      law);
}

/// m δ̈ = −K δ^1.5 from v: ½ m v² = 2/5 K δ^2.5.
double hertz_peak(double m, double v, double K) {
  return K * std::pow(1.25 * m * v * v / K, 0.6);
}

/// m δ̈ = −c δ̇ − k δ from v: the force m v e^{−ζωt} (2ζω cos ω_d t + ω (1 − 2ζ²)/√(1 − ζ²) sin ω_d t) is largest where
/// tan ω_d t = √(1 − ζ²) (1 − 4ζ²) / (ζ (3 − 4ζ²)).
double damped_peak(double m, double v, double k, double c) {
  const double w = std::sqrt(k / m), zeta = c / (2 * m * w), root = std::sqrt(1 - zeta * zeta);
  const double phase = std::atan2(root * (1 - 4 * zeta * zeta), zeta * (3 - 4 * zeta * zeta));
  return m * v * std::exp(-zeta * phase / root) *
         (2 * zeta * w * std::cos(phase) + w * (1 - 2 * zeta * zeta) / root * std::sin(phase));
}

std::string example(const std::string& name, const std::vector<std::string>& settings) {
  Value root = read_yaml_file(testing::source_dir() + "/examples/" + name);
  for (const std::string& setting : settings) apply_setting(root, setting);
  return to_yaml(root);
}

std::vector<Case> cases() {
  return {
      {"an elastic ball", ball("{law: hertz, stiffness: 1e9}"), {}, hertz_peak(1, 2, 1e9)},
      {"a ball on a damper",
       ball("{law: hooke, stiffness: 1e7, damping: 1000}"),
       {},
       damped_peak(1, 2, 1e7, 1000)},
      {"a ball on a strong damper, whose force is largest at first touch",
       ball("{law: hooke, stiffness: 1e7, damping: 4000}"),
       {},
       4000 * 2.0},
      {"a ball of Lankarani and Nikravesh",
       ball("{law: lankarani-nikravesh, stiffness: 1e9, restitution: 0.7}"),
       {"moreau", "event-driven"}},
      {"a ball of Flores",
       ball("{law: flores, stiffness: 3e10, restitution: 0.5}"),
       {"moreau", "event-driven"}},
      {"a ball that slides",
       ball("{law: hunt-crossley, stiffness: 1e9, restitution: 0.8}",
            "{law: ambrosio, coefficient: 0.2, v0: 1 mm/s, v1: 10 mm/s}", 1),
       {"moreau", "event-driven"}},
      {"two balls in space",
       row_of_balls(2, 0, "{law: hertz, stiffness: 1e10}"),
       {},
       hertz_peak(0.5, 3, 1e10)},
      {"a row of balls",
       row_of_balls(4, 1e-3, "{law: lankarani-nikravesh, stiffness: 1e9, restitution: 0.9}"),
       {"moreau", "event-driven"},
       0,
       {"hit", "next2", "next3"}},
      {"balls of Adams' IMPACT",
       row_of_balls(2, 0, "{law: impact, stiffness: 1e11, exponent: 2.2, damping: 100, depth: 1e-5}"),
       {}},
      {"the slider-crank with clearance",
       example("slider_crank/clearance.yaml", {"output.step=3 ms", "simulation.duration=21 ms"}),
       {},
       0,
       {"wrist"}},
      {"a group of balls",
       "tappet: 1\ndimension: spatial\ngravity: [0, 0, -9.81]\n" + steel +
           "ground: {shapes: {floor: {plane: {normal: [0, 0, 1], point: [0, 0, 0]}}}}\n"
           "bodies:\n"
           "  a: {mass: 1, inertia: [0.004, 0.004, 0.004], position: [0, 0, 0.15], shapes: {s: {sphere: "
           "{radius: 0.1}}}}\n"
           "  b: {mass: 1, inertia: [0.004, 0.004, 0.004], position: [1, 0, 0.2], shapes: {s: {sphere: "
           "{radius: 0.1}}}}\n"
           "contacts: {hit: {between: [ground.floor, '*.s'], group: true, normal: {law: lankarani-nikravesh, "
           "stiffness: "
           "1e9, restitution: 0.8}}}\n"
           "simulation: {duration: 0.19 s, tolerance: 1e-9}\noutput: {step: 20 ms}\n",
       {"moreau"}},
      {"an elastic group", landing("{law: hertz, stiffness: 1e9}", true), {}, hertz_peak(1, 2, 1e9)},
      {"a group on dampers",
       landing("{law: hooke, stiffness: 1e7, damping: 1000}", true),
       {},
       damped_peak(1, 2, 1e7, 1000),
       {"hit"},
       1e7 * first_depth / damped_peak(1, 2, 1e7, 1000)},
      {"a group on strong dampers, whose force is largest at first touch",
       landing("{law: hooke, stiffness: 1e7, damping: 4000}", true),
       {},
       4000 * 2.0,
       {"hit"},
       1e7 * first_depth / (4000 * 2.0)},
      {"a stop of a joint",
       rod_at_its_limit("{law: hertz, stiffness: 1e11}"),
       {},
       hertz_peak((0.02 + 0.2 * 0.2) / (0.05 * 0.05), 10 * 0.05, 1e11),
       {"hinge.to"}},
      {"a journal that falls in its bearing",
       "tappet: 1\ndimension: planar\ngravity: [0, -9.81]\n" + steel +
           "bodies: {arm: {mass: 0.5, inertia: 1e-3, position: [0.1, 0]}}\n"
           "joints: {pin: {type: revolute, bodies: [ground, arm], points: [[0, 0], [-0.1, 0]], clearance: "
           "{bearing_radius: "
           "10 mm, journal_radius: 9.5 mm, length: 15 mm, materials: [steel, steel], normal: {law: "
           "lankarani-nikravesh, "
           "restitution: 0.9}, friction: {law: ambrosio, coefficient: 0.1, v0: 1 mm/s, v1: 10 mm/s}}}}\n"
           "simulation: {duration: 0.04 s, tolerance: 1e-9}\noutput: {step: 5 ms}\n",
       {},
       0,
       {"pin"}},
      {"a node of a structure",
       bar("{law: hooke, stiffness: 3000}", "duration: 3, tolerance: 1e-9", "bar.tip"),
       {}},
  };
}

struct Peaks {
  double force = 0, depth = 0, impulse = 0;
};

Peaks of_table(const std::vector<Impact>& impacts, int contact) {
  Peaks out;
  for (const Impact& i : impacts) {
    if (i.contact != contact) continue;
    out.force = std::max(out.force, i.peak_force);
    out.depth = std::max(out.depth, i.max_penetration);
    out.impulse = std::max(out.impulse, i.impulse);
  }
  return out;
}

class PeaksTest : public FolderTest {
 protected:
  static double figure(const Verification& v, const std::string& name) {
    for (const VerifiedFigure& f : v.figures)
      if (f.name == name) return f.value;
    return NAN;
  }
  static double figure(const Comparison& c, const ComparedVariant& v, const std::string& name) {
    for (std::size_t i = 0; i < c.figures.size(); ++i)
      if (c.figures[i].name == name) return v.values[i];
    return NAN;
  }
  /// The sweep's only run.
  std::vector<double> swept(const std::vector<std::string>& metrics) {
    std::string text =
        "study: 1\nmodel: model.yaml\nparameters: {tolerance: {path: simulation.tolerance, values: "
        "[1e-9]}}\nmetrics:\n";
    for (std::size_t i = 0; i < metrics.size(); ++i) text += fmt::format("  m{}: {}\n", i, metrics[i]);
    write("study.yaml", text);
    const SweepRow row = run_one(load_study(path("study.yaml")), 0);
    EXPECT_EQ(row.reason, "");
    return row.values;
  }
  /// Of the report's page: the largest number of each column.
  std::map<std::string, double> reported(const Model& model) {
    Simulation simulation(model);
    ResultHeader header;
    header.signals = simulation.signals();
    header.contacts = simulation.contact_names();
    header.structures = simulation.field_meshes();
    header.field_samples = static_cast<std::size_t>(simulation.field_samples());
    {
      auto writer = ResultWriter::create(path("r.h5"), header);
      writer.finish(simulation.run(writer));
    }
    const auto json = nlohmann::json::parse(report_data(ResultFile(path("r.h5")), 10'000'000));
    std::map<std::string, double> out;
    for (const auto& column : json["columns"])
      for (const float x : numbers<float>(column["data"])) {
        double& most = out[column["name"]];
        most = std::max<double>(most, x);
      }
    return out;
  }
};

// Rows are taken at the very instants at which the table found its peaks: the same forces up to rounding.
constexpr double same = 1e-9;
// Of numbers in single precision.
constexpr double same_float = 1e-7;

TEST_F(PeaksTest, AgreeWithTheImpactTableInEveryCommand) {
  int missed = 0;
  for (const Case& each : cases()) {
    SCOPED_TRACE(each.name);
    write("model.yaml", each.model);
    const auto model = testing::model_of_text(each.model, {"simulation.tolerance=1e-9"});
    const Recording run = record(*model);
    ASSERT_TRUE(run.summary.completed) << run.summary.stop_reason;
    ASSERT_FALSE(run.impacts.empty());
    // All that follows would be easy otherwise: only in the mechanism some contacts last.
    const auto is_short = [&](const Impact& impact) {
      return impact.end - impact.start < 0.1 * model->settings.output_step;
    };
    const auto brief = std::count_if(run.impacts.begin(), run.impacts.end(), is_short);
    EXPECT_GE(2 * brief, static_cast<long>(run.impacts.size()));
    EXPECT_THAT(run.summary.warnings, ::testing::Contains(HasSubstr("samples alone do not show them")));

    const Verification verified = verify(path("model.yaml"), {"simulation.tolerance=1e-9"});
    const Comparison compared = compare(path("model.yaml"), {"simulation.tolerance=1e-9"},
                                        *VariationRegistry::instance().find("integrators"), {"dopri5"}, {});
    const auto page = reported(*model);
    for (const std::string& name : each.contacts) {
      SCOPED_TRACE(name);
      const auto at = std::find(run.contacts.begin(), run.contacts.end(), name);
      ASSERT_NE(at, run.contacts.end());
      const int contact = static_cast<int>(at - run.contacts.begin());
      const std::string force = fmt::format("max({}.normal)", name),
                        depth = fmt::format("max({}.penetration)", name);
      const Peaks table = of_table(run.impacts, contact);
      ASSERT_GT(table.force, 0);
      const std::vector<double> samples = run.column(run.index(name + ".normal"));
      missed += *std::max_element(samples.begin(), samples.end()) < 0.5 * table.force;
      if (each.peak_force > 0) {
        EXPECT_NEAR(table.force / each.peak_force, 1, each.exact);
      }
      EXPECT_NEAR(figure(verified, force) / table.force, 1, same);
      EXPECT_NEAR(figure(verified, depth) / table.depth, 1, same);
      const std::vector<double> sweep = swept({force, depth, fmt::format("max({}.impacts.peak_force)", name),
                                               fmt::format("max(abs(-{}.normal))", name)});
      EXPECT_NEAR(sweep[0] / table.force, 1, same);
      EXPECT_NEAR(sweep[1] / table.depth, 1, same);
      EXPECT_NEAR(sweep[2] / table.force, 1, same);
      EXPECT_NEAR(sweep[3] / table.force, 1, same);
      EXPECT_NEAR(page.at(name + ".normal") / table.force, 1, same_float);
      EXPECT_NEAR(page.at(name + ".penetration") / table.depth, 1, same_float);
      // Another integrator takes other steps: its own table.
      const ComparedVariant& v = compared.variants[0];
      ASSERT_EQ(v.reason, "");
      const Peaks own = of_table(v.recording.impacts, contact);
      EXPECT_NEAR(figure(compared, v, force) / own.force, 1, same);
      EXPECT_NEAR(figure(compared, v, depth) / own.depth, 1, same);
      EXPECT_NEAR(figure(compared, v, fmt::format("max({}.impacts.impulse)", name)) / own.impulse, 1, same);
    }
  }
  EXPECT_GE(missed, 10);  // contacts whose peak the samples alone show by less than half
}

// Two linear springs that are pressed one after the other, by Δ: v √(mk) (sin ωt + sin ω(t − Δ)) is largest at 2 v √(mk) cos ωΔ/2, between the
// peaks of the two, which the table has.
TEST_F(PeaksTest, AGroupsForceIsLargestWhereItsSumIs) {
  const double k = 1e7, delay = 2e-4, one = 2 * std::sqrt(k),
               both = 2 * one * std::cos(0.5 * std::sqrt(k) * delay);
  const std::string text = landing(fmt::format("{{law: hooke, stiffness: {}}}", k), true, {0, delay});
  write("model.yaml", text);
  const auto model = testing::model_of_text(text);
  const Recording run = record(*model);
  ASSERT_EQ(run.impacts.size(), 2u);
  for (const Impact& impact : run.impacts) EXPECT_NEAR(impact.peak_force / one, 1, 1e-7);
  EXPECT_NEAR(figure(verify(path("model.yaml"), {}), "max(hit.normal)") / both, 1, 1e-7);
  EXPECT_NEAR(swept({"max(hit.normal)"})[0] / both, 1, 1e-7);
  EXPECT_NEAR(reported(*model).at("hit.normal") / both, 1, same_float);
}

// By moreau a structure's forces are means over steps. The table has the largest, and so have rows between samples, which are farther apart
// than this whole impact lasts.
TEST_F(PeaksTest, StructuresByMoreauShowThePeaksOfTheTable) {
  const std::string text = bar("{law: newton, restitution: 0}", "method: moreau, duration: 3, step: 1e-4");
  write("model.yaml", text);
  const auto model = testing::model_of_text(text);
  const Recording run = record(*model);
  ASSERT_FALSE(run.impacts.empty());
  EXPECT_THAT(run.summary.warnings, ::testing::Contains(HasSubstr("samples alone do not show them")));
  const Peaks table = of_table(run.impacts, 0);
  // ρ c v A in the closed form of a continuous bar; nodes with mass add impulses.
  ASSERT_GT(table.force, 300);
  const std::vector<double> samples = run.column(run.index("hit.normal"));
  EXPECT_LT(*std::max_element(samples.begin(), samples.end()), 0.5 * table.force);
  const Verification verified = verify(path("model.yaml"), {});
  EXPECT_NEAR(figure(verified, "max(hit.normal)") / table.force, 1, same);
  EXPECT_NEAR(figure(verified, "max(hit.penetration)") / table.depth, 1, same);
  const std::vector<double> sweep = swept({"max(hit.normal)", "max(hit.penetration)"});
  EXPECT_NEAR(sweep[0] / table.force, 1, same);
  EXPECT_NEAR(sweep[1] / table.depth, 1, same);
  const auto page = reported(*model);
  EXPECT_NEAR(page.at("hit.normal") / table.force, 1, same_float);
  EXPECT_NEAR(page.at("hit.penetration") / table.depth, 1, same_float);
}

// A journal on a bed of springs is no contact and has no impacts; its load is seen where it is largest all the same.
TEST_F(PeaksTest, BedsOfSpringsShowTheirLargestLoad) {
  const auto text = [](const std::string& output) {
    return "tappet: 1\ndimension: planar\ngravity: [0, -9.81]\n"
           "bodies: {arm: {mass: 0.5, inertia: 1e-3, position: [0.1, 0]}}\n"
           "joints: {pin: {type: revolute, bodies: [ground, arm], points: [[0, 0], [-0.1, 0]], clearance: "
           "{model: foundation, "
           "bearing_radius: 10 mm, journal_radius: 9.9 mm, length: 20 mm, stiffness: 1e13 Pa/m, damping: 1e7 "
           "Pa s/m, nodes: "
           "90}}}\nsimulation: {duration: 40 ms, tolerance: 1e-9}\noutput: {step: " +
           output + "}\n";
  };
  // What samples a microsecond apart show errs by ½ (ω Δt/2)², where ω of such an impact is some 1e4 1/s.
  const Recording dense = record(*testing::model_of_text(text("1 us")));
  const std::vector<double> samples = dense.column(dense.index("pin.normal"));
  const double largest = *std::max_element(samples.begin(), samples.end());
  write("model.yaml", text("5 ms"));
  const Recording run = record(*testing::model_of_text(text("5 ms")));
  const std::vector<double> few = run.column(run.index("pin.normal"));
  EXPECT_LT(*std::max_element(few.begin(), few.end()), 0.5 * largest);
  EXPECT_NEAR(swept({"max(pin.normal)"})[0] / largest, 1, 2e-5);
  EXPECT_NEAR(reported(*testing::model_of_text(text("5 ms"))).at("pin.normal") / largest, 1, 2e-5);
}

// Rows at peaks, too, are those of the run that was not interrupted.
TEST_F(PeaksTest, InterruptedRunsGoOnToTheSamePeaks) {
  for (const std::string& text :
       {landing("{law: hooke, stiffness: 1e7, damping: 1000}", true, {0, 2e-4, 5e-4}),
        bar("{law: hooke, stiffness: 3000}", "duration: 1.5, tolerance: 1e-7"),
        bar("{law: newton, restitution: 0}", "method: moreau, duration: 1.5, step: 1e-3")})
    testing::expect_resumes(*testing::model_of_text(text));
}

// Every law that balls may meet a floor by: rows have what the table has, and a group, whose peaks another code looks for, the same.
TEST_F(PeaksTest, AgreeForEveryLaw) {
  const std::vector<std::string> laws = {
      "{law: hooke, stiffness: 1e7}",
      "{law: hooke, stiffness: 1e7, damping: 3000}",
      "{law: hertz}",
      "{law: hertz, stiffness: 1e5, exponent: 0.6}",
      "{law: kelvin-voigt, stiffness: 1.5e8, restitution: 0.9}",
      "{law: kelvin-voigt, stiffness: 1.5e8, restitution: 0.5, variant: matched}",
      "{law: hunt-crossley, restitution: 0.7}",
      "{law: lankarani-nikravesh, restitution: 0.3, stiffness: 1e9}",
      "{law: flores, restitution: 0.2}",
      "{law: impact, stiffness: 1e8, exponent: 2.2, damping: 1e4, depth: 0.1 mm}",
      "{law: impact, stiffness: 1e8, exponent: 1.1, damping: 100, depth: 1 um}",
      "{law: poisson, penalty: 1e7, restitution: 0.7}",
      "{law: expression, force: k*depth^1.5*(1 + a*rate), energy: k*depth^2.5/2.5, parameters: {k: 1e10, a: "
      "0.2}}"};
  std::set<std::string> tested = {"dubowsky-freudenstein", "goldsmith", "esdu-78035"};  // of cylinders
  for (const std::string& law : laws) {
    SCOPED_TRACE(law);
    const auto start = law.find(' ') + 1;
    tested.insert(law.substr(start, law.find_first_of(",}") - start));
    std::vector<Peaks> tables;
    for (const bool group : {false, true}) {
      SCOPED_TRACE(group ? "group" : "followed");
      const Recording run = record(*testing::model_of_text(landing(law, group)));
      ASSERT_TRUE(run.summary.completed) << run.summary.stop_reason;
      ASSERT_EQ(run.impacts.size(), 1u);
      tables.push_back(of_table(run.impacts, 0));
      Peaks rows;
      const std::size_t force = run.index("hit.normal"), depth = run.index("hit.penetration");
      for (const double* row : run.all_rows(0, run.rows())) {
        rows.force = std::max(rows.force, row[force]);
        rows.depth = std::max(rows.depth, row[depth]);
      }
      EXPECT_NEAR(rows.force / tables.back().force, 1, same);
      EXPECT_NEAR(rows.depth / tables.back().depth, 1, same);
    }
    // Followed contacts begin at the very touch. Forces grow with a power of the penetration, 2.2 at most.
    const double apart = 2.2 * first_depth / tables[0].depth;
    EXPECT_NEAR(tables[1].force / tables[0].force, 1, apart);
    EXPECT_NEAR(tables[1].depth / tables[0].depth, 1, apart);
  }
  for (const NormalLawType& type : NormalLawRegistry::instance().entries())
    EXPECT_TRUE(!type.force_law || tested.contains(type.name)) << type.name;
}

// Rigid impacts have impulses and no peak force: none is printed, and what there is in its place is said.
TEST_F(PeaksTest, RigidImpactsHaveImpulsesInstead) {
  int looked = 0;
  for (const Case& each : cases()) {
    if (each.methods.empty()) continue;
    SCOPED_TRACE(each.name);
    write("model.yaml", each.model);
    std::vector<std::string> methods = {"smooth"};
    methods.insert(methods.end(), each.methods.begin(), each.methods.end());
    const Comparison c = compare(path("model.yaml"), {"simulation.method=moreau", "simulation.step=0.1 ms"},
                                 *VariationRegistry::instance().find("methods"), methods, {});
    const std::string name = each.contacts[0], force = fmt::format("max({}.normal)", name);
    const std::string impulse = fmt::format("max({}.impacts.impulse)", name);
    const auto mass = [](const ComparedVariant& v) {
      const Impact& first =
          *std::min_element(v.recording.impacts.begin(), v.recording.impacts.end(),
                            [](const Impact& a, const Impact& b) { return a.start < b.start; });
      return first.impulse / (first.speed_in + first.speed_out);
    };
    EXPECT_GT(figure(c, c.variants[0], force), 0);
    for (std::size_t i = 1; i < c.variants.size(); ++i) {
      const ComparedVariant& v = c.variants[i];
      SCOPED_TRACE(v.name);
      ASSERT_EQ(v.reason, "");
      EXPECT_TRUE(std::isnan(figure(c, v, force)));
      for (const Impact& impact : v.recording.impacts) EXPECT_EQ(impact.peak_force, 0);
      EXPECT_EQ(figure(c, v, impulse), of_table(v.recording.impacts, 0).impulse);
      // Momentum: the impulse of the first impact is the same mass times the same change of speed.
      EXPECT_NEAR(mass(v) / mass(c.variants[0]), 1, 2e-3);  // gravity's impulse during the impact
      const Verification verified = verify(
          path("model.yaml"),
          v.name == "moreau" ? std::vector<std::string>{"simulation.method=moreau", "simulation.step=0.1 ms"}
                             : std::vector<std::string>{"simulation.method=" + v.name});
      EXPECT_TRUE(std::isnan(figure(verified, force)));
      EXPECT_THAT(verification_text(verified), HasSubstr("There is no " + force));
      ++looked;
    }
    EXPECT_THAT(comparison_text(c), HasSubstr("has no " + force + ": impacts of rigid bodies are impulses"));
  }
  EXPECT_GE(looked, 9);
}

// The mean of a force is momentum over time, however short the impacts: 2 m v for an elastic ball.
TEST_F(PeaksTest, MeansSeeShortImpacts) {
  write("model.yaml", ball("{law: hertz, stiffness: 1e9}"));
  const std::vector<double> found = swept({"integral(hit.normal)", "mean(hit.normal)"});
  EXPECT_NEAR(found[0], 4, 4 * 5e-3);  // trapezoidal rule over the steps of the impact
  EXPECT_NEAR(found[1] * 0.19, found[0], 1e-12);
}

// The loop of force against penetration can be drawn: it encloses what the ledger says was lost.
TEST_F(PeaksTest, LoopsEncloseTheLoss) {
  const auto model =
      testing::model_of_text(ball("{law: lankarani-nikravesh, stiffness: 1e9, restitution: 0.7}"));
  const Recording run = record(*model);
  const std::size_t x = run.index("hit.penetration"), y = run.index("hit.normal"),
                    lost = run.index("energy.normal_loss");
  double enclosed = 0;
  const auto rows = run.all_rows(0, run.rows());
  for (std::size_t i = 1; i < rows.size(); ++i)
    enclosed += 0.5 * (rows[i][y] + rows[i - 1][y]) * (rows[i][x] - rows[i - 1][x]);
  // The trapezoidal rule over the steps, h apart, of an impact that lasts T is off by about (h/T)² of what is stored, twice what is lost
  // here; the longest steps are some three times the mean.
  const double n = static_cast<double>(run.unsampled.size() / run.columns.size());
  EXPECT_GT(n, 10);
  EXPECT_NEAR(enclosed / run.row(run.rows() - 1)[lost], 1, 2 * 9 / (n * n));
}

}  // namespace
}  // namespace tappet::peaks_test
