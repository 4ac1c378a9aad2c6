// Stress from a result is what the run recorded; of a pendulum of one elastic rod that strikes the floor.
#include "tappet/results/recovered_stress.hpp"

#include <cmath>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "support/folder_test.hpp"
#include "support/run_model.hpp"
#include "tappet/results/deformation.hpp"
#include "unit/results/base64_numbers.hpp"
#include "unit/results/structure_result.hpp"

namespace tappet::testing::recovered_stress_test {
namespace {

class RecoveredStressTest : public FolderTest {
 protected:
  void write() {
    const auto model = model_of_text(R"(
tappet: 1
dimension: planar
gravity: [0, -9.81]
materials: {m: {young: 1 GPa, poisson: 0.3, density: 1000}}
bodies:
  rod:
    flexible:
      generate: {beam: {from: [0, 0, 0], to: [1, 0, 0], elements: 6}}
      material: m
      section: {rectangle: [20 mm, 20 mm], up: [0, 1, 0]}
      interfaces: {root: {group: start}, tip: {group: end}}
      points: {middle: {at: [0.5, 0, 0]}}
      modes: 2
joints:
  pin: {type: revolute, bodies: [ground, rod.root], points: [[0, 0], [0, 0]], limits: {from: -0.5, normal: {law: hooke, stiffness: 2e4, damping: 1}}}
simulation: {duration: 0.6, tolerance: 1e-8}
output: {step: 5 ms, fields: 10 ms, signals: ['rod.*', rod.stress.max, rod.stress.high, rod.middle.stress, rod.middle.x]}
)");
    Simulation simulation(*model);
    auto writer = ResultWriter::create(path("rod.h5"), header_of(simulation, *model));
    const RunSummary summary = simulation.run(writer);
    writer.finish(summary);
    ASSERT_TRUE(summary.completed);
  }
};

TEST_F(RecoveredStressTest, IsWhatTheRunSaw) {
  write();
  const ResultFile result(path("rod.h5"));
  const StressRecovery recovery(result);
  const auto time = result.column("time"), most = result.column("rod.stress.max"),
             high = result.column("rod.stress.high");
  for (const std::size_t row : {std::size_t{0}, time.size() / 2, time.size() - 1}) {
    const auto one = recovery.at(time[row]);
    ASSERT_EQ(one.size(), 1u);
    EXPECT_NEAR(one[0].von_mises, most[row], 1e-9 * (1 + most[row]));
    EXPECT_NEAR(one[0].high, high[row], 1e-9 * (1 + std::abs(most[row])));
  }
  // Records of whole bodies hold the same.
  for (std::size_t k = 0; k < result.field_count(); ++k) {
    const fem::Fields fields = result.fields(0, k);
    double found = 0;
    for (std::size_t e = 0; e < fields.stress.size(); e += fem::stress_numbers)
      found = std::max(found, fields.stress[e]);
    EXPECT_NEAR(found, most[k * result.header().field_samples], 1e-5 * (1 + found));
  }
}

TEST_F(RecoveredStressTest, AtAnImpactIsTheLargestDuringIt) {
  write();
  const ResultFile result(path("rod.h5"));
  ASSERT_GE(result.impact_count(), 1u);
  const Impact first = result.impacts()[0];
  const auto one = StressRecovery(result, "rod").at_impact(1);
  EXPECT_GE(one[0].time, first.start);
  const std::size_t columns[] = {result.index("time"), result.index("rod.stress.max")};
  const auto rows = result.read_all(0, result.rows(), columns);
  double most = 0;
  for (std::size_t i = 0; i < rows.size(); i += 2)
    if (rows[i] >= first.start && rows[i] <= first.end) most = std::max(most, rows[i + 1]);
  EXPECT_GT(most, 0);
  EXPECT_NEAR(one[0].von_mises, most, 1e-9 * most);
  EXPECT_THROW(StressRecovery(result).at_impact(result.impact_count() + 1), InputError);
  EXPECT_THROW(StressRecovery(result, "bar"), InputError);
}

// The page draws the mesh in the axes of the body, by few shapes although the body turns far.
TEST_F(RecoveredStressTest, IsDrawnInTheAxesOfTheBody) {
  write();
  const ResultFile result(path("rod.h5"));
  const auto json = deformation_json(result, 1'000'000);
  ASSERT_EQ(json.size(), 1u);
  EXPECT_TRUE(json[0]["carried"].get<bool>());
  EXPECT_LE(json[0]["shapes"].get<int>(), 5);
  const auto pose = numbers<float>(json[0]["pose"]), amount = numbers<float>(json[0]["amount"]),
             x = numbers<float>(json[0]["nodes"]);
  const auto shape = numbers<std::int16_t>(json[0]["shape"]);
  const std::size_t shapes = json[0]["shapes"], n = x.size();
  double off = 0, largest = 0;
  for (std::size_t f = 0; f < result.field_count(); ++f) {
    const double angle = 2 * std::atan2(pose[7 * f + 6], pose[7 * f + 3]);
    const fem::Fields fields = result.fields(0, f);
    const fem::FieldMesh& mesh = result.header().structures[0];
    for (std::size_t i = 0; i < n; i += 3) {
      double at[2];
      for (std::size_t d = 0; d < 2; ++d) {
        double u = 0;
        for (std::size_t k = 0; k < shapes; ++k)
          u += static_cast<double>(amount[f * shapes + k]) * shape[k * n + i + d];
        largest = std::max(largest, std::abs(u));
        at[d] = static_cast<double>(x[i + d]) + u;
      }
      const double world[] = {
          static_cast<double>(pose[7 * f]) + std::cos(angle) * at[0] - std::sin(angle) * at[1],
          static_cast<double>(pose[7 * f + 1]) + std::sin(angle) * at[0] + std::cos(angle) * at[1]};
      std::size_t node = 0;
      while (static_cast<float>(mesh.nodes[3 * node]) != x[i]) ++node;
      for (std::size_t d = 0; d < 2; ++d)
        off =
            std::max(off, std::abs(world[d] - mesh.nodes[3 * node + d] - fields.displacement[3 * node + d]));
    }
  }
  EXPECT_GT(largest, 1e-3);
  EXPECT_LT(off, 2.1e-3 * largest + 1e-6);  // shapes; single precision
}

}  // namespace
}  // namespace tappet::testing::recovered_stress_test
