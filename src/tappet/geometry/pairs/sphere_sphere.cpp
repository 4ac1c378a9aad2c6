// Two balls.
//
//   gap = |C₂ − C₁| − R₁ − R₂,   normal = (C₂ − C₁)/|C₂ − C₁|
//
// Balls with one centre: the normal is the first body's x axis.
#include "tappet/geometry/pair_kinds.hpp"

namespace tappet {
namespace {

const Registration<PairType> registered{ball_pair<Sphere>("sphere")};

}  // namespace
}  // namespace tappet
