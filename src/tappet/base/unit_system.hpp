// What a unit's text means: a factor and the powers of the base units. Private to base/.
//
// UDUNITS-2 knows the names, symbols and prefixes. The products and powers around them are read here, for two
// reasons: Hertzian stiffnesses need fractional powers (N/m^1.5), which UDUNITS does not have; and an angle
// must be told from a pure number, because 50 Hz is not 50 rad/s.
//
// Grammar: names joined by a space, `*`, `.`, `·` or `-` (times) and `/` (per), read from left to right;
// powers as `m^2`, `m**2`, `m2`, `m²`, `s^-1`, `m^1.5`, `m^(3/2)`; parentheses; a leading 1 as in `1/s`.
#pragma once

#include <string>

#include "tappet/base/unit.hpp"

namespace tappet {

/// Throws UnitError when the text is not a unit.
Unit parse_unit(const std::string& text);

}  // namespace tappet
