// 3D Timoshenko beam of two nodes: exact under end loads, with shear and rotary inertia.
//
//   bending in a plane:  w = Σ N_i d_i, θ = Σ M_i d_i,  d = (w₁, θ₁, w₂, θ₂),  Φ = 12 E I/(κ G A L²),  s = x/L
//   N₁ = [1 − 3s² + 2s³ + Φ(1 − s)]/(1+Φ)           M₁ = 6(s² − s)/((1+Φ) L)
//   N₂ = L[s − 2s² + s³ + Φ(s − s²)/2]/(1+Φ)        M₂ = [1 − 4s + 3s² + Φ(1 − s)]/(1+Φ)
//   N₃ = [3s² − 2s³ + Φ s]/(1+Φ)                    M₃ = −M₁
//   N₄ = L[s³ − s² − Φ(s − s²)/2]/(1+Φ)             M₄ = [3s² − 2s + Φ s]/(1+Φ)
//   K = ∫ E I θ'² + κ G A (w' − θ)²,   M = ∫ ρA w² + ρI θ²                               [Przemieniecki 1968]
//
// Local x runs along the beam, z towards the section's `up`. Tension and torsion are linear.
#include <cmath>

#include <Eigen/Geometry>

#include "tappet/fem/element.hpp"

namespace tappet::fem::elements::beam {
namespace {

using Vec4 = Eigen::Vector4d;
using Mat12 = Eigen::Matrix<double, 12, 12>;

struct Bending {
  Vec4 w, dw, theta, dtheta;  // values and derivatives by x
};

Bending bending(double s, double L, double phi) {
  const double p = 1 / (1 + phi);
  Bending b;
  b.w << p * (1 - 3 * s * s + 2 * s * s * s + phi * (1 - s)),
      p * L * (s - 2 * s * s + s * s * s + phi / 2 * (s - s * s)), p * (3 * s * s - 2 * s * s * s + phi * s),
      p * L * (s * s * s - s * s - phi / 2 * (s - s * s));
  b.dw << p / L * (-6 * s + 6 * s * s - phi), p * (1 - 4 * s + 3 * s * s + phi / 2 * (1 - 2 * s)),
      p / L * (6 * s - 6 * s * s + phi), p * (3 * s * s - 2 * s - phi / 2 * (1 - 2 * s));
  b.theta << 6 * p / L * (s * s - s), p * (1 - 4 * s + 3 * s * s + phi * (1 - s)), -6 * p / L * (s * s - s),
      p * (3 * s * s - 2 * s + phi * s);
  b.dtheta << 6 * p / (L * L) * (2 * s - 1), p / L * (-4 + 6 * s - phi), -6 * p / (L * L) * (2 * s - 1),
      p / L * (6 * s - 2 + phi);
  return b;
}

Mat3 axes(const ElementInput& in) {
  return beam_axes((in.x[1] - in.x[0]).normalized(), in.section.up);
}

struct Plane {
  double EI, shear, rotary;  // E I, κ G A, ρ I
  int at[4];                 // places of w₁ θ₁ w₂ θ₂
  double sign;               // of θ against the rotation
};

struct Stiffness {
  double L, EA, GJ;
  Plane planes[2];
};

Stiffness stiffness(const ElementInput& in) {
  const Section& s = in.section;
  const double E = in.material.young, G = E / (2 * (1 + in.material.poisson)), rho = in.material.density;
  // Deflection along z turns about −y, along y about +z.
  return {(in.x[1] - in.x[0]).norm(),
          E * s.area,
          G * s.torsion,
          {{E * s.inertia_y, s.shear_z * G * s.area, rho * s.inertia_y, {2, 4, 8, 10}, -1},
           {E * s.inertia_z, s.shear_y * G * s.area, rho * s.inertia_z, {1, 5, 7, 11}, 1}}};
}

Eigen::MatrixXd turned(const Mat12& local, const Mat3& R) {
  Eigen::MatrixXd out(12, 12);
  for (int i = 0; i < 4; ++i)
    for (int j = 0; j < 4; ++j)
      out.block<3, 3>(3 * i, 3 * j) = R * local.block<3, 3>(3 * i, 3 * j) * R.transpose();
  return 0.5 * (out + out.transpose());
}

void matrices(const ElementInput& in, ElementMatrices& out) {
  const Stiffness k = stiffness(in);
  Mat12 K = Mat12::Zero(), M = Mat12::Zero();
  const auto pair = [](Mat12& m, int i, int j, double own, double other) {
    m(i, i) += own, m(j, j) += own, m(i, j) += other, m(j, i) += other;
  };
  pair(K, 0, 6, k.EA / k.L, -k.EA / k.L);
  pair(K, 3, 9, k.GJ / k.L, -k.GJ / k.L);
  const double line = in.material.density * in.section.area,
               polar = in.material.density * (in.section.inertia_y + in.section.inertia_z);
  pair(M, 0, 6, line * k.L / 3, line * k.L / 6);
  pair(M, 3, 9, polar * k.L / 3, polar * k.L / 6);

  // Four points of Gauss: exact for the products of cubics.
  const double a = std::sqrt(3.0 / 7 - 2.0 / 7 * std::sqrt(1.2)),
               b = std::sqrt(3.0 / 7 + 2.0 / 7 * std::sqrt(1.2));
  const double wa = (18 + std::sqrt(30.0)) / 72, wb = (18 - std::sqrt(30.0)) / 72;
  const double points[4][2] = {{(1 - a) / 2, wa}, {(1 + a) / 2, wa}, {(1 - b) / 2, wb}, {(1 + b) / 2, wb}};
  for (const Plane& plane : k.planes) {
    const double phi = plane.shear > 0 ? 12 * plane.EI / (plane.shear * k.L * k.L) : 0;
    for (const auto& [s, weight] : points) {
      const Bending f = bending(s, k.L, phi);
      const Vec4 gamma = f.dw - f.theta;
      const double w = weight * k.L;
      const Eigen::Matrix4d stiff = w * (plane.EI * f.dtheta * f.dtheta.transpose() +
                                         plane.shear * gamma * gamma.transpose()),
                            mass = w * (line * f.w * f.w.transpose() +
                                        plane.rotary * f.theta * f.theta.transpose());
      for (int i = 0; i < 4; ++i)
        for (int j = 0; j < 4; ++j) {
          const double sign = (i % 2 ? plane.sign : 1) * (j % 2 ? plane.sign : 1);
          K(plane.at[i], plane.at[j]) += sign * stiff(i, j);
          M(plane.at[i], plane.at[j]) += sign * mass(i, j);
        }
    }
  }
  const Mat3 R = axes(in);
  out.K = turned(K, R);
  out.M = turned(M, R);
}

constexpr double gauss(int i) {
  return i == 0   ? 0.0694318442029737
         : i == 1 ? 0.3300094782075719
         : i == 2 ? 0.6699905217924281
                  : 0.9305681557970263;
}
constexpr double gauss_weight(int i) {
  return i == 0 || i == 3 ? 0.1739274225687269 : 0.3260725774312731;
}

// A row of the local unknowns as one of the unknowns in world axes.
Eigen::RowVectorXd in_world(const Eigen::Matrix<double, 1, 12>& local, const Mat3& R) {
  Eigen::RowVectorXd out(12);
  for (int i = 0; i < 4; ++i) out.segment<3>(3 * i) = local.segment<3>(3 * i) * R.transpose();
  return out;
}

void mass_points(const ElementInput& in, std::vector<MassPoint>& out) {
  const Stiffness k = stiffness(in);
  const Mat3 R = axes(in);
  out.clear();
  for (int g = 0; g < 4; ++g) {
    const double s = gauss(g);
    Eigen::Matrix<double, 3, 12> local = Eigen::Matrix<double, 3, 12>::Zero();
    local(0, 0) = 1 - s, local(0, 6) = s;
    for (int p = 0; p < 2; ++p) {
      const Plane& plane = k.planes[p];
      const Bending f = bending(s, k.L, plane.shear > 0 ? 12 * plane.EI / (plane.shear * k.L * k.L) : 0);
      for (int i = 0; i < 4; ++i) local(p == 0 ? 2 : 1, plane.at[i]) = f.w[i] * (i % 2 ? plane.sign : 1);
    }
    MassPoint point;
    point.mass = gauss_weight(g) * k.L * in.material.density * in.section.area;
    point.x = (1 - s) * in.x[0] + s * in.x[1];
    point.rows.resize(3, 12);
    const Eigen::Matrix<double, 3, 12> turned_rows = R * local;
    for (int a = 0; a < 3; ++a) point.rows.row(a) = in_world(turned_rows.row(a), R);
    out.push_back(std::move(point));
  }
}

// N ∫ v′² + w′², N the axial force.
void geometric(const ElementInput& in, std::span<const double> u, Eigen::MatrixXd& out) {
  const Stiffness k = stiffness(in);
  const Mat3 R = axes(in);
  const Vec3 first = Eigen::Map<const Vec3>(u.data()), second = Eigen::Map<const Vec3>(u.data() + 6);
  const double N = k.EA / k.L * R.col(0).dot(second - first);
  Mat12 local = Mat12::Zero();
  for (const Plane& plane : k.planes) {
    const double phi = plane.shear > 0 ? 12 * plane.EI / (plane.shear * k.L * k.L) : 0;
    for (int g = 0; g < 4; ++g) {
      const Bending f = bending(gauss(g), k.L, phi);
      const double w = gauss_weight(g) * k.L * N;
      for (int i = 0; i < 4; ++i)
        for (int j = 0; j < 4; ++j)
          local(plane.at[i], plane.at[j]) +=
              w * f.dw[i] * f.dw[j] * (i % 2 ? plane.sign : 1) * (j % 2 ? plane.sign : 1);
    }
  }
  out = turned(local, R);
}

double quality(std::span<const Vec3> x) {
  return (x[1] - x[0]).norm() > 0 ? 1 : 0;
}

void stress(const ElementInput& in, std::span<const double> u, ElementStress& out) {
  const Stiffness k = stiffness(in);
  const Mat3 R = axes(in);
  Eigen::Matrix<double, 12, 1> d;
  for (int i = 0; i < 4; ++i) d.segment<3>(3 * i) = R.transpose() * Eigen::Map<const Vec3>(u.data() + 3 * i);
  const double N = k.EA / k.L * (d[6] - d[0]);
  out.moment[0] = k.GJ / k.L * (d[9] - d[3]);
  // The larger of both ends.
  for (int p = 0; p < 2; ++p) {
    const Plane& plane = k.planes[p];
    const double phi = plane.shear > 0 ? 12 * plane.EI / (plane.shear * k.L * k.L) : 0;
    double most = 0;
    for (double s : {0.0, 1.0}) {
      const Bending f = bending(s, k.L, phi);
      double kappa = 0;
      for (int i = 0; i < 4; ++i) kappa += f.dtheta[i] * d[plane.at[i]] * (i % 2 ? plane.sign : 1);
      if (std::abs(plane.EI * kappa) > std::abs(most)) most = plane.EI * kappa;
    }
    out.moment[1 + p] = most;
  }
  const Section& s = in.section;
  out.stress[0] = s.area > 0 ? N / s.area : 0;
  double bent = std::abs(out.stress[0]), twisted = 0;
  if (s.inertia_y > 0) bent += std::abs(out.moment[1]) * s.reach_z / s.inertia_y;
  if (s.inertia_z > 0) bent += std::abs(out.moment[2]) * s.reach_y / s.inertia_z;
  if (s.torsion > 0) twisted = std::abs(out.moment[0]) * s.reach_twist / s.torsion;
  out.von_mises = std::sqrt(bent * bent + 3 * twisted * twisted);
}

const Registration<ElementType> registered{{.name = "beam",
                                            .help = "2-node Timoshenko beam",
                                            .citation = "Przemieniecki1968",
                                            .shape = CellShape::line,
                                            .dofs = 6,
                                            .matrices = matrices,
                                            .quality = quality,
                                            .stress = stress,
                                            .mass_points = mass_points,
                                            .geometric = geometric}};

}  // namespace
}  // namespace tappet::fem::elements::beam
