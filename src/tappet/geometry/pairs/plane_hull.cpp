// A convex hull on a plane: its corners.
//
//   gapᵢ = n·(Cᵢ − P)
#include "tappet/geometry/pair_kinds.hpp"
#include "tappet/geometry/shapes/hull.hpp"

namespace tappet::pairs::plane_hull {
namespace {

const Registration<PairType> registered{corners_on_plane<Hull>("hull")};

}  // namespace
}  // namespace tappet::pairs::plane_hull
