#include "tappet/base/table.hpp"

#include <cmath>

#include <fmt/format.h>

#include "tappet/base/diagnostics.hpp"

namespace tappet {

bool Range::contains(double x) const {
  if (!std::isfinite(x)) return false;
  return (low_open ? x > low : x >= low) && (high_open ? x < high : x <= high);
}

std::string Range::text() const {
  const bool bounded_below = std::isfinite(low), bounded_above = std::isfinite(high);
  if (bounded_below && bounded_above) {
    std::string out = fmt::format("between {} and {}", low, high);
    if (low_open && high_open) return out + ", both excluded";
    if (low_open || high_open) return out + fmt::format(", {} excluded", low_open ? low : high);
    return out;
  }
  if (bounded_below) return fmt::format("{} {}", low_open ? ">" : ">=", low);
  if (bounded_above) return fmt::format("{} {}", high_open ? "<" : "<=", high);
  return "any finite number";
}

std::string missing_key(const Parameter& parameter, const std::string& words) {
  std::string out = fmt::format("missing key '{}' in {}", parameter.name, words);
  if (!parameter.help.empty()) out += ": " + parameter.help;
  if (!parameter.unit.empty()) out += fmt::format(" (in {})", parameter.unit);
  if (!parameter.choices.empty()) out += "; allowed: " + join_names(parameter.choices);
  if (!parameter.supplied_by.empty()) out += "; give it, or " + parameter.supplied_by;
  return out;
}

}  // namespace tappet
