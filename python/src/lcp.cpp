// Complementarity problems by themselves: the solvers that a run uses, on arrays.

#include <pybind11/eigen.h>
#include <pybind11/stl.h>

#include <fmt/format.h>

#include "bindings.hpp"
#include "tappet/lcp/solver.hpp"

namespace tappet::python {

namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;

py::list lcp_solvers() {
  py::list out;
  for (const lcp::SolverType& type : lcp::SolverRegistry::instance().entries()) {
    py::dict one;
    one["name"] = type.name, one["help"] = type.help, one["citation"] = type.citation;
    one["lcp"] = (type.claims & lcp::lcp_symmetric_psd) != 0;
    one["contacts"] = (type.claims & lcp::cone) != 0;
    out.append(one);
  }
  return out;
}

std::unique_ptr<lcp::Solver> solver_for(const std::string& name, unsigned kind, const char* what,
                                        double tolerance, int max_iterations) {
  lcp::SolverOptions options;
  options.tolerance = tolerance;
  options.max_iterations = max_iterations;
  std::unique_ptr<lcp::Solver> out = lcp::make_solver(name, options);  // std::invalid_argument: ValueError
  if (!(lcp::SolverRegistry::instance().find(name)->claims & kind))
    throw py::value_error(fmt::format("solver '{}' does not solve {}", name, what));
  return out;
}

const char* name_of(lcp::Status status) {
  return status == lcp::Status::converged    ? "converged"
         : status == lcp::Status::infeasible ? "infeasible"
                                             : "stalled";
}

template <class Problem>
py::dict solved(lcp::Solver& solver, const Problem& problem, VectorXd z) {
  lcp::Result result;
  {
    const py::gil_scoped_release free;
    result = solver.solve(problem, z);
  }
  py::dict out;
  out["z"] = z, out["w"] = solver.velocity(), out["status"] = name_of(result.status);
  out["residual"] = result.residual, out["iterations"] = result.iterations;
  out["note"] = std::string(result.note.text()), out["ray"] = result.ray;
  return out;
}

py::dict solve_lcp(MatrixXd M, VectorXd q, int equalities, const std::string& name, double tolerance,
                   int max_iterations, const VectorXd& guess, double unit) {
  const auto solver =
      solver_for(name, equalities > 0 ? lcp::mixed : lcp::lcp_symmetric_psd,
                 equalities > 0 ? "problems with equality rows" : "linear complementarity problems",
                 tolerance, max_iterations);
  const lcp::Mlcp problem{equalities, std::move(M), std::move(q), unit};
  return solved(*solver, lcp::MlcpView(problem), guess);
}

py::dict solve_contacts(MatrixXd W, VectorXd b, VectorXd mu, int dimension, int equalities,
                        const std::string& name, double tolerance, int max_iterations, const VectorXd& guess,
                        double unit) {
  const auto solver = solver_for(name, lcp::cone, "problems with friction cones", tolerance, max_iterations);
  lcp::ConeProblem problem;
  problem.dimension = dimension;
  problem.equalities = equalities;
  problem.W = std::move(W);
  problem.b = std::move(b);
  problem.mu = std::move(mu);
  problem.unit = unit;
  return solved(*solver, problem, guess);
}

}  // namespace

void bind_lcp(py::module_& module) {
  module.def("lcp_solvers", &lcp_solvers);
  module.def("solve_lcp", &solve_lcp);
  module.def("solve_contacts", &solve_contacts);
}

}  // namespace tappet::python
