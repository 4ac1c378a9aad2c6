// 3-node beam (B32 of Abaqus): two beams, from the first node to the one in the middle and from there to the second. Nodes are
// numbered end, end, middle. Straight, it is exact for loads at its nodes, as each half is.
#include "tappet/fem/composite.hpp"

namespace tappet::fem::elements::beam3 {
namespace {

struct Shape {
  static constexpr int nodes = 3, middle = 0;
  static constexpr Piece pieces[] = {{"beam", {0, 2, -1, -1}, 2}, {"beam", {2, 1, -1, -1}, 2}};
};

const Registration<ElementType> registered{{.name = "beam3",
                                            .help = "3-node beam: two beams in a row",
                                            .citation = "Przemieniecki1968",
                                            .shape = CellShape::line3,
                                            .dofs = 6,
                                            .matrices = Composite<Shape>::matrices,
                                            .quality = Composite<Shape>::quality,
                                            .stress = Composite<Shape>::stress,
                                            .geometric = Composite<Shape>::geometric}};

}  // namespace
}  // namespace tappet::fem::elements::beam3
