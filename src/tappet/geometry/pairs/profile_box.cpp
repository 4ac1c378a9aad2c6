// A box on a profile: its corners, and noses under its faces (profile_polyhedron.hpp).
#include "tappet/geometry/profile_polyhedron.hpp"

namespace tappet::pairs::profile_box {
namespace {

const Registration<PairType> registered{polyhedron_on_profile("box")};

}  // namespace
}  // namespace tappet::pairs::profile_box
