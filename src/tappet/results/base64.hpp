// Numbers as text, for pages and for VTK files.
#pragma once

#include <bit>
#include <cstddef>
#include <string>
#include <vector>

namespace tappet {

/// Bytes in base64.
inline std::string base64(const unsigned char* bytes, std::size_t size) {
  static constexpr char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string out;
  out.reserve((size + 2) / 3 * 4);
  for (std::size_t i = 0; i < size; i += 3) {
    const auto at = [&](std::size_t k) -> unsigned { return i + k < size ? bytes[i + k] : 0; };
    const unsigned three = at(0) << 16 | at(1) << 8 | at(2);
    for (unsigned k = 0; k < 4; ++k) out += i + k <= size ? digits[three >> (18 - 6 * k) & 63] : '=';
  }
  return out;
}

template <class Number>
std::string base64(const std::vector<Number>& numbers) {
  static_assert(std::endian::native == std::endian::little, "readers expect little-endian numbers");
  return base64(reinterpret_cast<const unsigned char*>(numbers.data()), numbers.size() * sizeof(Number));
}

}  // namespace tappet
