// A convex curve on a line: the point whose outward normal is −n.
#include "tappet/geometry/pair_kinds.hpp"
#include "tappet/geometry/shapes/curve.hpp"

namespace tappet::pairs::plane_curve {
namespace {

const Registration<PairType> registered{
    {.name = "plane|curve", .candidates = one_candidate, .evaluate = lowest_on_plane<Curve>}};

}  // namespace
}  // namespace tappet::pairs::plane_curve
