// Which values the parameters of a study take: axes, and the designs that combine them.
#pragma once

#include <string>
#include <vector>

#include "tappet/base/registry.hpp"
#include "tappet/spec/object.hpp"

namespace tappet {

/// A value as it is put into the model, and as a number for plots (its place in the list if it is none).
struct AxisValue {
  std::string text;
  double number = 0;
};

/// One parameter of a study: a list of values, or a range of numbers of one unit.
struct Axis {
  std::string name;
  std::string path;                 ///< of the model value, as in --set; "" if only settings refer to it
  std::string unit;                 ///< as the user wrote it
  std::vector<std::string> values;  ///< a list; empty: a range
  double from = 0, to = 0;          ///< in `unit`
  int count = 0;                    ///< levels of a range; 0: not given
  bool logarithmic = false;
  SourcePos pos;

  bool is_range() const { return values.empty(); }
  /// How many values a grid takes of it.
  std::size_t levels() const { return is_range() ? static_cast<std::size_t>(count) : values.size(); }
  AxisValue level(std::size_t number) const;
  /// The value at the fraction u of the way, 0 ≤ u < 1; of a list the one that the u falls on.
  AxisValue at(double u) const;
};

/// "9.5 mm" of a number and its unit; every digit that the double has.
std::string number_text(double number, const std::string& unit);

/// One row per run, one value an axis.
using Design = std::vector<std::vector<AxisValue>>;

struct SamplingType {
  std::string name;      ///< as in `sampling.type`
  std::string help;      ///< one line
  std::string citation;  ///< key in docs/references.bib, or ""
  Table table;           ///< its parameters
  /// What is wrong with the axes goes to the diagnostics.
  Design (*make)(const std::vector<Axis>& axes, const Object& object, Diagnostics& diagnostics) = nullptr;
};

using SamplingRegistry = Registry<SamplingType>;

/// The key `sampling` of a study.
const Family& sampling_family();

/// Most runs of one study.
inline constexpr std::size_t max_runs = 10'000'000;

}  // namespace tappet
