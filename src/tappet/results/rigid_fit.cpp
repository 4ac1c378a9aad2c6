#include "tappet/results/rigid_fit.hpp"

#include <Eigen/Geometry>
#include <Eigen/SVD>

namespace tappet {

RigidFit rigid_fit(std::span<const double> nodes, std::span<const double> displacement, const Mat3& near) {
  using Points = Eigen::Map<const Eigen::Matrix3Xd>;
  const auto count = static_cast<Eigen::Index>(nodes.size() / 3);
  const Points x(nodes.data(), 3, count), d(displacement.data(), 3, count);
  RigidFit out;
  if (count == 0) return out;
  out.from = x.rowwise().mean();
  out.to = out.from + d.rowwise().mean();
  const Eigen::Matrix3Xd before = x.colwise() - out.from, after = (x + d).colwise() - out.to;
  Mat3 A = after * before.transpose();
  // Too little to turn what the nodes themselves decide by more than rounding in single precision does.
  A += 1e-7 * A.norm() * near;
  const Eigen::JacobiSVD<Mat3> svd(A, Eigen::ComputeFullU | Eigen::ComputeFullV);
  const double side = (svd.matrixU() * svd.matrixV().transpose()).determinant() < 0 ? -1 : 1;
  out.R = svd.matrixU() * Vec3(1, 1, side).asDiagonal() * svd.matrixV().transpose();
  return out;
}

}  // namespace tappet
