#include "tappet/multibody/clearances/ball_film.hpp"

#include <cmath>

#include <fmt/format.h>

#include "tappet/contact/ball_film.hpp"
#include "tappet/contact/normal_law.hpp"
#include "tappet/multibody/rows.hpp"

namespace tappet {
namespace {

// The ball gets F at its centre and −M_C − ½ e×F, the socket −F at its own and M_C − ½ e×F: no momentum is made.
class BallFilmElement final : public FilmElement {
 public:
  BallFilmElement(BallFilm law) : law_(law) {}
  Vec3 pi = Vec3::Zero(), pj = Vec3::Zero();

  void apply(const Kinematics& k, ForceSum& sum) const override {
    const Look now = look(k);
    const SpatialFrame &fi = k.spatial[bodies[0]], &fj = k.spatial[bodies[1]];
    const Vec3 half = 0.5 * now.e.cross(now.push.force);
    sum.add(fj, bodies[1], now.at, now.push.force);
    sum.add(fi, bodies[0], now.at - now.e, -now.push.force);
    sum.add_torque(fj, bodies[1], now.push.moment - half);
    sum.add_torque(fi, bodies[0], -now.push.moment - half);
    sum.powers.film += now.push.pressure_loss + now.push.shear_loss;
  }
  FilmInstant instant(const Kinematics& k) const override {
    const Look now = look(k);
    FilmInstant out;
    out.eccentricity = now.e.norm() / law_.clearance();
    out.min_film = std::max(0.0, law_.clearance() * (1 - out.eccentricity));
    out.couple = now.push.moment.norm();
    out.power_loss = now.push.pressure_loss + now.push.shear_loss;
    out.force = now.push.force;
    return out;
  }
  double thin_damping() const override {
    return -law_.evaluate(thin_part * law_.clearance() * Vec3::UnitX(), Vec3::UnitX(), Vec3::Zero())
                .force.x();
  }

 private:
  struct Look {
    Vec3 e, at;
    BallFilm::Push push;
  };
  Look look(const Kinematics& k) const {
    const SpatialFrame &fi = k.spatial[bodies[0]], &fj = k.spatial[bodies[1]];
    const SpatialPoint Pi(fi, pi), Pj(fj, pj);
    Look out;
    out.e = Pj.r - Pi.r, out.at = Pj.r;
    const Vec3 w = Pj.v - Pi.v - 0.5 * (fi.w + fj.w).cross(out.e);
    try {
      out.push = law_.evaluate(out.e, w, fj.w - fi.w);
    } catch (const LawDomainError& error) {
      throw error.at(name, k.t);
    }
    return out;
  }
  BallFilm law_;
};

}  // namespace

bool film_has_method(const ClearanceInput& in, const AnyParameters& lubricant) {
  if (!in.steps) return true;
  in.joint.diagnostics.error(
      lubricant.origin.pos,
      fmt::format("joint '{}' has a `lubricant`: method moreau takes forces as constant over a step, "
                  "and a film that gets thin would throw the journal back and forth; use method "
                  "smooth or event-driven",
                  in.joint.name()));
  return false;
}

std::vector<TableRow<BallContactParameters>> ball_lubricant() {
  return {{&BallContactParameters::lubricant,
           {.name = "lubricant",
            .kind = Kind::object,
            .help = "oil between ball and socket; absent: dry",
            .table = &ball_film_table()}}};
}

bool give_ball_film(const ClearanceInput& in, double c, Clearance& out) {
  const auto given = in.clearance.get("lubricant");
  if (!given) return true;
  AnyParameters lubricant;
  parameters::put(*given, lubricant);
  if (!film_has_method(in, lubricant)) return false;
  const auto& p = lubricant.as<BallFilmParameters>();
  const double viscosity = viscosity_of(p.viscosity, p.temperature, lubricant.origin, in.joint.diagnostics);
  if (std::isnan(viscosity)) return false;
  auto film =
      std::make_unique<BallFilmElement>(BallFilm(viscosity, in.clearance.number("bearing_radius"), c));
  film->name = in.joint.name();
  film->bodies = {in.joint.i, in.joint.j};
  film->turns_bodies = true;
  film->pi = in.joint.point3(0), film->pj = in.joint.point3(1);
  out.notes.push_back(
      fmt::format("joint '{}': its film fills the socket all around and does not rupture: it holds the "
                  "ball while that parts as well",
                  in.joint.name()));
  out.film = film.get();
  out.forces.push_back(std::move(film));
  return true;
}

}  // namespace tappet
