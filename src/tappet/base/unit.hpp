// A unit as numbers: a factor and the powers of the base units. Private to base/.
#pragma once

#include <array>

namespace tappet {

/// The base units in the order of Unit::powers.
enum BaseUnit { metre, kilogram, second, ampere, kelvin, mole, candela, radian, base_unit_count };

struct Unit {
  double factor = 1;  ///< value in base units = value · factor + offset
  double offset = 0;  ///< not zero only for a lone name such as degC
  std::array<double, base_unit_count> powers{};

  bool same_dimension(const Unit& other) const;
};

/// A factor that is a short decimal number up to rounding is meant to be that number.
double without_rounding(double factor);

}  // namespace tappet
