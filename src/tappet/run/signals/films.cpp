// Oil films in joints.
//
//   eccentricity_ratio  1      |e|/c, the largest along the journal
//   min_film            m      thinnest gap
//   film_fx, _fy, _fz   N      force on the journal
//   film_couple         N m    moment that its shear exerts on the bearing, about the axis
//   film_power          W      what it turns to heat
//   oil_flow            m³/s   what leaves at the bearing's ends
#include "tappet/model/signals.hpp"
#include "tappet/multibody/film.hpp"

namespace tappet::signals::films {
namespace {

FilmInstant film(SignalContext& c, const SignalDefinition& s) {
  return c.model.mechanism.films[s.index]->instant(c.k);
}

template <double FilmInstant::*member>
double value(SignalContext& c, const SignalDefinition& s) {
  return film(c, s).*member;
}
double force(SignalContext& c, const SignalDefinition& s) {
  return film(c, s).force[s.component];
}

void offer(const Model& model, std::vector<SignalDefinition>& out) {
  const Mechanism& m = model.mechanism;
  for (int i = 0; i < static_cast<int>(m.films.size()); ++i) {
    const std::string n = m.films[i]->name + ".";
    out.push_back({n + "eccentricity_ratio", "1", false, i, 0, 0, value<&FilmInstant::eccentricity>});
    out.push_back({n + "min_film", "m", false, i, 0, 0, value<&FilmInstant::min_film>});
    for (int d = 0; d < (m.dimension == Dimension::planar ? 2 : 3); ++d)
      out.push_back({n + "film_f" + axis_names[d], "N", true, i, d, 0, force});
    out.push_back({n + "film_couple", "N m", true, i, 0, 0, value<&FilmInstant::couple>});
    out.push_back({n + "film_power", "W", true, i, 0, 0, value<&FilmInstant::power_loss>});
    out.push_back({n + "oil_flow", "m^3/s", true, i, 0, 0, value<&FilmInstant::side_flow>});
  }
}

const Registration<SignalProvider> registered{{.name = "films", .order = 45, .offer = offer}};

}  // namespace
}  // namespace tappet::signals::films
