// A capsule and a cylinder: the nearest or deepest place (separation.hpp).
#include "tappet/geometry/pair_kinds.hpp"

namespace tappet::pairs::capsule_cylinder {
namespace {

const Registration<PairType> registered{convex_pair("capsule|cylinder")};

}  // namespace
}  // namespace tappet::pairs::capsule_cylinder
