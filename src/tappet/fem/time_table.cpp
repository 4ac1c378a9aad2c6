#include "tappet/fem/time_table.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <optional>
#include <sstream>

#include <fmt/format.h>

#include "tappet/base/input_file.hpp"

namespace tappet::fem {
namespace {

constexpr std::uint64_t most_table_bytes = 256 << 20;

}  // namespace

TimeSpline::TimeSpline(std::vector<double> t, std::vector<double> f)
    : t_(std::move(t)), f_(std::move(f)), second_(t_.size(), 0.0) {
  // h₋ f″₋ + 2 (h₋ + h₊) f″ + h₊ f″₊ = 6 (slope₊ − slope₋), by elimination downwards and back.
  const int n = static_cast<int>(t_.size());
  std::vector<double> diagonal(n, 1.0);
  for (int i = 1; i + 1 < n; ++i) {
    const double before = t_[i] - t_[i - 1], after = t_[i + 1] - t_[i];
    const double off = i > 1 ? before / diagonal[i - 1] : 0;
    diagonal[i] = 2 * (before + after) - off * before;
    second_[i] = 6 * ((f_[i + 1] - f_[i]) / after - (f_[i] - f_[i - 1]) / before) - off * second_[i - 1];
  }
  for (int i = n - 2; i >= 1; --i)
    second_[i] = (second_[i] - (t_[i + 1] - t_[i]) * second_[i + 1]) / diagonal[i];
}

Jet TimeSpline::at(double t) const {
  if (t < t_.front()) return {f_.front(), 0, 0};
  if (t > t_.back()) return {f_.back(), 0, 0};
  const int i = std::clamp(static_cast<int>(std::upper_bound(t_.begin(), t_.end(), t) - t_.begin()), 1,
                           static_cast<int>(t_.size()) - 1);
  const double h = t_[i] - t_[i - 1], a = (t_[i] - t) / h, b = 1 - a;
  const double fa = second_[i - 1], fb = second_[i];
  return {a * f_[i - 1] + b * f_[i] + ((a * a * a - a) * fa + (b * b * b - b) * fb) * h * h / 6,
          (f_[i] - f_[i - 1]) / h + ((3 * b * b - 1) * fb - (3 * a * a - 1) * fa) * h / 6, a * fa + b * fb};
}

TimeTable read_time_table(const std::string& path, const SourcePos& pos, Diagnostics& diagnostics) {
  const std::string name = std::filesystem::path(path).filename().string();
  std::string why;
  const std::optional<std::string> text = read_input_file(path, why, most_table_bytes);
  const auto wrong = [&](const std::string& text) {
    diagnostics.error(pos, fmt::format("the table '{}' {}", name, text));
    return TimeTable{};
  };
  if (!text) return wrong(why);
  std::istringstream file(*text);
  TimeTable out;
  int time = -1, number = 0;
  std::string line;
  std::vector<std::string> fields;
  while (std::getline(file, line)) {
    ++number;
    for (char& c : line)
      if (c == ',' || c == ';' || c == '\r') c = ' ';
    std::istringstream words(line);
    fields.clear();
    for (std::string word; words >> word;) fields.push_back(word);
    if (fields.empty() || fields[0][0] == '#') continue;
    if (time < 0) {
      const auto at = std::find(fields.begin(), fields.end(), "t");
      if (at == fields.end()) return wrong("has no column 't' in its first line");
      time = static_cast<int>(at - fields.begin());
      out.names = fields;
      out.names.erase(out.names.begin() + time);
      if (out.names.empty()) return wrong("has no column besides 't'");
      out.columns.resize(out.names.size());
      continue;
    }
    if (fields.size() != out.names.size() + 1)
      return wrong(fmt::format("has {} numbers in line {}, where its first line names {} columns",
                               fields.size(), number, out.names.size() + 1));
    for (int i = 0, column = 0; i < static_cast<int>(fields.size()); ++i) {
      char* end = nullptr;
      const double value = std::strtod(fields[i].c_str(), &end);
      if (*end != 0 || !std::isfinite(value))
        return wrong(fmt::format("has '{}' in line {}, which is not a number", fields[i], number));
      (i == time ? out.t : out.columns[column++]).push_back(value);
    }
    if (out.t.size() > 1 && !(out.t.back() > out.t[out.t.size() - 2]))
      return wrong(fmt::format("has t = {:g} in line {} after t = {:g}; times must ascend", out.t.back(),
                               number, out.t[out.t.size() - 2]));
  }
  if (out.t.size() < 2) return wrong(fmt::format("has {} rows of numbers; two are needed", out.t.size()));
  return out;
}

}  // namespace tappet::fem
