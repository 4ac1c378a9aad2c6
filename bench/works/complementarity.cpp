#include <memory>

#include "tappet/lcp/solver.hpp"
#include "unit/lcp/stored_problems.hpp"
#include "work.hpp"

namespace tappet::bench {

namespace {

/// From no guess, with a new solver each time, as the first step of a run does it.
template <class Problem>
Work solution(const std::string& solver, const std::string& name, const Problem& problem) {
  const auto shared = std::make_shared<Problem>(problem);
  return {"solver " + solver + " " + name, [solver, shared] {
            Eigen::VectorXd z;
            const lcp::Result result = lcp::make_solver(solver, lcp::SolverOptions{})->solve(*shared, z);
            return result.residual + z.sum();
          }};
}

}  // namespace

std::vector<Work> complementarity_works() {
  using namespace lcp::stored;
  std::vector<Work> out;
  const lcp::Lcp stack = frictionless(box_stack(10, 0.5, 1)), random = random_psd(40, 40, 3);
  const lcp::ConeProblem wall = dense_form(box_wall(3, 3, 0.5)), pile = gram_form(sphere_lattice(20, 0.3, 7));
  for (const lcp::SolverType& type : lcp::SolverRegistry::instance().entries()) {
    const auto claims = [&](unsigned kinds) { return (type.claims & kinds) == kinds; };
    if (claims(lcp::lcp_symmetric_psd)) {
      out.push_back(solution(type.name, "on a stack of 10 boxes", stack));
      out.push_back(solution(type.name, "on 40 random rows", random));
    }
    if (claims(lcp::cone)) {
      out.push_back(solution(type.name, "on a wall of 9 boxes with friction", wall));
      out.push_back(solution(type.name, "on 20 spheres with friction", pile));
    }
  }
  return out;
}

}  // namespace tappet::bench
