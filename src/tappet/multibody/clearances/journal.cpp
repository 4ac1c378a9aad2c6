// Play in revolute and spherical joints: a journal in its bearing, a ball in its socket.
//
//   e = P_j − P_i                  journal centre against bearing centre       [FloresAmbrosio2004, eqs 9–13]
//   gap = c − |e|,  c = R_B − R_J   normal = −e/|e| (from the bearing's wall to the journal)
//   Q = P_j + R_J e/|e|             where they touch; friction takes the velocity of the two material points
//   there
//
// FloresAmbrosio2004 (15) takes the velocity of the geometric point instead, whose tangential part vanishes
// when the journal follows the wall; friction needs the material points (seeds: deviations).
//
// In space |e| is the distance from the bearing's axis, which along a tilted journal of length ℓ is another at each section s. The
// law F(δ) of the whole length is taken to act evenly along it, as a bed of springs would,
//
//   F = (1/ℓ) ∫ F(δ(s)) n(s) ds,      M = (1/ℓ) ∫ s × F(δ(s)) n(s) ds
//
// by Simpson's rule at `sections` places of which two are the ends. An aligned journal feels what it feels in the plane, to rounding,
// whatever their number. Three are exact for a linear law that touches along the whole length: with F = K δ a tilt by φ meets the moment
// K ℓ² φ/12, a third of what half of the law at each end would give (two sections, the trapezoidal rule). Rigid surfaces touch at the
// ends alone, so that the non-smooth methods have these two.
//
// Without `length` the axes stay parallel. With `axial_play` the journal's shoulders touch the bearing's faces at ± half of it; without,
// the journal keeps its axial place. A shoulder is a ring from the journal's radius r to `shoulder_radius` R. Friction under uniform
// pressure opposes its turning with
//
//   M = ⅔ μ F (R³ − r³)/(R² − r²) = μ F r_m
//
// and three points on the circle of radius r_m, each with a third of the law, have that moment, stick as the law does, and hold the
// journal against tilting as a ring of that radius.
#include <cmath>
#include <numbers>

#include <fmt/format.h>

#include "tappet/contact/mixed_film.hpp"
#include "tappet/multibody/clearance.hpp"
#include "tappet/multibody/clearances/ball_film.hpp"
#include "tappet/multibody/clearances/journal_film.hpp"
#include "tappet/multibody/contact_laws.hpp"
#include "tappet/multibody/rows.hpp"

namespace tappet {
namespace {

// Rate of the unit vector e/|e|.
template <class Vec>
Vec direction_rate(const Vec& e, const Vec& e_dot) {
  const double size = e.norm();
  if (size == 0) return Vec::Zero();
  const Vec unit = e / size;
  return (e_dot - unit.dot(e_dot) * unit) / size;
}

class PlanarJournal final : public ContactPoint {
 public:
  Vec2 pi, pj;
  double clearance = 0, journal_radius = 0;

  Touch find_touch(const Kinematics& k) const override {
    const PlanarFrame &fi = k.planar[bodies[0]], &fj = k.planar[bodies[1]];
    const PlanarPoint Pi(fi, pi), Pj(fj, pj);
    const Vec2 e = Pj.r - Pi.r, e_dot = Pj.v - Pi.v;
    const double size = e.norm();
    Vec2 outward = Vec2::Zero();
    if (size > 0) outward = e / size;
    const Vec2 Q = Pj.r + journal_radius * outward;
    // Along t, outward turned by +90°, the two surfaces move with the centres and by turning:
    // v·t = ė·t + R_J ω_j − (R_J + |e|) ω_i.
    const double along = cross(outward, e_dot) + journal_radius * fj.w - (journal_radius + size) * fi.w;
    return {.gap = clearance - size,
            .rate = -outward.dot(e_dot),
            .normal = {-outward.x(), -outward.y(), 0},
            .at = {Q.x(), Q.y(), 0},
            .slip = {-along * outward.y(), along * outward.x(), 0},
            .offset = {e.x(), e.y(), 0}};
  }
  TouchMotion motion(const Kinematics& k) const override {
    const PlanarPoint Pi(k.planar[bodies[0]], pi), Pj(k.planar[bodies[1]], pj);
    const Vec2 rate = direction_rate<Vec2>(Pj.r - Pi.r, Pj.v - Pi.v);
    TouchMotion out;
    out.normal << -rate, 0;
    out.at << Pj.v + journal_radius * rate, 0;
    return out;
  }
};

// What a spatial contact point knows once its normal and place are known.
void fill_slip(const SpatialFrame& fi, const SpatialFrame& fj, Touch& out) {
  const Vec3 v = fj.v + fj.w.cross(out.at - fj.r) - fi.v - fi.w.cross(out.at - fi.r);
  out.slip = v - v.dot(out.normal) * out.normal;
}

class SpatialJournalSection final : public ContactPoint {
 public:
  Vec3 pi, pj, axis;  // centre of the bearing, centre of the journal's section, bearing axis (first body)
  double clearance = 0, journal_radius = 0;

  Touch find_touch(const Kinematics& k) const override {
    const SpatialFrame &fi = k.spatial[bodies[0]], &fj = k.spatial[bodies[1]];
    const SpatialPoint Pi(fi, pi), Pj(fj, pj);
    const Vec3 a = fi.R * axis, d = Pj.r - Pi.r, d_dot = Pj.v - Pi.v, a_dot = fi.w.cross(a);
    const Vec3 e = d - a.dot(d) * a;
    Touch out;
    out.offset = e;
    const double size = e.norm();
    out.gap = clearance - size;
    if (size == 0) return out;
    const Vec3 outward = e / size;
    // d|e|/dt = outward·(ḋ − (a·d) ȧ), since outward ⟂ a.
    out.rate = -outward.dot(d_dot - a.dot(d) * a_dot);
    out.normal = -outward;
    out.at = Pj.r + journal_radius * outward;
    fill_slip(fi, fj, out);
    return out;
  }
  TouchMotion motion(const Kinematics& k) const override {
    const SpatialFrame& fi = k.spatial[bodies[0]];
    const SpatialPoint Pi(fi, pi), Pj(k.spatial[bodies[1]], pj);
    const Vec3 a = fi.R * axis, d = Pj.r - Pi.r, d_dot = Pj.v - Pi.v, a_dot = fi.w.cross(a);
    const Vec3 e = d - a.dot(d) * a, e_dot = d_dot - (a_dot.dot(d) + a.dot(d_dot)) * a - a.dot(d) * a_dot;
    const Vec3 rate = direction_rate<Vec3>(e, e_dot);
    return {-rate, Pj.v + journal_radius * rate};
  }
};

class Shoulder final : public ContactPoint {
 public:
  Vec3 pi, pj, axis;
  double half_play = 0, side = 1;

  Touch find_touch(const Kinematics& k) const override {
    const SpatialFrame &fi = k.spatial[bodies[0]], &fj = k.spatial[bodies[1]];
    const SpatialPoint Pi(fi, pi), Pj(fj, pj);
    const Vec3 a = fi.R * axis, d = Pj.r - Pi.r;
    Touch out;
    out.offset = a.dot(d) * a;
    out.gap = half_play - side * a.dot(d);
    out.rate = -side * (a.dot(Pj.v - Pi.v) + fi.w.cross(a).dot(d));
    out.normal = -side * a;
    out.at = Pj.r;
    fill_slip(fi, fj, out);
    return out;
  }
  TouchMotion motion(const Kinematics& k) const override {
    const SpatialFrame& fi = k.spatial[bodies[0]];
    return {-side * fi.w.cross(fi.R * axis), SpatialPoint(k.spatial[bodies[1]], pj).v};
  }
};

class Ball final : public ContactPoint {
 public:
  Vec3 pi, pj;
  double clearance = 0, ball_radius = 0;

  Touch find_touch(const Kinematics& k) const override {
    const SpatialFrame &fi = k.spatial[bodies[0]], &fj = k.spatial[bodies[1]];
    const SpatialPoint Pi(fi, pi), Pj(fj, pj);
    const Vec3 e = Pj.r - Pi.r;
    Touch out;
    out.offset = e;
    const double size = e.norm();
    out.gap = clearance - size;
    if (size == 0) return out;
    const Vec3 outward = e / size;
    out.rate = -outward.dot(Pj.v - Pi.v);
    out.normal = -outward;
    out.at = Pj.r + ball_radius * outward;
    fill_slip(fi, fj, out);
    return out;
  }
  TouchMotion motion(const Kinematics& k) const override {
    const SpatialPoint Pi(k.spatial[bodies[0]], pi), Pj(k.spatial[bodies[1]], pj);
    const Vec3 rate = direction_rate<Vec3>(Pj.r - Pi.r, Pj.v - Pi.v);
    return {-rate, Pj.v + ball_radius * rate};
  }
};

// What stays ideal of a spatial revolute joint, and the link of model massless-link. That has no friction: a bar without mass carries a force
// along itself alone, so that nothing holds what would rub across it; and it pushes as well as pulls, where a journal would have left its
// wall and there is nothing to rub on.
class Held final : public Constraint {
 public:
  Vec3 pi, pj, axis_i, b1, b2, axis_j;
  bool axial = false, aligned = false;
  double link = 0;  // > 0: |e| = link
  bool planar = false;

  void evaluate(const Kinematics& k, const ConstraintRows& out) const override {
    int row = 0;
    if (planar) {
      const PlanarFrame &fi = k.planar[bodies[0]], &fj = k.planar[bodies[1]];
      keep_distance(fi, PlanarPoint(fi, pi.head<2>()), fj, PlanarPoint(fj, pj.head<2>()), link, out, 0);
      return;
    }
    const SpatialFrame &fi = k.spatial[bodies[0]], &fj = k.spatial[bodies[1]];
    const SpatialPoint Pi(fi, pi), Pj(fj, pj);
    if (axial) no_offset_along(fi, Pi, fi.R * axis_i, fj, Pj, out, row++);
    if (aligned) {
      perpendicular_axes(fi, fi.R * b1, fj, fj.R * axis_j, out, row++);
      perpendicular_axes(fi, fi.R * b2, fj, fj.R * axis_j, out, row++);
    }
    if (link > 0) keep_distance(fi, Pi, fj, Pj, link, out, row);
  }
  std::optional<Vec3> reaction_point(const Kinematics& k) const override {
    if (!planar) return k.spatial[bodies[1]].point(pj);
    const Vec2 p = k.planar[bodies[1]].point(pj.head<2>());
    return Vec3(p.x(), p.y(), 0);
  }
};

// R_B − R_J; an error when nothing is left of it.
double radial_clearance(const ClearanceInput& in) {
  const AnyParameters& o = in.clearance;
  const double bearing = o.number("bearing_radius"), journal = o.number("journal_radius"),
               c = bearing - journal;
  if (c > 0) return c;
  in.joint.diagnostics.error(
      o.origin.where("journal_radius"),
      fmt::format(
          "`journal_radius` of joint '{}' is {:g} m; it must be smaller than `bearing_radius`, {:g} m",
          in.joint.name(), journal, bearing));
  return 0;
}

template <class P>
std::unique_ptr<P> point_between(const ClearanceInput& in, const std::string& suffix, double clearance) {
  auto p = std::make_unique<P>();
  p->name = in.joint.name() + suffix;
  p->bodies[0] = in.joint.i;
  p->bodies[1] = in.joint.j;
  p->length_scale = clearance;
  const AnyParameters& o = in.clearance;
  p->pair.radius = {-o.number("bearing_radius"), o.number("journal_radius")};
  p->pair.length = o.number("length");
  return p;
}

// A spring and damper in place of the laws at these points.
void give_springs(const ClearanceInput& in, std::vector<std::unique_ptr<ContactPoint>> points,
                  Clearance& out) {
  for (auto& point : points)
    if (auto spring = play_spring(in, std::move(point))) out.forces.push_back(std::move(spring));
}

// Weights of n places at equal distances, the ends first, in an integral over the length: Simpson's rule, for even n the trapezoidal rule.
double section_weight(int section, int n) {
  const bool end = section < 2, odd_place = (section - 1) % 2 == 1;
  if (n % 2 == 0) return (end ? 0.5 : 1.0) / (n - 1);
  return (end ? 1 : odd_place ? 4 : 2) / (3.0 * (n - 1));
}

// Where friction of a ring with uniform pressure has its moment, ⅔ (R³ − r³)/(R² − r²).
double ring_radius(double inner, double outer) {
  return 2 * (outer * outer + outer * inner + inner * inner) / (3 * (outer + inner));
}

std::unique_ptr<Held> held(const ClearanceInput& in, const Vec3& pi, const Vec3& pj,
                           const std::string& suffix) {
  auto h = std::make_unique<Held>();
  h->name = in.joint.name() + suffix;
  h->bodies = {in.joint.i, in.joint.j};
  h->pi = pi, h->pj = pj;
  return h;
}

template <class P>
std::vector<TableRow<P>> radii() {
  return {{&P::bearing_radius,
           {.name = "bearing_radius",
            .unit = "m",
            .help = "R_B, of the first body's bearing (socket)",
            .required = true,
            .range = positive()}},
          {&P::journal_radius,
           {.name = "journal_radius",
            .unit = "m",
            .help = "R_J, of the second body's journal (ball)",
            .required = true,
            .range = positive()}}};
}

template <class P>
std::vector<TableRow<P>> journal_geometry() {
  return joined<P>(
      radii<P>(),
      {{&P::length,
        {.name = "length",
         .unit = "m",
         .help = "of the journal in its bearing: the cylinder laws need it; in space the journal may tilt "
                 "(absent: the axes stay parallel)",
         .range = positive()}},
       {&P::axial_play,
        {.name = "axial_play",
         .unit = "m",
         .help = "space: total play along the axis between shoulders (absent: none)",
         .range = positive()}}});
}

/// Of the contact model alone.
std::vector<TableRow<JournalContactParameters>> journal_surfaces() {
  using P = JournalContactParameters;
  return {
      {&P::shoulder_radius,
       {.name = "shoulder_radius",
        .unit = "m",
        .help = "space: R, outer radius of the shoulders' rings, for their friction torque (absent: none)",
        .range = positive()}},
      {&P::sections,
       {.name = "sections",
        .kind = Kind::integer,
        .help =
            "space: places along `length` at which the law acts, 2 for the ends alone; non-smooth methods "
            "have the ends",
        .fallback = "3",
        .range = {.low = 2, .high = 101}}},
      {&P::lubricant,
       {.name = "lubricant",
        .kind = Kind::object,
        .help = "oil film between journal and bearing, which needs `length`; absent: dry",
        .family = &film_law_family()}},
      {&P::mixed,
       {.name = "mixed",
        .kind = Kind::object,
        .help = "with a lubricant: from the film to dry contact without a jump",
        .family = &mixed_film_family()}}};
}

/// The three models over one geometry.
template <class Contact, class Spring, class Link>
Family three_models(const std::string& joint_type, std::vector<TableRow<Contact>> contact,
                    std::vector<TableRow<Spring>> spring, std::vector<TableRow<Link>> link,
                    std::vector<std::pair<std::string, Table>> more = {}) {
  std::vector<std::pair<std::string, Table>> models = {
      {"contact", table_of<Contact>(clearance_words("contact", joint_type), "surfaces that collide",
                                    joined<Contact>(contact, contact_law_rows<Contact>()))},
      {"spring-damper", table_of<Spring>(clearance_words("spring-damper", joint_type),
                                         "a linear spring and damper where the play is used up",
                                         joined<Spring>(spring, play_spring_rows<Spring>()))},
      {"massless-link",
       table_of<Link>(clearance_words("massless-link", joint_type) + ", a bar without mass and friction",
                      "a rigid link as long as the radial play", link)}};
  models.insert(models.end(), more.begin(), more.end());
  return clearance_family(std::move(models));
}

Clearance planar_journal(const ClearanceInput& in, double c) {
  Clearance out;
  const Vec2 pi = in.joint.point2(0), pj = in.joint.point2(1);
  const std::string& model = in.clearance.origin.type;
  if (in.clearance.has("axial_play"))
    in.joint.diagnostics.error(
        in.clearance.origin.where("axial_play"),
        fmt::format("`axial_play` of joint '{}' has no meaning in a planar model", in.joint.name()));
  if (model != "massless-link") {
    auto p = point_between<PlanarJournal>(in, "", c);
    p->pi = pi, p->pj = pj, p->clearance = c, p->journal_radius = in.clearance.number("journal_radius");
    std::vector<std::unique_ptr<ContactPoint>> points, places;
    places.push_back(std::make_unique<PlanarJournal>(*p));
    points.push_back(std::move(p));
    model == "contact" ? give_laws(in, std::move(points), out) : give_springs(in, std::move(points), out);
    if (model == "contact" && !give_film(in, c, std::move(places), out)) return {};
  } else {
    auto h = held(in, Vec3(pi.x(), pi.y(), 0), Vec3(pj.x(), pj.y(), 0), "");
    h->planar = true;
    h->link = out.link_length = c;
    h->rows = 1;
    out.constraint = std::move(h);
  }
  return out;
}

// Shoulders at both faces: a point on the axis each, or with `shoulder_radius` three points on the circle where the friction of the ring
// has its moment.
void add_shoulders(const ClearanceInput& in, const Vec3& pi, const Vec3& pj, const Vec3& axis_i,
                   const Vec3& axis_j, std::vector<std::unique_ptr<ContactPoint>>& points, Clearance& out) {
  const auto& o = in.clearance.as<JournalContactParameters>();
  const bool ring = !std::isnan(o.shoulder_radius);
  if (ring && !(o.shoulder_radius > o.journal_radius)) {
    in.joint.diagnostics.error(
        in.clearance.origin.where("shoulder_radius"),
        fmt::format(
            "`shoulder_radius` of joint '{}' is {:g} m; it must be larger than `journal_radius`, {:g} m",
            in.joint.name(), o.shoulder_radius, o.journal_radius));
    return;
  }
  if (!ring && o.friction)
    out.notes.push_back(
        fmt::format("joint '{}': its shoulders have no friction torque, since `shoulder_radius` is not given",
                    in.joint.name()));
  const double radius = ring ? ring_radius(o.journal_radius, o.shoulder_radius) : 0;
  const Vec3 across = any_perpendicular(axis_j);
  constexpr int in_a_ring = 3;
  for (int end = 0; end < 2; ++end)
    for (int place = 0; place < (ring ? in_a_ring : 1); ++place) {
      const std::string face = end ? ".back" : ".front";
      auto p = point_between<Shoulder>(in, ring ? fmt::format("{}.{}", face, place + 1) : face, o.axial_play);
      const double turn = 2 * std::numbers::pi * place / in_a_ring;
      p->pi = pi, p->axis = axis_i;
      p->pj = pj + radius * (std::cos(turn) * across + std::sin(turn) * axis_j.cross(across));
      p->half_play = 0.5 * o.axial_play, p->side = end ? -1 : 1;
      if (ring) p->share = 1.0 / in_a_ring;
      points.push_back(std::move(p));
    }
}

Clearance spatial_journal(const ClearanceInput& in, double c) {
  Clearance out;
  const Vec3 pi = in.joint.point3(0), pj = in.joint.point3(1);
  const auto [axis_i, axis_j] = in.joint.axes3();
  const AnyParameters& o = in.clearance;
  const std::string& model = o.origin.type;
  const bool contact = model == "contact";
  const bool long_journal = contact && o.has("length"), play = contact && o.has("axial_play");

  auto h = held(in, pi, pj, contact || model == "spring-damper" ? ".held" : "");
  h->axis_i = axis_i, h->axis_j = axis_j;
  h->b1 = any_perpendicular(axis_i), h->b2 = axis_i.cross(h->b1);
  h->axial = !play;
  h->aligned = !long_journal;
  h->link = model == "massless-link" ? c : 0;
  out.link_length = h->link;
  h->rows = (h->axial ? 1 : 0) + (h->aligned ? 2 : 0) + (h->link > 0 ? 1 : 0);
  if (h->rows > 0) out.constraint = std::move(h);

  if (model == "massless-link") return out;
  std::vector<std::unique_ptr<ContactPoint>> points, places;
  const double half = long_journal ? 0.5 * o.number("length") : 0;
  // Rigid surfaces touch at the ends alone.
  const int sections = !long_journal ? 1 : in.rigid ? 2 : o.as<JournalContactParameters>().sections;
  for (int section = 0; section < sections; ++section) {
    auto p = point_between<SpatialJournalSection>(in, long_journal ? fmt::format(".{}", section + 1) : "", c);
    const double along = section == 0 ? -1 : section == 1 ? 1 : -1 + 2.0 * (section - 1) / (sections - 1);
    p->pi = pi, p->pj = pj + along * half * axis_j, p->axis = axis_i;
    p->clearance = c, p->journal_radius = o.number("journal_radius");
    p->share = long_journal ? section_weight(section, sections) : 1.0;
    places.push_back(std::make_unique<SpatialJournalSection>(*p));
    points.push_back(std::move(p));
  }
  if (!contact) {
    give_springs(in, std::move(points), out);
    return out;
  }
  if (play) add_shoulders(in, pi, pj, axis_i, axis_j, points, out);
  give_laws(in, std::move(points), out);
  if (!give_film(in, c, std::move(places), out)) return {};
  return out;
}

}  // namespace

const Family& journal_clearance_family() {
  static const Family family =
      three_models("revolute", joined(journal_geometry<JournalContactParameters>(), journal_surfaces()),
                   journal_geometry<JournalSpringParameters>(), journal_geometry<JournalLinkParameters>(),
                   {journal_foundation()});
  return family;
}

Clearance make_journal_clearance(const ClearanceInput& in) {
  const double c = radial_clearance(in);
  if (c <= 0) return {};
  if (in.clearance.origin.type == "foundation") return make_journal_foundation(in, c);
  return in.joint.dimension == Dimension::planar ? planar_journal(in, c) : spatial_journal(in, c);
}

const Family& ball_clearance_family() {
  static const Family family =
      three_models("spherical", joined(radii<BallContactParameters>(), ball_lubricant()),
                   radii<BallSpringParameters>(), radii<BallLinkParameters>());
  return family;
}

Clearance make_ball_clearance(const ClearanceInput& in) {
  Clearance out;
  const double c = radial_clearance(in);
  if (c <= 0) return out;
  const Vec3 pi = in.joint.point3(0), pj = in.joint.point3(1);
  if (const std::string& model = in.clearance.origin.type; model != "massless-link") {
    auto p = point_between<Ball>(in, "", c);
    p->pi = pi, p->pj = pj, p->clearance = c, p->ball_radius = in.clearance.number("journal_radius");
    std::vector<std::unique_ptr<ContactPoint>> points;
    points.push_back(std::move(p));
    model == "contact" ? give_laws(in, std::move(points), out) : give_springs(in, std::move(points), out);
    if (model == "contact" && !give_ball_film(in, c, out)) return {};
  } else {
    auto h = held(in, pi, pj, "");
    h->link = out.link_length = c;
    h->rows = 1;
    out.constraint = std::move(h);
  }
  return out;
}

}  // namespace tappet
