#include "tappet/base/unit_system.hpp"

#include <cctype>
#include <charconv>
#include <clocale>
#include <cmath>
#include <limits>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string_view>
#include <vector>

#include <fmt/format.h>
#include <udunits2.h>

#include "tappet/base/diagnostics.hpp"
#include "tappet/base/unit_error.hpp"

namespace tappet {

namespace {

// --- Names, by UDUNITS-2
// -------------------------------------------------------------------------------------------

/// Which base unit a basic unit of UDUNITS is.
std::optional<BaseUnit> base_unit(const ut_unit* basic) {
  static const std::map<std::string, BaseUnit> symbols = {{"m", metre},    {"kg", kilogram}, {"s", second},
                                                          {"A", ampere},   {"K", kelvin},    {"mol", mole},
                                                          {"cd", candela}, {"rad", radian}};
  const char* symbol = ut_get_symbol(basic, UT_ASCII);
  const auto found = symbols.find(symbol ? symbol : "");
  if (found == symbols.end()) return std::nullopt;
  return found->second;
}

// The visitor takes a unit of UDUNITS apart into factor, offset and powers; `out` is the Unit being filled.

ut_status visit_product(const ut_unit*, int count, const ut_unit* const* basic, const int* powers,
                        void* out) {
  for (int i = 0; i < count; ++i) {
    const auto base = base_unit(basic[i]);
    if (!base) return UT_MEANINGLESS;
    static_cast<Unit*>(out)->powers[*base] += powers[i];
  }
  return UT_SUCCESS;
}

ut_status visit_basic(const ut_unit* unit, void* out) {
  const int one = 1;
  return visit_product(unit, 1, &unit, &one, out);
}

ut_status visit_timestamp(const ut_unit*, const ut_unit*, double, void*) {
  return UT_MEANINGLESS;
}

ut_status visit_logarithmic(const ut_unit*, double, const ut_unit*, void*) {
  return UT_MEANINGLESS;
}

ut_status visit_galilean(const ut_unit*, double scale, const ut_unit* underlying, double offset, void* out);

const ut_visitor visitor = {visit_basic, visit_product, visit_galilean, visit_timestamp, visit_logarithmic};

ut_status visit_galilean(const ut_unit*, double scale, const ut_unit* underlying, double offset, void* out) {
  static_cast<Unit*>(out)->factor *= scale;
  static_cast<Unit*>(out)->offset += offset * scale;
  return ut_accept_visitor(underlying, &visitor, out);
}

/// UDUNITS arrives at 0.025400000000000002 for the inch by way of products; a factor that is a short decimal
/// number up to rounding is meant to be that number.
double without_rounding(double factor) {
  const std::string shortened = fmt::format("{:.12g}", factor);
  double decimal = factor;
  std::from_chars(shortened.data(), shortened.data() + shortened.size(), decimal);
  return std::abs(decimal - factor) <= 4 * std::numeric_limits<double>::epsilon() * factor ? decimal : factor;
}

struct FreeUnit {
  void operator()(ut_unit* unit) const { ut_free(unit); }
};
using UnitHandle = std::unique_ptr<ut_unit, FreeUnit>;

/// The unit database with the few names that engineers write and UDUNITS lacks. UDUNITS is not thread safe:
/// one user at a time.
class Database {
 public:
  static Database& instance() {
    static Database database;
    return database;
  }

  std::optional<Unit> find(const std::string& name) {
    std::lock_guard lock(mutex_);
    if (const auto known = known_.find(name); known != known_.end()) return known->second;
    if (!system_)
      throw UnitError(
          "units cannot be used: the database of UDUNITS-2 is missing (package libudunits2-data)");
    std::optional<Unit> unit;
    if (UnitHandle handle{ut_parse(system_, name.c_str(), UT_UTF8)}) {
      Unit parts;
      if (ut_accept_visitor(handle.get(), &visitor, &parts) == UT_SUCCESS) {
        parts.factor = without_rounding(parts.factor);
        unit = parts;
      }
    }
    if (known_.size() < 10000) known_[name] = unit;
    return unit;
  }

 private:
  Database() {
    ut_set_error_message_handler(ut_ignore);
    // The database is full of decimal points: read it as such in every language.
    const locale_t plain = newlocale(LC_ALL_MASK, "C", nullptr);
    const locale_t users = uselocale(plain);
    system_ = ut_read_xml(nullptr);
    uselocale(users);
    freelocale(plain);
    if (!system_) return;
    for (const auto& [symbol, meaning] : {std::pair{"deg", "arc_degree"}, {"rev", "turn"}, {"Nm", "N.m"}})
      if (UnitHandle handle{ut_parse(system_, meaning, UT_UTF8)})
        ut_map_symbol_to_unit(symbol, UT_UTF8, handle.get());
  }

  std::mutex mutex_;
  ut_system* system_ = nullptr;
  std::map<std::string, std::optional<Unit>> known_;
};

// --- Products and powers
// -------------------------------------------------------------------------------------------

void multiply(Unit& product, const Unit& unit, double power) {
  product.factor *= power == 1 ? unit.factor : std::pow(unit.factor, power);
  for (int i = 0; i < base_unit_count; ++i) product.powers[i] += power * unit.powers[i];
}

class UnitParser {
 public:
  explicit UnitParser(std::string_view text) : text_(text) {}

  Unit parse() {
    constexpr std::size_t longest = 80;
    if (text_.size() > longest) fail();
    Unit unit = product();
    if (at_ < text_.size()) fail();
    unit.factor = without_rounding(unit.factor);
    if (!std::isfinite(unit.factor) || unit.factor <= 0) fail();
    return unit;
  }

 private:
  [[noreturn]] void fail() const { throw UnitError("'" + std::string(text_) + "' is not a unit"); }

  [[noreturn]] void refuse_offset() const {
    throw UnitError("'" + std::string(text_) + "' contains a unit with an offset: use K");
  }

  bool take(std::string_view token) {
    if (text_.substr(at_, token.size()) != token) return false;
    at_ += token.size();
    return true;
  }

  void skip_spaces() {
    while (at_ < text_.size() && (text_[at_] == ' ' || text_[at_] == '\t')) ++at_;
  }

  bool digit_at(std::size_t at) const { return at < text_.size() && text_[at] >= '0' && text_[at] <= '9'; }

  /// A letter, an underscore, a percent sign or a non-ASCII character that is neither a power nor a product
  /// sign.
  bool name_at(std::size_t at) const {
    if (at >= text_.size()) return false;
    const unsigned char c = text_[at];
    if (c < 0x80) return std::isalpha(c) || c == '_' || c == '%';
    return !superscript(at) && text_.substr(at, 2) != "·" && text_.substr(at, 3) != "⋅";
  }

  struct Superscript {
    char character;
    std::string_view text;
  };
  std::optional<Superscript> superscript(std::size_t at) const {
    static constexpr Superscript all[] = {{'0', "⁰"}, {'1', "¹"}, {'2', "²"}, {'3', "³"},
                                          {'4', "⁴"}, {'5', "⁵"}, {'6', "⁶"}, {'7', "⁷"},
                                          {'8', "⁸"}, {'9', "⁹"}, {'-', "⁻"}};
    for (const Superscript& s : all)
      if (text_.substr(at, s.text.size()) == s.text) return s;
    return std::nullopt;
  }

  Unit product() {
    Unit result;
    skip_spaces();
    bool first = true;
    double sign = 1;
    for (;;) {
      const Unit unit = power(sign);
      // Only a name that stands alone keeps its offset; in a product degC would be ambiguous.
      if (unit.offset != 0) {
        skip_spaces();
        if (first && at_ == text_.size()) return unit;
        refuse_offset();
      }
      multiply(result, unit, 1);
      first = false;
      const std::size_t end = at_;
      skip_spaces();
      if (at_ == text_.size() || text_[at_] == ')') return result;
      sign = 1;
      if (take("/")) {
        sign = -1;
      } else if (!take("*") && !take(".") && !take("·") && !take("⋅") && !(name_at(at_ + 1) && take("-"))) {
        if (at_ == end) fail();  // neither a sign nor a space between two names
      }
      skip_spaces();
    }
  }

  /// One name, 1 or parenthesis with its power, which is then multiplied by `sign`.
  Unit power(double sign) {
    Unit base;
    if (take("(")) {
      if (++depth_ > 20) fail();
      base = product();
      --depth_;
      if (!take(")")) fail();
    } else if (text_.substr(at_, 1) == "1" && !digit_at(at_ + 1)) {
      ++at_;
      return base;
    } else {
      base = name();
    }
    const double exponent = sign * this->exponent();
    if (exponent == 1) return base;
    if (base.offset != 0) refuse_offset();
    Unit result;
    multiply(result, base, exponent);
    return result;
  }

  Unit name() {
    const std::size_t begin = at_;
    while (name_at(at_)) ++at_;
    const std::string name(text_.substr(begin, at_ - begin));
    if (name.empty()) fail();
    const auto unit = Database::instance().find(name);
    if (!unit) fail_unknown(name);
    return *unit;
  }

  [[noreturn]] void fail_unknown(const std::string& name) const {
    static const std::vector<std::string> common = {
        "m",  "mm",  "cm", "km", "um",  "s",   "ms",  "us",  "min", "kg",  "g",   "t",
        "N",  "kN",  "MN", "Pa", "kPa", "MPa", "GPa", "bar", "rad", "deg", "rev", "rpm",
        "Hz", "kHz", "J",  "kJ", "W",   "kW",  "in",  "ft",  "lb",  "lbf", "psi"};
    const std::string nearest = nearest_name(name, common);
    throw UnitError("unknown unit '" + name + "'" +
                    (name == text_ ? "" : " in '" + std::string(text_) + "'") +
                    (nearest.empty() ? "" : "; did you mean '" + nearest + "'?"));
  }

  double exponent() {
    if (take("^") || take("**")) {
      if (!take("(")) return number();
      double value = number();
      if (take("/")) value /= number();
      if (!take(")") || !std::isfinite(value)) fail();
      return value;
    }
    // m2 and m-2
    if (digit_at(at_) || (text_.substr(at_, 1) == "-" && digit_at(at_ + 1))) return number();
    // m² and s⁻¹
    std::string digits;
    while (const auto s = superscript(at_)) {
      digits += s->character;
      at_ += s->text.size();
    }
    if (digits.empty()) return 1;
    int value = 0;
    const auto [end, fault] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
    if (fault != std::errc() || end != digits.data() + digits.size()) fail();
    return value;
  }

  double number() {
    take("+");
    double value = 0;
    const char* begin = text_.data() + at_;
    const auto [end, fault] =
        std::from_chars(begin, text_.data() + text_.size(), value, std::chars_format::fixed);
    if (fault != std::errc() || !(std::abs(value) <= 20)) fail();
    at_ += end - begin;
    return value;
  }

  std::string_view text_;
  std::size_t at_ = 0;
  int depth_ = 0;
};

}  // namespace

bool Unit::same_dimension(const Unit& other) const {
  for (int i = 0; i < base_unit_count; ++i)
    if (std::abs(powers[i] - other.powers[i]) > 1e-9) return false;
  return true;
}

Unit parse_unit(const std::string& text) {
  return UnitParser(text).parse();
}

}  // namespace tappet
