// 4-node shell, MITC4, with enhanced membrane strain and drilling rotation.
//
//   x = Σ N_a (x_a + ζ t/2 V_a),   u = Σ N_a (u_a + ζ t/2 θ_a × V_a)        −1 ≤ ζ ≤ 1
//   ε_ij = ½ (g_i·u,j + g_j·u,i)                                            covariant, g_i = x,i
//   ε_13 = ½(1+η) ε_13(0, 1) + ½(1−η) ε_13(0, −1),   ε_23 likewise          transverse shear, tied at the edges
//   ε_11, 2ε_12, ε_22 += (j₀/j) (ξ α₁, ξ α₂ + η α₃, η α₄)                   membrane, α eliminated
//   γ_d = ½ (u₂,₁ − u₁,₂) − θ·n                                             drilling: ½ G t γ_d(0, 0)² + ½ 10⁻³ G t γ_d² per area
//
// V_a is the normal of the element's own surface at node a, so warped elements keep their shape and move
// rigidly without strain. Tied shear removes locking of thin shells [Dvorkin & Bathe 1984]; the modes α make
// the element bend in its plane [Simo & Rifai 1990]. The rotation about the normal has no stiffness of its
// own: it is tied to the mean rotation of the plane [Hughes & Brezzi 1989]. Where elements meet at an angle the tie must hold.
// Their normals lie at n ± φ s there, φ = h/2R on a shell of curvature 1/R, so that a rotation δ about n which is not that of the plane
// turns their directors apart by 2φδ: it takes δ/R from the twist. With α G t of tie per area, the stiffness D (1 − ν)/2 against twist
// would fall by the part (t/R)²/(12α) of itself. At the centre the tie is therefore as stiff as the plane is against shear, α = 1. There
// it costs nothing in bending of the plane, of which elements of this order have half of the rotation; the rest of the tie only
// keeps the pattern + − + − of rotations from being free.
#include <cmath>

#include <Eigen/Cholesky>
#include <Eigen/Geometry>
#include <Eigen/LU>

#include "tappet/fem/geometric.hpp"

namespace tappet::fem::elements::shell4 {
namespace {

constexpr double corner[4][2] = {{-1, -1}, {1, -1}, {1, 1}, {-1, 1}};
constexpr double centre_drilling = 1, drilling = 1e-3;  // of G
constexpr int modes = 4;

using Row = Eigen::Matrix<double, 1, 24>;
using Strain = Eigen::Matrix<double, 5, 24>;  // xx yy xy | xz yz, in the axes of the point

struct Shapes {
  double n[4], d[4][2];
};

Shapes shapes(double xi, double eta) {
  Shapes s;
  for (int a = 0; a < 4; ++a) {
    const double p = 1 + corner[a][0] * xi, q = 1 + corner[a][1] * eta;
    s.n[a] = p * q / 4;
    s.d[a][0] = corner[a][0] * q / 4;
    s.d[a][1] = corner[a][1] * p / 4;
  }
  return s;
}

struct Geometry {
  std::span<const Vec3> x;
  double t;
  Vec3 V[4];

  Geometry(std::span<const Vec3> nodes, double thickness) : x(nodes), t(thickness) {
    for (int a = 0; a < 4; ++a) {
      const Shapes s = shapes(corner[a][0], corner[a][1]);
      V[a] = tangent(s, 0, 0).cross(tangent(s, 1, 0)).normalized();
    }
  }
  /// g₁ or g₂ at height ζ.
  Vec3 tangent(const Shapes& s, int i, double zeta) const {
    Vec3 g = Vec3::Zero();
    for (int a = 0; a < 4; ++a) g += s.d[a][i] * (zeta == 0 ? x[a] : Vec3(x[a] + zeta * t / 2 * V[a]));
    return g;
  }
  Vec3 director(const Shapes& s) const {
    Vec3 g = Vec3::Zero();
    for (int a = 0; a < 4; ++a) g += s.n[a] * t / 2 * V[a];
    return g;
  }
  /// w·u,i as a row of the unknowns; i = 0, 1 in the surface, 2 across it. w·(θ × V) = θ·(V × w).
  Row derivative(const Shapes& s, int i, double zeta, const Vec3& w) const {
    Row row;
    for (int a = 0; a < 4; ++a) {
      const double du = i < 2 ? s.d[a][i] : 0, dv = (i < 2 ? zeta * s.d[a][i] : s.n[a]) * t / 2;
      row.segment<3>(6 * a) = du * w.transpose();
      row.segment<3>(6 * a + 3) = dv * V[a].cross(w).transpose();
    }
    return row;
  }
  /// 2ε_i3 of the mid-surface at a tying point.
  Row tied_shear(int i, double xi, double eta) const {
    const Shapes s = shapes(xi, eta);
    return derivative(s, 2, 0, tangent(s, i, 0)) + derivative(s, i, 0, director(s));
  }
};

struct SamplePoint {
  Shapes s;
  double det;   // volume (j) of the parameter cube
  Mat3 axes;    // columns e₁, e₂, n
  Mat3 contra;  // (e_a · g^i) at row a, column i
  Strain B;
};

Mat3 basis(const Geometry& g, const Shapes& s, double zeta) {
  Mat3 G;
  G << g.tangent(s, 0, zeta), g.tangent(s, 1, zeta), g.director(s);
  return G;
}

/// Turns in-plane strains (11, 22, 2·12) of the parameters into those of the axes.
Eigen::Matrix3d in_plane(const Mat3& c) {
  Eigen::Matrix3d T;
  T << c(0, 0) * c(0, 0), c(0, 1) * c(0, 1), c(0, 0) * c(0, 1),  //
      c(1, 0) * c(1, 0), c(1, 1) * c(1, 1), c(1, 0) * c(1, 1),   //
      2 * c(0, 0) * c(1, 0), 2 * c(0, 1) * c(1, 1), c(0, 0) * c(1, 1) + c(0, 1) * c(1, 0);
  return T;
}

SamplePoint place(const Geometry& g, double xi, double eta, double zeta) {
  SamplePoint p;
  p.s = shapes(xi, eta);
  const Mat3 G = basis(g, p.s, zeta);
  p.det = G.determinant();
  p.axes = shell_axes(Vec3(G.col(0)).cross(Vec3(G.col(1))).normalized());
  p.contra = p.axes.transpose() * G.inverse().transpose();
  Eigen::Matrix<double, 5, 24> e;  // 11 22 2·12 2·13 2·23
  e.row(0) = g.derivative(p.s, 0, zeta, G.col(0));
  e.row(1) = g.derivative(p.s, 1, zeta, G.col(1));
  e.row(2) = g.derivative(p.s, 0, zeta, G.col(1)) + g.derivative(p.s, 1, zeta, G.col(0));
  e.row(3) = 0.5 * (1 + eta) * g.tied_shear(0, 0, 1) + 0.5 * (1 - eta) * g.tied_shear(0, 0, -1);
  e.row(4) = 0.5 * (1 + xi) * g.tied_shear(1, 1, 0) + 0.5 * (1 - xi) * g.tied_shear(1, -1, 0);
  p.B.topRows<3>() = in_plane(p.contra) * e.topRows<3>();
  // ε_a3 = Σ ε_i3 (e_a·g^i)(n·g³)
  p.B.row(3) = p.contra(2, 2) * (p.contra(0, 0) * e.row(3) + p.contra(0, 1) * e.row(4));
  p.B.row(4) = p.contra(2, 2) * (p.contra(1, 0) * e.row(3) + p.contra(1, 1) * e.row(4));
  return p;
}

Eigen::Matrix<double, 5, 5> plane_stress(const Elastic& m) {
  Eigen::Matrix<double, 5, 5> D = Eigen::Matrix<double, 5, 5>::Zero();
  const double E = m.young / (1 - m.poisson * m.poisson), G = m.young / (2 * (1 + m.poisson));
  D(0, 0) = D(1, 1) = E;
  D(0, 1) = D(1, 0) = m.poisson * E;
  D(2, 2) = G;
  D(3, 3) = D(4, 4) = 5.0 / 6 * G;
  return D;
}

struct Parts {
  Eigen::Matrix<double, 24, 24> uu = Eigen::Matrix<double, 24, 24>::Zero();
  Eigen::Matrix<double, modes, 24> au = Eigen::Matrix<double, modes, 24>::Zero();
  Eigen::Matrix<double, modes, modes> aa = Eigen::Matrix<double, modes, modes>::Zero();
};

/// Rows 11, 22, 2·12.
Eigen::Matrix<double, 3, modes> mode_strains(double xi, double eta) {
  Eigen::Matrix<double, 3, modes> m;
  m << xi, 0, 0, 0, 0, eta, 0, 0, 0, 0, xi, eta;
  return m;
}

Row drilling_row(const Geometry& g, const SamplePoint& p) {
  // u_b,a = Σ_i (e_a·g^i) e_b·u,i, in the mid-surface.
  Row row = Row::Zero();
  for (int i = 0; i < 2; ++i)
    row += 0.5 * (p.contra(0, i) * g.derivative(p.s, i, 0, p.axes.col(1)) -
                  p.contra(1, i) * g.derivative(p.s, i, 0, p.axes.col(0)));
  for (int a = 0; a < 4; ++a) row.segment<3>(6 * a + 3) -= p.s.n[a] * p.axes.col(2).transpose();
  return row;
}

Parts parts(const ElementInput& in) {
  const Geometry g(in.x, in.section.thickness);
  const auto D = plane_stress(in.material);
  const double shear = in.material.young / (2 * (1 + in.material.poisson)), point = 1 / std::sqrt(3.0);
  const SamplePoint centre = place(g, 0, 0, 0);
  const Eigen::Matrix3d turn = in_plane(centre.contra);
  Parts out;
  for (const auto& c : corner) {
    const double xi = point * c[0], eta = point * c[1];
    for (const double zeta : {-point, point}) {
      const SamplePoint p = place(g, xi, eta, zeta);
      // The modes are given in the axes of the centre, which differ from the point's by a turn in the plane.
      const Mat3 between = p.axes.transpose() * centre.axes;
      Eigen::Matrix<double, 5, modes> m = Eigen::Matrix<double, 5, modes>::Zero();
      m.topRows<3>() = centre.det / p.det * (in_plane(between) * turn * mode_strains(xi, eta));
      const Strain DB = p.det * D * p.B;
      out.uu.noalias() += p.B.transpose() * DB;
      out.au.noalias() += m.transpose() * DB;
      out.aa.noalias() += m.transpose() * (p.det * D * m);
    }
    const SamplePoint mid = place(g, xi, eta, 0);
    const Row row = drilling_row(g, mid);
    out.uu.noalias() += row.transpose() * (2 * mid.det * drilling * shear) * row;
  }
  const Row row = drilling_row(g, centre);
  out.uu.noalias() += row.transpose() * (8 * centre.det * centre_drilling * shear) * row;
  return out;
}

void matrices(const ElementInput& in, ElementMatrices& out) {
  const Parts k = parts(in);
  out.K = k.uu - k.au.transpose() * k.aa.ldlt().solve(k.au);
  out.K = (0.5 * (out.K + out.K.transpose())).eval();
  // ρt on displacements, ρt³/12 on rotations about every axis.
  const Geometry g(in.x, in.section.thickness);
  const double point = 1 / std::sqrt(3.0), t = in.section.thickness;
  out.M = Eigen::MatrixXd::Zero(24, 24);
  for (const auto& c : corner) {
    const Shapes s = shapes(point * c[0], point * c[1]);
    const double mass = in.material.density * t * g.tangent(s, 0, 0).cross(g.tangent(s, 1, 0)).norm();
    for (int a = 0; a < 4; ++a)
      for (int b = 0; b < 4; ++b)
        for (int i = 0; i < 6; ++i)
          out.M(6 * a + i, 6 * b + i) += mass * s.n[a] * s.n[b] * (i < 3 ? 1 : t * t / 12);
  }
}

double quality(std::span<const Vec3> x) {
  // Corner areas against the mean normal: a quadrangle must be convex.
  const Vec3 n = (x[2] - x[0]).cross(x[3] - x[1]);
  double size = 0, least = 1e300;
  for (int a = 0; a < 4; ++a) {
    const Vec3 p = x[(a + 1) % 4] - x[a], q = x[(a + 3) % 4] - x[a];
    size = std::max({size, p.norm(), q.norm()});
    least = std::min(least, n.norm() > 0 ? p.cross(q).dot(n) / n.norm() : 0);
  }
  return size > 0 ? least / (size * size) : 0;
}

void stress(const ElementInput& in, std::span<const double> u, ElementStress& out) {
  const Geometry g(in.x, in.section.thickness);
  const auto D = plane_stress(in.material);
  const Eigen::Map<const Eigen::Matrix<double, 24, 1>> q(u.data());
  // The modes vanish at the centre.
  const Eigen::Matrix<double, 5, 1> mid = D * (place(g, 0, 0, 0).B * q), top = D * (place(g, 0, 0, 1).B * q),
                                    bottom = D * (place(g, 0, 0, -1).B * q);
  out.stress = {mid[0], mid[1], 0, mid[2], mid[4], mid[3]};
  const double t = in.section.thickness;
  for (int i = 0; i < 3; ++i) out.moment[i] = 0.5 * (top[i] - bottom[i]) * t * t / 6;
  out.von_mises = std::max(von_mises({top[0], top[1], 0, top[2], 0, 0}),
                           von_mises({bottom[0], bottom[1], 0, bottom[2], 0, 0}));
}

// The membrane stress of the centre.
void geometric(const ElementInput& in, std::span<const double> u, Eigen::MatrixXd& out) {
  const Geometry g(in.x, in.section.thickness);
  const SamplePoint centre = place(g, 0, 0, 0);
  ElementStress s;
  stress(in, u, s);
  Mat3 membrane = Mat3::Zero();
  membrane.topLeftCorner<2, 2>() << s.stress[0], s.stress[3], s.stress[3], s.stress[1];
  membrane = (centre.axes * membrane * centre.axes.transpose()).eval();
  out = Eigen::MatrixXd::Zero(24, 24);
  const double point = 1 / std::sqrt(3.0);
  for (const auto& c : corner) {
    const SamplePoint p = place(g, point * c[0], point * c[1], 0);
    Eigen::Matrix<double, 4, 3> gradients;
    for (int a = 0; a < 4; ++a)
      gradients.row(a) =
          (p.axes * (p.s.d[a][0] * p.contra.col(0) + p.s.d[a][1] * p.contra.col(1))).transpose();
    add_geometric(2 * p.det, gradients, membrane, 6, out);
  }
}

const Registration<ElementType> registered{{.name = "shell4",
                                            .help = "4-node shell, MITC4 with enhanced membrane and drilling",
                                            .citation = "Dvorkin1984; Simo1990; Hughes1989",
                                            .shape = CellShape::quadrangle,
                                            .dofs = 6,
                                            .matrices = matrices,
                                            .quality = quality,
                                            .stress = stress,
                                            .geometric = geometric}};

}  // namespace
}  // namespace tappet::fem::elements::shell4
