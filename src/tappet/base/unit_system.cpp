#include "tappet/base/unit_system.hpp"

#include <cctype>
#include <charconv>
#include <cmath>
#include <string>
#include <string_view>
#include <vector>

#include "tappet/base/diagnostics.hpp"
#include "tappet/base/unit_error.hpp"
#include "tappet/base/unit_names.hpp"

namespace tappet {

namespace {

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
    const auto unit = unit_of_name(name);
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

Unit parse_unit(const std::string& text) {
  return UnitParser(text).parse();
}

}  // namespace tappet
