#include "tappet/contact/pad_film.hpp"

#include <array>
#include <cmath>

#include <fmt/format.h>

#include "tappet/contact/normal_law.hpp"

namespace tappet {
namespace {

constexpr int cells = 24;
// Gauss and Legendre's four points on [0, 1].
constexpr std::array<double, 4> point = {0.0694318442029737, 0.3300094782075719, 0.6699905217924281,
                                         0.9305681557970263};
constexpr std::array<double, 4> weight = {0.1739274225687269, 0.3260725774312731, 0.3260725774312731,
                                          0.1739274225687269};

}  // namespace

PadFilm::Push PadFilm::evaluate(const Motion& m) const {
  if (!(m.start > 0 && m.end > 0))
    throw LawDomainError(
        fmt::format("the oil film has no thickness left: the gap at an end of the slider is {:.6g} m",
                    std::min(m.start, m.end)));
  const double a = half_length, k = std::log(m.end / m.start), span = m.end - m.start;
  struct Place {
    double x, h, dx;
  };
  // x = a (2 (e^(kτ) − 1)/(e^k − 1) − 1).
  const auto at = [&](double tau) {
    const double grown = std::abs(k) < 1e-12 ? tau : std::expm1(k * tau) / std::expm1(k);
    const double slope = std::abs(k) < 1e-12 ? 1 : k * std::exp(k * tau) / std::expm1(k);
    return Place{a * (2 * grown - 1), m.start + span * grown, 2 * a * slope};
  };
  const auto drawn = [&](const Place& p) {
    return 0.5 * m.slide * p.h + m.approach * p.x + 0.5 * m.turn * p.x * p.x;
  };
  double above = 0, below = 0;
  for (int c = 0; c < cells; ++c)
    for (std::size_t g = 0; g < point.size(); ++g) {
      const Place p = at((c + point[g]) / cells);
      const double part = weight[g] / cells * p.dx / (p.h * p.h * p.h);
      above += part * drawn(p), below += part;
    }
  const double C = -above / below;
  Push out;
  double sheared = 0;   // ∫ dx/h
  double pressure = 0;  // at the beginning of the cell
  for (int c = 0; c < cells; ++c) {
    // p within the cell by Gauss' rule on p′, from its beginning to each of four points: the integral of the cubic through these.
    std::array<Place, 4> p;
    std::array<double, 4> rise;  // dp/dτ
    double whole = 0;
    for (std::size_t g = 0; g < point.size(); ++g) {
      p[g] = at((c + point[g]) / cells);
      rise[g] = 12 * viscosity * (drawn(p[g]) + C) / (p[g].h * p[g].h * p[g].h) * p[g].dx / cells;
      whole += weight[g] * rise[g];
    }
    const auto to = [&](std::size_t g) {
      double sum = 0;
      for (std::size_t n = 0; n < point.size(); ++n) {
        const double tau = point[g] * point[n];
        double value = 0;
        for (std::size_t j = 0; j < point.size(); ++j) {
          double basis = rise[j];
          for (std::size_t l = 0; l < point.size(); ++l)
            if (l != j) basis *= (tau - point[l]) / (point[j] - point[l]);
          value += basis;
        }
        sum += weight[n] * value;
      }
      return pressure + point[g] * sum;
    };
    for (std::size_t g = 0; g < point.size(); ++g) {
      const double here = full ? to(g) : std::max(0.0, to(g)), dx = weight[g] / cells * p[g].dx;
      out.force += width * dx * here, out.moment += width * dx * p[g].x * here;
      sheared += dx / p[g].h;
    }
    pressure += whole;
  }
  // ∫ h p′ = −s ∫ p, also where the film is ruptured.
  const double wedge = 0.5 * span / (2 * a) * out.force, couette = viscosity * m.slide * width * sheared;
  out.drag = wedge + couette, out.wall_drag = wedge - couette;
  out.loss = -(out.force * m.approach + out.moment * m.turn) - out.wall_drag * m.slide;
  return out;
}

const Table& pad_film_table() {
  using P = PadFilmParameters;
  static const Table table = table_of<P>("a slider's lubricant",
                                         "The oil between a slider and the walls of its guide, taken as wide",
                                         {{&P::viscosity, viscosity_parameter()},
                                          {&P::temperature, temperature_parameter()},
                                          {&P::width,
                                           {.name = "width",
                                            .unit = "m",
                                            .help = "B, of the slider across the plane",
                                            .required = true,
                                            .range = positive()}},
                                          {&P::film,
                                           {.name = "film",
                                            .kind = Kind::choice,
                                            .help = "where it bears: reynolds: where its pressure is above "
                                                    "that around; full: everywhere, pulling where it "
                                                    "is below",
                                            .fallback = "reynolds",
                                            .choices = {"reynolds", "full"}}}});
  return table;
}

}  // namespace tappet
