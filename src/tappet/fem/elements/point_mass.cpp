// Mass and rotary inertia of one node. A node that has no rotations of its own carries the mass alone.
#include "tappet/fem/element.hpp"

namespace tappet::fem::elements::point_mass {
namespace {

void matrices(const ElementInput& in, ElementMatrices& out) {
  const bool turns = !in.section.mass_inertia.isZero(0);
  const int n = turns ? 6 : 3;
  out.K = Eigen::MatrixXd::Zero(n, n);
  out.M = Eigen::MatrixXd::Zero(n, n);
  out.M.topLeftCorner<3, 3>() = in.section.mass * Mat3::Identity();
  if (turns) out.M.bottomRightCorner<3, 3>() = in.section.mass_inertia;
}

const Registration<ElementType> registered{{.name = "point-mass",
                                            .help = "mass and inertia of one node",
                                            .citation = "Hughes1987",
                                            .shape = CellShape::point,
                                            .dofs = 3,
                                            .matrices = matrices}};

}  // namespace
}  // namespace tappet::fem::elements::point_mass
