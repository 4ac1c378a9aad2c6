// A polygon on a line: its corners.
//
//   gapᵢ = n·(Cᵢ − P)
#include "tappet/geometry/pair_kinds.hpp"
#include "tappet/geometry/shapes/polygon.hpp"

namespace tappet::pairs::plane_polygon {
namespace {

const Registration<PairType> registered{corners_on_plane<Polygon>("polygon")};

}  // namespace
}  // namespace tappet::pairs::plane_polygon
