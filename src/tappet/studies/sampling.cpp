#include "tappet/studies/sampling.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>

#include <fmt/format.h>

namespace tappet {

std::string number_text(double number, const std::string& unit) {
  return unit.empty() ? fmt::format("{}", number) : fmt::format("{} {}", number, unit);
}

namespace {

AxisValue listed(const Axis& axis, std::size_t number) {
  AxisValue out{axis.values[number], static_cast<double>(number)};
  double value = 0;
  const char* begin = out.text.data();
  if (std::from_chars(begin, begin + out.text.size(), value).ec == std::errc()) out.number = value;
  return out;
}

AxisValue ranged(const Axis& axis, double u) {
  // Both ends exactly as written.
  const double value = u == 0             ? axis.from
                       : u == 1           ? axis.to
                       : axis.logarithmic ? axis.from * std::pow(axis.to / axis.from, u)
                                          : axis.from + (axis.to - axis.from) * u;
  return {number_text(value, axis.unit), value};
}

}  // namespace

AxisValue Axis::level(std::size_t number) const {
  if (!is_range()) return listed(*this, number);
  return ranged(*this, count > 1 ? static_cast<double>(number) / (count - 1) : 0);
}

AxisValue Axis::at(double u) const {
  if (is_range()) return ranged(*this, u);
  const auto number = static_cast<std::size_t>(u * static_cast<double>(values.size()));
  return listed(*this, std::min(number, values.size() - 1));
}

const Family& sampling_family() {
  static const Family family{
      .key = "type",
      .noun = "sampling",
      .common = {.name = "a sampling", .help = "how the parameters' values are combined", .parameters = {}},
      .fallback = "grid",
      .members = [] {
        std::vector<std::pair<std::string, const Table*>> out;
        for (const SamplingType& type : SamplingRegistry::instance().entries())
          out.emplace_back(type.name, &type.table);
        return out;
      }};
  return family;
}

}  // namespace tappet
