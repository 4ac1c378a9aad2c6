#include "tappet/spec/table.hpp"

#include <cmath>

#include <fmt/format.h>

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

}  // namespace tappet
