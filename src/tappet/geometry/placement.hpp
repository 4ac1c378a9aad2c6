// Where in its body a shape sits: the keys `position` and `orientation` (in the plane: `angle`), the same for
// every shape.
#pragma once

#include <array>
#include <optional>
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
Parameter angle_row();
Parameter orientation_row();

/// How a shape is placed in its body.
struct Placement {
  Vec3 position = Vec3::Zero();                           ///< m
  double angle = not_given;                               ///< plane, rad
  std::optional<std::array<double, 4>> orientation = {};  ///< space: quaternion w, x, y, z
};

/// The rows of a shape with those of its placement, whose members the struct has.
template <class P>
std::vector<TableRow<P>> with_placement(std::vector<TableRow<P>> rows) {
  rows.push_back({&P::position, position_row()});
  rows.push_back({&P::angle, angle_row()});
  rows.push_back({&P::orientation, orientation_row()});
  return rows;
}

/// Identity where nothing is given. A key of the other dimension is an error.
Pose place_in_body(const Placement& p, const Origin& origin, Dimension dimension, Diagnostics& diagnostics);
template <class P>
Pose placement_of(const P& p, const Origin& origin, Dimension dimension, Diagnostics& diagnostics) {
  return place_in_body({p.position, p.angle, p.orientation}, origin, dimension, diagnostics);
}

}  // namespace tappet
