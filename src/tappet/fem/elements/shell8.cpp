// 8-node shell (S8 and S8R of Abaqus): a triangle (shell3) at each corner, and between the nodes on the edges the mean of the
// two ways to make two triangles, so that no diagonal counts more than the other. A curved shell is so approached by flat
// pieces.
#include "tappet/fem/composite.hpp"

namespace tappet::fem::elements::shell8 {
namespace {

struct Shape {
  static constexpr int nodes = 8, middle = 4;
  static constexpr Piece pieces[] = {{"shell3", {0, 4, 7, -1}, 3},      {"shell3", {4, 1, 5, -1}, 3},
                                     {"shell3", {5, 2, 6, -1}, 3},      {"shell3", {7, 6, 3, -1}, 3},
                                     {"shell3", {4, 5, 6, -1}, 3, 0.5}, {"shell3", {4, 6, 7, -1}, 3, 0.5},
                                     {"shell3", {4, 5, 7, -1}, 3, 0.5}, {"shell3", {5, 6, 7, -1}, 3, 0.5}};
};

const Registration<ElementType> registered{{.name = "shell8",
                                            .help = "8-node shell: triangles between its nodes",
                                            .citation = "Felippa2003; Lee2004",
                                            .shape = CellShape::quadrangle8,
                                            .dofs = 6,
                                            .matrices = Composite<Shape>::matrices,
                                            .quality = Composite<Shape>::quality,
                                            .stress = Composite<Shape>::stress,
                                            .geometric = Composite<Shape>::geometric}};

}  // namespace
}  // namespace tappet::fem::elements::shell8
