// A convex curve and a polygon: the nearest or deepest place (separation.hpp).
#include "tappet/geometry/pair_kinds.hpp"

namespace tappet {
namespace {

const Registration<PairType> registered{convex_pair("curve|polygon")};

}  // namespace
}  // namespace tappet
