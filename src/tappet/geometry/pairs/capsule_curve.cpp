// A segment and a convex curve: the nearest or deepest place (separation.hpp).
#include "tappet/geometry/pair_kinds.hpp"

namespace tappet {
namespace {

const Registration<PairType> registered{convex_pair("capsule|curve")};

}  // namespace
}  // namespace tappet
