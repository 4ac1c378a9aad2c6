#include "tappet/lcp/scale_back.hpp"

#include <algorithm>
#include <cmath>

namespace tappet::lcp {

using Eigen::MatrixXd;
using Eigen::VectorXd;

double contact_work(const VectorXd& P, const VectorXd& before, const VectorXd& after, double theta) {
  return (1 - theta) * P.dot(before) + theta * P.dot(after);
}

double work_scale(const VectorXd& P, const VectorXd& before, const VectorXd& after) {
  return P.cwiseAbs().dot(before.cwiseAbs() + after.cwiseAbs());
}

double scale_back(const VectorXd& P0, const VectorXd& after0, const VectorXd& P1, const VectorXd& after1,
                  const VectorXd& before, double theta) {
  const double first = contact_work(P0, before, after0, theta),
               last = contact_work(P1, before, after1, theta);
  if (first <= 0 && last <= 0) return 1;
  if (first > 0 && last > 0) return 0;
  const double a = theta * (P1 - P0).dot(after1 - after0), b = last - first - a;
  // The zero between the ends: of A₀ + b s + a s² that with the sign of −A₀ before the root. Written so that nothing cancels.
  const double root = std::sqrt(std::max(0.0, b * b - 4 * a * first));
  double s = 0;
  if (first <= 0)
    s = b > 0 ? -2 * first / (b + root) : (root - b) / (2 * a);
  else
    s = b < 0 ? 2 * first / (root - b) : -(b + root) / (2 * a);
  return std::isfinite(s) ? std::clamp(s, 0.0, 1.0) : (first <= 0 ? 0 : 1);
}

double scale_back(const MatrixXd& G, const VectorXd& P0, const VectorXd& P1, const VectorXd& before,
                  const VectorXd& free, double theta) {
  return scale_back(P0, free + G * P0, P1, free + G * P1, before, theta);
}

}  // namespace tappet::lcp
