// Spring-damper between two points.
//
//   F = k (|d| − ℓ₀) + c ḋ_n      pull along the line between the points, ḋ_n = rate of |d|
//   F = f(x, v, t)                 instead, with x = |d| − ℓ₀ and v = ḋ_n
//
// d = r_Pj − r_Pi. Positive F pulls the points together. Stored: k (|d| − ℓ₀)²/2; dissipated: c ḋ_n²; the power of an
// expression counts as input to the mechanism. Where the points coincide the line has no direction and the force is 0.
#include "tappet/base/expression_words.hpp"
#include "tappet/multibody/force.hpp"

namespace tappet::forces::spring_damper {
namespace {

template <class Vec, class Point>
class SpringDamper final : public ForceElement {
 public:
  Vec pi, pj;
  double stiffness = 0, damping = 0, length = 0;
  bool by_expression = false;
  Expression force;

  static const auto& frame(const Kinematics& k, int body) {
    if constexpr (Vec::RowsAtCompileTime == 2)
      return k.planar[body];
    else
      return k.spatial[body];
  }

  void apply(const Kinematics& k, ForceSum& sum) const override {
    const auto &fi = frame(k, bodies[0]), &fj = frame(k, bodies[1]);
    const Point Pi(fi, pi), Pj(fj, pj);
    const Vec d = Pj.r - Pi.r;
    const double distance = d.norm();
    if (distance == 0) return;
    const Vec e = d / distance;
    const double x = distance - length, v = e.dot(Pj.v - Pi.v);
    double pull;
    if (by_expression) {
      const double arguments[] = {x, v, k.t};
      pull = force(arguments, k.inputs);
      sum.powers.input -= pull * v;
    } else {
      pull = stiffness * x + damping * v;
      sum.powers.damping += damping * v * v;
    }
    sum.add(fi, bodies[0], Pi.r, pull * e);
    sum.add(fj, bodies[1], Pj.r, -pull * e);
  }

  std::string formula(const Kinematics& k) const override {
    if (!by_expression) return "";
    const Point Pi(frame(k, bodies[0]), pi), Pj(frame(k, bodies[1]), pj);
    const Vec d = Pj.r - Pi.r;
    const double arguments[] = {d.norm() - length, d.normalized().dot(Pj.v - Pi.v), k.t};
    return in_words(force, {"x", "v", "t"}, arguments, k.inputs);
  }

  double potential(const Kinematics& k) const override {
    if (by_expression) return 0;
    const double x = (frame(k, bodies[1]).point(pj) - frame(k, bodies[0]).point(pi)).norm() - length;
    return 0.5 * stiffness * x * x;
  }
};

template <class Vec, class Point>
std::unique_ptr<ForceElement> make_in(const SpringDamperParameters& p, const ForceInput& in, int i, int j,
                                      const Vec& pi, const Vec& pj, double as_written) {
  const Origin& o = in.origin;
  auto f = std::make_unique<SpringDamper<Vec, Point>>();
  f->name = o.name;
  f->bodies = {i, j};
  f->pi = pi;
  f->pj = pj;
  const int ground = static_cast<int>(in.body_names.size()) - 1;
  f->turns_bodies = (pi.norm() > 0 && f->bodies[0] != ground) || (pj.norm() > 0 && f->bodies[1] != ground);
  f->length = std::isnan(p.length) ? as_written : p.length;
  f->by_expression = !p.force.text.empty();
  if (f->by_expression) {
    if (!std::isnan(p.stiffness) || !std::isnan(p.damping)) {
      in.diagnostics.error(o.where("force"),
                           "spring-damper '" + o.name +
                               "' gives `force` and `stiffness` or `damping`; give the expression or "
                               "the coefficients");
      return nullptr;
    }
    f->force = p.force.compiled;
  } else {
    if (!std::isnan(p.stiffness)) f->stiffness = p.stiffness;
    if (!std::isnan(p.damping)) f->damping = p.damping;
    if (std::isnan(p.stiffness) && std::isnan(p.damping)) {
      in.diagnostics.error(
          o.pos, "spring-damper '" + o.name +
                     "' has no effect; give `stiffness`, `damping`, or `force` as an expression of x, v "
                     "and t");
      return nullptr;
    }
  }
  return f;
}

std::unique_ptr<ForceElement> make(const SpringDamperParameters& p, const Origin& o, const ForceInput& in) {
  const int i = in.body(p.bodies[0], o.where("bodies", 0)), j = in.body(p.bodies[1], o.where("bodies", 1));
  if (i < 0 || j < 0) return nullptr;
  if (in.dimension == Dimension::planar) {
    const Vec2 pi = p.points[0].head<2>(), pj = p.points[1].head<2>();
    return make_in<Vec2, PlanarPoint>(p, in, i, j, pi, pj,
                                      (in.start.planar[j].point(pj) - in.start.planar[i].point(pi)).norm());
  }
  const Vec3 &pi = p.points[0], &pj = p.points[1];
  return make_in<Vec3, SpatialPoint>(p, in, i, j, pi, pj,
                                     (in.start.spatial[j].point(pj) - in.start.spatial[i].point(pi)).norm());
}

const Registration<ForceType> registered{{
    .name = "spring-damper",
    .equation = "F = k (|d| − ℓ₀) + c d|d|/dt, or F = f(x, v, t) with x = |d| − ℓ₀, v = d|d|/dt",
    .citation = "Nikravesh1988",
    .table = table_of<SpringDamperParameters>(
        "a spring-damper", "A spring and a damper in parallel between two points",
        {{&SpringDamperParameters::bodies, bodies_parameter()},
         {&SpringDamperParameters::points, points_parameter()},
         {&SpringDamperParameters::stiffness,
          {.name = "stiffness", .unit = "N/m", .help = "k", .range = not_negative()}},
         {&SpringDamperParameters::damping,
          {.name = "damping", .unit = "N s/m", .help = "c", .range = not_negative()}},
         {&SpringDamperParameters::length,
          {.name = "length",
           .unit = "m",
           .help = "ℓ₀, where the spring is relaxed; absent: the distance as written in the file",
           .range = not_negative()}},
         {&SpringDamperParameters::force,
          {.name = "force",
           .kind = Kind::expression,
           .unit = "N",
           .help = "pull as an expression of x (elongation, m), v (its rate, m/s) and t",
           .variables = {"x", "v", "t"},
           .inputs = Inputs::allowed}}}),
    .make = made_from<make>,
}};

}  // namespace
}  // namespace tappet::forces::spring_damper
