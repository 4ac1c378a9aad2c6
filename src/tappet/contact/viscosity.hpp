// The viscosity of an oil: a number, or a table over temperature.
//
//   ln μ is linear in T between two rows of the table, as nearly all oils are over some tens of kelvin. Nothing is said beyond its ends.
//
// In a file `viscosity: 40 mPa s`, or `viscosity: {table: {temperature: [20 degC, 60 degC], viscosity: [100 mPa s, 18 mPa s]}}` with
// `temperature: 45 degC` beside it; `table: {file: oil.csv}` has a temperature in K and a viscosity in Pa s in each line.
#pragma once

#include <cmath>
#include <string>
#include <vector>

#include "tappet/base/diagnostics.hpp"
#include "tappet/base/parameters.hpp"

namespace tappet {

struct ViscosityTable {
  std::vector<double> temperature = {};  ///< K, rising
  std::vector<double> viscosity = {};    ///< Pa s
  std::string file = {};                 ///< in place of both
};
struct Viscosity {
  double value = not_given;  ///< Pa s; or
  AnyParameters table = {};  ///< ViscosityTable
  bool absent() const { return std::isnan(value) && !table; }
};

/// The keys `viscosity` and `temperature` of a lubricant.
Parameter viscosity_parameter();
Parameter temperature_parameter();

/// μ of these keys, Pa s; NaN after an error was reported.
double viscosity_of(const Viscosity& viscosity, double temperature, const Origin& lubricant,
                    Diagnostics& diagnostics);

/// Between the rows of a table whose temperatures rise.
double interpolated_viscosity(const ViscosityTable& table, double temperature);

}  // namespace tappet
