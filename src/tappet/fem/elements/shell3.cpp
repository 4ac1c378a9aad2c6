// 3-node flat shell: membrane with corner rotations (OPT), bending with transverse shear (MITC3).
//
// Membrane: Felippa's optimal triangle. Constant stress is lumped to the corners exactly (basic stiffness,
// α_b = 3/2), and the higher-order stiffness makes rectangles of two triangles bend in their plane as a beam
// does; drilling rotations are true unknowns, with stiffness. [Felippa 2003, eqs 20, 27, 36]
//
//   K_m = L E Lᵀ/(A t) + ¾ β₀ T_θuᵀ K_θ T_θu
//
// Bending: linear w and rotations; with β = (θ_y, −θ_x), u = z β,
//
//   κ = (β_x,x  β_y,y  β_x,y + β_y,x),   e_r = w,r + β·x,r,   e_s = w,s + β·x,s
//   e_r ← e_r(1) + c s,  e_s ← e_s(2) − c r,  c = e_s(2) − e_r(1) − e_s(3) + e_r(3)
//
// tied at mid-edges [Lee & Bathe 2004], and with the shear stiffness times t²/(t² + 0.1 h²), h the longest side, so
// that thin plates do not lock [Lyly et al. 1993].
#include <cmath>

#include <Eigen/Geometry>
#include <Eigen/LU>

#include "tappet/fem/geometric.hpp"

namespace tappet::fem::elements::shell3 {
namespace {

using Mat9 = Eigen::Matrix<double, 9, 9>;
using Mat3x9 = Eigen::Matrix<double, 3, 9>;
using Row9 = Eigen::Matrix<double, 1, 9>;

struct Flat {
  Mat3 axes;          // columns e₁, e₂, n
  double x[3], y[3];  // corners in these axes, from the first
  double area;

  explicit Flat(std::span<const Vec3> p) {
    const Vec3 n = (p[1] - p[0]).cross(p[2] - p[0]);
    area = n.norm() / 2;
    axes = shell_axes(n.normalized());
    for (int a = 0; a < 3; ++a) {
      x[a] = axes.col(0).dot(p[a] - p[0]);
      y[a] = axes.col(1).dot(p[a] - p[0]);
    }
  }
  double xd(int i, int j) const { return x[i - 1] - x[j - 1]; }  // x_ij, corners from 1 as in the paper
  double yd(int i, int j) const { return y[i - 1] - y[j - 1]; }
  double l2(int i, int j) const { return xd(i, j) * xd(i, j) + yd(i, j) * yd(i, j); }
};

Eigen::Matrix3d plane_stress(const Elastic& m) {
  Eigen::Matrix3d D;
  D << 1, m.poisson, 0, m.poisson, 1, 0, 0, 0, (1 - m.poisson) / 2;
  return m.young / (1 - m.poisson * m.poisson) * D;
}

/// L/t of the basic stiffness; Lᵀ u / (A t) is the mean strain.
Eigen::Matrix<double, 9, 3> lumping(const Flat& f) {
  const double b = 1.5;
  Eigen::Matrix<double, 9, 3> L;
  const auto rows = [&](int at, int i, int j, int k) {
    // Corner i, with j and k after it in turn.
    L.row(at) << f.yd(j, k), 0, f.xd(k, j);
    L.row(at + 1) << 0, f.xd(k, j), f.yd(j, k);
    L.row(at + 2) << b / 6 * f.yd(j, k) * (f.yd(i, k) - f.yd(j, i)),
        b / 6 * f.xd(k, j) * (f.xd(k, i) - f.xd(i, j)),
        b / 3 * (f.xd(k, i) * f.yd(i, k) - f.xd(i, j) * f.yd(j, i));
  };
  rows(0, 1, 2, 3), rows(3, 2, 3, 1), rows(6, 3, 1, 2);
  return 0.5 * L;
}

Mat9 membrane(const Flat& f, const Eigen::Matrix3d& D, double t, double poisson) {
  const auto L = lumping(f);
  const double A = f.area;
  Mat9 K = t / A * L * D * L.transpose();

  // Natural strains along the sides 21, 32, 13.
  const double l21 = f.l2(2, 1), l32 = f.l2(3, 2), l13 = f.l2(1, 3);
  Eigen::Matrix3d Te;
  Te << f.yd(2, 3) * f.yd(1, 3) * l21, f.yd(3, 1) * f.yd(2, 1) * l32, f.yd(1, 2) * f.yd(3, 2) * l13,
      f.xd(2, 3) * f.xd(1, 3) * l21, f.xd(3, 1) * f.xd(2, 1) * l32, f.xd(1, 2) * f.xd(3, 2) * l13,
      (f.yd(2, 3) * f.xd(3, 1) + f.xd(3, 2) * f.yd(1, 3)) * l21,
      (f.yd(3, 1) * f.xd(1, 2) + f.xd(1, 3) * f.yd(2, 1)) * l32,
      (f.yd(1, 2) * f.xd(2, 3) + f.xd(2, 1) * f.yd(3, 2)) * l13;
  Te /= 4 * A * A;
  const Eigen::Matrix3d natural = Te.transpose() * D * Te;

  const double b[10] = {0, 1, 2, 1, 0, 1, -1, -1, -1, -2};
  Eigen::Matrix3d Q1, Q2, Q3;
  Q1 << b[1] / l21, b[2] / l21, b[3] / l21, b[4] / l32, b[5] / l32, b[6] / l32, b[7] / l13, b[8] / l13,
      b[9] / l13;
  Q2 << b[9] / l21, b[7] / l21, b[8] / l21, b[3] / l32, b[1] / l32, b[2] / l32, b[6] / l13, b[4] / l13,
      b[5] / l13;
  Q3 << b[5] / l21, b[6] / l21, b[4] / l21, b[8] / l32, b[9] / l32, b[7] / l32, b[2] / l13, b[3] / l13,
      b[1] / l13;
  const double scale = 2 * A / 3;
  Eigen::Matrix3d Kt = Eigen::Matrix3d::Zero();
  for (const Eigen::Matrix3d& Q :
       {Eigen::Matrix3d(0.5 * scale * (Q1 + Q2)), Eigen::Matrix3d(0.5 * scale * (Q2 + Q3)),
        Eigen::Matrix3d(0.5 * scale * (Q3 + Q1))})
    Kt += Q.transpose() * natural * Q;
  Kt *= A * t;

  // Corner rotations less the rotation of the triangle as a whole.
  Mat3x9 T = Mat3x9::Zero();
  const double row[9] = {f.xd(3, 2), f.yd(3, 2), 0, f.xd(1, 3), f.yd(1, 3), 0, f.xd(2, 1), f.yd(2, 1), 0};
  for (int r = 0; r < 3; ++r) {
    for (int c = 0; c < 9; ++c) T(r, c) = row[c] / (4 * A);
    T(r, 3 * r + 2) += 1;
  }
  const double beta0 = std::max(0.5 * (1 - 4 * poisson * poisson), 0.01);
  K += 0.75 * beta0 * T.transpose() * Kt * T;
  return K;
}

/// Curvatures from (w, θ_x, θ_y) of the corners: constant.
Mat3x9 curvature(const Flat& f) {
  Mat3x9 B = Mat3x9::Zero();
  for (int a = 0; a < 3; ++a) {
    const int i = a + 1, j = i % 3 + 1, k = j % 3 + 1;
    const double dx = f.yd(j, k) / (2 * f.area), dy = f.xd(k, j) / (2 * f.area);
    B(0, 3 * a + 2) = dx;   // β_x = θ_y
    B(1, 3 * a + 1) = -dy;  // β_y = −θ_x
    B(2, 3 * a + 2) = dy;
    B(2, 3 * a + 1) = -dx;
  }
  return B;
}

/// e_r (i = 0) or e_s (i = 1) of the linear fields at (r, s).
Row9 covariant_shear(const Flat& f, int i, double r, double s) {
  const double N[3] = {1 - r - s, r, s};
  const double gx = i == 0 ? f.xd(2, 1) : f.xd(3, 1), gy = i == 0 ? f.yd(2, 1) : f.yd(3, 1);
  Row9 row = Row9::Zero();
  row[0] = -1, row[3 * (i + 1)] = 1;
  for (int a = 0; a < 3; ++a) {
    row[3 * a + 2] += N[a] * gx;
    row[3 * a + 1] -= N[a] * gy;
  }
  return row;
}

Mat9 bending(const Flat& f, const Eigen::Matrix3d& D, double t, double G) {
  const Mat3x9 B = curvature(f);
  Mat9 K = f.area * t * t * t / 12 * B.transpose() * D * B;
  const Row9 r1 = covariant_shear(f, 0, 0.5, 0), s2 = covariant_shear(f, 1, 0, 0.5),
             r3 = covariant_shear(f, 0, 0.5, 0.5), s3 = covariant_shear(f, 1, 0.5, 0.5);
  const Row9 c = s2 - r1 - s3 + r3;
  Eigen::Matrix2d J;  // covariant = J cartesian
  J << f.xd(2, 1), f.yd(2, 1), f.xd(3, 1), f.yd(3, 1);
  const Eigen::Matrix2d inverse = J.inverse();
  const double h2 = std::max({f.l2(2, 1), f.l2(3, 2), f.l2(1, 3)}), soften = t * t / (t * t + 0.1 * h2);
  for (const auto& [r, s] :
       {std::pair{1.0 / 6, 1.0 / 6}, std::pair{2.0 / 3, 1.0 / 6}, std::pair{1.0 / 6, 2.0 / 3}}) {
    Eigen::Matrix<double, 2, 9> e;
    e.row(0) = r1 + c * s;
    e.row(1) = s2 - c * r;
    const Eigen::Matrix<double, 2, 9> gamma = inverse * e;
    K += soften * f.area / 3 * 5.0 / 6 * G * t * gamma.transpose() * gamma;
  }
  return K;
}

// Places of (u, v, θ_z) and of (w, θ_x, θ_y) among the six of a node.
constexpr int in_plane[3] = {0, 1, 5}, out_of_plane[3] = {2, 3, 4};

void matrices(const ElementInput& in, ElementMatrices& out) {
  const Flat f(in.x);
  const double t = in.section.thickness, G = in.material.young / (2 * (1 + in.material.poisson));
  const Eigen::Matrix3d D = plane_stress(in.material);
  const Mat9 m = membrane(f, D, t, in.material.poisson), b = bending(f, D, t, G);
  Eigen::MatrixXd local = Eigen::MatrixXd::Zero(18, 18);
  for (int i = 0; i < 9; ++i)
    for (int j = 0; j < 9; ++j) {
      local(6 * (i / 3) + in_plane[i % 3], 6 * (j / 3) + in_plane[j % 3]) = m(i, j);
      local(6 * (i / 3) + out_of_plane[i % 3], 6 * (j / 3) + out_of_plane[j % 3]) = b(i, j);
    }
  out.K = Eigen::MatrixXd::Zero(18, 18);
  for (int i = 0; i < 6; ++i)
    for (int j = 0; j < 6; ++j)
      out.K.block<3, 3>(3 * i, 3 * j) = f.axes * local.block<3, 3>(3 * i, 3 * j) * f.axes.transpose();
  out.K = (0.5 * (out.K + out.K.transpose())).eval();
  out.M = Eigen::MatrixXd::Zero(18, 18);
  for (int a = 0; a < 3; ++a)
    for (int c = 0; c < 3; ++c)
      for (int i = 0; i < 6; ++i)
        out.M(6 * a + i, 6 * c + i) =
            in.material.density * t * f.area / (a == c ? 6 : 12) * (i < 3 ? 1 : t * t / 12);
}

double quality(std::span<const Vec3> x) {
  const Vec3 p = x[1] - x[0], q = x[2] - x[0], r = x[2] - x[1];
  const double size = std::max({p.norm(), q.norm(), r.norm()});
  return size > 0 ? p.cross(q).norm() / (size * size) : 0;
}

void stress(const ElementInput& in, std::span<const double> u, ElementStress& out) {
  const Flat f(in.x);
  const double t = in.section.thickness;
  Eigen::Matrix<double, 9, 1> m, b;
  for (int a = 0; a < 3; ++a) {
    const Eigen::Map<const Vec3> du(u.data() + 6 * a), dr(u.data() + 6 * a + 3);
    const Vec3 d = f.axes.transpose() * du, r = f.axes.transpose() * dr;
    m.segment<3>(3 * a) << d.x(), d.y(), r.z();
    b.segment<3>(3 * a) << d.z(), r.x(), r.y();
  }
  const Eigen::Matrix3d D = plane_stress(in.material);
  const Vec3 s = D * (lumping(f).transpose() * m) / f.area, k = D * (curvature(f) * b);
  out.stress = {s[0], s[1], 0, s[2], 0, 0};
  for (int i = 0; i < 3; ++i) out.moment[i] = k[i] * t * t * t / 12;
  const Vec3 top = s + t / 2 * k, bottom = s - t / 2 * k;
  out.von_mises = std::max(von_mises({top[0], top[1], 0, top[2], 0, 0}),
                           von_mises({bottom[0], bottom[1], 0, bottom[2], 0, 0}));
}

void geometric(const ElementInput& in, std::span<const double> u, Eigen::MatrixXd& out) {
  const Flat f(in.x);
  ElementStress s;
  stress(in, u, s);
  Mat3 membrane = Mat3::Zero();
  membrane.topLeftCorner<2, 2>() << s.stress[0], s.stress[3], s.stress[3], s.stress[1];
  Mat3 gradients = Mat3::Zero();  // in the shell's axes
  for (int a = 0; a < 3; ++a) {
    const int i = a + 1, j = i % 3 + 1, k = j % 3 + 1;
    gradients(a, 0) = f.yd(j, k) / (2 * f.area), gradients(a, 1) = f.xd(k, j) / (2 * f.area);
  }
  out = Eigen::MatrixXd::Zero(18, 18);
  add_geometric(f.area * in.section.thickness, gradients, membrane, 6, out);
}

const Registration<ElementType> registered{
    {.name = "shell3",
     .help = "3-node shell, optimal membrane triangle with drilling, MITC3 bending",
     .citation = "Felippa2003; Lee2004",
     .shape = CellShape::triangle,
     .dofs = 6,
     .matrices = matrices,
     .quality = quality,
     .stress = stress,
     .geometric = geometric}};

}  // namespace
}  // namespace tappet::fem::elements::shell3
