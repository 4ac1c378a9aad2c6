// Units: `TEXT` or `TEXT|UNIT`. A factor that is given converts back.
#include "tappet/base/units.hpp"

#include <cmath>
#include <string>

#include "target.hpp"

namespace tappet::fuzz::units_target {
namespace {

void run(std::string_view input) {
  const auto bar = input.find('|');
  const std::string unit(input.substr(0, bar));
  const std::string wanted(bar == std::string_view::npos ? std::string_view("m") : input.substr(bar + 1));
  try {
    const double factor = si_factor(unit);
    if (!(factor > 0)) throw Contradiction("the factor of '" + unit + "' is " + std::to_string(factor));
  } catch (const UnitError&) {
  }
  try {
    static_cast<void>(convert_to_si(1, unit, wanted));
  } catch (const UnitError&) {
  }
}

const Registration<FuzzTarget> registered{{.name = "units",
                                           .help = "units, and numbers converted between them",
                                           .examples = {},
                                           .run = run,
                                           .words = {"m",
                                                     "mm",
                                                     "kg",
                                                     "s",
                                                     "rad",
                                                     "deg",
                                                     "rpm",
                                                     "N",
                                                     "kN",
                                                     "GPa",
                                                     "MPa",
                                                     "N/m^1.5",
                                                     "^(3/2)",
                                                     "**2",
                                                     "²",
                                                     "·",
                                                     "/",
                                                     "*",
                                                     "-",
                                                     "(",
                                                     ")",
                                                     "^",
                                                     "-1",
                                                     "1/s",
                                                     "degC",
                                                     "furlong",
                                                     "lbf",
                                                     "inch",
                                                     "Hz",
                                                     "|",
                                                     "µm",
                                                     "K",
                                                     "rev",
                                                     "W",
                                                     "J",
                                                     "Pa",
                                                     "ft",
                                                     "@",
                                                     "from",
                                                     "since",
                                                     "log(re 1 mW)",
                                                     "1e308",
                                                     "0",
                                                     ".",
                                                     "W/m^2/K"}}};

}  // namespace
}  // namespace tappet::fuzz::units_target
