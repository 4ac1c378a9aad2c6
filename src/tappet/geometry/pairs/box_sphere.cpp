// A ball and a box: the point of the box nearest to the ball's centre; from inside, the nearest face.
//
//   gap = |C − clamp(C, −h, h)| − R,   inside: max |Cᵢ| − hᵢ − R
#include "tappet/geometry/pair_kinds.hpp"
#include "tappet/geometry/shapes/box.hpp"

namespace tappet::pairs::box_sphere {
namespace {

const Registration<PairType> registered{ball_pair<Box>("box")};

}  // namespace
}  // namespace tappet::pairs::box_sphere
