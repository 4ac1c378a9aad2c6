// A box and a convex hull: corners of faces that lie on each other, or the nearest place (face_contact.hpp).
#include "tappet/geometry/face_contact.hpp"

namespace tappet::pairs::box_hull {
namespace {

const Registration<PairType> registered{polyhedra_pair("box|hull")};

}  // namespace
}  // namespace tappet::pairs::box_hull
