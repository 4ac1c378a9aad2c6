// A circle and a convex curve: the point of the curve nearest to the circle's centre (shapes/curve.cpp).
#include "tappet/geometry/pair_kinds.hpp"
#include "tappet/geometry/shapes/curve.hpp"

namespace tappet::pairs::curve_sphere {
namespace {

const Registration<PairType> registered{ball_pair<Curve>("curve")};

}  // namespace
}  // namespace tappet::pairs::curve_sphere
