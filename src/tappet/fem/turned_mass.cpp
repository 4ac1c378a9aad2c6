#include "tappet/fem/turned_mass.hpp"

namespace tappet::fem {

void turn_mass(const ElementType& type, const ElementInput& in, bool lumped_mass, Eigen::MatrixXd& M) {
  const int n = static_cast<int>(in.x.size()), dofs = static_cast<int>(M.rows()) / n;
  const bool line = dimension(type.shape) == 1;
  const Vec3 along =
      line && (in.x[1] - in.x[0]).norm() > 0 ? Vec3((in.x[1] - in.x[0]).normalized()) : Vec3::UnitX();
  const Section& section = in.section;
  Mat3 share = Mat3::Zero();  // of a beam's rotary inertia, in units of the one about its axis
  if (line && dofs == 6) {
    const Mat3 axes = beam_axes(along, section.up);
    const double polar = section.inertia_y + section.inertia_z;
    share =
        axes * Vec3(1, section.inertia_y / polar, section.inertia_z / polar).asDiagonal() * axes.transpose();
  }
  Eigen::MatrixXd out = Eigen::MatrixXd::Zero(M.rows(), M.cols());
  for (int a = 0; a < n; ++a)
    for (int b = 0; b < n; ++b) {
      const int i = dofs * a, j = dofs * b;
      out.block<3, 3>(i, j) = along.dot(M.block<3, 3>(i, j) * along) * Mat3::Identity();
      if (dofs == 3) continue;
      const Mat3 own = M.block<3, 3>(i + 3, j + 3);
      out.block<3, 3>(i + 3, i + 3) += line ? Mat3(along.dot(own * along) * share) : own;
    }
  if (lumped_mass) {
    const Eigen::VectorXd whole = lumped(out, n, dofs);
    for (int a = 0; a < n; ++a)
      for (int b = 0; b < n; ++b)
        if (a == b)
          out.block<3, 3>(dofs * a, dofs * a) = whole.segment<3>(dofs * a).asDiagonal();
        else
          out.block<3, 3>(dofs * a, dofs * b).setZero();
  }
  M = out;
}

}  // namespace tappet::fem
