// A cylinder on the face of a box (cylinder_contact.hpp).
#include "tappet/geometry/cylinder_contact.hpp"

namespace tappet::pairs::box_cylinder {
namespace {

const Registration<PairType> registered{cylinder_with_polyhedron("box|cylinder")};

}  // namespace
}  // namespace tappet::pairs::box_cylinder
