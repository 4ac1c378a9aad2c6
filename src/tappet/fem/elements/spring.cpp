// Spring and damper between two nodes: along the line that joins them, or in every direction where they
// coincide.
//   K = k P, C = c P,  P = n nᵀ, or the identity
#include "tappet/fem/element.hpp"

namespace tappet::fem::elements::spring {
namespace {

void matrices(const ElementInput& in, ElementMatrices& out) {
  const Vec3 along = in.x[1] - in.x[0];
  const Mat3 P =
      along.norm() > 0 ? Mat3(along * along.transpose() / along.squaredNorm()) : Mat3(Mat3::Identity());
  out.K.resize(6, 6);
  out.K << P, -P, -P, P;
  out.C = in.section.damping * out.K;
  out.K *= in.section.stiffness;
  out.M = Eigen::MatrixXd::Zero(6, 6);
}

const Registration<ElementType> registered{{.name = "spring",
                                            .help = "spring and damper between two nodes, along their line",
                                            .citation = "Hughes1987",
                                            .shape = CellShape::line,
                                            .dofs = 3,
                                            .matrices = matrices}};

}  // namespace
}  // namespace tappet::fem::elements::spring
