#include "tappet/multibody/clearances/journal_film.hpp"

#include <cmath>
#include <tuple>

#include <fmt/format.h>

#include "tappet/contact/mixed_film.hpp"
#include "tappet/multibody/asperity_contact.hpp"
#include "tappet/multibody/clearances/ball_film.hpp"

namespace tappet {
namespace {

// `least_film` as given, or this; false after an error.
bool find_least_film(const ClearanceInput& in, const AnyParameters& mixed, double c, double otherwise,
                     double& out) {
  out = mixed.has("least_film") ? mixed.number("least_film") : otherwise;
  if (out < 0.5 * c) return true;
  in.joint.diagnostics.error(
      mixed.origin.where("least_film"),
      fmt::format("the film of joint '{}' is taken down to `least_film`, {:g} m; that must be "
                  "below half of the radial clearance, {:g} m",
                  in.joint.name(), out, 0.5 * c));
  return false;
}

// The film fades where dry contact grows.
bool blend(const ClearanceInput& in, const AnyParameters& mixed, double c, std::unique_ptr<FilmLaw> film,
           std::size_t journals, JournalFilm& element, Clearance& out) {
  const auto& o = mixed.as<FloresBlendParameters>();
  const double tolerance = std::isnan(o.tolerance) ? 0.1 * c : o.tolerance;
  double least = 0;
  if (!find_least_film(in, mixed, c, 0.01 * c, least)) return false;
  element.law = fading_film(std::move(film), tolerance, least);
  for (std::size_t n = 0; n < std::min(journals, out.contacts.size()); ++n)
    out.contacts[n]->normal_law = growing_contact(out.contacts[n]->normal_law, tolerance);
  return true;
}

// Summits bear what the film does not.
bool roughen(const ClearanceInput& in, const AnyParameters& mixed, double c, std::unique_ptr<FilmLaw> film,
             std::vector<std::unique_ptr<ContactPoint>> places, JournalFilm& element, Clearance& out) {
  const auto& o = mixed.as<GreenwoodTrippParameters>();
  double least = 0;
  if (out.contacts.empty() || !find_least_film(in, mixed, c, o.roughness, least)) return false;
  double modulus = o.modulus;
  if (std::isnan(modulus)) {
    const auto& material = out.contacts[0]->pair.material;
    if (!material[0] || !material[1]) {
      in.joint.diagnostics.error(
          mixed.origin.pos,
          fmt::format("the summits of joint '{}' need `modulus`, or `materials` of the joint "
                      "from which it follows",
                      in.joint.name()));
      return false;
    }
    const auto plane_strain = [](const Material& m) { return (1 - m.poisson * m.poisson) / m.young; };
    modulus = 1 / (plane_strain(*material[0]) + plane_strain(*material[1]));
  }
  const FilmBearing& b = film->bearing();
  const auto rough = std::make_shared<const RoughJournal>(
      GreenwoodTripp{o.roughness, o.density, o.tip_radius, modulus}, b.radius, b.length, c);
  element.law = fading_film(std::move(film), HUGE_VAL, least);
  for (auto& place : places) {
    auto summits = std::make_unique<AsperityContact>();
    summits->name = place->name;
    summits->bodies = {in.joint.i, in.joint.j};
    summits->turns_bodies = true;
    summits->place = std::move(place);
    summits->rough = rough;
    summits->coefficient = o.coefficient, summits->friction_velocity = o.friction_velocity;
    out.forces.push_back(std::move(summits));
  }
  return true;
}

bool mix(const ClearanceInput& in, const AnyParameters& mixed, double c, std::unique_ptr<FilmLaw> film,
         std::vector<std::unique_ptr<ContactPoint>> places, JournalFilm& element, Clearance& out) {
  if (in.rigid) {
    in.joint.diagnostics.error(
        mixed.origin.pos,
        fmt::format(
            "joint '{}' has `mixed`, from a film to the forces of dry contact, and method event-driven has "
            "impacts in place of these; leave it out, or use method smooth",
            in.joint.name()));
    return false;
  }
  if (mixed.origin.type == "greenwood-tripp")
    return roughen(in, mixed, c, std::move(film), std::move(places), element, out);
  return blend(in, mixed, c, std::move(film), places.size(), element, out);
}

}  // namespace

bool give_film(const ClearanceInput& in, double c, std::vector<std::unique_ptr<ContactPoint>> places,
               Clearance& out) {
  const auto given = in.clearance.get("lubricant");
  const auto mixed_given = in.clearance.get("mixed");
  if (!given && mixed_given)
    in.joint.diagnostics.error(
        in.clearance.origin.where("mixed"),
        fmt::format("joint '{}' has `mixed` and no `lubricant`: there is no film to mix with",
                    in.joint.name()));
  if (!given) return !mixed_given;
  AnyParameters lubricant;
  parameters::put(*given, lubricant);
  const AnyParameters& o = in.clearance;
  Diagnostics& diagnostics = in.joint.diagnostics;
  if (!o.has("length")) {
    diagnostics.error(
        lubricant.origin.pos,
        fmt::format("joint '{}' has a `lubricant` and no `length`: a film bears by how long the "
                    "journal is in its bearing",
                    in.joint.name()));
    return false;
  }
  if (!film_has_method(in, lubricant)) return false;
  const double length = o.number("length");
  auto film = std::make_unique<JournalFilm>();
  auto law = make_film_law(lubricant, {o.number("bearing_radius"), length, c, 0}, diagnostics);
  if (!law) return false;
  if (mixed_given) {
    AnyParameters mixed;
    parameters::put(*mixed_given, mixed);
    if (!mix(in, mixed, c, std::move(law), std::move(places), *film, out)) return false;
  } else {
    film->law = std::move(law);
  }
  for (const std::string& note : film->law->traits().notes)
    out.notes.push_back(fmt::format("joint '{}': {}", in.joint.name(), note));
  film->name = in.joint.name();
  film->bodies = {in.joint.i, in.joint.j};
  film->turns_bodies = true;
  film->dimension = in.joint.dimension;
  if (in.joint.dimension == Dimension::planar) {
    film->pi << in.joint.point2(0), 0;
    film->pj << in.joint.point2(1), 0;
    film->slices = {{}};
  } else {
    film->pi = in.joint.point3(0), film->pj = in.joint.point3(1);
    std::tie(film->axis_i, film->axis_j) = in.joint.axes3();
    film->half_length = 0.5 * length;
    film->slices =
        film_slices(o.as<JournalContactParameters>().sections, length, film->law->traits().even_along);
  }
  out.film = film.get();
  out.forces.push_back(std::move(film));
  return true;
}

}  // namespace tappet
