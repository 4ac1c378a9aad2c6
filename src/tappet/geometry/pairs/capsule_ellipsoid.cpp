// A capsule and an ellipsoid: the nearest or deepest place (separation.hpp).
#include "tappet/geometry/pair_kinds.hpp"

namespace tappet::pairs::capsule_ellipsoid {
namespace {

const Registration<PairType> registered{convex_pair("capsule|ellipsoid")};

}  // namespace
}  // namespace tappet::pairs::capsule_ellipsoid
