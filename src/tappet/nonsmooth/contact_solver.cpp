#include "tappet/nonsmooth/contact_solver.hpp"

#include <numeric>

#include "tappet/lcp/matrix.hpp"

namespace tappet {

using Eigen::MatrixXd;
using Eigen::VectorXd;

void normals_of(const lcp::ConeProblem& problem, const std::vector<int>& contacts, lcp::Lcp& out) {
  const int n = static_cast<int>(contacts.size());
  out.unit = problem.unit;
  out.q.resize(n);
  for (int i = 0; i < n; ++i) out.q[i] = problem.b[problem.row(contacts[i])];
  if (const auto* w = std::get_if<MatrixXd>(&problem.W)) {
    if (!std::holds_alternative<MatrixXd>(out.M)) out.M = MatrixXd();
    auto& m = std::get<MatrixXd>(out.M);
    m.resize(n, n);
    for (int j = 0; j < n; ++j)
      for (int i = 0; i < n; ++i) m(i, j) = (*w)(problem.row(contacts[i]), problem.row(contacts[j]));
    return;
  }
  const BlockCsr& g = std::get<lcp::Gram>(problem.W).factor;
  if (!std::holds_alternative<lcp::Gram>(out.M)) out.M = lcp::Gram{};
  BlockCsr& m = std::get<lcp::Gram>(out.M).factor;
  m.clear();
  for (int j = 0; j < g.block_cols(); ++j) m.add_columns(g.col_size(j));
  for (int i : contacts) {
    m.add_row(1);
    for (int k = g.row_ptr[i]; k < g.row_ptr[i + 1]; ++k) m.add_block(g.col[k]) = g.block(i, k).row(0);
  }
}

ContactSolver::ContactSolver(const ContactSolverOptions& options) : options_(options) {
  lcp::SolverOptions settings;
  settings.check = false;  // W = H M⁻¹ Hᵀ is symmetric as it is made
  settings.tolerance = options.tolerance;
  solver_ = lcp::make_solver(options.solver, settings);
  claims_ = lcp::SolverRegistry::instance().find(options.solver)->claims;
  fallback_ = lcp::make_solver(std::string("lemke"), settings);
  if (options.rescue) rescue_ = lcp::make_solver(std::string("auto"), settings);
}

lcp::Result ContactSolver::solve(const lcp::ConeProblem& problem, VectorXd& P) {
  const bool cones = claims_ & lcp::cone, dense = std::holds_alternative<MatrixXd>(problem.W);
  const bool frictionless = problem.mu.size() == 0 || problem.mu.maxCoeff() == 0;
  if (frictionless && (!cones || (dense && (claims_ & lcp::lcp_symmetric_psd))))
    return solve_normals(problem, P);
  if (!cones || options_.facets > 0) {
    lcp::Result result = solve_linear(problem, P);
    if (rescue_ && result.status != lcp::Status::converged) {
      P.setZero();
      result = rescue_->solve(problem, P);
    }
    respond(problem, P);
    return result;
  }
  lcp::Result result = solver_->solve(problem, P);
  response_ = solver_->velocity() - problem.b;
  // In the plane friction is a linear problem, which pivoting solves where iteration has failed.
  constexpr int affordable = 300;
  if (result.status != lcp::Status::converged && options_.solver == "auto" && problem.dimension == 2 &&
      problem.size() < affordable) {
    VectorXd other = P;
    const lcp::Result exact = solve_linear(problem, other);
    if (exact.status == lcp::Status::converged) {
      P = other, result = exact;
      respond(problem, P);
    }
  }
  return result;
}

lcp::Result ContactSolver::solve_above(const lcp::ConeProblem& problem, const VectorXd& given, VectorXd& P) {
  given_.build(problem, given);
  VectorXd parts;
  given_.split(given, P, parts);
  const lcp::Result result = solve(given_.problem, parts);
  given_.join(parts, P);
  respond(problem, P);
  return result;
}

lcp::Result ContactSolver::solve_normals(const lcp::ConeProblem& problem, VectorXd& P) {
  const int n = problem.contacts();
  every_.resize(n);
  std::iota(every_.begin(), every_.end(), 0);
  normals_of(problem, every_, normals_);
  z_.resize(n);
  for (int i = 0; i < n; ++i) z_[i] = P[problem.row(i)];
  const lcp::Result result = solver_->solve(normals_, z_);
  P.setZero(problem.size());
  for (int i = 0; i < n; ++i) P[problem.row(i)] = z_[i];
  respond(problem, P);
  return result;
}

lcp::Result ContactSolver::solve_linear(const lcp::ConeProblem& problem, VectorXd& P) {
  const lcp::FrictionLayout layout = lcp::friction_mlcp(problem, options_.facets, linear_);
  z_.resize(0);
  const lcp::Result result = (claims_ & lcp::lcp_copositive ? *solver_ : *fallback_).solve(linear_, z_);
  lcp::friction_impulses(problem, layout, z_, P);
  return result;
}

void ContactSolver::respond(const lcp::ConeProblem& problem, const VectorXd& P) {
  zero_.setZero(P.size());
  lcp::multiply(problem.W, P, zero_, response_, inner_);
}

}  // namespace tappet
