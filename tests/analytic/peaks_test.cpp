// Impacts far shorter than the output step: what verify, compare, a sweep's metric, the report and a picture's rows say of the largest force
// and penetration is what the impact table says, whatever the samples show.
#include <algorithm>
#include <cmath>
#include <map>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "support/folder_test.hpp"
#include "support/run_model.hpp"
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
};

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
  Value root = read_yaml_file(std::string(TAPPET_SOURCE_DIR) + "/examples/" + name);
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
        EXPECT_NEAR(table.force / each.peak_force, 1, 1e-7);
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
