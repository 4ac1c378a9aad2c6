// A ball and a cylinder: side, cap or rim, whichever is nearest to the ball's centre (ρ, z).
//
//   side ρ − R,  cap |z| − h,  rim √((ρ − R)² + (|z| − h)²) where both are positive, otherwise the larger
#include "tappet/geometry/pair_kinds.hpp"
#include "tappet/geometry/shapes/cylinder.hpp"

namespace tappet::pairs::cylinder_sphere {
namespace {

const Registration<PairType> registered{ball_pair<Cylinder>("cylinder")};

}  // namespace
}  // namespace tappet::pairs::cylinder_sphere
