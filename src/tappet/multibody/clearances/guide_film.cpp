#include "tappet/multibody/clearances/guide_film.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "tappet/contact/normal_law.hpp"
#include "tappet/contact/pad_film.hpp"
#include "tappet/multibody/clearances/ball_film.hpp"
#include "tappet/multibody/rows.hpp"

namespace tappet {
namespace {

// Two pads, the slider's faces, along two walls at ± (b + c). Of each the guide gets what the slider gets, the other way, at the same place.
class GuideFilm final : public FilmElement {
 public:
  PadFilm pad;
  Vec2 pi = Vec2::Zero(), pj = Vec2::Zero();  // on the guide's middle; the slider's middle
  Vec2 axis = Vec2::UnitX(),
       along = Vec2::UnitX();             // of the guide in the first body, of the slider in the second
  double half_height = 0, clearance = 0;  // b, c

  void apply(const Kinematics& k, ForceSum& sum) const override {
    for (const double side : {1.0, -1.0}) {
      const Look now = look(k, side);
      const PlanarFrame &fi = k.planar[bodies[0]], &fj = k.planar[bodies[1]];
      sum.add(fj, bodies[1], now.at, now.force);
      sum.add(fi, bodies[0], now.at, -now.force);
      sum.add_torque(bodies[1], now.couple);
      sum.add_torque(bodies[0], -now.couple);
      sum.powers.film += now.push.loss;
    }
  }
  FilmInstant instant(const Kinematics& k) const override {
    FilmInstant out;
    out.min_film = 2 * clearance;
    for (const double side : {1.0, -1.0}) {
      const Look now = look(k, side);
      out.min_film = std::min(out.min_film, now.least);
      out.force += Vec3(now.force.x(), now.force.y(), 0);
      out.couple += now.couple;
      out.power_loss += now.push.loss;
    }
    out.eccentricity = 1 - out.min_film / clearance;
    return out;
  }
  double thin_damping() const override {
    const double gap = (1 - thin_part) * clearance;
    return pad.evaluate({.start = gap, .end = gap, .approach = -1}).force;
  }

 private:
  struct Look {
    Vec2 at, force;
    double couple = 0, least = 0;
    PadFilm::Push push;
  };
  Look look(const Kinematics& k, double side) const {
    const PlanarFrame &fi = k.planar[bodies[0]], &fj = k.planar[bodies[1]];
    const PlanarPoint Pi(fi, pi), Pj(fj, pj);
    const Vec2 t = fi.turn(axis), n = perpendicular(t), l = fj.turn(along),
               face = side * half_height * perpendicular(l);
    const double a = pad.half_length;
    Look out;
    out.at = Pj.r + face;
    double gap[2], rate[2];
    for (int end : {0, 1}) {
      const Vec2 Q = out.at + (end ? a : -a) * l;
      gap[end] = half_height + clearance - side * n.dot(Q - Pi.r);
      rate[end] = -side * n.dot(against(fi, fj, Q));
    }
    out.least = std::min(gap[0], gap[1]);
    try {
      out.push = pad.evaluate({.start = gap[0],
                               .end = gap[1],
                               .slide = -t.dot(against(fi, fj, out.at)),
                               .approach = 0.5 * (rate[0] + rate[1]),
                               .turn = (rate[1] - rate[0]) / (2 * a)});
    } catch (const LawDomainError& error) {
      throw error.at(name, k.t);
    }
    out.force = -side * out.push.force * n - out.push.wall_drag * t;
    out.couple = -side * cross(l, n) * out.push.moment;
    return out;
  }
  /// Velocity of the slider's material at a place against the guide's there.
  static Vec2 against(const PlanarFrame& fi, const PlanarFrame& fj, const Vec2& at) {
    return fj.v + fj.w * perpendicular(at - fj.r) - fi.v - fi.w * perpendicular(at - fi.r);
  }
};

}  // namespace

bool give_guide_film(const ClearanceInput& in, double c, Clearance& out) {
  const auto given = in.clearance.get("lubricant");
  if (!given) return true;
  AnyParameters lubricant;
  parameters::put(*given, lubricant);
  if (!film_has_method(in, lubricant)) return false;
  if (in.joint.dimension != Dimension::planar) {
    in.joint.diagnostics.error(
        lubricant.origin.pos,
        fmt::format("joint '{}' has a `lubricant`: the film of a slider is computed in planar models, where "
                    "it is as wide "
                    "as `width` says; in space a revolute or a spherical joint may have one",
                    in.joint.name()));
    return false;
  }
  const auto& p = lubricant.as<PadFilmParameters>();
  const auto& o = in.clearance.as<GuideContactParameters>();
  const double viscosity = viscosity_of(p.viscosity, p.temperature, lubricant.origin, in.joint.diagnostics);
  if (std::isnan(viscosity)) return false;
  auto film = std::make_unique<GuideFilm>();
  film->pad = {viscosity, 0.5 * o.slider_length, p.width, p.film == "full"};
  const double turn = in.joint.start.planar[in.joint.i].theta - in.joint.start.planar[in.joint.j].theta;
  film->axis = in.joint.axis2().normalized();
  film->along = Eigen::Rotation2Dd(turn) * film->axis;
  film->pi = in.joint.point2(0), film->pj = in.joint.point2(1);
  film->half_height = 0.5 * o.slider_height, film->clearance = c;
  film->name = in.joint.name();
  film->bodies = {in.joint.i, in.joint.j};
  film->turns_bodies = true;
  if (p.width < 2 * o.slider_length)
    out.notes.push_back(
        fmt::format("joint '{}': its film takes the slider as wide, from whose sides no oil escapes, and it "
                    "is {:.3g} times as wide as long: it bears too much",
                    in.joint.name(), p.width / o.slider_length));
  out.film = film.get();
  out.forces.push_back(std::move(film));
  return true;
}

}  // namespace tappet
