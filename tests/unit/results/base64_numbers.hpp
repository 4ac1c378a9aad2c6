// Base64 back to numbers.
#pragma once

#include <cstring>
#include <string>
#include <vector>

namespace tappet {

template <class Number>
std::vector<Number> numbers(const std::string& base64, std::size_t skip_bytes = 0) {
  const std::string digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string bytes;
  unsigned bits = 0, count = 0;
  for (const char c : base64) {
    if (c == '=') break;
    bits = bits << 6 | static_cast<unsigned>(digits.find(c));
    if ((count += 6) >= 8) bytes += static_cast<char>(bits >> (count -= 8) & 255);
  }
  std::vector<Number> out((bytes.size() - skip_bytes) / sizeof(Number));
  if (!out.empty()) std::memcpy(out.data(), bytes.data() + skip_bytes, out.size() * sizeof(Number));
  return out;
}

}  // namespace tappet
