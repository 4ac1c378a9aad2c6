// A box and an ellipsoid: the nearest or deepest place (separation.hpp).
#include "tappet/geometry/pair_kinds.hpp"

namespace tappet::pairs::box_ellipsoid {
namespace {

const Registration<PairType> registered{convex_pair("box|ellipsoid")};

}  // namespace
}  // namespace tappet::pairs::box_ellipsoid
