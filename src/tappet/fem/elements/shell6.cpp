// 6-node shell (STRI65 of Abaqus, S6 of CalculiX): four triangles (shell3) between its nodes. A curved shell is so approached
// by four flat pieces.
#include "tappet/fem/composite.hpp"

namespace tappet::fem::elements::shell6 {
namespace {

struct Shape {
  static constexpr int nodes = 6, middle = 3;
  static constexpr Piece pieces[] = {{"shell3", {0, 3, 5, -1}, 3},
                                     {"shell3", {3, 1, 4, -1}, 3},
                                     {"shell3", {5, 4, 2, -1}, 3},
                                     {"shell3", {3, 4, 5, -1}, 3}};
};

const Registration<ElementType> registered{{.name = "shell6",
                                            .help = "6-node shell: four triangles",
                                            .citation = "Felippa2003; Lee2004",
                                            .shape = CellShape::triangle6,
                                            .dofs = 6,
                                            .matrices = Composite<Shape>::matrices,
                                            .quality = Composite<Shape>::quality,
                                            .stress = Composite<Shape>::stress,
                                            .geometric = Composite<Shape>::geometric}};

}  // namespace
}  // namespace tappet::fem::elements::shell6
