// Eigenvalues and modes of a linearised mechanism.
#pragma once

#include <complex>
#include <string>
#include <vector>

#include <Eigen/Core>

#include "tappet/equilibrium/linear_system.hpp"

namespace tappet {

/// One eigenvalue, or a pair s, s̄ of which this is the one with Im s ≥ 0.
struct LinearMode {
  std::complex<double> eigenvalue;  ///< s, 1/s
  double frequency = 0;             ///< |s|/2π, Hz; 0 for one that is 0
  double damped_frequency = 0;      ///< Im s/2π, Hz
  double damping = 0;               ///< ratio −Re s/|s|; 0 where s = 0
  /// Displacements of all bodies in the coordinates of u, of which the largest is real and 1 (m, or rad times the mechanism's length).
  Eigen::VectorXcd shape;
  std::vector<double>
      shares;  ///< of the kinetic energy of these displacements as velocities: each body's part of 1
};

enum class Stability { stable, neutral, unstable };

struct LinearModes {
  std::vector<LinearMode> modes;  ///< by frequency, slowest first
  Stability stability = Stability::stable;
  double growth = 0;  ///< the largest Re s, 1/s
  int free = 0;       ///< eigenvalues that are 0 to the accuracy of what they were computed from
};

/// Of a conservative mechanism at rest (no damping, symmetric stiffness) by the symmetric problem, else by that of A. Eigenvalues below
/// `zero_eigenvalue` of the largest, and oscillations that neither grow nor decay by more, are taken for 0 and for neutral.
LinearModes find_modes(const Mechanism& mechanism, const LinearSystem& system);

inline constexpr double zero_eigenvalue = 1e-7;

}  // namespace tappet
