// Play in a translational joint: a slider with square corners between the walls of its guide.
//
// The walls are fixed in the first body at ± H from its point, H = b + c for a slider 2b high with play c on each side. The
// corners of the slider are the candidate points; none, one, two on one side (a face) or two on opposite sides (jammed) touch.
//
//   gap = H − s n·(Q − P_i)      for corner Q and the wall on side s = ±1 with direction n
//
// [Flores2006, section 1; Flores, Leine & Glocker for the four corners]. In space the guide has a rectangular section: eight
// corners, each against the wall of its side in both transverse directions (`slider_width` absent: only in the first).
//
// A massless link as long as the play, the third model of a clearance, would hold a slider at one wall for ever, since its distance from
// the guide's axis has no direction to turn to: that is an ideal joint beside the axis, and is not offered.
#include <cmath>

#include <fmt/format.h>

#include "tappet/contact/pad_film.hpp"
#include "tappet/multibody/clearance.hpp"
#include "tappet/multibody/clearances/guide_film.hpp"
#include "tappet/multibody/contact_laws.hpp"
#include "tappet/multibody/rows.hpp"

namespace tappet {
namespace {

class PlanarCorner final : public ContactPoint {
 public:
  Vec2 pi, corner, normal;  // point on the guide's middle, corner in the slider, wall direction in the guide
  double half = 0, side = 1;

  Touch find_touch(const Kinematics& k) const override {
    const PlanarFrame &fi = k.planar[bodies[0]], &fj = k.planar[bodies[1]];
    const PlanarPoint Pi(fi, pi), Q(fj, corner);
    const Vec2 n = fi.turn(normal), d = Q.r - Pi.r;
    Touch out;
    out.offset << d, 0;
    out.gap = half - side * n.dot(d);
    out.rate = -side * (n.dot(Q.v - Pi.v) + fi.w * perpendicular(n).dot(d));
    out.normal << -side * n, 0;
    out.at << Q.r, 0;
    const Vec2 v = Q.v - fi.v - fi.w * perpendicular(Q.r - fi.r);
    out.slip << v - v.dot(n) * n, 0;
    return out;
  }
  TouchMotion motion(const Kinematics& k) const override {
    const PlanarFrame& fi = k.planar[bodies[0]];
    TouchMotion out;
    out.normal << -side * fi.w * perpendicular(fi.turn(normal)), 0;
    out.at << PlanarPoint(k.planar[bodies[1]], corner).v, 0;
    return out;
  }
};

class SpatialCorner final : public ContactPoint {
 public:
  Vec3 pi, corner, normal;
  double half = 0, side = 1;

  Touch find_touch(const Kinematics& k) const override {
    const SpatialFrame &fi = k.spatial[bodies[0]], &fj = k.spatial[bodies[1]];
    const SpatialPoint Pi(fi, pi), Q(fj, corner);
    const Vec3 n = fi.R * normal, d = Q.r - Pi.r;
    Touch out;
    out.offset = d;
    out.gap = half - side * n.dot(d);
    out.rate = -side * (n.dot(Q.v - Pi.v) + fi.w.cross(n).dot(d));
    out.normal = -side * n;
    out.at = Q.r;
    const Vec3 v = Q.v - fi.v - fi.w.cross(Q.r - fi.r);
    out.slip = v - v.dot(n) * n;
    return out;
  }
  TouchMotion motion(const Kinematics& k) const override {
    const SpatialFrame& fi = k.spatial[bodies[0]];
    return {-side * fi.w.cross(fi.R * normal), SpatialPoint(k.spatial[bodies[1]], corner).v};
  }
};

/// What the models share.
struct Slider {
  double clearance, length, height, width;
};
Slider slider_of(const AnyParameters& o) {
  const auto of = [](const auto& p) {
    return Slider{p.clearance, p.slider_length, p.slider_height, p.slider_width};
  };
  return o.origin.type == "contact" ? of(o.as<GuideContactParameters>()) : of(o.as<GuideSpringParameters>());
}

template <class P>
std::unique_ptr<P> corner_point(const ClearanceInput& in, int number, double clearance) {
  auto p = std::make_unique<P>();
  p->name = fmt::format("{}.{}", in.joint.name(), static_cast<char>('a' + number));
  p->bodies[0] = in.joint.i;
  p->bodies[1] = in.joint.j;
  p->length_scale = clearance;
  p->pair.radius[0] = ContactPair::plane;
  // NaN: not known.
  if (in.clearance.origin.type == "contact")
    p->pair.radius[1] = in.clearance.as<GuideContactParameters>().corner_radius;
  return p;
}

Parameter size_of(const char* name, const char* help, bool required) {
  return {.name = name, .unit = "m", .help = help, .required = required, .range = positive()};
}

template <class P>
std::vector<TableRow<P>> slider_rows() {
  return {{&P::clearance, size_of("clearance", "c, play on each side", true)},
          {&P::slider_length, size_of("slider_length", "2a, along the axis", true)},
          {&P::slider_height, size_of("slider_height", "2b, across it", true)},
          {&P::slider_width,
           size_of("slider_width", "space: the other dimension across the axis (absent: no walls there)",
                   false)}};
}

}  // namespace

const Family& guide_clearance_family() {
  static const Family family = clearance_family(
      {{"contact",
        table_of<GuideContactParameters>(
            clearance_words("contact", "translational"), "surfaces that collide",
            joined(joined(slider_rows<GuideContactParameters>(),
                          {{&GuideContactParameters::corner_radius,
                            size_of("corner_radius",
                                    "of the slider's corners, to derive stiffness from materials", false)},
                           {&GuideContactParameters::lubricant,
                            {.name = "lubricant",
                             .kind = Kind::object,
                             .help = "oil between the slider and both walls, in the plane; absent: dry",
                             .table = &pad_film_table()}}}),
                   contact_law_rows<GuideContactParameters>()))},
       {"spring-damper",
        table_of<GuideSpringParameters>(
            clearance_words("spring-damper", "translational"),
            "a linear spring and damper at each corner where the play is used up",
            joined(slider_rows<GuideSpringParameters>(), play_spring_rows<GuideSpringParameters>()))}});
  return family;
}

Clearance make_guide_clearance(const ClearanceInput& in) {
  Clearance out;
  const Slider o = slider_of(in.clearance);
  const double c = o.clearance, a = 0.5 * o.length, b = 0.5 * o.height;
  std::vector<std::unique_ptr<ContactPoint>> points;
  int number = 0;
  if (in.joint.dimension == Dimension::planar) {
    // The slider stands along the guide as written in the file.
    const double turn = in.joint.start.planar[in.joint.i].theta - in.joint.start.planar[in.joint.j].theta;
    const Vec2 axis = in.joint.axis2();
    const Vec2 along = Eigen::Rotation2Dd(turn) * axis, across = perpendicular(along);
    for (const double side : {1.0, -1.0})
      for (const double end : {1.0, -1.0}) {
        auto p = corner_point<PlanarCorner>(in, number++, c);
        p->pi = in.joint.point2(0);
        p->corner = in.joint.point2(1) + end * a * along + side * b * across;
        p->normal = perpendicular(axis);
        p->half = b + c;
        p->side = side;
        points.push_back(std::move(p));
      }
  } else {
    const Vec3 axis = in.joint.axes3().first, n1 = any_perpendicular(axis), n2 = axis.cross(n1);
    const Mat3 turn = in.joint.start.spatial[in.joint.j].R.transpose() * in.joint.start.spatial[in.joint.i].R;
    const bool wide = !std::isnan(o.width);
    const double w = wide ? 0.5 * o.width : 0;
    for (const double s1 : {1.0, -1.0})
      for (const double end : {1.0, -1.0})
        for (const double s2 : {1.0, -1.0}) {
          if (!wide && s2 < 0) continue;
          const Vec3 corner = in.joint.point3(1) + turn * (end * a * axis + s1 * b * n1 + s2 * w * n2);
          for (int wall = 0; wall < (wide ? 2 : 1); ++wall) {
            auto p = corner_point<SpatialCorner>(in, number++, c);
            p->pi = in.joint.point3(0);
            p->corner = corner;
            p->normal = wall == 0 ? n1 : n2;
            p->half = (wall == 0 ? b : w) + c;
            p->side = wall == 0 ? s1 : s2;
            points.push_back(std::move(p));
          }
        }
  }
  if (in.clearance.origin.type == "contact") {
    give_laws(in, std::move(points), out);
    if (!give_guide_film(in, c, out)) return {};
    return out;
  }
  for (auto& point : points)
    if (auto spring = play_spring(in, std::move(point))) out.forces.push_back(std::move(spring));
  return out;
}

}  // namespace tappet
