// A ball and a capsule: the point of the axis nearest to the ball's centre.
//
//   gap = |C − E(s)| − R₁ − R₂,   0 ≤ s ≤ 1
#include "tappet/geometry/pair_kinds.hpp"
#include "tappet/geometry/shapes/capsule.hpp"

namespace tappet::pairs::capsule_sphere {
namespace {

const Registration<PairType> registered{ball_pair<Capsule>("capsule")};

}  // namespace
}  // namespace tappet::pairs::capsule_sphere
