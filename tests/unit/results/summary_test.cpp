#include "tappet/results/summary.hpp"

#include <cmath>
#include <limits>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "tappet/base/diagnostics.hpp"

namespace tappet::summary_test {
namespace {

using ::testing::HasSubstr;

RunSummary example() {
  RunSummary s;
  s.completed = true;
  s.t_end = 0.24;
  s.wall_seconds = 0.0123;
  s.steps = 1000;
  s.rejected = 3;
  s.evaluations = 6021;
  s.samples = 24001;
  s.impacts = 12;
  s.bodies = 3;
  s.constraints = 9;
  s.degrees_of_freedom = 1;
  s.energy_residual = 1.5e-9;
  s.max_first_penetration = 2e-9;
  s.constraint_violation = 1e-13;
  s.method = "smooth";
  s.integrator = "dopri5";
  s.notes = {"stiffness derived"};
  s.warnings = {"Love's criterion"};
  return s;
}

TEST(Summary, JsonHasTheKeysOfTheContractAndReadsBack) {
  const auto text = summary_json(example(), "r.h5");
  const auto json = nlohmann::json::parse(text);
  for (const char* key : {"wall_seconds", "steps", "rejected", "evaluations", "impacts", "energy_residual",
                          "max_first_penetration", "constraint_violation", "warnings", "result"}) {
    EXPECT_TRUE(json.contains(key)) << key;
  }
  EXPECT_EQ(json["result"], "r.h5");
  EXPECT_EQ(json["status"], "completed");
  EXPECT_EQ(json["warnings"][0], "Love's criterion");
  EXPECT_EQ(summary_json(summary_from_json(text), "r.h5"), text);
}

TEST(Summary, NumbersThatAreNotFiniteAreNull) {
  auto s = example();
  s.energy_residual = std::numeric_limits<double>::quiet_NaN();
  const auto text = summary_json(s, "");
  EXPECT_TRUE(nlohmann::json::parse(text)["energy_residual"].is_null());
  EXPECT_TRUE(std::isnan(summary_from_json(text).energy_residual));
}

TEST(Summary, FitsTheRoomItIsGivenAndStaysJson) {
  auto s = example();
  s.notes.assign(5000, "a note");
  s.warnings.assign(5000, std::string(100, 'w'));
  for (const std::size_t limit : {64 * 1024, 2000}) {
    const auto text = summary_json(s, "r.h5", limit);
    EXPECT_LE(text.size(), limit);
    EXPECT_EQ(summary_from_json(text).steps, 1000);
  }
  EXPECT_THAT(summary_from_json(summary_json(s, "r.h5", 64 * 1024)).warnings.back(),
              HasSubstr("5000 in all"));
}

TEST(Summary, BadUtf8DoesNotCostTheSummary) {
  auto s = example();
  s.warnings = {"caf\xe9"};
  EXPECT_NO_THROW(summary_from_json(summary_json(s, "r\xff.h5")));
}

TEST(Summary, NonsenseIsRefused) {
  EXPECT_THROW(summary_from_json("{"), InputError);
  EXPECT_THROW(summary_from_json("{\"steps\": \"many\"}"), InputError);
}

TEST(Summary, TextTellsPeopleWhatHappened) {
  auto s = example();
  EXPECT_THAT(summary_text(s, "r.h5"), HasSubstr("3 bodies, 9 constraints, 1 degree of freedom"));
  s.completed = false;
  s.stop_reason = "the step size underflowed";
  EXPECT_THAT(summary_text(s, "r.h5"), HasSubstr("stopped at t = 0.24 s: the step size underflowed"));
}

}  // namespace
}  // namespace tappet::summary_test
