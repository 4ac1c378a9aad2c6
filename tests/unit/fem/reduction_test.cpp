#include "tappet/fem/reduction.hpp"

#include <cmath>

#include <gtest/gtest.h>

#include "support/run_model.hpp"

namespace tappet::reduction_test {
namespace {

using testing::Recording;

double relative_rms(const Recording& full, const Recording& other, const std::string& signal) {
  double difference = 0, size = 0;
  const std::size_t a = full.column(signal), b = other.column(signal);
  for (std::size_t i = 0; i < full.rows.size(); ++i) {
    difference += std::pow(full.rows[i][a] - other.rows[i][b], 2);
    size += std::pow(full.rows[i][a], 2);
  }
  return std::sqrt(difference / size);
}

// A small frame on its suspensions and a rough road: with modes up to some hundred hertz the reduced frame
// moves as the full one does, and the more modes the nearer.
TEST(Reduction, FrameMovesAsTheFullOne) {
  const std::vector<std::string> small = {"bodies.frame.structure.generate.space-frame.cells=[4, 2, 1]",
                                          "bodies.frame.structure.generate.space-frame.beams=2",
                                          "bodies.frame.structure.section.tube=[37 mm, 6 mm]",
                                          "simulation.duration=0.5 s"};
  const auto reduced = [&](int modes) {
    auto settings = small;
    settings.push_back("bodies.frame.structure.reduce.modes=" + std::to_string(modes));
    return testing::run_example("vehicle_frame/frame.yaml", settings);
  };
  const Recording full = testing::run_example("vehicle_frame/frame.yaml", small), none = reduced(0),
                  some = reduced(20);
  EXPECT_LT(some.summary.energy_residual, 1e-10);
  for (const char* signal : {"frame.hub_fl.uz", "frame.A.uz"}) {
    const double without = relative_rms(full, none, signal), with = relative_rms(full, some, signal);
    RecordProperty(signal, std::to_string(with));
    EXPECT_LT(with, 1e-3) << signal;
    EXPECT_LT(with, 0.5 * without) << signal;
  }
}

}  // namespace
}  // namespace tappet::reduction_test
