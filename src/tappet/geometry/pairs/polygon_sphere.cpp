// A circle and a polygon: the nearest point of its sides; from inside, the nearest side.
#include "tappet/geometry/pair_kinds.hpp"
#include "tappet/geometry/shapes/polygon.hpp"

namespace tappet::pairs::polygon_sphere {
namespace {

const Registration<PairType> registered{ball_pair<Polygon>("polygon")};

}  // namespace
}  // namespace tappet::pairs::polygon_sphere
