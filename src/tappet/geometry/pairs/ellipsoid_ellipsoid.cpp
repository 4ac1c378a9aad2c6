// Two ellipsoids: the nearest or deepest place (separation.hpp).
#include "tappet/geometry/pair_kinds.hpp"

namespace tappet::pairs::ellipsoid_ellipsoid {
namespace {

const Registration<PairType> registered{convex_pair("ellipsoid|ellipsoid")};

}  // namespace
}  // namespace tappet::pairs::ellipsoid_ellipsoid
