#include "tappet/geometry/mesh_contact.hpp"

#include <utility>

namespace tappet {
namespace {

/// ∫₀¹ sᵏ exp(−u s) ds for k = 0, 1, 2; u ≥ 0.
struct ExponentialMoments {
  double m[3];
};

ExponentialMoments exponential_moments(double u) {
  if (u > 0.5) {
    const double E = std::exp(-u);
    return {{(1 - E) / u, (1 - E * (1 + u)) / (u * u), (2 - E * (2 + 2 * u + u * u)) / (u * u * u)}};
  }
  // Closed forms cancel; Gauss's rule of five points is exact to rounding here.
  constexpr double node[3] = {0, 0.538469310105683091, 0.906179845938663993};
  constexpr double weight[3] = {0.568888888888888889, 0.478628670499366468, 0.236926885056189088};
  ExponentialMoments out{};
  for (int i = -2; i <= 2; ++i) {
    const double s = 0.5 * (1 + (i < 0 ? -1 : 1) * node[std::abs(i)]);
    const double w = 0.5 * weight[std::abs(i)] * std::exp(-u * s);
    out.m[0] += w;
    out.m[1] += w * s;
    out.m[2] += w * s * s;
  }
  return out;
}

}  // namespace

void SmoothSums::lower(double value) {
  if (value >= least_) return;
  const double by = least_ - value, factor = std::isinf(by) ? 0 : std::exp(-by / smoothing_);
  least_ = value;
  if (factor == 0) {
    *this = SmoothSums(smoothing_);
    least_ = value;
    return;
  }
  // φ counts from the new least value: φ + by.
  ef_ = factor * (ef_ + by * e_);
  efx_ = factor * (efx_ + by * ex_);
  efn_ = factor * (efn_ + by * en_);
  e_ *= factor;
  ex_ *= factor;
  en_ *= factor;
  for (double& c : curvature_) c *= factor;
}

void SmoothSums::add_segment(Vec3 a, double at_a, Vec3 b, double at_b, double radius,
                             const FieldValue& middle) {
  if (at_b < at_a) {
    std::swap(a, b);
    std::swap(at_a, at_b);
  }
  lower(at_a);
  const Vec3 d = b - a;
  const double rise = at_b - at_a, f = at_a - least_;
  const double scale = d.norm() / smoothing_ * std::exp(-f / smoothing_);
  const auto [m] = exponential_moments(rise / smoothing_);
  take(scale * m[0], scale * (f * m[0] + rise * m[1]), scale * (m[0] * a + m[1] * d),
       scale * (f * (m[0] * a + m[1] * d) + rise * (m[1] * a + m[2] * d)), radius, middle);
}

SmoothLeast SmoothSums::result(double shift) const {
  SmoothLeast out;
  const double mean = ef_ / e_;
  out.distance = least_ + mean - shift;
  // μ = λ (1 − (φ − mean)/ε)
  const double lambda = (1 + mean / smoothing_) / e_, slope = 1 / (smoothing_ * e_);
  out.point = lambda * ex_ - slope * efx_;
  out.gradient = lambda * en_ - slope * efn_;
  for (int k = 0; k < 2; ++k) out.curvature[k] = curvature_[k] / e_;
  return out;
}

}  // namespace tappet
