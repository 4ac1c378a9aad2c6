#include "tappet/stepping/contact_problem.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include <Eigen/Cholesky>

#include "tappet/lcp/matrix.hpp"

namespace tappet {

using Eigen::MatrixXd;
using Eigen::VectorXd;

namespace {

/// A dense matrix, in place of whatever form was there.
MatrixXd& dense_matrix(lcp::Matrix& m) {
  if (!std::holds_alternative<MatrixXd>(m)) m = MatrixXd();
  return std::get<MatrixXd>(m);
}

BlockCsr& gram_factor(lcp::Matrix& m) {
  if (!std::holds_alternative<lcp::Gram>(m)) m = lcp::Gram{};
  return std::get<lcp::Gram>(m).factor;
}

/// W_ang = J⁻¹ of a body as L⁻ᵀ L⁻¹: the weight of its angular columns. Zero for a point mass.
Mat3 angular_weight(const Mat3& inverse_inertia) {
  if (inverse_inertia.isZero(0)) return Mat3::Zero();
  return Eigen::LLT<Mat3>(inverse_inertia).matrixL();
}

}  // namespace

ContactProblem::ContactProblem(const Mechanism& mechanism, const ContactSolverOptions& options)
    : mechanism_(mechanism),
      options_(options),
      dimension_(mechanism.dimension == Dimension::planar ? 2 : 3),
      width_(velocity_size(mechanism.dimension)) {
  lcp::SolverOptions settings;
  settings.tolerance = options.tolerance;
  solver_ = lcp::make_solver(options.solver, settings);
  fallback_ = lcp::make_solver(std::string("lemke"), settings);
  settings.tolerance = 1;  // of the gap that counts as nothing
  settings.warm_start = false;
  opener_ = lcp::make_solver(std::string("auto"), settings);
  // Many contacts of free bodies: some cheap sweeps; what they leave is left to the next step.
  settings.max_iterations = 20;
  sweeping_opener_ = lcp::make_solver(std::string("pgs"), settings);

  // M⁻¹ = w wᵀ, block by block: its factor is constant, since inertia is kept in body axes.
  for (int b = 0; b < mechanism.body_count(); ++b) {
    weight_.push_back(std::sqrt(mechanism.inverse_mass.linear[b]));
    const Mat3& inverse = mechanism.inverse_mass.angular[b];
    const Mat3 w =
        dimension_ == 2 ? Mat3(Mat3::Identity() * std::sqrt(inverse(2, 2))) : angular_weight(inverse);
    weight_.insert(weight_.end(), w.data(), w.data() + 9);
  }
}

void ContactProblem::clear() {
  contacts_.clear();
  h_.clear();
  for (int b = 0; b < mechanism_.body_count(); ++b) h_.add_columns(width_);
}

void ContactProblem::add(const RigidContact& contact, const Kinematics& k) {
  contacts_.push_back(contact);
  h_.add_row(dimension_);
  // Velocity of the second body's material point against the first's; blocks in the order of the bodies.
  const int i = contact.bodies[0], j = contact.bodies[1];
  add_side(std::min(i, j), i < j ? -1 : 1, contact.touch, contact.tangents, k);
  add_side(std::max(i, j), i < j ? 1 : -1, contact.touch, contact.tangents, k);
}

void ContactProblem::add_side(int body, double sign, const Touch& touch, const Tangents& tangents,
                              const Kinematics& k) {
  if (body == mechanism_.ground()) return;
  auto block = h_.add_block(body);
  const Vec3* axes[3] = {&touch.normal, &tangents.t1, &tangents.t2};
  for (int r = 0; r < dimension_; ++r) {
    const Vec3& axis = *axes[r];
    if (dimension_ == 2) {
      const Vec2 arm = touch.at.head<2>() - k.planar[body].r;
      block(r, 0) = sign * axis.x(), block(r, 1) = sign * axis.y();
      block(r, 2) = sign * cross(arm, axis.head<2>());
    } else {
      const SpatialFrame& f = k.spatial[body];
      block.row(r).head<3>() = sign * axis.transpose();
      block.row(r).tail<3>() = sign * (touch.at - f.r).cross(axis).transpose() * f.R;
    }
  }
}

void ContactProblem::velocities(const double* u, VectorXd& gamma) const {
  gamma.setZero(h_.rows());
  multiply_add(h_, u, gamma.data());
}

void ContactProblem::add_impulses(const VectorXd& P, double* f) const {
  multiply_transposed_add(h_, P.data(), f);
}

Vec3 ContactProblem::tangential(int i, const VectorXd& P) const {
  const double* p = P.data() + dimension_ * i;
  return contacts_[i].tangents.vector({p[1], dimension_ == 3 ? p[2] : 0.0});
}

void ContactProblem::prepare(ConstraintSystem& constraints) {
  problem_.dimension = dimension_;
  every_.resize(count());
  std::iota(every_.begin(), every_.end(), 0);
  problem_.mu.resize(count());
  for (int i = 0; i < count(); ++i) problem_.mu[i] = contacts_[i].friction;
  frictionless_ = count() == 0 || problem_.mu.maxCoeff() == 0;
  dense_ = constraints.rows() > 0;
  if (dense_) return fill_dense(constraints);

  // G = H L⁻ᵀ: the same blocks, their columns weighted.
  BlockCsr& g = gram_factor(problem_.W);
  g = h_;
  for (int i = 0; i < g.block_rows(); ++i)
    for (int n = g.row_ptr[i]; n < g.row_ptr[i + 1]; ++n) {
      const double* weight = weight_.data() + 10 * g.col[n];
      Eigen::Map<MatrixXd> block(g.value.data() + g.value_start[n], dimension_, width_);
      const Eigen::Map<const Mat3> angular(weight + 1);
      if (dimension_ == 2) {
        block.leftCols<2>() *= weight[0];
        block.col(2) *= angular(0, 0);
      } else {
        block.leftCols<3>() *= weight[0];
        Eigen::Map<Mat3> turning(block.data() + 9);
        turning = (turning * angular).eval();
      }
    }
}

void ContactProblem::fill_dense(ConstraintSystem& constraints) {
  // Column after column: the velocities that a unit impulse causes, joints and motions in force.
  const int rows = h_.rows();
  MatrixXd& w = dense_matrix(problem_.W);
  w.resize(rows, rows);
  zero_.setZero(constraints.rows());
  lambda_.resize(constraints.rows());
  row_.resize(mechanism_.u_size());
  x_.resize(mechanism_.u_size());
  z_.setZero(rows);
  for (int r = 0; r < rows; ++r) {
    z_[r] = 1;
    row_.setZero();
    multiply_transposed_add(h_, z_.data(), row_.data());
    constraints.solve(row_.data(), zero_.data(), x_.data(), lambda_.data());
    w.col(r).setZero();
    multiply_add(h_, x_.data(), w.col(r).data());
    z_[r] = 0;
  }
  w = (0.5 * (w + w.transpose())).eval();
}

void ContactProblem::respond(const VectorXd& P, VectorXd& gamma) {
  zero_.setZero(P.size());
  lcp::multiply(problem_.W, P, zero_, gamma, inner_);
}

lcp::Result ContactProblem::solve(const VectorXd& b, double unit, VectorXd& P) {
  problem_.b = b;
  problem_.unit = unit;
  const unsigned claims = lcp::SolverRegistry::instance().find(options_.solver)->claims;
  if (!(claims & lcp::cone) && frictionless_) return solve_normals(every_, b, unit, *solver_, P);
  if (!(claims & lcp::cone) || options_.facets > 0) return solve_linear(P);
  lcp::Result result = solver_->solve(problem_, P);
  // In the plane friction is a linear problem, which pivoting solves where iteration has failed.
  if (result.status != lcp::Status::converged && options_.solver == "auto" && dimension_ == 2 &&
      h_.rows() < 300) {
    VectorXd other = P;
    const lcp::Result exact = solve_linear(other);
    if (exact.status == lcp::Status::converged) P = other, result = exact;
  }
  return result;
}

lcp::Result ContactProblem::solve_linear(VectorXd& P) {
  const lcp::FrictionLayout layout = lcp::friction_mlcp(problem_, options_.facets, linear_);
  const bool claimed = lcp::SolverRegistry::instance().find(options_.solver)->claims & lcp::lcp_copositive;
  VectorXd z;
  const lcp::Result result = (claimed ? *solver_ : *fallback_).solve(linear_, z);
  lcp::friction_impulses(problem_, layout, z, P);
  return result;
}

lcp::Result ContactProblem::solve_normals(const std::vector<int>& chosen, const VectorXd& b, double unit, lcp::Solver& solver,
                                          VectorXd& P) {
  // The first row of each contact.
  const int n = static_cast<int>(chosen.size());
  z_.resize(n);
  normals_.q.resize(n);
  normals_.unit = unit;
  for (int i = 0; i < n; ++i) normals_.q[i] = b[dimension_ * chosen[i]], z_[i] = P[dimension_ * chosen[i]];
  if (dense_) {
    const MatrixXd& w = std::get<MatrixXd>(problem_.W);
    MatrixXd& m = dense_matrix(normals_.M);
    m.resize(n, n);
    for (int j = 0; j < n; ++j)
      for (int i = 0; i < n; ++i) m(i, j) = w(dimension_ * chosen[i], dimension_ * chosen[j]);
  } else {
    const BlockCsr& g = std::get<lcp::Gram>(problem_.W).factor;
    BlockCsr& m = gram_factor(normals_.M);
    m.clear();
    for (int b_ = 0; b_ < g.block_cols(); ++b_) m.add_columns(width_);
    for (int i : chosen) {
      m.add_row(1);
      for (int k = g.row_ptr[i]; k < g.row_ptr[i + 1]; ++k) m.add_block(g.col[k]) = g.block(i, k).row(0);
    }
  }
  const lcp::Result result = solver.solve(normals_, z_);
  P.setZero(h_.rows());
  for (int i = 0; i < n; ++i) P[dimension_ * chosen[i]] = z_[i];
  return result;
}

void ContactProblem::open_gaps(const std::vector<int>& chosen, const VectorXd& gap, double small, VectorXd& P) {
  VectorXd b = VectorXd::Zero(h_.rows());
  for (int i : chosen) b[dimension_ * i] = gap[i];
  P.setZero(h_.rows());
  solve_normals(chosen, b, small, opens_roughly() ? *sweeping_opener_ : *opener_, P);
}

}  // namespace tappet
