#include "tappet/results/report.hpp"

#include <cmath>
#include <cstring>
#include <limits>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "support/folder_test.hpp"
#include "tappet/base/diagnostics.hpp"
#include "tappet/results/result_writer.hpp"
#include "tappet/results/viewer_page.hpp"
#include "unit/results/base64_numbers.hpp"
#include "unit/results/toy_run.hpp"

namespace tappet::report_test {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::ThrowsMessage;
using Json = nlohmann::json;

class ReportTest : public FolderTest {
 protected:
  void write_toy(const std::string& name, const std::string& title = "Toy") {
    ToyRun toy;
    ResultHeader header = toy.header();
    header.title = title;
    auto writer = ResultWriter::create(path(name), header);
    toy.run(writer);
    writer.finish(toy.summary());
  }
  Json data(const std::string& name, std::size_t bytes) {
    return Json::parse(report_data(ResultFile(path(name)), bytes));
  }
};

TEST_F(ReportTest, HoldsTheResult) {
  write_toy("a.h5");
  const Json json = data("a.h5", 1'000'000);
  const ResultFile result(path("a.h5"));
  EXPECT_EQ(json["title"], "Toy");
  EXPECT_EQ(json["status"], "completed");
  EXPECT_EQ(json["summary"]["steps"], 1000);
  EXPECT_FALSE(json["summary"].contains("result"));
  EXPECT_EQ(numbers<double>(json["time"]), result.column("time"));
  ASSERT_EQ(json["columns"].size(), 3u);
  const auto drawn = numbers<float>(json["columns"][1]["data"]);
  const auto stored = result.column("body1.x");
  ASSERT_EQ(drawn.size(), stored.size());
  for (std::size_t i = 0; i < stored.size(); ++i) EXPECT_EQ(drawn[i], static_cast<float>(stored[i]));
  EXPECT_LT(json["deviation"].get<double>(), 1e-12);
  EXPECT_EQ(json["impacts"]["total"], 143);
  EXPECT_EQ(json["impacts"]["columns"][3], "speed_in");
  EXPECT_EQ(numbers<double>(json["impacts"]["data"][1])[1], result.impacts()[1].start);
  EXPECT_EQ(json["events"].size(), 91u);
}

// The toy's model has no bodies: the page shows what there is and says what is missing.
TEST_F(ReportTest, SaysWhyThereIsNoAnimation) {
  write_toy("a.h5");
  const Json json = data("a.h5", 1'000'000);
  EXPECT_TRUE(json["model"].is_null());
  EXPECT_THAT(json["problem"].get<std::string>(), HasSubstr("cannot be read"));
}

TEST_F(ReportTest, LongResultsAreThinnedAndPeaksStay) {
  ResultHeader header;
  header.signals = {{"a.x", "m"}, {"a.peak", "N"}, {"a.gone", "N"}};
  auto writer = ResultWriter::create(path("long.h5"), header);
  for (int i = 0; i <= 200000; ++i) {
    const double row[] = {1e-5 * i, std::sin(1e-4 * i), i == 123456 ? 1e4 : 0.0,
                          std::numeric_limits<double>::quiet_NaN()};
    writer.sample(row);
  }
  writer.finish({});
  const Json json = data("long.h5", 30'000);
  EXPECT_EQ(json["samples"], 200001);
  const auto time = numbers<double>(json["time"]);
  EXPECT_GT(time.size(), 500u);
  EXPECT_LT(report_data(ResultFile(path("long.h5")), 30'000).size(), 40'000u);
  const auto peak = numbers<float>(json["columns"][1]["data"]);
  ASSERT_EQ(peak.size(), time.size());
  EXPECT_EQ(*std::max_element(peak.begin(), peak.end()), 1e4f);
  EXPECT_DOUBLE_EQ(time[static_cast<std::size_t>(std::max_element(peak.begin(), peak.end()) - peak.begin())],
                   1.23456);
  EXPECT_LT(json["deviation"].get<double>(), 1e-3);
  EXPECT_GT(json["deviation"].get<double>(), 0.0);
}

TEST_F(ReportTest, NamesCannotEndTheirScript) {
  if (viewer_page().empty()) GTEST_SKIP() << "built without the page";
  write_toy("a.h5", "</script><script>alert(1)</script>");
  write_report(path("a.h5"), {}, path("a.html"));
  EXPECT_THAT(text("a.html"), Not(HasSubstr("alert(1)</script>")));
  EXPECT_THAT(text("a.html"), HasSubstr("\\u003c/script>\\u003cscript>alert(1)"));
}

TEST_F(ReportTest, RefusesToReplaceTheResult) {
  if (viewer_page().empty()) GTEST_SKIP() << "built without the page";
  write_toy("a.h5");
  write_toy("b.h5");
  EXPECT_THAT([&] { write_report(path("a.h5"), {}, path("a.h5")); },
              ThrowsMessage<InputError>(HasSubstr("is what is read")));
  EXPECT_THAT([&] { write_report(path("a.h5"), {.compared = {path("b.h5")}}, path("b.h5")); },
              ThrowsMessage<InputError>(HasSubstr("is what is read")));
  EXPECT_THAT([&] { write_report(path("a.h5"), {}, path("no/such/folder.html")); },
              ThrowsMessage<InputError>(HasSubstr("cannot be written")));
}

}  // namespace
}  // namespace tappet::report_test
