// A box on a plane: its eight corners.
//
//   gapᵢ = n·(Cᵢ − P)
#include "tappet/geometry/pair_kinds.hpp"
#include "tappet/geometry/shapes/box.hpp"

namespace tappet::pairs::plane_box {
namespace {

const Registration<PairType> registered{corners_on_plane<Box>("box")};

}  // namespace
}  // namespace tappet::pairs::plane_box
