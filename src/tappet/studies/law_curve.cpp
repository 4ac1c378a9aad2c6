#include "tappet/studies/law_curve.hpp"

#include <cmath>

#include "tappet/contact/normal_law.hpp"

namespace tappet {

const Table& law_curve_table() {
  static const Table table{
      .name = "a curve",
      .help = "",
      .parameters = {
          {.name = "radii",
           .kind = Kind::vector,
           .unit = "m",
           .help = "of the two surfaces, negative where concave; absent: planes",
           .length = 2},
          {.name = "length", .unit = "m", .help = "of a line of contact", .range = positive()},
          {.name = "young", .unit = "Pa", .help = "of both surfaces", .range = positive()},
          {.name = "poisson",
           .help = "of both surfaces",
           .range = {.low = -1, .high = 0.5, .low_open = true}},
          {.name = "mass",
           .unit = "kg",
           .help = "effective mass of the impact",
           .fallback = "1",
           .range = positive()},
          {.name = "speed",
           .unit = "m/s",
           .help = "of the impact, or the fastest sliding",
           .fallback = "1",
           .range = positive()},
          {.name = "depth",
           .unit = "m",
           .help = "largest penetration of a curve at rest; absent: an impact",
           .range = positive()},
          {.name = "normal_force",
           .unit = "N",
           .help = "of a friction law",
           .fallback = "1",
           .range = positive()},
          {.name = "points",
           .kind = Kind::integer,
           .help = "of the curve, or of each phase of an impact",
           .fallback = "401",
           .range = {.low = 2, .high = 1e6}},
      }};
  return table;
}

namespace {

LawCurve common(const Object& curve) {
  LawCurve out;
  out.impact.mass = curve.number("mass");
  out.impact.speed = out.speed = curve.number("speed");
  out.depth = curve.number_or("depth", 0);
  out.normal_force = curve.number("normal_force");
  out.points = curve.integer("points");
  return out;
}

ContactPair pair_of(const Object& curve, Diagnostics& diagnostics) {
  ContactPair pair{.radius = {ContactPair::plane, ContactPair::plane},
                   .length = curve.number_or("length", ContactPair::unknown)};
  if (curve.has("radii")) pair.radius = {curve.vector("radii")[0], curve.vector("radii")[1]};
  if (curve.has("young") != curve.has("poisson"))
    diagnostics.error(curve.pos, "a material needs both `young` and `poisson`");
  if (curve.has("young") && curve.has("poisson"))
    for (auto& material : pair.material)
      material = Material{
          .name = "given", .young = curve.number("young"), .poisson = curve.number("poisson"), .density = 0};
  return pair;
}

void add_row(Recording& out, std::initializer_list<double> row) {
  out.values.insert(out.values.end(), row);
}

}  // namespace

LawCurve normal_curve(const Object& curve, const Object& law, Diagnostics& diagnostics) {
  LawCurve out = common(curve);
  out.normal = make_normal_law(law.parameters(), pair_of(curve, diagnostics), diagnostics);
  return out;
}

LawCurve friction_curve(const Object& curve, const Object& law, Diagnostics& diagnostics) {
  LawCurve out = common(curve);
  out.friction = make_friction_law(law.parameters(), diagnostics);
  return out;
}

MetricNames metric_names(const LawCurve& curve) {
  if (curve.friction) return {{{"time", "s"}, {"velocity", "m/s"}, {"tangential", "N"}}, {}};
  if (curve.depth > 0) return {{{"time", "s"}, {"penetration", "m"}, {"force", "N"}}, {}};
  return {{{"time", "s"}, {"penetration", "m"}, {"rate", "m/s"}, {"force", "N"}, {"loading", ""}}, {}};
}

Recording record(const LawCurve& curve) {
  Recording out;
  out.columns = metric_names(curve).signals;
  if (curve.friction) {
    for (int k = 0; k < curve.points; ++k) {
      const double velocity = curve.speed * (2.0 * k / (curve.points - 1) - 1);
      const double size =
          velocity == 0 ? 0 : curve.friction->evaluate(std::abs(velocity)).coefficient * curve.normal_force;
      add_row(out, {velocity + curve.speed, velocity, velocity > 0 ? -size : size});
    }
  } else if (curve.depth > 0) {
    for (const CurvePoint& point : static_curve(*curve.normal, curve.depth, curve.points))
      add_row(out, {point.depth, point.depth, point.force});
  } else {
    for (const CurvePoint& point : impact_curve(*curve.normal, curve.impact, curve.points))
      add_row(out, {point.time, point.depth, point.rate, point.force, point.loading ? 1.0 : 0.0});
  }
  out.summary.completed = true;
  out.summary.t_end = out.time(out.rows() - 1);
  return out;
}

}  // namespace tappet
