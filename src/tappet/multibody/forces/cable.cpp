// Cable: a rope without mass that is fixed at its first and last place and runs freely through those between, small pulleys or eyelets.
//
//   L = Σ |d_n|,  d_n = r_n+1 − r_n,  e_n = d_n/|d_n|          x = L − L₀
//   T = max(0, k x + c L̇) where x > 0, else 0                  force on place n: T (e_n − e_n−1)
//
// The tension is the same everywhere, since pulleys have no friction and no mass. Stored: k x²/2; dissipated: (T − k x) L̇. [Haug1989]
#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "tappet/multibody/force.hpp"

namespace tappet::forces::cable {
namespace {

class Cable final : public ForceElement {
 public:
  std::vector<Vec3> points;  // one per body of `places`
  std::vector<int> places;
  double stiffness = 0, damping = 0, length = 0;

  struct Place {
    Vec3 at, velocity;
  };
  Place place(const Kinematics& k, std::size_t n) const {
    if (k.dimension == Dimension::planar) {
      const PlanarPoint p(k.planar[places[n]], points[n].head<2>());
      return {Vec3(p.r.x(), p.r.y(), 0), Vec3(p.v.x(), p.v.y(), 0)};
    }
    const SpatialPoint p(k.spatial[places[n]], points[n]);
    return {p.r, p.v};
  }

  void apply(const Kinematics& k, ForceSum& sum) const override {
    double total = 0, rate = 0;
    for (std::size_t n = 0; n + 1 < places.size(); ++n) {
      const Place a = place(k, n), b = place(k, n + 1);
      const Vec3 d = b.at - a.at;
      const double size = d.norm();
      total += size;
      if (size > 0) rate += d.dot(b.velocity - a.velocity) / size;
    }
    const double x = total - length;
    if (!(x > 0)) return;
    const double tension = std::max(0.0, stiffness * x + damping * rate);
    sum.powers.damping += (tension - stiffness * x) * rate;
    for (std::size_t n = 0; n + 1 < places.size(); ++n) {
      const Place a = place(k, n), b = place(k, n + 1);
      const Vec3 d = b.at - a.at;
      if (d.isZero(0)) continue;
      pull(k, n, a.at, tension * d.normalized(), sum);
      pull(k, n + 1, b.at, -tension * d.normalized(), sum);
    }
  }

  double potential(const Kinematics& k) const override {
    double total = 0;
    for (std::size_t n = 0; n + 1 < places.size(); ++n) total += (place(k, n + 1).at - place(k, n).at).norm();
    const double x = std::max(0.0, total - length);
    return 0.5 * stiffness * x * x;
  }

 private:
  void pull(const Kinematics& k, std::size_t n, const Vec3& at, const Vec3& force, ForceSum& sum) const {
    if (k.dimension == Dimension::planar)
      sum.add(k.planar[places[n]], places[n], Vec2(at.head<2>()), Vec2(force.head<2>()));
    else
      sum.add(k.spatial[places[n]], places[n], at, force);
  }
};

std::unique_ptr<ForceElement> make(const CableParameters& p, const Origin& o, const ForceInput& in) {
  if (p.bodies.size() < 2 || p.points.size() != p.bodies.size()) {
    in.diagnostics.error(
        o.where(p.bodies.size() < 2 ? "bodies" : "points"),
        fmt::format("cable '{}' has {} bodies and {} points; it needs a point on each of two or more bodies, "
                    "which may be named more than once",
                    o.name, p.bodies.size(), p.points.size()));
    return nullptr;
  }
  auto f = std::make_unique<Cable>();
  f->name = o.name;
  const int ground = static_cast<int>(in.body_names.size()) - 1;
  for (std::size_t n = 0; n < p.bodies.size(); ++n) {
    const int body = in.body(p.bodies[n], o.where("bodies", n));
    if (body < 0) return nullptr;
    f->places.push_back(body);
    f->points.push_back(p.points[n]);
    if (std::find(f->bodies.begin(), f->bodies.end(), body) == f->bodies.end()) f->bodies.push_back(body);
    f->turns_bodies = f->turns_bodies || (body != ground && p.points[n].norm() > 0);
  }
  f->stiffness = p.stiffness;
  f->damping = p.damping;
  double as_written = 0;
  for (std::size_t n = 0; n + 1 < f->places.size(); ++n)
    as_written += (f->place(in.start, n + 1).at - f->place(in.start, n).at).norm();
  f->length = std::isnan(p.length) ? as_written : p.length;
  return f;
}

const Registration<ForceType> registered{{
    .name = "cable",
    .equation = "T = max(0, k (L − L₀) + c dL/dt) where L > L₀, else 0; L: the way through all places",
    .citation = "Haug1989",
    .table = table_of<CableParameters>(
        "a cable", "A rope over small pulleys or through eyelets, which pulls and never pushes",
        {{&CableParameters::bodies,
          {.name = "bodies",
           .kind = Kind::names,
           .help = "the body of each place along the cable, from end to end; a body may come more than once",
           .required = true,
           .count = 0}},
         {&CableParameters::points,
          {.name = "points",
           .kind = Kind::points,
           .unit = "m",
           .help = "the places, each in the coordinates of its body",
           .required = true,
           .count = 0}},
         {&CableParameters::stiffness,
          {.name = "stiffness",
           .unit = "N/m",
           .help = "k, of the whole cable",
           .required = true,
           .range = positive()}},
         {&CableParameters::damping,
          {.name = "damping", .unit = "N s/m", .help = "c", .fallback = "0", .range = not_negative()}},
         {&CableParameters::length,
          {.name = "length",
           .unit = "m",
           .help = "L₀, without load; absent: the way through all places as written in the file",
           .range = positive()}}}),
    .make = made_from<make>,
}};

}  // namespace
}  // namespace tappet::forces::cable
