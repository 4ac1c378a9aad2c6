#include "tappet/base/unit.hpp"

#include <charconv>
#include <cmath>
#include <limits>
#include <string>

#include <fmt/format.h>

namespace tappet {

// UDUNITS arrives at 0.025400000000000002 for the inch by way of products; a factor that is a short decimal
// number up to rounding is meant to be that number.
double without_rounding(double factor) {
  const std::string shortened = fmt::format("{:.12g}", factor);
  double decimal = factor;
  std::from_chars(shortened.data(), shortened.data() + shortened.size(), decimal);
  return std::abs(decimal - factor) <= 4 * std::numeric_limits<double>::epsilon() * factor ? decimal : factor;
}

bool Unit::same_dimension(const Unit& other) const {
  for (int i = 0; i < base_unit_count; ++i)
    if (std::abs(powers[i] - other.powers[i]) > 1e-9) return false;
  return true;
}

}  // namespace tappet
