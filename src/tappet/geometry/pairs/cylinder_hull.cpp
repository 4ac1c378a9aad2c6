// A cylinder on the face of a convex hull (cylinder_contact.hpp).
#include "tappet/geometry/cylinder_contact.hpp"

namespace tappet::pairs::cylinder_hull {
namespace {

const Registration<PairType> registered{cylinder_with_polyhedron("cylinder|hull")};

}  // namespace
}  // namespace tappet::pairs::cylinder_hull
