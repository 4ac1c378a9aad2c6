#include "tappet/lubrication/elastic_film.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <stdexcept>

#include <Eigen/LU>

namespace tappet::lubrication {
namespace {

constexpr double half_turn = std::numbers::pi;

// One problem in dimensionless form, and Newton's method on it.
class Newton {
 public:
  explicit Newton(const ElasticFilmProblem& p)
      : p_(p),
        n_(p.around),
        m_(p.along),
        unit_(6 * p.viscosity * p.speed * p.radius * p.radius / (p.clearance * p.clearance)) {
    make_grid();
    make_compliance();
    P_ = Eigen::VectorXd::Zero(n_ * m_);
  }

  int solve(double alpha) {
    alpha_ = alpha;
    constexpr int most_rounds = 200;
    for (int round = 1; round <= most_rounds; ++round) {
      evaluate();
      // 0 ≤ P ⟂ r ≥ 0 as min(P, r/diagonal) = 0.
      Eigen::VectorXd off(n_ * m_);
      for (int i = 0; i < n_ * m_; ++i) {
        const double r = residual_[i] / jacobian_(i, i);
        off[i] = std::min(P_[i], r);
        if (P_[i] < r) jacobian_.row(i).setZero(), jacobian_(i, i) = 1, residual_[i] = P_[i];
      }
      const double size = std::max(1e-300, P_.maxCoeff());
      if (round > 1 && off.cwiseAbs().maxCoeff() < 1e-11 * size) return round;
      const Eigen::VectorXd step = jacobian_.partialPivLu().solve(residual_);
      if (!step.allFinite()) break;
      // The gap stays open: no more than nine tenths of it in one round.
      const Eigen::VectorXd opening = compliance_ * step;
      double part = 1;
      for (int i = 0; i < n_ * m_; ++i)
        if (opening[i] > 0) part = std::min(part, 0.9 * H_[i] / opening[i]);
      P_ = (P_ - part * step).cwiseMax(0.0);
    }
    throw std::runtime_error("no elastic film was found: the pressure does not settle");
  }

  ElasticFilm result(int rounds) {
    evaluate();
    ElasticFilm out{.angles = theta_, .places = {}, .pressure = {}, .gap = {}, .rounds = rounds};
    for (double z : z_) out.places.push_back(z * p_.radius);
    out.thinnest = HUGE_VAL;
    for (int i = 0; i < n_; ++i)
      for (int j = 0; j < m_; ++j) {
        const double p = unit_ * P_[at(i, j)], h = p_.clearance * H_[at(i, j)];
        out.pressure.push_back(p), out.gap.push_back(h);
        out.highest = std::max(out.highest, p), out.thinnest = std::min(out.thinnest, h);
        const double length = 2 * (z_face_[j + 1] - z_face_[j]) * p_.radius * p_.radius;
        out.along -= p * length * (std::sin(face_[i + 1]) - std::sin(face_[i]));
        out.across -= p * length * (std::cos(face_[i]) - std::cos(face_[i + 1]));
      }
    return out;
  }

  bool open() {
    evaluate();
    return H_.minCoeff() > 0;
  }
  /// Presses where surfaces overlap, so that Newton's method begins with a gap.
  void press() {
    for (int round = 0; round < 200 && !open(); ++round)
      for (int i = 0; i < n_ * m_; ++i)
        if (H_[i] <= 0) P_[i] += 0.2 / compliance_.diagonal()[i] * (0.05 - H_[i]);
    if (!open())
      throw std::runtime_error(
          "no elastic film was found: at this eccentricity the surfaces overlap, and do not give way");
  }

 private:
  int at(int i, int j) const { return ((i + n_) % n_) * m_ + j; }

  void make_grid() {
    const double reach = 1.8 * std::sqrt(std::max(1 - p_.eccentricity, 0.02)),
                 spread = std::asinh(half_turn / reach);
    face_.resize(n_ + 1), theta_.resize(n_);
    for (int i = 0; i <= n_; ++i) {
      const double x = -1 + 2.0 * i / n_;
      double theta = half_turn * x;
      for (int pass = 0; pass < 60; ++pass)
        theta -= (0.5 * theta / half_turn + 0.5 * std::asinh(theta / reach) / spread - x) /
                 (0.5 / half_turn + 0.5 / (spread * std::hypot(reach, theta)));
      face_[i] = theta;
    }
    face_.front() = -half_turn, face_.back() = half_turn;
    for (int i = 0; i < n_; ++i) theta_[i] = 0.5 * (face_[i] + face_[i + 1]);
    const double ratio = 0.5 * p_.length / p_.radius;
    z_face_.resize(m_ + 1), z_.resize(m_);
    for (int j = 0; j <= m_; ++j) z_face_[j] = ratio * std::sin(0.5 * half_turn * j / m_);
    for (int j = 0; j < m_; ++j) z_[j] = 0.5 * (z_face_[j] + z_face_[j + 1]);
  }

  // δ/c over P.
  void make_compliance() {
    const int cells = n_ * m_;
    compliance_ = Eigen::MatrixXd::Zero(cells, cells);
    const double scale = unit_ / p_.clearance;
    if (p_.compliance > 0) compliance_.diagonal().array() += p_.compliance * scale;
    if (!(p_.modulus > 0)) return;
    const double R = p_.radius;
    for (int i = 0; i < n_; ++i)
      for (int k = 0; k < n_; ++k) {
        const double x = R * std::remainder(theta_[i] - theta_[k], 2 * half_turn),
                     a = 0.5 * R * (face_[k + 1] - face_[k]);
        for (int j = 0; j < m_; ++j)
          for (int l = 0; l < m_; ++l) {
            const double b = 0.5 * R * (z_face_[l + 1] - z_face_[l]);
            // The other half of the length is its mirror image.
            const double sum =
                love_deflection(x, R * (z_[j] - z_[l]), a, b) + love_deflection(x, R * (z_[j] + z_[l]), a, b);
            compliance_(at(i, j), at(k, l)) += scale * sum / p_.modulus;
          }
      }
  }

  // ln m and its slope by p.
  std::pair<double, double> stiffening(double p) const {
    if (!p_.roelands) return {alpha_ * p, alpha_};
    constexpr double p0 = 0.196e9;
    const double base = std::log(p_.viscosity) + 9.67, Z = alpha_ * p0 / base;
    return {base * (std::pow(1 + p / p0, Z) - 1), base * Z / p0 * std::pow(1 + p / p0, Z - 1)};
  }

  // r = −∇·(H³/m ∇P) + ∂H/∂ϑ of each cell, and its derivatives by P.
  void evaluate() {
    const int cells = n_ * m_;
    H_ = compliance_ * P_;
    for (int i = 0; i < n_; ++i)
      for (int j = 0; j < m_; ++j) H_[at(i, j)] += 1 - p_.eccentricity * std::cos(theta_[i]);
    residual_ = Eigen::VectorXd::Zero(cells);
    // Derivatives by P directly, and by H, which depends on all P.
    Eigen::MatrixXd by_H = Eigen::MatrixXd::Zero(cells, cells);
    jacobian_ = Eigen::MatrixXd::Zero(cells, cells);
    const auto face = [&](int a, int b, double conductance, double wedge) {
      // From cell a to cell b (b < 0: the pressure around, with the gap of a).
      const double P_b = b < 0 ? 0 : P_[b], h = b < 0 ? H_[a] : 0.5 * (H_[a] + H_[b]);
      const auto [la, sa] = stiffening(unit_ * P_[a]);
      const auto [lb, sb] = b < 0 ? std::pair{0.0, 0.0} : stiffening(unit_ * P_[b]);
      const double g = conductance * h * h * h * std::exp(-0.5 * (la + lb)),
                   flow = g * (P_[a] - P_b) + wedge * h;
      const double by_gap = 3 * (h != 0 ? g / h : 0) * (P_[a] - P_b) + wedge;
      const double by_a = g - 0.5 * sa * unit_ * g * (P_[a] - P_b),
                   by_b = -g - 0.5 * sb * unit_ * g * (P_[a] - P_b);
      const auto give = [&](int cell, double sign) {
        residual_[cell] += sign * flow;
        jacobian_(cell, a) += sign * by_a;
        if (b >= 0) jacobian_(cell, b) += sign * by_b;
        by_H(cell, a) += sign * by_gap * (b < 0 ? 1 : 0.5);
        if (b >= 0) by_H(cell, b) += sign * by_gap * 0.5;
      };
      give(a, 1);
      if (b >= 0) give(b, -1);
    };
    for (int i = 0; i < n_; ++i) {
      const bool seam = i == n_ - 1;
      const double width = face_[i + 1] - face_[i],
                   apart = seam ? theta_[0] + 2 * half_turn - theta_[i] : theta_[i + 1] - theta_[i];
      for (int j = 0; j < m_; ++j) {
        const double length = z_face_[j + 1] - z_face_[j];
        // What is dragged through the face is H.
        face(at(i, j), at(i + 1, j), length / apart, length);
        if (seam && p_.supply == Supply::widest_gap) {
          face(at(i, j), -1, length / (half_turn - theta_[i]), 0);
          face(at(0, j), -1, length / (theta_[0] + half_turn), 0);
        }
        const bool end = j == m_ - 1;
        face(at(i, j), end ? -1 : at(i, j + 1), width / ((end ? z_face_[m_] : z_[j + 1]) - z_[j]), 0);
      }
    }
    if (p_.compliance > 0 && !(p_.modulus > 0))
      jacobian_ += by_H * compliance_.diagonal().asDiagonal();
    else if (p_.modulus > 0)
      jacobian_ += by_H * compliance_;
  }

  const ElasticFilmProblem& p_;
  int n_, m_;
  double unit_, alpha_ = 0;  // p over P
  std::vector<double> face_, theta_, z_face_, z_;
  Eigen::MatrixXd compliance_, jacobian_;
  Eigen::VectorXd P_, H_, residual_;
};

}  // namespace

double love_deflection(double x, double z, double a, double b) {
  const auto corner = [](double s, double t) {
    if (s == 0 || t == 0) return 0.0;
    return std::abs(s) * std::asinh(t / std::abs(s)) * (s > 0 ? 1 : -1) +
           std::abs(t) * std::asinh(s / std::abs(t)) * (t > 0 ? 1 : -1);
  };
  return (corner(x + a, z + b) - corner(x - a, z + b) - corner(x + a, z - b) + corner(x - a, z - b)) /
         half_turn;
}

ElasticFilm solve_elastic_film(const ElasticFilmProblem& p) {
  Newton film(p);
  if (p.compliance > 0 || p.modulus > 0)
    film.press();
  else if (!(p.eccentricity < 1))
    throw std::runtime_error("no film was found: at this eccentricity rigid surfaces leave no gap");
  // Oil that stiffens is reached from oil that does not.
  int rounds = film.solve(0);
  if (p.pressure_viscosity > 0) {
    constexpr int steps = 8;
    for (int k = 1; k <= steps; ++k) rounds += film.solve(p.pressure_viscosity * k / steps);
  }
  return film.result(rounds);
}

}  // namespace tappet::lubrication
