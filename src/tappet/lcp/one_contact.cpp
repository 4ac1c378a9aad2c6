#include "tappet/lcp/one_contact.hpp"

#include <algorithm>
#include <cmath>

namespace tappet::lcp {

template <>
void OneContact<2>::prepare(const double* w, double mu) {
  mu_ = mu;
  w_nn_ = w[0];
  std::copy(w, w + w_.size(), w_.begin());
  if (!(w_nn_ > 0)) return;
  one_by_nn_ = 1 / w_nn_;
  w_nt_ = {w[1], 0};
  lambda_[0] = std::max(w[3] - w[1] * w[1] / w_nn_, 1e-14 * std::max(w_nn_, w[3]));
}

template <>
void OneContact<2>::solve(const double* b, double* r) const {
  r[0] = r[1] = 0;
  if (b[0] >= 0 || !(w_nn_ > 0)) return;
  // Stick, if the cone allows it.
  const double bt = b[1] - w_nt_[0] * b[0] / w_nn_;
  double t = -bt / lambda_[0];
  const double n = -(b[0] + w_nt_[0] * t) / w_nn_;
  if (std::abs(t) <= mu_ * n) {
    r[0] = n, r[1] = t;
    return;
  }
  // Slip against b̃: r_t = s μ r_n in u_n = 0. The divisor is positive where sticking failed.
  const double slope = (bt > 0 ? -1 : 1) * mu_;
  r[0] = -b[0] / (w_nn_ + slope * w_nt_[0]);
  r[1] = slope * r[0];
}

template <>
void OneContact<3>::prepare(const double* w, double mu) {
  mu_ = mu;
  w_nn_ = w[0];
  std::copy(w, w + w_.size(), w_.begin());
  if (!(w_nn_ > 0)) return;
  one_by_nn_ = 1 / w_nn_;
  // The tangential block with the normal eliminated, and its eigenvectors.
  const double n1 = w[1], n2 = w[2];
  const double s1 = n1 * one_by_nn_, s2 = n2 * one_by_nn_;
  const double a11 = w[4] - n1 * s1, a22 = w[8] - n2 * s2, a12 = w[5] - n1 * s2;
  const double mean = 0.5 * (a11 + a22), half = 0.5 * (a11 - a22),
               radius = std::sqrt(half * half + a12 * a12);
  const double small = 1e-14 * std::max({w_nn_, w[4], w[8]});
  uncoupled_ = radius <= small && std::abs(n1) + std::abs(n2) <= small;
  // Half of the angle whose cosine is half/radius and whose sine is a12/radius, from −π/2 to π/2.
  cos_ = 1, sin_ = 0;
  if (radius > small) {
    const double larger = std::sqrt(0.5 + 0.5 * std::abs(half) / radius),
                 smaller = 0.5 * std::abs(a12) / (radius * larger);
    cos_ = half >= 0 ? larger : smaller;
    sin_ = std::copysign(half >= 0 ? smaller : larger, a12);
  }
  lambda_ = {std::max(mean + radius, small), std::max(mean - radius, small)};
  one_by_lambda_ = 1 / lambda_[0];
  w_nt_ = {cos_ * n1 + sin_ * n2, cos_ * n2 - sin_ * n1};

  // W⁻¹ from A⁻¹, the tangential block of it.
  const double l1 = one_by_lambda_, l2 = 1 / lambda_[1];
  const double t11 = cos_ * cos_ * l1 + sin_ * sin_ * l2, t22 = sin_ * sin_ * l1 + cos_ * cos_ * l2,
               t12 = cos_ * sin_ * (l1 - l2);
  const double m1 = -(t11 * s1 + t12 * s2), m2 = -(t12 * s1 + t22 * s2);
  inverse_ = {one_by_nn_ - m1 * s1 - m2 * s2, m1, m2, m1, t11, t12, m2, t12, t22};
}

template <>
void OneContact<3>::slip(double b_n, const std::array<double, 2>& bt, double* r) const {
  const double norm_b = std::sqrt(bt[0] * bt[0] + bt[1] * bt[1]);
  const double pull = -mu_ * b_n / w_nn_;  // μ r_n without coupling, > 0
  double low = 0;
  const double coupling = std::sqrt(w_nt_[0] * w_nt_[0] + w_nt_[1] * w_nt_[1]);
  double high = norm_b * (w_nn_ + mu_ * coupling) / (-mu_ * b_n);
  double alpha = std::max(0.0, norm_b / pull - lambda_[0]);  // the root when A = λ I and W_nt = 0
  if (!(alpha < high)) alpha = 0.5 * high;

  double t0 = 0, t1 = 0, norm = 0;
  for (int iteration = 0; iteration < 60; ++iteration) {
    t0 = -bt[0] / (lambda_[0] + alpha), t1 = -bt[1] / (lambda_[1] + alpha);
    norm = std::sqrt(t0 * t0 + t1 * t1);
    const double along = (w_nt_[0] * t0 + w_nt_[1] * t1) / norm;
    const double g = pull / norm - mu_ * along / w_nn_ - 1;
    (g < 0 ? low : high) = alpha;

    // dr_t/dα, its part along r_t, and Newton's step kept inside the bracket.
    const double d0 = -t0 / (lambda_[0] + alpha), d1 = -t1 / (lambda_[1] + alpha);
    const double radial = (t0 * d0 + t1 * d1) / norm;
    const double turning = (w_nt_[0] * d0 + w_nt_[1] * d1 - along * radial) / norm;
    const double slope = -pull * radial / (norm * norm) - mu_ * turning / w_nn_;
    double next = alpha - g / slope;
    if (!(next >= low && next <= high)) next = 0.5 * (low + high);
    const double change = std::abs(next - alpha);
    alpha = next;
    if (std::abs(g) <= 4e-16 || change <= 4e-16 * (alpha + lambda_[1]) || high - low <= 4e-16 * high) break;
  }

  // The normal part from u_n = 0, and the friction exactly on the rim; or, where friction itself brings the bodies together as fast as the
  // normal part parts them, so that its divisor is lost to rounding, the normal part from the rim.
  t0 = -bt[0] / (lambda_[0] + alpha), t1 = -bt[1] / (lambda_[1] + alpha);
  norm = std::sqrt(t0 * t0 + t1 * t1);
  const double divisor = w_nn_ + mu_ * (w_nt_[0] * t0 + w_nt_[1] * t1) / norm;
  r[0] = divisor > 0.1 * w_nn_ ? -b_n / divisor : norm / mu_;
  const double factor = mu_ * r[0] / norm;
  t0 *= factor, t1 *= factor;
  r[1] = cos_ * t0 - sin_ * t1;
  r[2] = sin_ * t0 + cos_ * t1;
}

template <>
void OneContact<3>::slide(const double* b, double* r) const {
  if (mu_ == 0) {
    r[0] = -b[0] * one_by_nn_, r[1] = r[2] = 0;
    return;
  }
  const double c = b[0] * one_by_nn_;
  slip(b[0], {cos_ * b[1] + sin_ * b[2] - w_nt_[0] * c, cos_ * b[2] - sin_ * b[1] - w_nt_[1] * c}, r);
}

}  // namespace tappet::lcp
