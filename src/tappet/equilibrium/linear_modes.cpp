#include "tappet/equilibrium/linear_modes.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include <Eigen/Eigenvalues>

#include "tappet/equilibrium/dense_matrices.hpp"

namespace tappet {

using Eigen::MatrixXcd;
using Eigen::MatrixXd;
using Eigen::VectorXcd;
using Eigen::VectorXd;
using Complex = std::complex<double>;

namespace {

// Blocks that are smaller than this part of the others, in the same units, are rounding.
constexpr double rounding = 1e-10;

/// Eigenvalues of either sign of the imaginary part, and displacements y of each.
struct Pairs {
  std::vector<Complex> values;
  std::vector<VectorXcd> y;
  double largest = 0;  ///< of the eigenvalues' sizes
};

// ÿ = −K y, K symmetric: s² = −κ.
Pairs of_symmetric(const MatrixXd& K) {
  const Eigen::SelfAdjointEigenSolver<MatrixXd> solver(0.5 * (K + K.transpose()));
  Pairs out;
  const VectorXd& kappa = solver.eigenvalues();
  const double size = kappa.cwiseAbs().maxCoeff();
  out.largest = std::sqrt(size);
  for (int i = 0; i < kappa.size(); ++i) {
    const VectorXcd y = solver.eigenvectors().col(i).cast<Complex>();
    const double root = std::sqrt(std::abs(kappa[i]));
    if (std::abs(kappa[i]) <= rounding * size) {
      out.values.emplace_back(0), out.y.push_back(y);
    } else if (kappa[i] > 0) {
      out.values.emplace_back(0, root), out.y.push_back(y);
    } else {
      for (const double s : {root, -root}) out.values.emplace_back(s), out.y.push_back(y);
    }
  }
  return out;
}

// Velocities are divided by a frequency first, so that all numbers are of one size.
Pairs of_general(const LinearSystem& system) {
  const int n = system.coordinates;
  const double scale = std::sqrt(system.A.block(n, 0, n, n).norm() + 1e-300);
  VectorXd weight = VectorXd::Ones(system.A.rows());
  weight.segment(n, n).setConstant(1 / std::max(scale, system.A.block(n, n, n, n).norm()));
  const MatrixXd A = weight.asDiagonal() * system.A * weight.cwiseInverse().asDiagonal();
  const Eigen::EigenSolver<MatrixXd> solver(A);
  const VectorXcd values = solver.eigenvalues();
  const MatrixXcd vectors = solver.eigenvectors();
  Pairs out;
  out.largest = values.cwiseAbs().maxCoeff();
  for (int i = 0; i < values.size(); ++i) {
    if (values[i].imag() < 0) continue;
    out.values.push_back(values[i]);
    VectorXcd y = vectors.col(i).head(n);
    // A motion that displaces next to nothing of what it moves: its velocities.
    const VectorXcd w = vectors.col(i).segment(n, n);
    if (y.norm() < 1e-9 * w.norm()) y = w;
    out.y.push_back(y);
  }
  return out;
}

}  // namespace

LinearModes find_modes(const Mechanism& m, const LinearSystem& system) {
  LinearModes out;
  const int n = system.coordinates;
  if (system.A.rows() == 0) return out;
  const MatrixXd K = -system.A.block(n, 0, n, n), C = -system.A.block(n, n, n, n);
  const double stiff = K.norm(), frequency = std::sqrt(stiff);
  const bool conservative =
      system.auxiliaries == 0 && C.norm() <= rounding * frequency &&
      system.A.topLeftCorner(n, n).norm() <= rounding * frequency &&
      (K - K.transpose()).norm() <= std::max(rounding, 10 * system.derivative_error) * stiff;
  const Pairs pairs = conservative ? of_symmetric(K) : of_general(system);

  const int width = velocity_size(m.dimension);
  const VectorXd reach = reach_of_coordinates(m);
  const double zero = zero_eigenvalue * pairs.largest;
  double growth = -HUGE_VAL;
  for (std::size_t i = 0; i < pairs.values.size(); ++i) {
    LinearMode mode;
    mode.eigenvalue = pairs.values[i];
    const double size = std::abs(mode.eigenvalue);
    if (size <= zero) {
      ++out.free;
      mode.eigenvalue = 0;
    } else {
      mode.frequency = size / (2 * std::numbers::pi);
      mode.damped_frequency = mode.eigenvalue.imag() / (2 * std::numbers::pi);
      mode.damping = 0 - mode.eigenvalue.real() / size;
      growth = std::max(growth, mode.eigenvalue.real());
    }
    mode.shape = system.shapes * pairs.y[i];
    // The largest displacement is 1 and real.
    double largest = 0;
    Complex at = 1;
    for (int k = 0; k < mode.shape.size(); ++k) {
      if (const double moved = std::abs(mode.shape[k]) * reach[k]; moved > largest * (1 + 1e-9))
        largest = moved, at = mode.shape[k] * reach[k];
    }
    if (largest > 0) mode.shape /= at;
    // Energies: elastic coordinates belong to the body that bends.
    const VectorXcd momentum = system.mass * mode.shape;
    double total = 0;
    for (int b = 0; b < m.body_count(); ++b) {
      double part = 0;
      for (int k = width * b; k < width * (b + 1); ++k)
        part += (std::conj(mode.shape[k]) * momentum[k]).real();
      for (const FlexibleBody& body : m.flexible.bodies)
        if (body.body == b)
          for (int k = 0; k < body.modes; ++k) {
            const int place = width * m.body_count() + body.first + k;
            part += (std::conj(mode.shape[place]) * momentum[place]).real();
          }
      mode.shares.push_back(part);
      total += part;
    }
    for (double& share : mode.shares) share = total > 0 ? share / total : 0;
    out.modes.push_back(std::move(mode));
  }
  std::stable_sort(out.modes.begin(), out.modes.end(), [](const LinearMode& a, const LinearMode& b) {
    if (a.frequency != b.frequency) return a.frequency < b.frequency;
    return a.eigenvalue.real() > b.eigenvalue.real();
  });
  out.growth = growth > -HUGE_VAL ? growth : 0;
  out.stability = growth > zero ? Stability::unstable : out.free > 0 ? Stability::neutral : Stability::stable;
  return out;
}

}  // namespace tappet
