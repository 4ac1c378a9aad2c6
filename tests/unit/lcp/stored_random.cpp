#include <cmath>

#include "unit/lcp/stored_problems.hpp"

namespace tappet::lcp::stored {

double Random::uniform(double low, double high) {
  std::uint64_t z = (state_ += 0x9e3779b97f4a7c15u);
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
  z ^= z >> 31;
  return low + (high - low) * (static_cast<double>(z >> 11) * 0x1p-53);
}

double Random::normal() {
  const double radius = std::sqrt(-2 * std::log(1 - uniform(0, 1)));
  return radius * std::cos(2 * M_PI * uniform(0, 1));
}

Eigen::VectorXd Random::vector(int n) {
  Eigen::VectorXd out(n);
  for (double& x : out) x = normal();
  return out;
}

Eigen::MatrixXd Random::matrix(int rows, int cols) {
  Eigen::MatrixXd out(rows, cols);
  for (int j = 0; j < cols; ++j) out.col(j) = vector(rows);
  return out;
}

}  // namespace tappet::lcp::stored
