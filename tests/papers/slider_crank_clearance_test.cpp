// What Flores & Ambrósio 2004 (section 5) and Flores 2006 (section 6) observe of the slider-crank with a dry
// clearance joint between rod and slider, and how well its impacts are resolved.
//
// The motion is chaotic after a few impacts, so statements about it are made of statistics over many
// revolutions.
#include <algorithm>
#include <array>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "support/run_model.hpp"

namespace tappet::testing::slider_crank_clearance_test {
namespace {

constexpr double revolution = 60. / 5000;
const std::string no_friction = "joints.wrist.clearance.friction={law: none}";

std::string law(const std::string& name) {
  return "joints.wrist.clearance.normal={law: " + name +
         (name == "lankarani-nikravesh" ? ", restitution: 0.9}" : "}");
}

Recording run_clearance(std::vector<std::string> settings) {
  const Recording r = run_example("slider_crank/clearance.yaml", settings);
  EXPECT_TRUE(r.summary.completed) << r.summary.stop_reason;
  EXPECT_LT(r.summary.energy_residual, 1e-6);
  if (std::find(r.names.begin(), r.names.end(), "energy.normal_loss") == r.names.end()) return r;
  // What is lost is lost: neither loss ever falls.
  for (const char* name : {"energy.normal_loss", "energy.friction_loss"})
    for (std::size_t i = 1, c = r.column(name); i < r.rows.size(); ++i)
      EXPECT_GE(r.rows[i][c], r.rows[i - 1][c] - 1e-12) << name << " at t = " << r.rows[i][0];
  return r;
}

// -------------------------------------------------------------------------------------------------------
// observations

// "The existence of joint clearance influences the slider velocity by leading to a staircase like shape."
TEST(SliderCrankClearance, SliderVelocityIsAStaircase) {
  const Recording r = run_clearance({no_friction, "simulation.duration=0.12", "output.step=10e-6",
                                     "output.signals=[slider.vx, wrist.gap]"});
  const std::size_t v = r.column("slider.vx"), gap = r.column("wrist.gap");
  // The motion is chaotic: eight revolutions tell its character, whatever the rounding.
  const double from = 2 * revolution, watched = 8;
  double drift = 0, flown = 0, treads = 0, risers = 0, highest = 0;
  for (std::size_t i = 1; i < r.rows.size(); ++i) {
    if (r.rows[i][0] < from) continue;
    const double a = r.rows[i - 1][0], b = r.rows[i][0];
    // Free flight from sample to sample: no touch in between.
    const bool touched = std::any_of(r.impacts.begin(), r.impacts.end(),
                                     [&](const Impact& n) { return n.start < b && n.end > a; });
    highest = std::max(highest, std::abs(r.rows[i][v]));
    if (touched || r.rows[i][gap] < 0) continue;
    drift = std::max(drift, std::abs(r.rows[i][v] - r.rows[i - 1][v]));
    flown += b - a;
  }
  // Treads: flights longer than a fiftieth of a revolution. Risers: changes of velocity between them.
  double last = NAN;
  for (std::size_t n = 1; n < r.impacts.size(); ++n) {
    const double begin = r.impacts[n - 1].end, end = r.impacts[n].start;
    if (begin < from || end - begin < revolution / 50) continue;
    const double speed = r.at(std::ceil(begin / 10e-6) * 10e-6)[v];
    if (std::abs(speed - last) > 0.5) ++risers;
    last = speed;
    ++treads;
  }
  fmt::print(
      "flight {:.0f} % of eight revolutions, {} treads, {} risers; drift in flight {:.1e} of {:.1f} "
      "m/s\n",
      100 * flown / (watched * revolution), treads, risers, drift, highest);
  EXPECT_LT(drift, 1e-10 * highest);
  EXPECT_GT(flown, 0.2 * watched * revolution);
  EXPECT_GE(treads, 3 * watched);
  EXPECT_GE(risers, 2.5 * watched);
}

// "Free flight, impact and rebound, and permanent or continuous contact."
TEST(SliderCrankClearance, ShowsFlightImpactAndContinuousContact) {
  const Recording r = run_clearance({"output.step=1e-3"});
  int flights = 0, rebounds = 0, lasting = 0;
  double longest_flight = 0, longest_contact = 0, shortest_contact = HUGE_VAL;
  for (std::size_t n = 1; n < r.impacts.size(); ++n) {
    const double contact = r.impacts[n].end - r.impacts[n].start,
                 flight = r.impacts[n].start - r.impacts[n - 1].end;
    flights += flight > revolution / 100;
    rebounds += contact < revolution / 100 && r.impacts[n].speed_in > 0.1;
    lasting += contact > revolution / 20;
    longest_flight = std::max(longest_flight, flight);
    longest_contact = std::max(longest_contact, contact);
    shortest_contact = std::min(shortest_contact, contact);
  }
  fmt::print(
      "{} impacts: {} flights, longest {:.3f} revolutions; {} rebounds; {} lasting contacts, longest {:.3f} "
      "revolutions, "
      "shortest contact {:.1e} s\n",
      r.impacts.size(), flights, longest_flight / revolution, rebounds, lasting, longest_contact / revolution,
      shortest_contact);
  EXPECT_GT(flights, 10);
  EXPECT_GT(rebounds, 10);
  EXPECT_GE(lasting, 3);
}

struct Moment {
  double peaks;  ///< mean of the revolutions' largest |moment|, N m
  double rms;
};

Moment crank_moment(const std::vector<std::string>& settings, int last_revolutions) {
  std::vector<std::string> all = settings;
  all.insert(all.end(), {"output.step=4e-6", "output.signals=[motor.torque]", "simulation.tolerance=1e-7"});
  const Recording r = run_clearance(all);
  const double end = r.rows.back()[0];
  std::vector<double> peak(last_revolutions, 0.0);
  double square = 0;
  long count = 0;
  for (const auto& row : r.rows) {
    const int back = static_cast<int>((end - row[0]) / revolution);
    if (back >= last_revolutions) continue;
    peak[back] = std::max(peak[back], std::abs(row[1]));
    square += row[1] * row[1], ++count;
  }
  double sum = 0;
  for (double p : peak) sum += p;
  return {sum / last_revolutions, std::sqrt(square / static_cast<double>(count))};
}

// "All elastic contact models lead to the high peaks for the crank moments."
TEST(SliderCrankClearance, ElasticLawsDriveHarderThanLankaraniAndNikravesh) {
  const Moment damped = crank_moment({no_friction, law("lankarani-nikravesh")}, 10);
  fmt::print("lankarani-nikravesh: mean peak {:.0f} N m, rms {:.1f} N m\n", damped.peaks, damped.rms);
  for (const char* name : {"hertz", "dubowsky-freudenstein", "goldsmith", "esdu-78035"}) {
    const Moment elastic = crank_moment({no_friction, law(name)}, 10);
    fmt::print("{}: mean peak {:.0f} N m, rms {:.1f} N m\n", name, elastic.peaks, elastic.rms);
    EXPECT_GT(elastic.peaks, 1.2 * damped.peaks) << name;
    EXPECT_GT(elastic.rms, 1.2 * damped.rms) << name;
  }
}

// "In general, the effect of the friction is to reduce the peaks of the moment values."
TEST(SliderCrankClearance, FrictionLowersThePeaks) {
  const Moment dry = crank_moment({no_friction, "simulation.duration=0.48"}, 30);
  fmt::print("no friction: mean peak {:.0f} N m, rms {:.2f} N m\n", dry.peaks, dry.rms);
  std::vector<Moment> with;
  for (const char* coefficient : {"0.01", "0.03", "0.05", "0.10"}) {
    with.push_back(crank_moment({std::string("joints.wrist.clearance.friction.coefficient=") + coefficient,
                                 "simulation.duration=0.48"},
                                30));
    fmt::print("friction {}: mean peak {:.0f} N m, rms {:.2f} N m\n", coefficient, with.back().peaks,
               with.back().rms);
  }
  // At 0.01 the peaks are those of no friction, within what chaos leaves of a mean over thirty revolutions;
  // from 0.03 on they are clearly lower.
  for (std::size_t i = 1; i < with.size(); ++i) {
    EXPECT_LT(with[i].peaks, 0.8 * dry.peaks);
    EXPECT_LT(with[i].rms, 0.95 * dry.rms);
  }
  EXPECT_LT(with.back().peaks, 0.8 * with.front().peaks);
}

// Contact forces go over into the ideal joint's reaction as the clearance vanishes.
TEST(SliderCrankClearance, ForcesConvergeToTheIdealJoint) {
  const double duration = 4 * revolution, step = 1e-6;
  const int window = 600;  // samples: a twentieth of a revolution
  auto smoothed = [&](const Recording& r) {
    const std::size_t fx = r.column("wrist.fx"), fy = r.column("wrist.fy");
    std::vector<std::array<double, 2>> sums(r.rows.size() + 1, {0, 0}), out;
    for (std::size_t i = 0; i < r.rows.size(); ++i)
      sums[i + 1] = {sums[i][0] + r.rows[i][fx], sums[i][1] + r.rows[i][fy]};
    for (std::size_t i = r.rows.size() / 2; i + window < r.rows.size(); ++i)
      out.push_back(
          {(sums[i + window][0] - sums[i][0]) / window, (sums[i + window][1] - sums[i][1]) / window});
    return out;
  };
  const std::vector<std::string> common = {fmt::format("simulation.duration={}", duration),
                                           fmt::format("output.step={}", step), "output.signals=[wrist.f*]"};
  const auto ideal = smoothed(run_example("slider_crank/ideal.yaml", common));
  double size = 0;
  for (const auto& f : ideal) size += f[0] * f[0] + f[1] * f[1];
  double last = HUGE_VAL;
  for (const double clearance : {0.5, 0.2, 0.1, 0.05, 0.01}) {
    std::vector<std::string> settings = common;
    settings.push_back(fmt::format("joints.wrist.clearance.journal_radius={} mm", 10 - clearance));
    const auto force = smoothed(run_clearance(settings));
    ASSERT_EQ(force.size(), ideal.size());
    double square = 0;
    for (std::size_t i = 0; i < force.size(); ++i)
      square += std::pow(force[i][0] - ideal[i][0], 2) + std::pow(force[i][1] - ideal[i][1], 2);
    const double difference = std::sqrt(square / size);
    fmt::print("clearance {} mm: rms difference {:.4f} of the ideal reaction\n", clearance, difference);
    EXPECT_LT(difference, last) << clearance;
    last = difference;
  }
  EXPECT_LT(last, 0.1);
}

// ---------------------------------------------------------------------------------------------------------
// resolution

struct Eight {
  std::array<double, 8> time{}, speed{};
};

Eight first_eight(const std::string& example, std::vector<std::string> settings) {
  settings.insert(settings.end(),
                  {"simulation.duration=0.0125", "output.step=1e-3", "output.signals=[slider.x]"});
  const Recording r = run_example(example, settings);
  EXPECT_TRUE(r.summary.completed) << r.summary.stop_reason;
  Eight out;
  int n = 0;
  for (const Impact& i : r.impacts) {
    if (n == 8 || i.contact != 0) continue;  // in space both ends of the journal touch: the first counts
    out.time[n] = i.start, out.speed[n] = i.speed_in, ++n;
  }
  EXPECT_EQ(n, 8);
  return out;
}

double difference(const Eight& a, const Eight& b) {
  double worst = 0;
  for (int n = 0; n < 8; ++n)
    worst = std::max({worst, std::abs(a.time[n] / b.time[n] - 1), std::abs(a.speed[n] / b.speed[n] - 1)});
  return worst;
}

class FirstImpacts : public ::testing::TestWithParam<bool> {
 protected:
  Eight with(const std::string& integrator, const std::string& tolerance,
             const std::string& example = "slider_crank/clearance.yaml",
             std::vector<std::string> more = {}) const {
    more.insert(more.end(), {"simulation.integrator=" + integrator, "simulation.tolerance=" + tolerance});
    if (!GetParam()) more.push_back(no_friction);
    return first_eight(example, more);
  }
};

TEST_P(FirstImpacts, ConvergeWithToleranceAndAgreeBetweenIntegrators) {
  const Eight reference = with("dop853", "1e-13");
  fmt::print("eighth impact at {:.12e} s, {:.12f} m/s\n", reference.time[7], reference.speed[7]);
  double last = HUGE_VAL;
  for (const char* tolerance : {"1e-7", "1e-9", "1e-11", "1e-12"}) {
    const double error = difference(with("dop853", tolerance), reference);
    fmt::print("dop853 {}: {:.1e}\n", tolerance, error);
    EXPECT_LT(error, last);
    last = error;
  }
  EXPECT_LT(last, 1e-8);
  const double dopri5 = difference(with("dopri5", "1e-12"), reference);
  const double adams = difference(with("adams", "1e-11"), reference);
  fmt::print("dopri5: {:.1e}, adams: {:.1e}\n", dopri5, adams);
  EXPECT_LT(dopri5, 1e-8);
  EXPECT_LT(adams, 1e-8);
}

TEST_P(FirstImpacts, AreTheSameInSpace) {
  const Eight planar = with("dop853", "1e-13"),
              spatial = with("dop853", "1e-12", "slider_crank/spatial.yaml");
  const double error = difference(spatial, planar);
  fmt::print("spatial: {:.1e}\n", error);
  EXPECT_LT(error, 1e-8);
}

// Rejecting steps until the first penetration is small, as both documents do, finds the same impacts.
TEST_P(FirstImpacts, AreFoundByRejectingStepsToo) {
  const Eight located = with("dop853", "1e-12");
  double last = HUGE_VAL;
  for (const char* penetration : {"1e-8", "1e-10", "1e-12"}) {
    const double error =
        difference(with("dop853", "1e-12", "slider_crank/clearance.yaml",
                        {"simulation.contact_detection={strategy: step-rejection, penetration: " +
                         std::string(penetration) + "}"}),
                   located);
    fmt::print("first penetration {} m: {:.1e}\n", penetration, error);
    EXPECT_LT(error, last);
    last = error;
  }
  EXPECT_LT(last, 1e-6);
}

INSTANTIATE_TEST_SUITE_P(Friction, FirstImpacts, ::testing::Bool(),
                         [](const auto& info) { return info.param ? "Ambrosio" : "None"; });

}  // namespace
}  // namespace tappet::testing::slider_crank_clearance_test
