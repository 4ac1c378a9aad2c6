// Where in its body a shape sits: the keys `position` and `orientation` (in the plane: `angle`), the same for
// every shape.
#pragma once

#include <vector>

#include "tappet/geometry/shape.hpp"

namespace tappet {

/// Lengths of shapes, m: squares and cubes of them stay far from the ends of the number range.
inline Range shape_length() {
  return {.low = 1e-9, .high = 1e9};
}
inline Range shape_coordinate() {
  return {.low = -1e9, .high = 1e9};
}

Parameter position_row(const std::string& help = "where the shape's middle is, body coordinates");

/// The rows of a shape with those of its placement.
std::vector<Parameter> with_placement(std::vector<Parameter> rows);

/// Identity where nothing is given. A key of the other dimension is an error.
Pose read_placement(const Object& object, Dimension dimension, Diagnostics& diagnostics);

/// Two or three numbers as a vector; in the plane z = 0.
Vec3 to_vec3(const std::vector<double>& numbers);
std::vector<Vec3> to_vec3s(const std::vector<std::vector<double>>& points);

}  // namespace tappet
