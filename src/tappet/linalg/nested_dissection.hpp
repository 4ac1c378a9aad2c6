// The order in which the vertices of a graph are eliminated, by METIS. Private to linalg/.
#pragma once

#include <vector>

namespace tappet {

/// The neighbours of each vertex, ascending.
using Graph = std::vector<std::vector<int>>;

/// order[k]: the vertex eliminated as number k; those marked `late` come after all others.
std::vector<int> nested_dissection(const Graph& g, const std::vector<int>& weight,
                                   const std::vector<char>& late);

}  // namespace tappet
