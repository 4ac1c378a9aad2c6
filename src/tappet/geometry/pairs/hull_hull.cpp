// Two convex hulls: corners of faces that lie on each other, or the nearest place (face_contact.hpp).
#include "tappet/geometry/face_contact.hpp"

namespace tappet::pairs::hull_hull {
namespace {

const Registration<PairType> registered{polyhedra_pair("hull|hull")};

}  // namespace
}  // namespace tappet::pairs::hull_hull
