// An ellipsoid on a plane: the point whose outward normal is −n, own axes,
//
//   x = −A² n / |A n|,   A = diag(a₁, a₂, a₃),   gap = n·(x − P)
#include "tappet/geometry/pair_kinds.hpp"
#include "tappet/geometry/shapes/ellipsoid.hpp"

namespace tappet::pairs::plane_ellipsoid {
namespace {

const Registration<PairType> registered{
    {.name = "plane|ellipsoid", .candidates = one_candidate, .evaluate = lowest_on_plane<Ellipsoid>}};

}  // namespace
}  // namespace tappet::pairs::plane_ellipsoid
