// A file includes what it names, itself or through Tappet's own headers. Precompiled headers bring the commonest headers into every
// file, so that the compiler no longer misses them; a program that uses the library would.
#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "regressions/source_tree.hpp"

namespace tappet::test::own_includes_test {
namespace {

namespace fs = std::filesystem;

struct Rule {
  std::vector<std::string> names;    ///< one of these in the text ...
  std::vector<std::string> headers;  ///< ... asks for one of these
};

/// For what src/, app/ and python/ precompile.
const std::vector<Rule> rules = {
    {{"std::min(",     "std::max(",         "std::clamp(",       "std::sort(",         "std::stable_sort(",
      "std::find(",    "std::find_if(",     "std::any_of(",      "std::all_of(",       "std::none_of(",
      "std::count(",   "std::count_if(",    "std::fill(",        "std::copy(",         "std::transform(",
      "std::reverse(", "std::lower_bound(", "std::upper_bound(", "std::min_element(",  "std::max_element(",
      "std::unique(",  "std::remove_if(",   "std::nth_element(", "std::binary_search("},
     {"algorithm"}},
    {{"std::array<"}, {"array"}},
    {{"std::sqrt(",  "std::abs(",      "std::sin(",   "std::cos(",   "std::tan(",      "std::asin(",
      "std::acos(",  "std::atan(",     "std::atan2(", "std::pow(",   "std::exp(",      "std::log(",
      "std::floor(", "std::ceil(",     "std::round(", "std::hypot(", "std::isfinite(", "std::isnan(",
      "std::fmod(",  "std::copysign(", "std::cbrt(",  "std::tanh("},
     {"cmath"}},
    {{"std::function<"}, {"functional"}},
    {{"std::map<", "std::multimap<"}, {"map"}},
    {{"std::unique_ptr<", "std::shared_ptr<", "std::make_unique<", "std::make_shared<", "std::weak_ptr<"},
     {"memory"}},
    {{"std::optional<", "std::nullopt"}, {"optional"}},
    {{"std::span<"}, {"span"}},
    {{"std::string ", "std::string&", "std::string>", "std::string(", "std::to_string("}, {"string"}},
    {{"std::vector<"}, {"vector"}},
    {{"fmt::format(", "fmt::join(", "fmt::format_to("}, {"fmt/format.h", "fmt/core.h", "fmt/ranges.h"}},
    {{"Eigen::Quaterniond", "Eigen::AngleAxisd", "Eigen::Isometry3d", ".cross("},
     {"Eigen/Geometry", "Eigen/Dense"}},
    {{"Eigen::Matrix", "Eigen::Vector", "Eigen::Map<", "Eigen::Ref<"},
     {"Eigen/Core", "Eigen/Geometry", "Eigen/Dense", "Eigen/LU", "Eigen/QR", "Eigen/Cholesky", "Eigen/SVD",
      "Eigen/Eigenvalues", "Eigen/Sparse", "Eigen/SparseCore"}},
};

/// The text without comments to the end of a line.
std::string code_of(const fs::path& file) {
  std::ifstream in(source_dir() / file);
  std::string out, line;
  while (std::getline(in, line)) out += line.substr(0, line.find("//")) + "\n";
  return out;
}

/// Everything that a file includes, and what headers of ours include for it.
std::set<std::string> included_by(const fs::path& file) {
  std::set<std::string> names;
  std::set<fs::path> seen = {file};
  std::vector<fs::path> open = {file};
  while (!open.empty()) {
    const fs::path at = open.back();
    open.pop_back();
    for (const Include& include : includes_of(at)) {
      names.insert(include.name);
      if (!include.quoted) continue;
      for (const fs::path& ours : {fs::path("src") / include.name, at.parent_path() / include.name})
        if (fs::exists(source_dir() / ours) && seen.insert(ours).second) open.push_back(ours);
    }
  }
  return names;
}

/// "std::map< needs <map>" for each rule that is broken.
std::vector<std::string> missing_in(const std::string& code, const std::set<std::string>& included) {
  std::vector<std::string> out;
  for (const Rule& rule : rules) {
    const auto named = std::find_if(rule.names.begin(), rule.names.end(), [&](const std::string& name) {
      return code.find(name) != std::string::npos;
    });
    const bool there = std::any_of(rule.headers.begin(), rule.headers.end(),
                                   [&](const std::string& header) { return included.contains(header); });
    if (named != rule.names.end() && !there) out.push_back(*named + " needs <" + rule.headers.front() + ">");
  }
  return out;
}

TEST(OwnIncludes, WhatIsMissingIsFound) {
  const std::vector<std::string> expected = {"std::vector< needs <vector>"};
  EXPECT_EQ(missing_in("std::vector<int> x; std::map<int, int> y;", {"map", "string"}), expected);
}

TEST(OwnIncludes, FilesIncludeWhatTheyName) {
  std::size_t files = 0;
  for (const char* folder : {"src", "app", "python/src"})
    for (const fs::path& file : files_below(folder)) {
      if (!is_header(file) && !is_source(file)) continue;
      ++files;
      for (const std::string& fault : missing_in(code_of(file), included_by(file)))
        ADD_FAILURE() << file.string() << ": " << fault;
    }
  EXPECT_GT(files, 300u);
}

}  // namespace
}  // namespace tappet::test::own_includes_test
