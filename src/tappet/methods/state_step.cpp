#include "tappet/methods/state_step.hpp"

#include <algorithm>
#include <cmath>

#include <Eigen/LU>
#include <fmt/format.h>

#include "tappet/base/diagnostics.hpp"

namespace tappet {

void StateStep::advance(const Model& model, const Method& method, State& state, Workspace& w, double from,
                        double h, const std::vector<double>& before, double theta) const {
  const Mechanism& m = model.mechanism;
  const int nq = m.q_size(), nu = m.u_size(), n = static_cast<int>(m.states.size());
  // Forces of the step, at frames in its middle.
  method.evaluate(model, state, w, state.t, state.y.data(), true);
  DynamicsWorkspace& instant = w.system.workspace();
  std::vector<double> q(before.begin(), before.begin() + nq), u(nu), move(nu), z(m.aux_size),
      rates(m.aux_size);
  const double *u_A = before.data() + nq, *u_E = state.y.data() + nq;
  for (int i = 0; i < nu; ++i) move[i] = (1 - theta) * h * u_A[i], u[i] = 0.5 * (u_A[i] + u_E[i]);
  displace(m, q.data(), move.data());
  const double *z_A = before.data() + nq + nu, *z_E = state.y.data() + nq + nu;
  for (int i = 0; i < m.aux_size; ++i) z[i] = 0.5 * (z_A[i] + z_E[i]);
  const double middle = from + (1 - theta) * h;

  const auto f = [&](const Eigen::VectorXd& mean) {
    for (int i = 0; i < n; ++i) z[m.states[i].offset] = mean[i];
    update_kinematics(instant.k, middle, q.data(), u.data(), z.data());
    m.feed->state_rates(instant, q.data(), rates.data());
    Eigen::VectorXd out(n);
    for (int i = 0; i < n; ++i) out[i] = rates[m.states[i].offset];
    return out;
  };
  Eigen::VectorXd begin(n), scale(n);
  for (int i = 0; i < n; ++i) {
    begin[i] = z_A[m.states[i].offset];
    scale[i] = std::max(m.states[i].scale, std::abs(begin[i]));
  }
  constexpr int most = 30;
  constexpr double small = 1e-13, apart = 1e-7;
  Eigen::VectorXd end = begin;
  Eigen::MatrixXd J(n, n);
  bool found = false;
  for (int k = 0; k < most && !found; ++k) {
    const Eigen::VectorXd mean = 0.5 * (begin + end), here = f(mean), open = end - begin - h * here;
    for (int i = 0; i < n; ++i) {
      Eigen::VectorXd other = mean;
      const double step = apart * scale[i];
      other[i] += step;
      J.col(i) = -0.5 * h * (f(other) - here) / step;
      J(i, i) += 1;
    }
    const Eigen::VectorXd change = J.partialPivLu().solve(open);
    end -= change;
    found = (change.array().abs() <= small * scale.array().max(end.array().abs())).all();
    if (!change.allFinite()) break;
  }
  if (!found)
    throw SimulationError(from,
                          fmt::format("the states cannot be stepped over {:.3g} s: their rates change too "
                                      "much within the step; a shorter `simulation.step` does",
                                      h));
  for (int i = 0; i < n; ++i) state.y[nq + nu + m.states[i].offset] = end[i];
}

}  // namespace tappet
