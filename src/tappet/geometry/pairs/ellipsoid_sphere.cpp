// A ball and an ellipsoid: the point of the ellipsoid nearest to the ball's centre (shapes/ellipsoid.cpp).
#include "tappet/geometry/pair_kinds.hpp"
#include "tappet/geometry/shapes/ellipsoid.hpp"

namespace tappet::pairs::ellipsoid_sphere {
namespace {

const Registration<PairType> registered{ball_pair<Ellipsoid>("ellipsoid")};

}  // namespace
}  // namespace tappet::pairs::ellipsoid_sphere
