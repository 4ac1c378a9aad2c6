// `tappet materials` and `tappet advise`: tables for people, JSON for programs, mistakes told.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "regressions/program.hpp"
#include "regressions/source_tree.hpp"

namespace tappet::test::advice_commands_test {
namespace {

using ::testing::HasSubstr;
using AdviceCommands = ProgramTest;

TEST_F(AdviceCommands, MaterialsAreListed) {
  const Outcome all = run({"materials"});
  EXPECT_EQ(all.status, 0) << all.err;
  EXPECT_THAT(all.out, HasSubstr("nylon"));
  const auto json = nlohmann::json::parse(run({"materials", "--json"}).out);
  EXPECT_EQ(json["pairs"].size(), 34u);
  const auto nylon = nlohmann::json::parse(run({"materials", "Nylon", "--json"}).out);
  EXPECT_EQ(nylon["pairs"].size(), 6u);
  const Outcome wrong = run({"materials", "nyln"});
  EXPECT_EQ(wrong.status, 2);
  EXPECT_THAT(wrong.err, HasSubstr("did you mean 'nylon'?"));
}

TEST_F(AdviceCommands, AdviceForAnExample) {
  const std::string model = (source_dir() / "examples/bouncing_ball/impact.yaml").string();
  const Outcome text = run({"advise", model});
  EXPECT_EQ(text.status, 0) << text.err;
  EXPECT_THAT(text.out, HasSubstr("contact 'bounce', law impact: 32.7 kg meet at 2.801 m/s"));
  const auto json = nlohmann::json::parse(run({"advise", model, "--json", "--speed", "1 km/h"}).out);
  EXPECT_NEAR(json["contacts"][0]["speed"].get<double>(), 1 / 3.6, 1e-12);
  const Outcome wrong = run({"advise", model, "--speed", "3 kg"});
  EXPECT_EQ(wrong.status, 2);
  EXPECT_THAT(wrong.err, HasSubstr("'speed'"));
  EXPECT_EQ(run({"advise", model, "--speed", "-1"}).status, 2);
}

}  // namespace
}  // namespace tappet::test::advice_commands_test
