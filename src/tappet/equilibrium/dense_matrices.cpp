#include "tappet/equilibrium/dense_matrices.hpp"

#include <algorithm>

namespace tappet {

Eigen::MatrixXd dense_mass(const Mechanism& m, const Kinematics& k) {
  const int width = velocity_size(m.dimension), linear = width == 3 ? 2 : 3;
  Eigen::MatrixXd out = Eigen::MatrixXd::Zero(m.u_size(), m.u_size());
  for (int b = 0; b < m.body_count(); ++b) {
    const Body& body = m.bodies[b];
    for (int i = 0; i < linear; ++i) out(width * b + i, width * b + i) = body.mass;
    if (width == 3)
      out(3 * b + 2, 3 * b + 2) = body.inertia(2, 2);
    else
      out.block<3, 3>(6 * b + 3, 6 * b + 3) = body.inertia;
  }
  for (const FlexibleBody& body : m.flexible.bodies) {
    FlexibleInstant at(body);
    evaluate_flexible(body, k, Vec3::Zero(), false, at);
    const int b = width * body.body, q = width * m.body_count() + body.first;
    out.block(b, b, width, width) = at.rigid.topLeftCorner(width, width);
    out.block(b, q, width, body.modes) = at.B.topRows(width);
    out.block(q, b, body.modes, width) = at.B.topRows(width).transpose();
    out.block(q, q, body.modes, body.modes).setIdentity();
  }
  return out;
}

Eigen::MatrixXd dense_jacobian(const Mechanism& m, const ConstraintSystem& constraints) {
  Eigen::MatrixXd out(constraints.rows(), m.u_size());
  Eigen::VectorXd unit = Eigen::VectorXd::Zero(m.u_size());
  for (int i = 0; i < m.u_size() && constraints.rows() > 0; ++i) {
    unit[i] = 1;
    constraints.times(unit.data(), out.col(i).data());
    unit[i] = 0;
  }
  return out;
}

Eigen::VectorXd reach_of_coordinates(const Mechanism& m) {
  const int width = velocity_size(m.dimension), turn = m.dimension == Dimension::planar ? 2 : 3;
  Eigen::VectorXd out(m.u_size());
  for (int i = 0; i < width * m.body_count(); ++i) out[i] = i % width < turn ? 1 : m.length;
  for (const FlexibleBody& body : m.flexible.bodies)
    for (int k = 0; k < body.modes; ++k) {
      double& reach = out[width * m.body_count() + body.first + k];
      reach = 1 / body.amplitude;
      for (const FlexibleInterface& at : body.interfaces)
        reach = std::max({reach, at.translation.col(k).norm(), m.length * at.rotation.col(k).norm()});
    }
  return out;
}

}  // namespace tappet
