// Chooses the rows of a table that a picture needs.
//
// Straight lines between the chosen rows stay close to every column. The row where they are farthest off is
// taken next, until there are as many as wanted: a peak of a hundred microseconds is taken long before the
// smooth stretches between are refined. [Douglas & Peucker's splitting, with all columns at once and the
// worst piece first.]
#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace tappet {

/// Rows to keep of `rows` × `columns` numbers, row by row; column 0 is the abscissa and does not decrease.
/// Rising, always with the first and the last row and those of `keep` (rising), otherwise at most `wanted`.
/// Numbers that are not finite count as 0. `least`, one per column: what a column does below it is noise.
std::vector<std::size_t> thin(std::span<const double> table, std::size_t columns, std::size_t wanted,
                              std::span<const std::size_t> keep = {}, std::span<const double> least = {});

}  // namespace tappet
