#include "tappet/lcp/solver.hpp"

#include <algorithm>
#include <limits>
#include <stdexcept>
#include <string_view>

#include <fmt/format.h>

#include "tappet/lcp/matrix.hpp"

namespace tappet::lcp {

using Eigen::MatrixXd;
using Eigen::VectorXd;

bool Solver::takes(const Matrix& m, int equalities, bool is_cone) const {
  if (std::holds_alternative<MatrixXd>(m)) return equalities == 0;
  return form_ == Form::any || (form_ == Form::dense_or_gram && is_cone && std::holds_alternative<Gram>(m));
}

template <class Problem, class Reduce, class Run>
Result Solver::judged(const Problem& problem, const Matrix& m, bool is_cone, VectorXd& z, Reduce&& reduce,
                      Run&& run) {
  if (z.size() != problem.size() || !options_.warm_start || !z.allFinite()) z.setZero(problem.size());
  prepare(problem, whole_);
  Result result;

  // The method works on the problem itself, or on what is left of it when a Schur complement has taken the
  // equalities out. Either way an unknown is measured by what it does in the problem as given.
  measure_.unit = whole_.unit;
  multiplied_ = false;
  const bool direct = takes(m, problem.equalities, is_cone);
  if (!direct) {
    measure_.scale = whole_.scale.tail(problem.size() - problem.equalities);
    reduced_z_ = z.tail(problem.size() - problem.equalities);
    reduce();
    run(true, reduced_z_, result);
    elimination_.expand(reduced_z_, z);
    if (result.ray.size() > 0) result.ray = elimination_.expand_ray(m, result.ray);
  } else {
    measure_.scale = whole_.scale;
    run(false, z, result);
  }

  // Neither a solution nor a proof is taken on trust.
  if (direct && multiplied_) {
    whole_.w.swap(measure_.w);
    result.residual = residual_of_w(problem, z, whole_);
  } else {
    result.residual = residual(problem, z, whole_);
  }
  const bool converged = result.residual <= options_.tolerance;
  if (result.ray.size() > 0 && (converged || !proves_infeasible(problem, result.ray))) result.ray.resize(0);
  result.status = converged               ? Status::converged
                  : result.ray.size() > 0 ? Status::infeasible
                                          : Status::stalled;
  return result;
}

Result Solver::solve(const MlcpView& problem, VectorXd& z) {
  const auto reduce = [&] {
    if (!std::holds_alternative<MatrixXd>(reduced_lcp_.M)) reduced_lcp_.M = MatrixXd();
    elimination_.reduce(problem.M, problem.q, problem.equalities, std::get<MatrixXd>(reduced_lcp_.M),
                        reduced_lcp_.q);
    reduced_lcp_.unit = whole_.unit;
  };
  return judged(problem, problem.M, false, z, reduce, [&](bool reduced, VectorXd& x, Result& result) {
    run_lcp(reduced ? MlcpView(reduced_lcp_) : problem, x, result);
  });
}

// Methods and the residual itself read one half of W where that is cheaper: of another matrix they would solve another
// problem, and say that they converged.
Result Solver::refused(const ConeProblem& problem, VectorXd& r) {
  r.setZero(problem.size());
  whole_.w = problem.b;
  Result result;
  result.residual = std::numeric_limits<double>::infinity();
  constexpr std::string_view why = "W is not symmetric, as a matrix of contacts is: not solved";
  std::copy(why.begin(), why.end(), result.note.room().begin());
  result.note.extend(why.size());
  return result;
}

Result Solver::solve(const ConeProblem& problem, VectorXd& r) {
  if (options_.check && !is_symmetric(problem.W, given_asymmetry)) return refused(problem, r);
  const auto reduce = [&] {
    if (!std::holds_alternative<MatrixXd>(reduced_cone_.W)) reduced_cone_.W = MatrixXd();
    elimination_.reduce(problem.W, problem.b, problem.equalities, std::get<MatrixXd>(reduced_cone_.W),
                        reduced_cone_.b);
    reduced_cone_.dimension = problem.dimension;
    reduced_cone_.mu = problem.mu;
    reduced_cone_.order = problem.order;
    reduced_cone_.unit = whole_.unit;
  };
  return judged(problem, problem.W, true, r, reduce, [&](bool reduced, VectorXd& x, Result& result) {
    run_cone(reduced ? reduced_cone_ : problem, x, result);
  });
}

void Solver::run_lcp(const MlcpView&, Eigen::VectorXd&, Result&) {
  throw std::logic_error("this solver does not solve linear complementarity problems");
}

void Solver::run_cone(const ConeProblem&, Eigen::VectorXd&, Result&) {
  throw std::logic_error("this solver does not solve cone problems");
}

std::unique_ptr<Solver> make_solver(const std::string& name, const SolverOptions& options) {
  const SolverRegistry& registry = SolverRegistry::instance();
  if (const SolverType* type = registry.find(name)) return type->make(options);
  std::string names;
  for (const std::string& known : registry.names()) names += (names.empty() ? "" : ", ") + known;
  throw std::invalid_argument(fmt::format("unknown complementarity solver '{}'; there are: {}", name, names));
}

}  // namespace tappet::lcp
