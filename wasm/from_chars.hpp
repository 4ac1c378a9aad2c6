// std::from_chars for floating-point numbers, and std::bit_cast: what the C++ library of Debian's emscripten lacks (libc++ before LLVM 14).
// Read before every source of this build.
#pragma once

#include <charconv>
#include <cmath>
#include <cstdlib>
#include <string>
#include <system_error>

namespace std {

template <class To, class From>
constexpr To bit_cast(const From& from) noexcept {
  return __builtin_bit_cast(To, from);
}

/// As the standard says: no blanks, no plus sign before it, always a point. strtod() rounds correctly, so it has the same bits.
inline from_chars_result from_chars(const char* first, const char* last, double& value,
                                    chars_format format = chars_format::general) {
  const char* at = first;
  const auto digits = [&] {
    const char* begin = at;
    while (at != last && *at >= '0' && *at <= '9') ++at;
    return at - begin;
  };
  if (at != last && *at == '-') ++at;
  const string rest(at, last);
  if (rest.rfind("inf", 0) == 0 || rest.rfind("nan", 0) == 0) {
    at += 3;
  } else {
    auto count = digits();
    if (at != last && *at == '.') ++at, count += digits();
    if (count == 0) return {first, errc::invalid_argument};
    const char* mantissa = at;
    if (format != chars_format::fixed && at != last && (*at == 'e' || *at == 'E')) {
      ++at;
      if (at != last && (*at == '-' || *at == '+')) ++at;
      if (digits() == 0) at = mantissa;
    }
  }
  const string text(first, at);
  const double read = strtod(text.c_str(), nullptr);
  // Too large, or so small that nothing is left.
  if (read == HUGE_VAL || read == -HUGE_VAL) {
    if (rest.rfind("inf", 0) != 0) return {at, errc::result_out_of_range};
  }
  if (read == 0 && text.find_first_of("123456789") < text.find_first_of("eE"))
    return {at, errc::result_out_of_range};
  value = read;
  return {at, errc{}};
}

}  // namespace std
