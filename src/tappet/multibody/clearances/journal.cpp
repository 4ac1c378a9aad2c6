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
// In space a journal of length ℓ touches at its two ends, each carrying half of the law's force, so that a
// tilted journal is held by a couple and an aligned one feels what it feels in the plane; |e| is then the
// distance from the bearing's axis. Without `length` the axes stay parallel. With `axial_play` the journal's
// shoulders touch the bearing's faces at ± half of it; without, the journal keeps its axial place.
#include <cmath>

#include <fmt/format.h>

#include "tappet/multibody/clearance.hpp"
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

  Touch touch(const Kinematics& k) const override {
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

class SpatialJournalEnd final : public ContactPoint {
 public:
  Vec3 pi, pj, axis;  // centre of the bearing, centre of the journal's end section, bearing axis (first body)
  double clearance = 0, journal_radius = 0;

  Touch touch(const Kinematics& k) const override {
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

  Touch touch(const Kinematics& k) const override {
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

  Touch touch(const Kinematics& k) const override {
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

// F = k (|e| − c) + b d|e|/dt beyond the play, along e, at the centres: may pull when the surfaces part fast,
// as a spring and damper does.
template <class Vec, class Point>
class PlaySpring final : public ForceElement {
 public:
  Vec pi, pj;
  double clearance = 0, stiffness = 0, damping = 0;

  static const auto& frame(const Kinematics& k, int body) {
    if constexpr (Vec::RowsAtCompileTime == 2)
      return k.planar[body];
    else
      return k.spatial[body];
  }
  void apply(const Kinematics& k, ForceSum& sum) const override {
    const auto &fi = frame(k, bodies[0]), &fj = frame(k, bodies[1]);
    const Point Pi(fi, pi), Pj(fj, pj);
    const Vec e = Pj.r - Pi.r;
    const double size = e.norm();
    if (size <= clearance) return;
    const Vec n = e / size;
    const double rate = n.dot(Pj.v - Pi.v), pull = stiffness * (size - clearance) + damping * rate;
    sum.powers.normal += damping * rate * rate;
    sum.add(fi, bodies[0], Pj.r, pull * n);
    sum.add(fj, bodies[1], Pj.r, -pull * n);
  }
  double potential(const Kinematics& k) const override {
    const double x = (frame(k, bodies[1]).point(pj) - frame(k, bodies[0]).point(pi)).norm() - clearance;
    return x > 0 ? 0.5 * stiffness * x * x : 0;
  }
};

// What stays ideal of a spatial revolute joint, and the link of model massless-link.
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

template <class Vec, class Point>
std::unique_ptr<ForceElement> play_spring(const ClearanceInput& in, const Vec& pi, const Vec& pj,
                                          double clearance) {
  auto f = std::make_unique<PlaySpring<Vec, Point>>();
  f->name = in.joint.name();
  f->bodies = {in.joint.i, in.joint.j};
  f->turns_bodies = true;
  f->pi = pi, f->pj = pj, f->clearance = clearance;
  f->stiffness = in.clearance.number("stiffness");
  f->damping = in.clearance.number("damping");
  return f;
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
         .help = "of the journal in its bearing: the cylinder laws need it; in space the journal touches at "
                 "its ends (absent: the axes stay parallel)",
         .range = positive()}},
       {&P::axial_play,
        {.name = "axial_play",
         .unit = "m",
         .help = "space: total play along the axis between shoulders (absent: none)",
         .range = positive()}}});
}

/// The three models over one geometry.
template <class Contact, class Spring, class Link>
Family three_models(const std::string& joint_type, std::vector<TableRow<Contact>> contact,
                    std::vector<TableRow<Spring>> spring, std::vector<TableRow<Link>> link) {
  return clearance_family(
      {{"contact", table_of<Contact>(clearance_words("contact", joint_type), "surfaces that collide",
                                     joined<Contact>(contact, contact_law_rows<Contact>()))},
       {"spring-damper", table_of<Spring>(clearance_words("spring-damper", joint_type),
                                          "a linear spring and damper where the play is used up",
                                          joined<Spring>(spring, play_spring_rows<Spring>()))},
       {"massless-link", table_of<Link>(clearance_words("massless-link", joint_type),
                                        "a rigid link as long as the radial play", link)}});
}

Clearance planar_journal(const ClearanceInput& in, double c) {
  Clearance out;
  const Vec2 pi = in.joint.point2(0), pj = in.joint.point2(1);
  const std::string& model = in.clearance.origin.type;
  if (in.clearance.has("axial_play"))
    in.joint.diagnostics.error(
        in.clearance.origin.where("axial_play"),
        fmt::format("`axial_play` of joint '{}' has no meaning in a planar model", in.joint.name()));
  if (model == "contact") {
    auto p = point_between<PlanarJournal>(in, "", c);
    p->pi = pi, p->pj = pj, p->clearance = c, p->journal_radius = in.clearance.number("journal_radius");
    std::vector<std::unique_ptr<ContactPoint>> points;
    points.push_back(std::move(p));
    give_laws(in, std::move(points), out);
  } else if (model == "spring-damper") {
    out.forces.push_back(play_spring<Vec2, PlanarPoint>(in, pi, pj, c));
  } else {
    auto h = held(in, Vec3(pi.x(), pi.y(), 0), Vec3(pj.x(), pj.y(), 0), "");
    h->planar = true;
    h->link = out.link_length = c;
    h->rows = 1;
    out.constraint = std::move(h);
  }
  return out;
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

  if (model == "spring-damper") out.forces.push_back(play_spring<Vec3, SpatialPoint>(in, pi, pj, c));
  if (!contact) return out;
  std::vector<std::unique_ptr<ContactPoint>> points;
  const double half = long_journal ? 0.5 * o.number("length") : 0;
  for (int end = 0; end < (long_journal ? 2 : 1); ++end) {
    auto p = point_between<SpatialJournalEnd>(in, long_journal ? (end ? ".2" : ".1") : "", c);
    p->pi = pi, p->pj = pj + (end ? half : -half) * axis_j, p->axis = axis_i;
    p->clearance = c, p->journal_radius = o.number("journal_radius");
    p->share = long_journal ? 0.5 : 1.0;
    points.push_back(std::move(p));
  }
  if (play)
    for (int end = 0; end < 2; ++end) {
      auto p = point_between<Shoulder>(in, end ? ".back" : ".front", o.number("axial_play"));
      p->pi = pi, p->pj = pj, p->axis = axis_i, p->half_play = 0.5 * o.number("axial_play"),
      p->side = end ? -1 : 1;
      points.push_back(std::move(p));
    }
  give_laws(in, std::move(points), out);
  return out;
}

}  // namespace

const Family& journal_clearance_family() {
  static const Family family =
      three_models("revolute", journal_geometry<JournalContactParameters>(),
                   journal_geometry<JournalSpringParameters>(), journal_geometry<JournalLinkParameters>());
  return family;
}

Clearance make_journal_clearance(const ClearanceInput& in) {
  const double c = radial_clearance(in);
  if (c <= 0) return {};
  return in.joint.dimension == Dimension::planar ? planar_journal(in, c) : spatial_journal(in, c);
}

const Family& ball_clearance_family() {
  static const Family family = three_models("spherical", radii<BallContactParameters>(),
                                            radii<BallSpringParameters>(), radii<BallLinkParameters>());
  return family;
}

Clearance make_ball_clearance(const ClearanceInput& in) {
  Clearance out;
  const double c = radial_clearance(in);
  if (c <= 0) return out;
  const Vec3 pi = in.joint.point3(0), pj = in.joint.point3(1);
  if (in.clearance.origin.type == "contact") {
    auto p = point_between<Ball>(in, "", c);
    p->pi = pi, p->pj = pj, p->clearance = c, p->ball_radius = in.clearance.number("journal_radius");
    std::vector<std::unique_ptr<ContactPoint>> points;
    points.push_back(std::move(p));
    give_laws(in, std::move(points), out);
  } else if (in.clearance.origin.type == "spring-damper") {
    out.forces.push_back(play_spring<Vec3, SpatialPoint>(in, pi, pj, c));
  } else {
    auto h = held(in, pi, pj, "");
    h->link = out.link_length = c;
    h->rows = 1;
    out.constraint = std::move(h);
  }
  return out;
}

}  // namespace tappet
