// Convex curves against what else is convex in the plane.
//
// The gap as seen along n(θ), f(θ) = n·(x₂ − x₁) with the support points x₁ along n and x₂ along −n, is
// highest at the nearest or deepest place. With r the curve, ρ its radius of curvature and t = n′:
//
//   against a corner V     f′ = t·(V − r),      f″ = −n·(V − r) − ρ       between the normals of the sides
//   beside it against a curve        f′ = t·(r₂ − r₁),    f″ = −f − ρ₁ − ρ₂
//
// so the highest of all sides' normals and of the maxima in between is found exactly, by Newton's method.
#pragma once

#include <span>

#include "tappet/geometry/pair.hpp"
#include "tappet/geometry/shapes/curve.hpp"

namespace tappet {

/// A curve, first, and a convex polygon with a margin around it; corners anticlockwise, world coordinates.
/// Two corners: a segment.
Proximity curve_and_corners(const Curve& curve, const Pose& p, std::span<const Vec3> corners, double margin);

Proximity curve_and_curve(const Curve& first, const Pose& p, const Curve& second, const Pose& q);

}  // namespace tappet
