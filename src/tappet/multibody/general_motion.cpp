// Prescribed motion of the second body against the first, as a shaking table with six actuators makes it: any of six components.
//
//   x, y, z       Φ = a_k·(r_Pj − r_Pi) − f(t)          a_k: axes of the first body
//   rx, ry, rz    Φ = θ_k − f(t)                        R_iᵀ R_j = R_x(θ_1) R_y(θ_2) R_z(θ_3); in the plane rz alone, θ_j − θ_i
//
// With w = R_iᵀ (ω_j − ω_i) = E θ̇, columns of E: x, R_x y, R_x R_y z,
//
//   θ̇ = E⁻¹ w,      θ̈ = E⁻¹ (ẇ − Ė θ̇),      ẇ = R_iᵀ (ω̇_j − ω̇_i) − R_iᵀ ω_i × w
//
// λ of a row is the force along, or the couple about, what the row prescribes. Angles rx and rz are not told apart at ry = ±90°. [Nikravesh1988]
#include "tappet/multibody/general_motion.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include <Eigen/LU>
#include <fmt/format.h>

namespace tappet {
namespace {

constexpr const char* keys[] = {"x", "y", "z", "rx", "ry", "rz"};

const Formula& component(const MotionParameters& p, int n) {
  const Formula* all[] = {&p.x, &p.y, &p.z, &p.rx, &p.ry, &p.rz};
  return *all[n];
}

// cos ry below which rx and rz are one angle.
constexpr double upright = 1e-6;

class GeneralMotion final : public Constraint {
 public:
  Vec3 pi = Vec3::Zero(), pj = Vec3::Zero();
  std::vector<std::pair<int, Expression>> targets;  // (component, f)

  std::vector<const Expression*> functions() const override {
    std::vector<const Expression*> out;
    for (const auto& target : targets) out.push_back(&target.second);
    return out;
  }

  void evaluate(const Kinematics& k, const ConstraintRows& out) const override {
    Turn turn;
    if (k.dimension == Dimension::spatial && targets.back().first > 2) turn = find_turn(k);
    for (int row = 0; row < rows; ++row) {
      const int n = targets[row].first;
      if (k.dimension == Dimension::planar)
        planar(k, n, out, row);
      else if (n < 3)
        no_offset_along(k.spatial[bodies[0]], SpatialPoint(k.spatial[bodies[0]], pi),
                        k.spatial[bodies[0]].R.col(n), k.spatial[bodies[1]],
                        SpatialPoint(k.spatial[bodies[1]], pj), out, row);
      else
        spatial_angle(k, turn, n - 3, out, row);
      const Jet& jet = out.prescribed[row];
      out.phi[row] -= jet.value;
      // Whole turns do not matter: the nearest position that fits is meant.
      if (n > 2) out.phi[row] = std::remainder(out.phi[row], 2 * std::numbers::pi);
      out.phi_t[row] = -jet.d1;
      out.gamma[row] += jet.d2;
    }
  }

 private:
  struct Turn {
    Vec3 theta = Vec3::Zero(), bias = Vec3::Zero();  // bias: what velocities alone add to θ̈
    Mat3 inverse = Mat3::Identity();                 // E⁻¹
  };

  void planar(const Kinematics& k, int n, const ConstraintRows& out, int row) const {
    const PlanarFrame &fi = k.planar[bodies[0]], &fj = k.planar[bodies[1]];
    if (n == 5) return fixed_angle(fi, fj, 0, out, row);
    on_line(fi, PlanarPoint(fi, pi.head<2>()), Vec2::Unit(n), fj, PlanarPoint(fj, pj.head<2>()), out, row);
  }

  Turn find_turn(const Kinematics& k) const {
    const SpatialFrame &fi = k.spatial[bodies[0]], &fj = k.spatial[bodies[1]];
    const Mat3 R = fi.R.transpose() * fj.R;
    Turn out;
    const double ca_cb = R(2, 2), sa_cb = -R(1, 2), sb = R(0, 2), cb = std::hypot(ca_cb, sa_cb);
    out.theta = {std::atan2(sa_cb, ca_cb), std::atan2(sb, cb), std::atan2(-R(0, 1), R(0, 0))};
    if (cb < upright)
      throw SimulationError(
          k.t, fmt::format("motion '{}' is at ry = {} deg, where rx and rz turn about the same axis and are "
                           "not determined; choose other axes, or another order of the bodies",
                           name, sb > 0 ? 90 : -90));
    const double ca = ca_cb / cb, sa = sa_cb / cb;
    const Vec3 e2(0, ca, sa), e3(sb, -sa_cb, ca_cb);
    Mat3 E;
    E << Vec3::UnitX(), e2, e3;
    out.inverse = E.inverse();
    const Vec3 w = fi.R.transpose() * (fj.w - fi.w), rate = out.inverse * w;
    const Vec3 e2_dot = rate[0] * Vec3(0, -sa, ca), e3_dot(rate[1] * cb, -rate[0] * ca_cb + rate[1] * sa * sb,
                                                           -rate[0] * sa_cb - rate[1] * ca * sb);
    const Vec3 own = fi.R.transpose() * fi.w;
    out.bias = out.inverse * (-own.cross(w) - rate[1] * e2_dot - rate[2] * e3_dot);
    return out;
  }

  void spatial_angle(const Kinematics& k, const Turn& turn, int n, const ConstraintRows& out, int row) const {
    const SpatialFrame &fi = k.spatial[bodies[0]], &fj = k.spatial[bodies[1]];
    const Vec3 about = fi.R * turn.inverse.row(n).transpose();
    out.phi[row] = turn.theta[n];
    out.gamma[row] = -turn.bias[n];
    put(out.J[0], row, fi, Vec3::Zero(), -about);
    put(out.J[1], row, fj, Vec3::Zero(), about);
  }
};

// The number of a body; the ground's follows the last one. −1 after an error was reported.
int body_index(const MotionInput& in, const std::string& name, const SourcePos& pos) {
  if (name == "ground") return static_cast<int>(in.body_names.size());
  const auto at = std::find(in.body_names.begin(), in.body_names.end(), name);
  if (at != in.body_names.end()) return static_cast<int>(at - in.body_names.begin());
  const std::string near = nearest_name(name, in.body_names);
  in.diagnostics.error(
      pos,
      fmt::format("motion '{}' acts on body '{}', which does not exist{}; bodies: {}", in.origin.name, name,
                  near.empty() ? "" : fmt::format(" (did you mean '{}'?)", near), join_names(in.body_names)));
  return -1;
}

}  // namespace

bool is_general(const MotionParameters& p) {
  const auto any = [&](int from) {
    for (int n = from; n < 6; ++n)
      if (!component(p, n).text.empty()) return true;
    return false;
  };
  return any(3) || (!p.bodies[0].empty() && any(0));
}

std::unique_ptr<Constraint> make_general_motion(const MotionInput& in, std::vector<int>& axes) {
  const MotionParameters& p = in.parameters;
  const Origin& o = in.origin;
  const bool planar = in.dimension == Dimension::planar, alone = p.bodies[0].empty();
  const auto refuse = [&](const std::string& key, const std::string& why) {
    in.diagnostics.error(o.where(key), fmt::format("`{}` of motion '{}' {}", key, o.name, why));
    return nullptr;
  };
  for (const char* key : {"angle", "displacement", "speed", "acceleration", "position", "distance"})
    if (o.given(key)) return refuse(key, "has no meaning beside components x, y, z, rx, ry, rz of a motion");
  for (const char* key : {alone ? "points" : "point"})
    if (o.given(key))
      return refuse(key, alone
                             ? "belongs to a motion between two `bodies`; that of a `body` has `point`"
                             : "belongs to the motion of a `body`; between two `bodies` there are `points`");
  auto motion = std::make_unique<GeneralMotion>();
  motion->name = o.name;
  for (int n = 0; n < 6; ++n) {
    const Formula& f = component(p, n);
    if (f.text.empty()) continue;
    if (planar && n > 1 && n < 5)
      return refuse(keys[n], "has no meaning in a planar model, which has x, y and rz");
    motion->targets.emplace_back(n, f.compiled);
    axes.push_back(n);
  }
  const int j = body_index(in, alone ? p.body : p.bodies[1], alone ? o.where("body") : o.where("bodies", 1));
  const int i =
      alone ? static_cast<int>(in.body_names.size()) : body_index(in, p.bodies[0], o.where("bodies", 0));
  if (i < 0 || j < 0) return nullptr;
  if (i == j) return refuse("bodies", fmt::format("name '{}' twice; two bodies are needed", p.bodies[0]));
  motion->rows = static_cast<int>(motion->targets.size());
  motion->bodies = {i, j};
  if (alone && !std::isnan(p.point.x())) motion->pj = p.point;
  if (!alone && !std::isnan(p.points[0].x())) motion->pi = p.points[0], motion->pj = p.points[1];
  return motion;
}

std::vector<TableRow<MotionParameters>> general_motion_rows() {
  const auto row = [](const char* name, const char* help) {
    return Parameter{.name = name,
                     .kind = Kind::expression,
                     .unit = "rad",
                     .help = help,
                     .variables = {"t"},
                     .no_inputs = position_jumps};
  };
  return {{&MotionParameters::rx,
           row("rx",
               "turn of the body, or of the second of two: first about x, then y, then z, of axes that turn "
               "along; space")},
          {&MotionParameters::ry, row("ry", "the second of these turns; space")},
          {&MotionParameters::rz, row("rz", "the third of these turns; in the plane the angle")}};
}

}  // namespace tappet
