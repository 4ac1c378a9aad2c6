// Arrays of numbers in VTK's XML.
#pragma once

#include <cstdint>
#include <cstring>
#include <string>
#include <type_traits>
#include <vector>

#include <fmt/format.h>

#include "tappet/results/base64.hpp"

namespace tappet {

template <class Number>
constexpr const char* vtk_name() {
  if constexpr (std::is_same_v<Number, double>) return "Float64";
  if constexpr (std::is_same_v<Number, float>) return "Float32";
  if constexpr (std::is_same_v<Number, std::int32_t>) return "Int32";
  return "UInt8";
}

/// One DataArray: the number of bytes, then the bytes, in one piece of base64.
template <class Number>
std::string vtk_array(const std::string& name, std::size_t components, const std::vector<Number>& values) {
  const std::uint64_t size = values.size() * sizeof(Number);
  std::vector<unsigned char> bytes(sizeof size + size);
  std::memcpy(bytes.data(), &size, sizeof size);
  if (size > 0) std::memcpy(bytes.data() + sizeof size, values.data(), size);
  return fmt::format(
      "<DataArray type=\"{}\" Name=\"{}\" NumberOfComponents=\"{}\" format=\"binary\">{}</DataArray>\n",
      vtk_name<Number>(), name, components, base64(bytes));
}

}  // namespace tappet
