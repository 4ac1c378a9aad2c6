#include "tappet/model/signals.hpp"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <set>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "support/paths.hpp"
#include "support/run_model.hpp"

namespace tappet::signals_test {
namespace {

using testing::Recording;

TEST(Signals, NamesAreUniqueAndEverySignalCanBeEvaluated) {
  const auto model = testing::model_of_example("hexapod/hexapod.yaml");
  std::set<std::string> names;
  for (const SignalDefinition& signal : all_signals(*model)) {
    EXPECT_TRUE(names.insert(signal.name).second) << signal.name;
    EXPECT_NE(signal.evaluate, nullptr) << signal.name;
    EXPECT_FALSE(signal.unit.empty()) << signal.name;
  }
}

TEST(Signals, ARenamedSignalIsKnownByItsFormerName) {
  EXPECT_EQ(renamed_signal("hit.nodes"), "hit.touching");
  EXPECT_EQ(renamed_signal("hit.normal"), "");
}

// Every example is a model, a study of one, or a catalogue.
bool is_model(const std::filesystem::path& path) {
  std::ifstream in(path);
  for (std::string line; std::getline(in, line);)
    if (line.starts_with("simulation:")) return true;
  return false;
}

std::vector<std::string> example_models() {
  std::vector<std::string> out;
  const std::filesystem::path folder = testing::source_dir() + "/examples";
  for (const auto& entry : std::filesystem::recursive_directory_iterator(folder))
    if (entry.path().extension() == ".yaml" && is_model(entry.path()))
      out.push_back(std::filesystem::relative(entry.path(), folder).string());
  std::sort(out.begin(), out.end());
  return out;
}

class ExampleSignals : public ::testing::TestWithParam<std::string> {};

// At the start, and after a few steps.
TEST_P(ExampleSignals, AreFinite) {
  const auto model = testing::model_of_example(GetParam());
  const double step = model->settings.step > 0 ? model->settings.step : 1e-3 * model->settings.duration;
  const Recording r = testing::run_example(GetParam(), {fmt::format("simulation.duration={:.9g} s", 5 * step),
                                                        fmt::format("output.step={:.9g} s", step)});
  ASSERT_TRUE(r.summary.completed || !r.events.empty()) << r.summary.stop_reason;
  ASSERT_GE(r.rows.size(), 2u);
  for (const auto& row : r.rows)
    for (std::size_t i = 0; i < row.size(); ++i)
      EXPECT_TRUE(std::isfinite(row[i])) << (i ? r.names[i - 1] : "time") << " at t = " << row[0];
}

INSTANTIATE_TEST_SUITE_P(All, ExampleSignals, ::testing::ValuesIn(example_models()), [](const auto& info) {
  std::string name = info.param;
  for (char& c : name)
    if (!std::isalnum(static_cast<unsigned char>(c))) c = '_';
  return name;
});

}  // namespace
}  // namespace tappet::signals_test
