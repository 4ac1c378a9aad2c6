// A ball and a convex hull: the nearest point of its faces; from inside, the nearest face.
#include "tappet/geometry/pair_kinds.hpp"
#include "tappet/geometry/shapes/hull.hpp"

namespace tappet::pairs::hull_sphere {
namespace {

const Registration<PairType> registered{ball_pair<Hull>("hull")};

}  // namespace
}  // namespace tappet::pairs::hull_sphere
