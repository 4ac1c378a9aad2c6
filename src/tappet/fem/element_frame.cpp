#include "tappet/fem/element_frame.hpp"

#include <algorithm>
#include <array>
#include <cassert>
#include <cmath>
#include <complex>

#include <Eigen/Dense>
#include <Eigen/Geometry>

namespace tappet::fem {
namespace {

constexpr int most_nodes = 20;

template <class T>
using V3 = Eigen::Matrix<T, 3, 1>;
template <class T>
using M3 = Eigen::Matrix<T, 3, 3>;

// Products without conjugation, so that they are analytic in complex numbers.
template <class T>
T dot(const V3<T>& a, const V3<T>& b) {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}
template <class T>
V3<T> cross(const V3<T>& a, const V3<T>& b) {
  return {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
}
template <class T>
V3<T> axial(const M3<T>& a) {
  return {0.5 * (a(2, 1) - a(1, 2)), 0.5 * (a(0, 2) - a(2, 0)), 0.5 * (a(1, 0) - a(0, 1))};
}
/// Columns ax(Rᵀ ê_i A).
template <class T>
M3<T> axial_columns(const M3<T>& R, const M3<T>& A) {
  M3<T> out;
  for (int i = 0; i < 3; ++i) {
    // ê_i A: rows j = i + 1 and k = i + 2 of A change places, −A_k at j and A_j at k.
    const int j = (i + 1) % 3, k = (i + 2) % 3;
    M3<T> turned = M3<T>::Zero();
    turned.row(j) = -A.row(k);
    turned.row(k) = A.row(j);
    out.col(i) = axial<T>(R.transpose() * turned);
  }
  return out;
}

/// c = φ/sin φ and its derivatives as a function of τ = 1 + 2 cos φ; with s = sin²(φ/2) = (3 − τ)/4,
/// 2 s (1 − s) c' = 1 − (1 − 2 s) c.
struct Scale {
  double c, d1, d2;
};
Scale scale_of(double tau) {
  const double s = std::clamp((3 - tau) / 4, 0.0, 1 - 1e-12);
  double c = 0, d1 = 0, d2 = 0;
  if (s < 0.02) {
    double a = 1;  // of sⁿ: 4ⁿ n!²/(2n + 1)!
    double power = 1, before = 0, before2 = 0;
    for (int n = 0; n < 14; ++n) {
      c += a * power, d1 += n * a * before, d2 += n * (n - 1) * a * before2;
      before2 = before, before = power, power *= s;
      a *= 2.0 * (n + 1) / (2 * n + 3);
    }
  } else {
    const double root = std::sqrt(s);
    c = std::asin(root) / (root * std::sqrt(1 - s));
    d1 = (1 - (1 - 2 * s) * c) / (2 * s * (1 - s));
    d2 = (2 * c - 3 * (1 - 2 * s) * d1) / (2 * s * (1 - s));
  }
  return {c, -d1 / 4, d2 / 16};
}

/// (c(τ₁) − c(τ₀))/(τ₁ − τ₀).
double scale_difference(double tau0, double tau1) {
  if (std::abs(tau1 - tau0) > 0.1) return (scale_of(tau1).c - scale_of(tau0).c) / (tau1 - tau0);
  constexpr double at[] = {0.0469100770306680, 0.2307653449471585, 0.5, 0.7692346550528415,
                           0.9530899229693320};
  constexpr double weight[] = {0.1184634425280945, 0.2393143352496832, 0.2844444444444444, 0.2393143352496832,
                               0.1184634425280945};
  double out = 0;
  for (int k = 0; k < 5; ++k) out += weight[k] * scale_of(tau0 + at[k] * (tau1 - tau0)).d1;
  return out;
}

}  // namespace

Mat3 cross_matrix(const Vec3& a) {
  return Mat3{{0, -a.z(), a.y()}, {a.z(), 0, -a.x()}, {-a.y(), a.x(), 0}};
}

Mat3 cayley(const Vec3& theta) {
  const Mat3 X = cross_matrix(theta);
  return Mat3::Identity() + (X + 0.5 * X * X) / (1 + theta.squaredNorm() / 4);
}

Mat3 rotation_of_vector(const Vec3& v) {
  const double angle = v.norm(), half = angle / 2;
  const double c = half < 1e-4 ? 0.5 - half * half / 12 : std::sin(half) / angle;
  return Eigen::Quaterniond(std::cos(half), c * v.x(), c * v.y(), c * v.z()).toRotationMatrix();
}

Vec3 vector_of_rotation(const Mat3& R) {
  Eigen::Quaterniond p(R);
  p.normalize();
  if (p.w() < 0) p.coeffs() *= -1;
  const double n = p.vec().norm();
  return n < 1e-8 ? Vec3(2 * p.vec()) : Vec3(2 * std::atan2(n, p.w()) / n * p.vec());
}

/// What f = B̄ᵀ s needs to know of one shape, or of two.
template <class T>
struct ElementFrame::Shape {
  struct Slope {
    V3<T> a;        // ax S̄
    T c = 1, rate;  // c̄ and c[τ₀, τ₁]
  };
  M3<T> R;
  std::array<V3<T>, most_nodes> x;
  std::array<M3<T>, most_nodes> turn;
  std::array<Slope, most_nodes> slope;
};

/// ω = H⁻¹ (Σ G_a Δx_a + Σ Q_a θ_a).
template <class T>
struct ElementFrame::Rates {
  M3<T> inverse = M3<T>::Zero();
  std::array<M3<T>, most_nodes> G, Q;
};

ElementFrame::ElementFrame(std::span<const Vec3> x, int dimension, int dofs) : dofs_(dofs) {
  const auto n = static_cast<Eigen::Index>(x.size());
  assert(n <= most_nodes);
  X_.resize(3, n), g_.setZero(3, n);
  for (Eigen::Index a = 0; a < n; ++a) X_.col(a) = x[static_cast<std::size_t>(a)];
  X_.colwise() -= Vec3(X_.rowwise().mean());
  const Mat3 scatter = X_ * X_.transpose();
  if (dimension == 0 || !(scatter.trace() > 0)) return;
  const Eigen::SelfAdjointEigenSolver<Mat3> spread(scatter);
  // Across a shell or beside a line there is nothing to compare.
  for (int k = 3 - dimension; k < 3; ++k) {
    const Vec3 e = spread.eigenvectors().col(k);
    g_ += e * (e.transpose() * X_) / spread.eigenvalues()[k];
  }
  kind_ = dimension == 1 ? Kind::line : Kind::polar;
  if (dimension > 1) return;
  axes_.col(0) = spread.eigenvectors().col(2);
  axes_.col(1) = axes_.col(0).unitOrthogonal();
  axes_.col(2) = axes_.col(0).cross(axes_.col(1));
}

Mat3 ElementFrame::rotation(const NodePlaces& at) const {
  if (kind_ == Kind::fixed) return Mat3::Identity();
  const int n = nodes();
  const Vec3 from = at.x[0];
  if (kind_ == Kind::polar) {
    Mat3 A = Mat3::Zero();
    for (int a = 0; a < n; ++a) A += (at.x[a] - from) * g_.col(a).transpose();
    const Eigen::JacobiSVD<Mat3> svd(A, Eigen::ComputeFullU | Eigen::ComputeFullV);
    const Mat3 &U = svd.matrixU(), &V = svd.matrixV();
    const double side = (U * V.transpose()).determinant() < 0 ? -1 : 1;
    return U * Vec3(1, 1, side).asDiagonal() * V.transpose();
  }
  Vec3 c = Vec3::Zero();
  for (int a = 0; a < n; ++a) c += (at.x[a] - from) * g_.col(a).dot(axes_.col(0));
  const Mat3 turned =
      Eigen::Quaterniond::FromTwoVectors(axes_.col(0), c).normalized().toRotationMatrix() * axes_;
  if (dofs_ == 3) return turned * axes_.transpose();
  Mat3 sum = Mat3::Zero();
  for (int a = 0; a < n; ++a) sum += at.R[a];
  const Vec3 e2 = sum * axes_.col(1), e3 = sum * axes_.col(2);
  const double roll = std::atan2(turned.col(2).dot(e2) - turned.col(1).dot(e3),
                                 turned.col(1).dot(e2) + turned.col(2).dot(e3));
  Mat3 rolled;
  rolled << turned.col(0), std::cos(roll) * turned.col(1) + std::sin(roll) * turned.col(2),
      std::cos(roll) * turned.col(2) - std::sin(roll) * turned.col(1);
  return rolled * axes_.transpose();
}

void ElementFrame::deformation(const NodePlaces& at, const Mat3& R, double* d) const {
  const int n = nodes();
  Vec3 mean = Vec3::Zero();
  for (int a = 0; a < n; ++a) mean += (at.x[a] - at.x[0]) / n;
  for (int a = 0; a < n; ++a) {
    Eigen::Map<Vec3>(d + dofs_ * a) = R.transpose() * (at.x[a] - at.x[0] - mean) - X_.col(a);
    if (dofs_ == 3) continue;
    const Mat3 S = R.transpose() * at.R[a];
    Eigen::Map<Vec3>(d + dofs_ * a + 3) = scale_of(S.trace()).c * axial<double>(S);
  }
}

template <class T>
void ElementFrame::find_rates(const Shape<T>& shape, Rates<T>& out) const {
  const int n = nodes();
  M3<T> H = M3<T>::Zero();
  for (int a = 0; a < n; ++a) out.G[a].setZero(), out.Q[a].setZero();
  if (kind_ == Kind::fixed) return;
  if (kind_ == Kind::polar) {
    M3<T> A = M3<T>::Zero();
    const M3<T> Rt = shape.R.transpose();
    for (int a = 0; a < n; ++a) {
      const V3<T> g = g_.col(a).template cast<T>();
      A += shape.x[a] * g.transpose();
      for (int i = 0; i < 3; ++i) out.G[a].col(i) = 0.5 * cross<T>(g, Rt.col(i));
    }
    H = axial_columns<T>(shape.R, A);
  } else {
    const V3<T> b1 = shape.R * axes_.col(0).cast<T>(), b2 = shape.R * axes_.col(1).cast<T>(),
                b3 = shape.R * axes_.col(2).cast<T>();
    V3<T> c = V3<T>::Zero();
    for (int a = 0; a < n; ++a) {
      const T gamma = g_.col(a).dot(axes_.col(0));
      c += gamma * shape.x[a];
      out.G[a].row(1) = -gamma * b2.transpose();
      out.G[a].row(2) = -gamma * b3.transpose();
    }
    H.row(1) = cross<T>(b2, c).transpose();
    H.row(2) = cross<T>(b3, c).transpose();
    H.row(0) = b1.transpose();
    if (dofs_ == 6) {
      H.row(0).setZero();
      for (int a = 0; a < n; ++a) {
        const V3<T> p = cross<T>(b2, shape.turn[a] * axes_.col(2).cast<T>()) -
                        cross<T>(b3, shape.turn[a] * axes_.col(1).cast<T>());
        out.Q[a].row(0) = p.transpose();
        H.row(0) += p.transpose();
      }
    }
  }
  out.inverse = H.inverse();
}

template <class T>
void ElementFrame::pull(const Shape<T>& shape, const T* s, T* f) const {
  const int n = nodes();
  Rates<T> rates;
  find_rates(shape, rates);
  V3<T> mean = V3<T>::Zero(), moment = V3<T>::Zero();
  for (int a = 0; a < n; ++a) mean += shape.x[a] / T(n);
  for (int a = 0; a < n; ++a) {
    Eigen::Map<V3<T>> force(f + dofs_ * a);
    force = shape.R * Eigen::Map<const V3<T>>(s + dofs_ * a);
    moment += cross<T>(shape.x[a] - mean, force);
    if (dofs_ == 3) continue;
    const V3<T> sigma = Eigen::Map<const V3<T>>(s + dofs_ * a + 3);
    const M3<T> N = axial_columns<T>(shape.R, shape.turn[a]);
    const V3<T> t = T(-2) * axial<T>(shape.turn[a] * shape.R.transpose());
    const auto& slope = shape.slope[a];
    Eigen::Map<V3<T>> own(f + dofs_ * a + 3);
    own = slope.c * (N.transpose() * sigma) + slope.rate * dot<T>(slope.a, sigma) * t;
    moment += own;
  }
  if (kind_ == Kind::fixed) return;
  const V3<T> y = rates.inverse.transpose() * moment;
  for (int a = 0; a < n; ++a) {
    Eigen::Map<V3<T>>(f + dofs_ * a) -= rates.G[a].transpose() * y;
    if (dofs_ == 6) Eigen::Map<V3<T>>(f + dofs_ * a + 3) -= rates.Q[a].transpose() * y;
  }
}

void ElementFrame::pull_back(const NodePlaces& at0, const Mat3& R0, const NodePlaces& at1, const Mat3& R1,
                             const double* s, double* f) const {
  Shape<double> shape;
  shape.R = 0.5 * (R0 + R1);
  const Vec3 from = 0.5 * (at0.x[0] + at1.x[0]);
  for (int a = 0; a < nodes(); ++a) {
    shape.x[a] = 0.5 * (at0.x[a] + at1.x[a]) - from;
    if (dofs_ == 3) continue;
    const Mat3 S0 = R0.transpose() * at0.R[a], S1 = R1.transpose() * at1.R[a];
    const double tau0 = S0.trace(), tau1 = S1.trace();
    shape.turn[a] = 0.5 * (at0.R[a] + at1.R[a]);
    shape.slope[a] = {0.5 * (axial<double>(S0) + axial<double>(S1)),
                      0.5 * (scale_of(tau0).c + scale_of(tau1).c), scale_difference(tau0, tau1)};
  }
  pull<double>(shape, s, f);
}

void ElementFrame::gradient(const NodePlaces& at, const Mat3& R, Eigen::MatrixXd& B) const {
  const int n = nodes(), size = unknowns();
  Shape<double> shape;
  shape.R = R;
  for (int a = 0; a < n; ++a) {
    shape.x[a] = at.x[a] - at.x[0];
    if (dofs_ == 6) shape.turn[a] = at.R[a];
  }
  Rates<double> rates;
  find_rates(shape, rates);
  Vec3 mean = Vec3::Zero();
  for (int a = 0; a < n; ++a) mean += shape.x[a] / n;
  Eigen::Matrix3Xd W = Eigen::Matrix3Xd::Zero(3, size);  // ω
  for (int a = 0; a < n; ++a) {
    W.middleCols<3>(dofs_ * a) = rates.inverse * rates.G[a];
    if (dofs_ == 6) W.middleCols<3>(dofs_ * a + 3) = rates.inverse * rates.Q[a];
  }
  B.resize(size, size);
  for (int a = 0; a < n; ++a) {
    B.middleRows<3>(dofs_ * a) = R.transpose() * cross_matrix(shape.x[a] - mean) * W;
    for (int b = 0; b < n; ++b) B.block<3, 3>(dofs_ * a, dofs_ * b) += ((a == b) - 1.0 / n) * R.transpose();
    if (dofs_ == 3) continue;
    const Mat3 S = R.transpose() * at.R[a];
    const Scale scale = scale_of(S.trace());
    const Vec3 t = -2 * axial<double>(at.R[a] * R.transpose());
    const Mat3 turn =
        scale.c * axial_columns<double>(R, at.R[a]) + axial<double>(S) * scale.d1 * t.transpose();
    B.middleRows<3>(dofs_ * a + 3) = -turn * W;
    B.block<3, 3>(dofs_ * a + 3, dofs_ * a + 3) += turn;
  }
}

// The derivative along each unknown by a complex step: all of it is analytic, and nothing cancels.
void ElementFrame::tangent(const NodePlaces& at, const Mat3& R, const double* s, const Eigen::MatrixXd& S,
                           Eigen::MatrixXd& T) const {
  using Complex = std::complex<double>;
  constexpr double step = 1e-100;
  const int n = nodes(), size = unknowns();
  Shape<double> real;
  real.R = R;
  for (int a = 0; a < n; ++a) {
    real.x[a] = at.x[a] - at.x[0];
    if (dofs_ == 6) real.turn[a] = at.R[a];
  }
  Rates<double> rates;
  find_rates(real, rates);
  Shape<Complex> shape;
  std::array<Complex, 6 * most_nodes> own, force;
  T.resize(size, size);
  const auto turned = [step](const Mat3& about, const Vec3& by) {
    M3<Complex> out;
    const Mat3 change = step * (cross_matrix(by) * about);
    for (int i = 0; i < 9; ++i) out.data()[i] = Complex(about.data()[i], change.data()[i]);
    return out;
  };
  for (int j = 0; j < size; ++j) {
    const int node = j / dofs_, d = j % dofs_;
    const Vec3 omega = rates.inverse * (d < 3 ? rates.G[node].col(d) : rates.Q[node].col(d - 3));
    shape.R = turned(R, omega);
    for (int a = 0; a < n; ++a) {
      shape.x[a] = real.x[a].cast<Complex>();
      if (a == node && d < 3) shape.x[a][d] += Complex(0, step);
      if (dofs_ == 3) continue;
      shape.turn[a] = turned(at.R[a], a == node && d >= 3 ? Vec3(Vec3::Unit(d - 3)) : Vec3(Vec3::Zero()));
      const M3<Complex> inner = shape.R.transpose() * shape.turn[a];
      const Complex tau = inner.trace();
      const Scale scale = scale_of(tau.real());
      shape.slope[a] = {axial<Complex>(inner), Complex(scale.c, scale.d1 * tau.imag()),
                        Complex(scale.d1, scale.d2 * tau.imag())};
    }
    for (int i = 0; i < size; ++i) own[i] = Complex(s[i], step * S(i, j));
    pull<Complex>(shape, own.data(), force.data());
    for (int i = 0; i < size; ++i) T(i, j) = force[i].imag() / step;
  }
}

}  // namespace tappet::fem
