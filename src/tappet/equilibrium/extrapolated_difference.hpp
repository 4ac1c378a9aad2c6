// Derivatives of a vector function at 0 by central differences of shrinking steps, extrapolated to step 0, with an estimate
// of their error [Ridders1982].
//
//   D(h) = (f(h) − f(−h))/2h = f′ + c₂ h² + c₄ h⁴ + …,    D_k(h) = (4ᵏ D_{k−1}(h) − D_{k−1}(2h))/(4ᵏ − 1)
//
// Components are taken from where each is known best. A kink shows as an error that does not shrink.
#pragma once

#include <algorithm>
#include <cmath>
#include <vector>

#include <Eigen/Core>

namespace tappet {

struct ExtrapolatedDifference {
  Eigen::VectorXd value, error;  ///< error: estimates
};

/// `f(x)` gives a vector of the same size for every x in [−step, step].
template <class Function>
ExtrapolatedDifference extrapolated_difference(Function&& f, double step, int most_halvings = 14) {
  constexpr double exact = 3e-14;     // of the largest component: as good as rounding lets it be
  constexpr double much_worse = 100;  // than the best so far: rounding has taken over
  ExtrapolatedDifference out;
  std::vector<Eigen::VectorXd> before, now;
  double least = HUGE_VAL;
  for (int n = 0; n <= most_halvings; ++n, step /= 2) {
    const Eigen::VectorXd ahead = f(step), behind = f(-step);
    now = {(ahead - behind) / (2 * step)};
    if (n == 0) {
      out.value = now[0];
      out.error = Eigen::VectorXd::Constant(now[0].size(), HUGE_VAL);
      // What rounding alone leaves of a function that does not change.
      for (Eigen::Index i = 0; i < out.error.size(); ++i)
        if (ahead[i] == behind[i]) out.error[i] = 0;
      before = now;
      continue;
    }
    double weight = 1;
    for (int k = 1; k <= n; ++k) {
      weight *= 4;
      now.push_back((weight * now[k - 1] - before[k - 1]) / (weight - 1));
      for (Eigen::Index i = 0; i < out.value.size(); ++i) {
        const double error =
            std::max(std::abs(now[k][i] - now[k - 1][i]), std::abs(now[k][i] - before[k - 1][i]));
        if (error < out.error[i]) out.error[i] = error, out.value[i] = now[k][i];
      }
    }
    const double largest = out.value.size() > 0 ? out.value.cwiseAbs().maxCoeff() : 0,
                 worst = out.error.size() > 0 ? out.error.maxCoeff() : 0;
    if (worst <= exact * largest || worst == 0) break;
    const double step_error = n > 1 ? (now[n] - before[n - 1]).cwiseAbs().maxCoeff() : HUGE_VAL;
    if (n > 3 && step_error > much_worse * least) break;
    least = std::min(least, worst);
    before = now;
  }
  return out;
}

}  // namespace tappet
