// An ellipsoid and a convex hull: the nearest or deepest place (separation.hpp).
#include "tappet/geometry/pair_kinds.hpp"

namespace tappet::pairs::ellipsoid_hull {
namespace {

const Registration<PairType> registered{convex_pair("ellipsoid|hull")};

}  // namespace
}  // namespace tappet::pairs::ellipsoid_hull
