// The function whose root Newton's method seeks at one contact, and its generalised derivative.
//
// Alart and Curnier's function [Alart & Curnier 1991], in the unit of velocity: with c_n and c_t the
// contact's own normal and tangential entries of W, x_n = c_n r_n − u_n and x_t = c_t r_t − u_t,
//
//   Φ_n = c_n r_n − max(0, x_n)                               Signorini
//   Φ_t = c_t r_t − P(x_t), the nearest point to x_t in the disc of radius c_t μ max(0, x_n)/c_n      Coulomb
//
// It is zero exactly where Coulomb's law holds. Piecewise,
//
//   open   x_n ≤ 0            Φ = (c_n r_n, c_t r_t)
//   stick  ‖x_t‖ ≤ radius     Φ = u
//   slip   otherwise          Φ = (u_n, c_t r_t − radius x_t/‖x_t‖)
//
// and dΦ = A dr + B du with the D × D matrices below.
#pragma once

#include <cmath>

#include <Eigen/Core>

namespace tappet::lcp {

enum class Regime { open, stick, slip };

template <int D>
struct AlartCurnier {
  using Vector = Eigen::Matrix<double, D, 1>;
  using Block = Eigen::Matrix<double, D, D>;

  double mu, c_n, c_t;

  /// Φ, and on request the matrices A and B.
  Regime evaluate(const Vector& r, const Vector& u, Vector& phi, Block* a, Block* b) const {
    const auto r_t = r.template tail<D - 1>();
    const auto u_t = u.template tail<D - 1>();
    const double x_n = c_n * r[0] - u[0];
    if (a) a->setZero(), b->setZero();
    if (x_n <= 0) {
      phi[0] = c_n * r[0];
      phi.template tail<D - 1>() = c_t * r_t;
      if (a) {
        a->diagonal().setConstant(c_t);
        (*a)(0, 0) = c_n;
      }
      return Regime::open;
    }

    phi[0] = u[0];
    if (a) (*b)(0, 0) = 1;
    const Eigen::Matrix<double, D - 1, 1> x_t = c_t * r_t - u_t;
    const double radius = mu * c_t / c_n * x_n, length = x_t.norm();
    if (length <= radius) {
      phi.template tail<D - 1>() = u_t;
      if (a) b->setIdentity();
      return Regime::stick;
    }

    const Eigen::Matrix<double, D - 1, 1> along = x_t / length;
    phi.template tail<D - 1>() = c_t * r_t - radius * along;
    if (a) {
      // The rim moves with the normal force; friction turns with x_t.
      const Eigen::Matrix<double, D - 1, D - 1> turning =
          radius / length * (Eigen::Matrix<double, D - 1, D - 1>::Identity() - along * along.transpose());
      a->template bottomRightCorner<D - 1, D - 1>() =
          c_t * (Eigen::Matrix<double, D - 1, D - 1>::Identity() - turning);
      a->template bottomLeftCorner<D - 1, 1>() = -mu * c_t * along;
      b->template bottomRightCorner<D - 1, D - 1>() = turning;
      b->template bottomLeftCorner<D - 1, 1>() = mu * c_t / c_n * along;
    }
    return Regime::slip;
  }
};

}  // namespace tappet::lcp
