// Static stability of what stands on the ground: the machine's weight must pass through the polygon of its
// supports.
#pragma once

#include <vector>

#include "tappet/base/vectors.hpp"

namespace tappet {

/// How far `centre` is inside the convex hull of `points`, m: the distance from its nearest edge, negative
/// outside. Fewer than three points, or points on a line, support nothing: then minus the distance from them.
/// 0 when there is no point.
double stability_margin(std::vector<Vec2> points, const Vec2& centre);

}  // namespace tappet
