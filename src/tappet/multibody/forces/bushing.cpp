// Bushing and beam: elastic and viscous in all directions between a frame on each body.
//
//   (F, T) = P − K ((d, φ) − x₀) − C (ḋ, φ̇)
//
// on the second body, in the axes of the first. x₀: offset, P: preload. d: second point against the first; φ: the second body's rotation against
// the first as a rotation vector, zero as written in the file (planar: θ_j − θ_i − θ₀); ḋ and φ̇ ≈ ω_j − ω_i their rates.
// The opposite acts on the first body at the same place, so action equals reaction and no moment is made. Rates are those
// seen from the first body, so turning as a whole costs nothing. Stored: ½ xᵀK x; dissipated: ẋᵀC ẋ. For a rotation
// vector beyond small angles the power of K φ differs from the rate of ½ φᵀKφ at second order; the rotational torque is
// therefore taken as J(φ)⁻ᵀ K φ, whose power is exactly the rate of the stored energy.
//
// Beam: the same with the stiffness of a cantilever's end, of length L from the first point along x, and x₀ = (L, 0, 0) in its axes,
//
//   K_xx = E A/L,  K_φx = G J_t/L,  K_y = 12 c,  K_yφz = −6 c L,  K_φz = (4 + Φ) c L²,  c = E I_z/(L³ (1 + Φ)),  Φ = 12 E I_z/(G A_s L²)
//
// and with I_y for z and φ_y, the coupling being +6 c L. What acts on the first body is in equilibrium with it: together these are the 12 × 12
// matrix of the beam, in axes that go with its first end. It has no mass; deflections are small beside L.
#include <cmath>

#include <Eigen/Dense>
#include <fmt/format.h>

#include "tappet/multibody/force.hpp"

namespace tappet::forces::bushing {
namespace {

Mat3 skew(const Vec3& a) {
  Mat3 m;
  m << 0, -a.z(), a.y(), a.z(), 0, -a.x(), -a.y(), a.x(), 0;
  return m;
}

// Rotation vector of R, |φ| < π.
Vec3 rotation_vector(const Mat3& R) {
  const Vec3 axis = 0.5 * Vec3(R(2, 1) - R(1, 2), R(0, 2) - R(2, 0), R(1, 0) - R(0, 1));  // sin φ · e
  const double s = axis.norm(), c = 0.5 * (R.trace() - 1);
  const double angle = std::atan2(s, c);
  if (s > 1e-6) return axis * (angle / s);
  if (c > 0) return axis * (1 + s * s / 6);
  // Near half a turn: the axis from the symmetric part.
  int largest = 0;
  R.diagonal().maxCoeff(&largest);
  Vec3 e = (R + Mat3::Identity()).col(largest).normalized();
  if (e.dot(axis) < 0) e = -e;
  return angle * e;
}

// φ̇ = J⁻¹ ω for a body that turns by R = exp(φ) with angular velocity ω in the fixed axes.
Mat3 rate_of_rotation_vector(const Vec3& phi) {
  const double angle = phi.norm();
  const Mat3 S = skew(phi);
  const double factor =
      angle > 1e-3 ? 1 / (angle * angle) - (1 + std::cos(angle)) / (2 * angle * std::sin(angle)) : 1.0 / 12;
  return Mat3::Identity() - 0.5 * S + factor * S * S;
}

template <int N>
using Square = Eigen::Matrix<double, N, N>;

class PlanarBushing final : public ForceElement {
 public:
  Vec2 pi, pj;
  double angle = 0;
  Square<3> K = Square<3>::Zero(), C = Square<3>::Zero();
  Vec3 offset = Vec3::Zero(), preload = Vec3::Zero();

  // Deformation and its rate in the first body's axes.
  void deform(const Kinematics& k, Vec3& x, Vec3& v) const {
    const PlanarFrame &fi = k.planar[bodies[0]], &fj = k.planar[bodies[1]];
    const PlanarPoint Pi(fi, pi), Pj(fj, pj);
    const Vec2 d = Pj.r - Pi.r, rate = Pj.v - Pi.v - fi.w * perpendicular(d);
    const auto back = [&](const Vec2& a) {
      return Vec2(fi.c * a.x() + fi.s * a.y(), -fi.s * a.x() + fi.c * a.y());
    };
    x << back(d), fj.theta - fi.theta - angle;
    x -= offset;
    v << back(rate), fj.w - fi.w;
  }

  void apply(const Kinematics& k, ForceSum& sum) const override {
    const PlanarFrame &fi = k.planar[bodies[0]], &fj = k.planar[bodies[1]];
    Vec3 x, v;
    deform(k, x, v);
    const Vec3 viscous = C * v, f = preload - K * x - viscous;
    sum.powers.damping += v.dot(viscous);
    const Vec2 at = fj.point(pj), force = fi.turn(f.head<2>());
    sum.add(fj, bodies[1], at, force);
    sum.add(fi, bodies[0], at, -force);
    sum.add_torque(bodies[1], f.z());
    sum.add_torque(bodies[0], -f.z());
  }

  double potential(const Kinematics& k) const override {
    Vec3 x, v;
    deform(k, x, v);
    return 0.5 * x.dot(K * x) - preload.dot(x);
  }
};

class SpatialBushing final : public ForceElement {
 public:
  using Vec6 = Eigen::Matrix<double, 6, 1>;
  Vec3 pi, pj;
  Mat3 relative;  // the second body's axes in the first's, as written in the file
  Square<6> K = Square<6>::Zero(), C = Square<6>::Zero();
  Vec6 offset = Vec6::Zero(), preload = Vec6::Zero();

  void deform(const Kinematics& k, Vec6& x, Vec6& v) const {
    const SpatialFrame &fi = k.spatial[bodies[0]], &fj = k.spatial[bodies[1]];
    const SpatialPoint Pi(fi, pi), Pj(fj, pj);
    const Vec3 d = Pj.r - Pi.r;
    x.head<3>() = fi.R.transpose() * d;
    x.tail<3>() = rotation_vector(fi.R.transpose() * fj.R * relative.transpose());
    v.head<3>() = fi.R.transpose() * (Pj.v - Pi.v - fi.w.cross(d));
    v.tail<3>() = rate_of_rotation_vector(x.tail<3>()) * (fi.R.transpose() * (fj.w - fi.w));
  }

  void apply(const Kinematics& k, ForceSum& sum) const override {
    const SpatialFrame &fi = k.spatial[bodies[0]], &fj = k.spatial[bodies[1]];
    Vec6 x, v;
    deform(k, x, v);
    const Vec6 viscous = C * v, f = preload - K * (x - offset) - viscous;
    sum.powers.damping += v.dot(viscous);
    const Vec3 at = fj.point(pj), force = fi.R * f.head<3>();
    // Power φ̇·f_φ = (J⁻¹ω)·f_φ, so the torque is J⁻ᵀ f_φ.
    const Vec3 torque = fi.R * (rate_of_rotation_vector(x.tail<3>()).transpose() * f.tail<3>());
    sum.add(fj, bodies[1], at, force);
    sum.add(fi, bodies[0], at, -force);
    sum.add_torque(fj, bodies[1], torque);
    sum.add_torque(fi, bodies[0], -torque);
  }

  double potential(const Kinematics& k) const override {
    Vec6 x, v;
    deform(k, x, v);
    const Vec6 from = x - offset;
    return 0.5 * from.dot(K * from) - preload.dot(from);
  }
};

// Reads a matrix given in full or by its diagonal; it must be symmetric without negative eigenvalues.
template <int N>
bool fill(const ForceInput& in, const std::string& key, const std::vector<std::vector<double>>& rows,
          const std::vector<double>& d, Square<N>& out) {
  const Origin& o = in.origin;
  const std::string diagonal = key + "_diagonal";
  out.setZero();
  if (!rows.empty() && !d.empty()) {
    in.diagnostics.error(o.where(diagonal), fmt::format("bushing '{}' gives `{}` and `{}`; give one of them",
                                                        o.name, key, diagonal));
    return false;
  }
  auto wrong_size = [&](const std::string& which, std::size_t given) {
    in.diagnostics.error(o.where(which),
                         fmt::format("`{}` of bushing '{}' has {} {}; {} are needed in this model", which,
                                     o.name, given, which == key ? "rows or columns" : "numbers", N));
    return false;
  };
  if (!d.empty()) {
    if (d.size() != N) return wrong_size(diagonal, d.size());
    for (int i = 0; i < N; ++i) out(i, i) = d[i];
  } else if (!rows.empty()) {
    if (rows.size() != N) return wrong_size(key, rows.size());
    for (int i = 0; i < N; ++i) {
      if (rows[i].size() != N) return wrong_size(key, rows[i].size());
      for (int j = 0; j < N; ++j) out(i, j) = rows[i][j];
    }
  }
  const double size = out.cwiseAbs().maxCoeff();
  if ((out - out.transpose()).cwiseAbs().maxCoeff() > 1e-9 * size ||
      Eigen::SelfAdjointEigenSolver<Square<N>>(out).eigenvalues().minCoeff() < -1e-9 * size) {
    in.diagnostics.error(
        o.where(!rows.empty() ? key : diagonal),
        fmt::format("`{}` of bushing '{}' must be symmetric and must not have a negative eigenvalue", key,
                    o.name));
    return false;
  }
  return true;
}

// Reads `offset` or `preload`; absent: zero.
template <class V>
bool fill(const ForceInput& in, const std::string& key, const std::vector<double>& given, V& out) {
  out.setZero();
  if (given.empty()) return true;
  if (static_cast<int>(given.size()) != out.size()) {
    in.diagnostics.error(in.origin.where(key),
                         fmt::format("`{}` of bushing '{}' has {} numbers; {} are needed in this model", key,
                                     in.name(), given.size(), out.size()));
    return false;
  }
  for (int i = 0; i < out.size(); ++i) out[i] = given[i];
  return true;
}

// What both kinds of element are made from; null after an error.
template <class F, class P>
std::unique_ptr<F> between(const P& p, const ForceInput& in) {
  const Origin& o = in.origin;
  const int i = in.body(p.bodies[0], o.where("bodies", 0)), j = in.body(p.bodies[1], o.where("bodies", 1));
  if (i < 0 || j < 0) return nullptr;
  auto f = std::make_unique<F>();
  f->name = o.name;
  f->bodies = {i, j};
  f->turns_bodies = true;
  if constexpr (std::is_same_v<F, PlanarBushing>) {
    f->pi = p.points[0].template head<2>();
    f->pj = p.points[1].template head<2>();
    f->angle = in.start.planar[j].theta - in.start.planar[i].theta;
  } else {
    f->pi = p.points[0];
    f->pj = p.points[1];
    f->relative = in.start.spatial[i].R.transpose() * in.start.spatial[j].R;
  }
  return f;
}

template <int N, class F>
std::unique_ptr<ForceElement> make_bushing(const BushingParameters& p, const ForceInput& in) {
  auto f = between<F>(p, in);
  if (!f || !fill<N>(in, "stiffness", p.stiffness, p.stiffness_diagonal, f->K) ||
      !fill<N>(in, "damping", p.damping, p.damping_diagonal, f->C) ||
      !fill(in, "offset", p.offset, f->offset) || !fill(in, "preload", p.preload, f->preload))
    return nullptr;
  return f;
}

std::unique_ptr<ForceElement> make(const BushingParameters& p, const Origin&, const ForceInput& in) {
  return in.dimension == Dimension::planar ? make_bushing<3, PlanarBushing>(p, in)
                                           : make_bushing<6, SpatialBushing>(p, in);
}

// The cantilever's end in its own plane: displacement across, and rotation that it makes positive for `sign` = 1.
struct Bending {
  double across, coupling, turning;
  Bending(const BeamParameters& p, double second_moment, double L) {
    const double phi =
        std::isnan(p.shear_area) ? 0 : 12 * p.young * second_moment / (p.shear * p.shear_area * L * L);
    const double c = p.young * second_moment / (L * L * L * (1 + phi));
    across = 12 * c, coupling = -6 * c * L, turning = (4 + phi) * c * L * L;
  }
};

// The natural length and the direction along the beam, in the first body's axes; length 0 after an error.
template <class V>
std::pair<double, V> along_beam(const BeamParameters& p, const ForceInput& in, const V& apart) {
  const double distance = apart.norm();
  if (!(distance > 0)) {
    in.diagnostics.error(
        in.origin.where("points"),
        fmt::format("the points of beam '{}' coincide as the bodies stand: it has no direction", in.name()));
    return {0, apart};
  }
  return {std::isnan(p.length) ? distance : p.length, apart / distance};
}

bool beam_is_whole(const BeamParameters& p, const ForceInput& in) {
  const bool planar = in.dimension == Dimension::planar;
  const std::size_t needed = planar ? 1 : 2;
  bool whole = true;
  const auto refuse = [&](const char* key, const std::string& why) {
    in.diagnostics.error(in.origin.where(key), fmt::format("beam '{}' {}", in.name(), why));
    whole = false;
  };
  if (p.second_moments.size() != needed)
    refuse("second_moments",
           fmt::format("has {} second moments of area; {} needed in this model", p.second_moments.size(),
                       planar ? "one is" : "two (about y and about z) are"));
  for (const double I : p.second_moments)
    if (!(I > 0)) refuse("second_moments", "has a second moment of area that is not positive");
  if (!planar && (std::isnan(p.torsion_constant) || std::isnan(p.shear)))
    refuse("torsion_constant", "needs `shear` and `torsion_constant` in a spatial model");
  if (!std::isnan(p.shear_area) && std::isnan(p.shear))
    refuse("shear_area", "has `shear_area` and needs `shear`, G, too");
  return whole;
}

std::unique_ptr<ForceElement> make_planar_beam(const BeamParameters& p, const ForceInput& in) {
  auto f = between<PlanarBushing>(p, in);
  if (!f) return nullptr;
  const PlanarFrame &fi = in.start.planar[f->bodies[0]], &fj = in.start.planar[f->bodies[1]];
  const Vec2 d = fj.point(f->pj) - fi.point(f->pi);
  const auto [L, x] = along_beam(p, in, Vec2(fi.c * d.x() + fi.s * d.y(), -fi.s * d.x() + fi.c * d.y()));
  if (!(L > 0)) return nullptr;
  const Bending b(p, p.second_moments[0], L);
  Square<3> K = Square<3>::Zero(), T = Square<3>::Identity();
  K(0, 0) = p.young * p.area / L;
  K(1, 1) = b.across, K(1, 2) = K(2, 1) = b.coupling, K(2, 2) = b.turning;
  T.topLeftCorner<2, 2>() << x, perpendicular(x);
  f->K = T * K * T.transpose();
  f->C = p.damping_time * f->K;
  f->offset << L * x, 0;
  return f;
}

std::unique_ptr<ForceElement> make_spatial_beam(const BeamParameters& p, const ForceInput& in) {
  auto f = between<SpatialBushing>(p, in);
  if (!f) return nullptr;
  const SpatialFrame &fi = in.start.spatial[f->bodies[0]], &fj = in.start.spatial[f->bodies[1]];
  const auto [L, x] = along_beam(p, in, Vec3(fi.R.transpose() * (fj.point(f->pj) - fi.point(f->pi))));
  if (!(L > 0)) return nullptr;
  Vec3 y = std::isnan(p.up.x()) ? any_perpendicular(x) : Vec3(p.up - p.up.dot(x) * x);
  if (!(y.norm() > 1e-6 * p.up.norm()) && !std::isnan(p.up.x())) {
    in.diagnostics.error(
        in.origin.where("up"),
        fmt::format("`up` of beam '{}' points along the beam; it must point across", in.name()));
    return nullptr;
  }
  y.normalize();
  const Bending about_y(p, p.second_moments[0], L), about_z(p, p.second_moments[1], L);
  Square<6> K = Square<6>::Zero(), T = Square<6>::Zero();
  K(0, 0) = p.young * p.area / L;
  K(3, 3) = p.shear * p.torsion_constant / L;
  K(1, 1) = about_z.across, K(1, 5) = K(5, 1) = about_z.coupling, K(5, 5) = about_z.turning;
  K(2, 2) = about_y.across, K(2, 4) = K(4, 2) = -about_y.coupling, K(4, 4) = about_y.turning;
  Mat3 axes;
  axes << x, y, x.cross(y);
  T.topLeftCorner<3, 3>() = T.bottomRightCorner<3, 3>() = axes;
  f->K = T * K * T.transpose();
  f->C = p.damping_time * f->K;
  f->offset << L * x, Vec3::Zero();
  return f;
}

std::unique_ptr<ForceElement> make_beam(const BeamParameters& p, const Origin&, const ForceInput& in) {
  if (!beam_is_whole(p, in)) return nullptr;
  return in.dimension == Dimension::planar ? make_planar_beam(p, in) : make_spatial_beam(p, in);
}

Parameter matrix(const char* name, const char* help) {
  return {.name = name, .kind = Kind::matrix, .help = help, .length = any_length, .count = 0};
}
Parameter diagonal(const char* name, const char* help) {
  return {.name = name, .kind = Kind::vector, .help = help, .length = any_length};
}

const Registration<ForceType> registered{{
    .name = "bushing",
    .equation = "(F, T) = P − K ((d, φ) − x₀) − C (ḋ, φ̇) on the second body, in the first body's axes",
    .citation = "Haug1989",
    .table = table_of<BushingParameters>(
        "a bushing", "An elastic block between two bodies",
        {{&BushingParameters::bodies, bodies_parameter()},
         {&BushingParameters::points, points_parameter()},
         {&BushingParameters::stiffness,
          matrix("stiffness", "K in SI: 6×6 in space (x, y, z, rotations), 3×3 in the plane")},
         {&BushingParameters::stiffness_diagonal,
          diagonal("stiffness_diagonal", "K by its diagonal, 6 (3) numbers in SI")},
         {&BushingParameters::damping, matrix("damping", "C in SI, like K")},
         {&BushingParameters::damping_diagonal,
          diagonal("damping_diagonal", "C by its diagonal, 6 (3) numbers in SI")},
         {&BushingParameters::offset,
          diagonal("offset",
                   "x₀, displacement and rotation without load, 6 (3) numbers in SI; absent: zero")},
         {&BushingParameters::preload,
          diagonal("preload",
                   "P, force and torque on the second body there, 6 (3) numbers in SI; absent: zero")}}),
    .make = made_from<make>,
}};

Parameter modulus(const char* name, const char* help, bool required) {
  return {.name = name, .unit = "Pa", .help = help, .required = required, .range = positive()};
}

const Registration<ForceType> beam{{
    .name = "beam",
    .equation = "(F, T) = −K ((d, φ) − (L, 0)) − τ K (ḋ, φ̇), K: stiffness of a cantilever's end",
    .citation = "Haug1989",
    .table = table_of<BeamParameters>(
        "a beam", "A straight beam without mass between points of two bodies",
        {{&BeamParameters::bodies, bodies_parameter()},
         {&BeamParameters::points, points_parameter()},
         {&BeamParameters::young, modulus("young", "E, Young's modulus", true)},
         {&BeamParameters::shear,
          modulus("shear", "G, shear modulus; in space, and with `shear_area`", false)},
         {&BeamParameters::area,
          {.name = "area",
           .unit = "m^2",
           .help = "A, of the section",
           .required = true,
           .range = positive()}},
         {&BeamParameters::second_moments,
          {.name = "second_moments",
           .kind = Kind::vector,
           .unit = "m^4",
           .help = "of the section: plane I, space about its y and about its z",
           .required = true,
           .length = any_length}},
         {&BeamParameters::torsion_constant,
          {.name = "torsion_constant",
           .unit = "m^4",
           .help = "space: J_t, G J_t/L resists twist",
           .range = positive()}},
         {&BeamParameters::shear_area,
          {.name = "shear_area",
           .unit = "m^2",
           .help = "A_s, that carries shear; absent: shear does not deform the beam",
           .range = positive()}},
         {&BeamParameters::length,
          {.name = "length",
           .unit = "m",
           .help = "without load; absent: as the bodies stand",
           .range = positive()}},
         {&BeamParameters::up,
          {.name = "up",
           .kind = Kind::vector,
           .help =
               "space: near the section's y, in the first body's coordinates; absent: any direction across",
           .length = 3}},
         {&BeamParameters::damping_time,
          {.name = "damping_time",
           .unit = "s",
           .help = "τ: damping is τ times the stiffness",
           .fallback = "0",
           .range = not_negative()}}}),
    .make = made_from<make_beam>,
}};

}  // namespace
}  // namespace tappet::forces::bushing
