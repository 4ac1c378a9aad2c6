#include "tappet/stepping/contact_problem.hpp"

#include <algorithm>
#include <cassert>
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
  claims_ = lcp::SolverRegistry::instance().find(options.solver)->claims;
  fallback_ = lcp::make_solver(std::string("lemke"), settings);
  settings.tolerance = 1;  // of the gap that counts as nothing
  settings.warm_start = false;
  opener_ = lcp::make_solver(std::string("auto"), settings);
  // Many contacts of free bodies: some cheap sweeps; what they leave is left to the next step.
  settings.max_iterations = 20;
  sweeping_opener_ = lcp::make_solver(std::string("pgs"), settings);

  for (const Constraint* c : mechanism.constraints) dense_ = dense_ || c->rows > 0;

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
  double* row = h_.add_block(body).data();
  for (int r = 0; r < dimension_; ++r, row += width_) {
    const Vec3 axis = sign * (r == 0 ? touch.normal : r == 1 ? tangents.t1 : tangents.t2);
    if (dimension_ == 2) {
      row[0] = axis.x(), row[1] = axis.y();
      row[2] = cross(Vec2(touch.at.head<2>() - k.planar[body].r), axis.head<2>());
    } else {
      const SpatialFrame& f = k.spatial[body];
      const Vec3 arm = touch.at - f.r;
      Eigen::Map<Vec3>{row} = axis;
      Eigen::Map<Vec3>{row + 3} = f.R.transpose() * arm.cross(axis);
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

Vec3 ContactProblem::impulse(int i, const VectorXd& P) const {
  return P[dimension_ * i] * contacts_[i].touch.normal + tangential(i, P);
}

void ContactProblem::set_impulse(int i, const Vec3& impulse, double* P) const {
  const Tangential friction = contacts_[i].tangents.components(impulse);
  P[0] = std::max(0.0, impulse.dot(contacts_[i].touch.normal));
  for (int k = 1; k < dimension_; ++k) P[k] = friction[k - 1];
}

void ContactProblem::prepare(ConstraintSystem& constraints) {
  problem_.dimension = dimension_;
  every_.resize(count());
  std::iota(every_.begin(), every_.end(), 0);
  problem_.mu.resize(count());
  for (int i = 0; i < count(); ++i) problem_.mu[i] = contacts_[i].friction;
  frictionless_ = count() == 0 || problem_.mu.maxCoeff() == 0;
  assert(dense_ == constraints.rows() > 0);
  if (dense_) return fill_dense(constraints);

  // G = H L⁻ᵀ: the same blocks, their columns weighted.
  BlockCsr& g = gram_factor(problem_.W);
  g = h_;
  double* row = g.value.data();
  for (const int body : g.col) {
    const double linear = weight_[10 * body];
    const Mat3 angular = Eigen::Map<const Mat3>(weight_.data() + 10 * body + 1).transpose();
    for (int r = 0; r < dimension_; ++r, row += width_) {
      if (dimension_ == 2) {
        row[0] *= linear, row[1] *= linear, row[2] *= angular(0, 0);
        continue;
      }
      const Vec3 turning(row[3], row[4], row[5]);
      Eigen::Map<Vec3>{row} *= linear;
      Eigen::Map<Vec3>{row + 3} = angular * turning;
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
  if (!(claims_ & lcp::cone) || options_.facets > 0) {
    const bool without = !(claims_ & lcp::cone) && frictionless_;
    const lcp::Result result = without ? solve_normals(every_, b, unit, *solver_, P) : solve_linear(P);
    respond(P, response_);
    return result;
  }
  lcp::Result result = solver_->solve(problem_, P);
  response_ = solver_->velocity() - b;
  // In the plane friction is a linear problem, which pivoting solves where iteration has failed.
  if (result.status != lcp::Status::converged && options_.solver == "auto" && dimension_ == 2 &&
      h_.rows() < 300) {
    VectorXd other = P;
    const lcp::Result exact = solve_linear(other);
    if (exact.status == lcp::Status::converged) {
      P = other, result = exact;
      respond(P, response_);
    }
  }
  return result;
}

lcp::Result ContactProblem::solve_linear(VectorXd& P) {
  const lcp::FrictionLayout layout = lcp::friction_mlcp(problem_, options_.facets, linear_);
  VectorXd z;
  const lcp::Result result = (claims_ & lcp::lcp_copositive ? *solver_ : *fallback_).solve(linear_, z);
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
  lcp::Solver& solver = opens_roughly() ? *sweeping_opener_ : *opener_;
  solve_normals(chosen, b, small, solver, P);
  lift_ = solver.velocity() - normals_.q;
}

}  // namespace tappet
