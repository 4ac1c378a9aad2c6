// A cylinder and an ellipsoid: the nearest or deepest place (separation.hpp).
#include "tappet/geometry/pair_kinds.hpp"

namespace tappet::pairs::cylinder_ellipsoid {
namespace {

const Registration<PairType> registered{convex_pair("cylinder|ellipsoid")};

}  // namespace
}  // namespace tappet::pairs::cylinder_ellipsoid
