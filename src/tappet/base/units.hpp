// Numbers with units, by UDUNITS-2.
#pragma once

#include <string>

#include "tappet/base/unit_error.hpp"

namespace tappet {

/// value [unit] expressed in `si_unit`; an empty `unit` means the value is in `si_unit` already.
/// Throws UnitError("unit 'kg' is a mass; a length (m) is expected")-like sentences.
double convert_to_si(double value, const std::string& unit, const std::string& si_unit);

/// The linear factor of convert_to_si (units with an offset, such as degC, are refused).
double si_factor(const std::string& unit, const std::string& si_unit);

/// The factor from any unit to SI's base units: 0.001 for "mm", 1 for "N" and for no unit.
double si_factor(const std::string& unit);

}  // namespace tappet
