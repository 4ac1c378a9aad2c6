#include "tappet/nonsmooth/couples.hpp"

#include <algorithm>
#include <cmath>

namespace tappet {

lcp::Result solve_with_couples(ContactSolver& solver, const std::vector<CoupleBlock>& couples,
                               const Eigen::VectorXd* given, lcp::ConeProblem& problem, Eigen::VectorXd& P) {
  constexpr int most = 50;
  const auto solve = [&] {
    return given ? solver.solve_above(problem, *given, P) : solver.solve(problem, P);
  };
  if (couples.empty()) return solve();
  lcp::Result result;
  int iterations = 0;
  for (int n = 0; n < most; ++n) {
    for (const CoupleBlock& couple : couples) {
      const double bound = std::max(0.0, P[problem.row(couple.of)]);
      problem.b[problem.row(couple.block)] = -couple.own * bound;
      P[problem.row(couple.block)] = bound;
    }
    result = solve();
    iterations += result.iterations;
    // How far the normal impulses are from those that bounded the couples, as a velocity.
    double off = 0;
    for (const CoupleBlock& couple : couples)
      off = std::max(off,
                     std::abs(couple.own * P[problem.row(couple.of)] + problem.b[problem.row(couple.block)]));
    const double unit = problem.unit > 0 ? problem.unit : problem.b.lpNorm<Eigen::Infinity>();
    if (unit > 0) off /= unit;
    if (result.status == lcp::Status::infeasible || off <= solver.tolerance()) break;
    if (n + 1 < most) continue;
    result.status = lcp::Status::stalled;
    result.residual = std::max(result.residual, off);
  }
  result.iterations = iterations;
  return result;
}

}  // namespace tappet
