#include "tappet/multibody/film.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "tappet/contact/normal_law.hpp"
#include "tappet/multibody/mechanism.hpp"
#include "tappet/multibody/rows.hpp"

namespace tappet {

JournalFilm::Section JournalFilm::section(const Kinematics& k, double along) const {
  Section out;
  if (dimension == Dimension::planar) {
    const PlanarFrame &fi = k.planar[bodies[0]], &fj = k.planar[bodies[1]];
    const PlanarPoint Pi(fi, pi.head<2>()), Pj(fj, pj.head<2>());
    const Vec2 e = Pj.r - Pi.r, v = Pj.v - Pi.v;
    const double turning = 0.5 * (fi.w + fj.w);
    out.e << e, 0;
    out.at << Pj.r, 0;
    out.in = {{e.x(), e.y()}, {v.x() + turning * e.y(), v.y() - turning * e.x()}, fj.w - fi.w};
    return out;
  }
  const SpatialFrame &fi = k.spatial[bodies[0]], &fj = k.spatial[bodies[1]];
  const Vec3 a = fi.R * axis_i, b1 = any_perpendicular(axis_i);
  const SpatialPoint Pj(fj, pj + along * axis_j);
  const Vec3 d = Pj.r - fi.point(pi);
  out.axis = a, out.at = Pj.r;
  out.across = {fi.R * b1, fi.R * axis_i.cross(b1)};
  out.e = d - a.dot(d) * a;
  const double spin = (fj.w - fi.w).dot(a);
  const Vec3 w = Pj.v - fi.v - fi.w.cross(Pj.r - fi.r) - 0.5 * spin * a.cross(out.e);
  for (int n : {0, 1}) out.in.e[n] = out.e.dot(out.across[n]), out.in.w[n] = w.dot(out.across[n]);
  out.in.spin = spin;
  return out;
}

FilmOutput JournalFilm::evaluate(const Kinematics& k, const FilmInput& in) const {
  try {
    return law->evaluate(in);
  } catch (const LawDomainError& error) {
    throw error.at(name, k.t);
  }
}

void JournalFilm::apply(const Kinematics& k, ForceSum& sum) const {
  for (const Slice& slice : slices) {
    const Section s = section(k, slice.along);
    const FilmOutput out = evaluate(k, s.in);
    const double couple = slice.shear_weight * out.couple;
    sum.powers.film += slice.force_weight * out.pressure_loss + slice.shear_weight * out.shear_loss;
    if (dimension == Dimension::planar) {
      const Vec2 F = slice.force_weight * Vec2(out.force[0], out.force[1]), at = s.at.head<2>(),
                 e = s.e.head<2>();
      const double half = 0.5 * cross(e, F);
      sum.add(k.planar[bodies[1]], bodies[1], at, F);
      sum.add(k.planar[bodies[0]], bodies[0], at - e, -F);
      sum.add_torque(bodies[1], -couple - half);
      sum.add_torque(bodies[0], couple - half);
    } else {
      const Vec3 F = slice.force_weight * (out.force[0] * s.across[0] + out.force[1] * s.across[1]);
      const Vec3 half = 0.5 * s.e.cross(F), shear = couple * s.axis;
      const SpatialFrame &fi = k.spatial[bodies[0]], &fj = k.spatial[bodies[1]];
      sum.add(fj, bodies[1], s.at, F);
      sum.add(fi, bodies[0], s.at - s.e, -F);
      sum.add_torque(fj, bodies[1], -shear - half);
      sum.add_torque(fi, bodies[0], shear - half);
    }
  }
}

std::string JournalFilm::formula(const Kinematics& k) const {
  const FilmInput in = section(k, 0).in;
  return fmt::format("oil film at e = ({:.9g}, {:.9g}) m, w = ({:.9g}, {:.9g}) m/s, spin = {:.9g} rad/s",
                     in.e[0], in.e[1], in.w[0], in.w[1], in.spin);
}

FilmInstant JournalFilm::instant(const Kinematics& k) const {
  FilmInstant out;
  for (const Slice& slice : slices) {
    const Section s = section(k, slice.along);
    const FilmOutput film = evaluate(k, s.in);
    out.couple += slice.shear_weight * film.couple;
    out.power_loss += slice.force_weight * film.pressure_loss + slice.shear_weight * film.shear_loss;
    out.side_flow += slice.force_weight * law->side_flow(s.in);
    if (dimension == Dimension::planar)
      out.force += slice.force_weight * Vec3(film.force[0], film.force[1], 0);
    else
      out.force += slice.force_weight * (film.force[0] * s.across[0] + film.force[1] * s.across[1]);
  }
  const double c = law->bearing().clearance;
  for (double end : {-half_length, half_length})
    out.eccentricity = std::max(out.eccentricity, section(k, end).e.norm() / c);
  out.min_film = std::max(0.0, c * (1 - out.eccentricity));
  return out;
}

namespace {

// Points and weights of Gauss and Legendre on [−1, 1], by Newton's method on the polynomial.
void gauss_point(int n, int i, double& x, double& weight) {
  x = -std::cos(std::numbers::pi * (i + 0.75) / (n + 0.5));
  for (int pass = 0; pass < 100; ++pass) {
    double before = 1, here = x;
    for (int m = 2; m <= n; ++m) {
      const double next = ((2 * m - 1) * x * here - (m - 1) * before) / m;
      before = here, here = next;
    }
    const double slope = n * (x * here - before) / (x * x - 1);
    weight = 2 / ((1 - x * x) * slope * slope);
    if (std::abs(here / slope) < 1e-15) return;
    x -= here / slope;
  }
}

}  // namespace

std::vector<JournalFilm::Slice> film_slices(int n, double length, bool even_pressure) {
  std::vector<JournalFilm::Slice> out;
  for (int i = 0; i < n; ++i) {
    double x = 0, weight = 2;
    gauss_point(n, i, x, weight);
    const double even = 0.5 * weight;
    out.push_back({0.5 * length * x, even_pressure ? even : 1.5 * (1 - x * x) * even, even});
  }
  return out;
}

double JournalFilm::thin_damping() const {
  return -law->evaluate({.e = {thin_part * law->bearing().clearance, 0}, .w = {1, 0}}).force[0];
}

void note_explicit_steps(const Mechanism& m, std::vector<std::string>& notes) {
  for (const FilmElement* film : m.films) {
    const double damping = film->thin_damping();
    double mobility = 0;
    for (int b : film->bodies)
      if (b != m.ground()) mobility += 1 / m.bodies[b].mass;
    if (mobility > 0)
      notes.push_back(fmt::format(
          "joint '{}': at nine tenths of the clearance the oil film holds an explicit integrator to steps "
          "of about {:.2g} s; `integrator: bdf` is not limited so",
          film->name, 2 / (mobility * damping)));
  }
}

}  // namespace tappet
