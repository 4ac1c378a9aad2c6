// Two cylinders, end face on end face or anyhow (cylinder_contact.hpp).
#include "tappet/geometry/cylinder_contact.hpp"

namespace tappet::pairs::cylinder_cylinder {
namespace {

const Registration<PairType> registered{cylinder_with_cylinder("cylinder|cylinder")};

}  // namespace
}  // namespace tappet::pairs::cylinder_cylinder
