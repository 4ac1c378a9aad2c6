#include "tappet/base/units.hpp"

#include <cmath>
#include <map>
#include <mutex>
#include <optional>
#include <vector>

#include <fmt/format.h>

#include "tappet/base/diagnostics.hpp"
#include "tappet/base/unit_system.hpp"

namespace tappet {

namespace {

// --- Dimensions in words
// -------------------------------------------------------------------------------------------

struct Quantity {
  const char* words;
  const char* si_unit;
  const char* examples;
};

constexpr Quantity quantities[] = {
    {"a length", "m", "m or mm"},
    {"a mass", "kg", "kg or g"},
    {"a time", "s", "s or ms"},
    {"an angle", "rad", "rad, deg or rev"},
    {"an angular velocity", "rad/s", "rad/s, rev/s or rpm"},
    {"an angular acceleration", "rad/s^2", "rad/s^2"},
    {"a velocity", "m/s", "m/s or mm/s"},
    {"an acceleration", "m/s^2", "m/s^2"},
    {"a force", "N", "N or kN"},
    {"a moment or an energy", "N m", "N m or J"},
    {"a pressure", "Pa", "Pa, MPa or GPa"},
    {"a density", "kg/m^3", "kg/m^3 or g/cm^3"},
    {"a moment of inertia", "kg m^2", "kg m^2"},
    {"a stiffness", "N/m", "N/m or N/mm"},
    {"a damping coefficient", "N s/m", "N s/m"},
    {"a rotational stiffness", "N m/rad", "N m/rad"},
    {"a rotational damping coefficient", "N m s/rad", "N m s/rad"},
    {"a Hertz stiffness", "N/m^1.5", "N/m^1.5"},
    {"a power", "W", "W or kW"},
    {"a frequency", "1/s", "1/s or Hz"},
    {"an area", "m^2", "m^2 or mm^2"},
    {"a volume", "m^3", "m^3 or mm^3"},
    {"an impulse", "N s", "N s"},
    {"an angular momentum", "N m s", "N m s"},
    {"a mass per length", "kg/m", "kg/m"},
    {"a temperature", "K", "K"},
    {"an electric current", "A", "A"},
    {"a pure number", "1", "1"},
};

const Quantity* quantity_of(const Unit& unit) {
  static const std::vector<Unit> units = [] {
    std::vector<Unit> out;
    for (const Quantity& quantity : quantities) out.push_back(parse_unit(quantity.si_unit));
    return out;
  }();
  for (std::size_t i = 0; i < units.size(); ++i)
    if (units[i].same_dimension(unit)) return &quantities[i];
  return nullptr;
}

/// "a length is expected, such as m or mm"
std::string expectation(const std::string& si_unit, const Unit& expected) {
  if (si_unit.empty()) return "a plain number without a unit is expected";
  if (const Quantity* quantity = quantity_of(expected))
    return fmt::format("{} is expected, such as {}", quantity->words, quantity->examples);
  return fmt::format("a unit like {} is expected", si_unit);
}

[[noreturn]] void refuse_dimension(const std::string& text, const Unit& given, const std::string& si_unit,
                                   const Unit& expected) {
  const Quantity* is = quantity_of(given);
  std::string sentence =
      is ? fmt::format("'{}' is {}, but {}", text, is->words, expectation(si_unit, expected))
         : fmt::format("the unit '{}' does not fit: {}", text, expectation(si_unit, expected));
  // The one mix-up that UDUNITS itself lets pass, wrong by 2π.
  Unit hertz, angular;
  hertz.powers[second] = angular.powers[second] = -1;
  angular.powers[radian] = 1;
  if (given.same_dimension(hertz) && expected.same_dimension(angular))
    sentence += fmt::format("; for 50 turns a second write 50 rev/s or 2*pi*50 rad/s, not 50 {}", text);
  throw UnitError(sentence);
}

// --- Conversion
// ----------------------------------------------------------------------------------------------------

struct Conversion {
  double factor = 1;
  double offset = 0;
  double divisor = 0;  ///< 1/factor where that is a whole number, otherwise 0

  /// 10 us is 1e-5 s to the last bit: dividing by 1000000 rounds once, multiplying by 0.000001 twice.
  double apply(double value) const { return (divisor > 0 ? value / divisor : value * factor) + offset; }
};

/// The SI unit of a parameter, written by a programmer. A unit that depends on another parameter ("N/m^n") is
/// no unit.
std::optional<Unit> parse_si_unit(const std::string& si_unit) {
  if (si_unit.empty()) return Unit{};
  try {
    return parse_unit(si_unit);
  } catch (const UnitError&) {
    return std::nullopt;
  }
}

Conversion find_conversion(const std::string& unit, const std::string& si_unit) {
  const std::optional<Unit> expected = parse_si_unit(si_unit);
  if (!expected) {
    if (unit == si_unit) return {};
    throw UnitError(
        fmt::format("'{}' cannot be converted: write a plain number, which is in {}", unit, si_unit));
  }

  Unit given;
  try {
    given = parse_unit(unit);
  } catch (const UnitError& fault) {
    const std::string what = fault.what();
    throw UnitError(what + (what.back() == '?' ? " " : "; ") + expectation(si_unit, *expected));
  }

  // A moment per angle is often written without its radian; no other angle may be left out or put in.
  Unit compared = given;
  if (given.powers[radian] == 0 && expected->powers[radian] < 0)
    compared.powers[radian] = expected->powers[radian];
  if (!compared.same_dimension(*expected)) refuse_dimension(unit, given, si_unit, *expected);
  Conversion result;
  result.factor = given.factor / expected->factor;
  result.offset = (given.offset - expected->offset) / expected->factor;
  const double inverse = std::round(1 / result.factor);
  if (inverse > 1 && inverse < 1e15 && 1 / inverse == result.factor) result.divisor = inverse;
  return result;
}

Conversion conversion(const std::string& unit, const std::string& si_unit) {
  static std::mutex mutex;
  static std::map<std::pair<std::string, std::string>, Conversion> known;
  const std::pair key{unit, si_unit};
  {
    std::lock_guard lock(mutex);
    if (const auto found = known.find(key); found != known.end()) return found->second;
  }
  const Conversion found = find_conversion(unit, si_unit);
  std::lock_guard lock(mutex);
  if (known.size() < 10000) known[key] = found;
  return found;
}

}  // namespace

double convert_to_si(double value, const std::string& unit, const std::string& si_unit) {
  if (unit.empty()) return value;
  return conversion(unit, si_unit).apply(value);
}

double si_factor(const std::string& unit, const std::string& si_unit) {
  if (unit.empty()) return 1;
  const Conversion c = conversion(unit, si_unit);
  if (c.offset != 0) throw UnitError(fmt::format("'{}' has an offset and cannot be used here: use K", unit));
  return c.factor;
}

double si_factor(const std::string& unit) {
  if (unit.empty()) return 1;
  const Unit parsed = parse_unit(unit);
  if (parsed.offset != 0)
    throw UnitError(fmt::format("'{}' has a zero of its own and cannot stand here", unit));
  return parsed.factor;
}

}  // namespace tappet
