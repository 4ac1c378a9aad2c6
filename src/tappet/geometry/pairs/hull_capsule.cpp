// A capsule on a convex hull: the two ends of what of its axis lies over the face below, and the nearest
// place when it is neither of them (capsule_contact.hpp).
#include "tappet/geometry/capsule_contact.hpp"

namespace tappet::pairs::hull_capsule {
namespace {

const Registration<PairType> registered{capsule_on_polyhedron("hull|capsule")};

}  // namespace
}  // namespace tappet::pairs::hull_capsule
