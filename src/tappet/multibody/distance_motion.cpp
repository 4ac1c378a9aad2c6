// Prescribed distance of two points, as a hydraulic cylinder or a screw holds it; the actuator itself has no
// mass.
//
//   Φ = ℓ − f(t),  ℓ = |d|,  d = r_Pj − r_Pi,  e = d/ℓ
//   Φ̇ = e·ḋ − f′
//   Φ̈ = e·d̈ + (ḋ·ḋ − (e·ḋ)²)/ℓ − f″
//
// λ is the force with which the actuator pushes its ends apart, positive in compression of the rod; its power
// is λ f′. [Nikravesh1988, Haug1989]
#include "tappet/multibody/distance_motion.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

namespace tappet {
namespace {

class DistanceMotion final : public Constraint {
 public:
  Vec3 points[2];  // body coordinates; z = 0 in the plane
  Expression f;

  std::vector<const Expression*> functions() const override { return {&f}; }
  void evaluate(const Kinematics& k, const ConstraintRows& out) const override {
    const Jet& jet = *out.prescribed;
    if (k.dimension == Dimension::planar) {
      const PlanarFrame &fi = k.planar[bodies[0]], &fj = k.planar[bodies[1]];
      const PlanarPoint pi(fi, points[0].head<2>()), pj(fj, points[1].head<2>());
      const Vec2 e =
          fill(jet, Vec2(pj.r - pi.r), Vec2(pj.v - pi.v), Vec2(fi.w * fi.w * pi.s - fj.w * fj.w * pj.s), out);
      put(out.J[0], 0, -e, -e.dot(perpendicular(pi.s)));
      put(out.J[1], 0, e, e.dot(perpendicular(pj.s)));
    } else {
      const SpatialFrame &fi = k.spatial[bodies[0]], &fj = k.spatial[bodies[1]];
      const SpatialPoint pi(fi, points[0]), pj(fj, points[1]);
      const Vec3 e = fill(jet, Vec3(pj.r - pi.r), Vec3(pj.v - pi.v), Vec3(pj.a_v - pi.a_v), out);
      put(out.J[0], 0, fi, -e, -pi.s.cross(e));
      put(out.J[1], 0, fj, e, pj.s.cross(e));
    }
  }

 private:
  // Φ, Φ_t and γ; returns e. Points that coincide have no direction: any serves to part them.
  template <class V>
  static V fill(const Jet& jet, const V& d, const V& d_dot, const V& d_bias, const ConstraintRows& out) {
    const double length = d.norm();
    const V e = length > 0 ? V(d / length) : V(V::Unit(0));
    const double rate = e.dot(d_dot);
    out.phi[0] = length - jet.value;
    out.phi_t[0] = -jet.d1;
    out.gamma[0] = jet.d2 - e.dot(d_bias) - (length > 0 ? (d_dot.squaredNorm() - rate * rate) / length : 0);
    return e;
  }
};

// The number of a body; the ground's follows the last one. −1 after an error was reported.
int body_index(const MotionInput& in, int side) {
  const std::string& name = in.parameters.bodies[side];
  if (name == "ground") return static_cast<int>(in.body_names.size());
  const auto at = std::find(in.body_names.begin(), in.body_names.end(), name);
  if (at != in.body_names.end()) return static_cast<int>(at - in.body_names.begin());
  const std::string near = nearest_name(name, in.body_names);
  in.diagnostics.error(
      in.origin.where("bodies", side),
      fmt::format("motion '{}' acts on body '{}', which does not exist{}; bodies: {}", in.origin.name, name,
                  near.empty() ? "" : fmt::format(" (did you mean '{}'?)", near), join_names(in.body_names)));
  return -1;
}

}  // namespace

std::unique_ptr<Constraint> make_distance_motion(const MotionInput& in) {
  const MotionParameters& p = in.parameters;
  const Origin& o = in.origin;
  const bool no_points = std::isnan(p.points[0].x()), no_distance = p.distance.text.empty();
  if (no_points || no_distance) {
    in.diagnostics.error(o.pos, fmt::format("motion '{}' acts between two `bodies` but gives no `{}`", o.name,
                                            no_points ? "points" : "distance"));
    return nullptr;
  }
  const int i = body_index(in, 0), j = body_index(in, 1);
  if (i < 0 || j < 0) return nullptr;
  if (i == j) {
    in.diagnostics.error(
        o.where("bodies"),
        fmt::format("motion '{}' acts between '{}' and itself; two bodies are needed", o.name, p.bodies[0]));
    return nullptr;
  }
  auto motion = std::make_unique<DistanceMotion>();
  motion->name = o.name;
  motion->rows = 1;
  motion->bodies = {i, j};
  for (int n = 0; n < 2; ++n) motion->points[n] = p.points[n];
  motion->f = p.distance.compiled;
  return motion;
}

std::vector<TableRow<MotionParameters>> distance_motion_rows() {
  return {{&MotionParameters::bodies,
           {.name = "bodies",
            .kind = Kind::names,
            .help = "the two bodies between which a linear actuator acts"}},
          {&MotionParameters::points,
           {.name = "points",
            .kind = Kind::points,
            .unit = "m",
            .help = "its ends, in the coordinates of their bodies"}},
          {&MotionParameters::distance,
           {.name = "distance",
            .kind = Kind::expression,
            .unit = "m",
            .help = "the distance of its ends",
            .range = positive(),
            .variables = {"t"},
            .no_inputs = position_jumps}}};
}

}  // namespace tappet
