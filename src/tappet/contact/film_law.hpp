// Oil films between a journal and its bearing as laws of where the journal is and how it moves.
//
// Geometry and signs, once for every law, in the plane of the joint (any right-handed pair of axes in it):
//
//   e           journal's centre against the bearing's, n = e/|e|, t = n turned by +90°
//   c           radial clearance R_B − R_J;  ε = |e|/c,  q = 1 − ε²,  s = √q
//   ϑ           angle from n: the gap is h = c H, H = 1 − ε cos ϑ, thinnest at ϑ = 0
//   w           ė − ½(ω_j + ω_b) ẑ×e, the only velocity that the pressure knows: w·n = c ε̇, w·t = −½ c ε ω_eff with
//               ω_eff = ω_j + ω_b − 2 φ̇, φ the angle of e. It is regular at e = 0 and the same in every turning frame.
//   spin        ω_j − ω_b, the only velocity that the shear knows
//   μ, R, L, D  viscosity, the bearing's radius, length, 2 R;  λ = L/D
//
// Reynolds' equation is  ∇·(h³/12μ ∇p) = −w·u  with u the unit vector at ϑ. Pressure is measured against that around the bearing.
//
//   F    force on the journal at its centre, the bearing gets −F at its own
//   M_C  Couette moment, μ R³ L (ω_j − ω_b) 2π/(c s): the bearing stays flooded, so that oil shears all around, also where the
//        pressure is not raised. The journal gets the moment −M_C − ½ e×F, the bearing +M_C − ½ e×F: together with the
//        force these make no momentum.
//   −F·w = D_P = ∫∫ h³|∇p|²/12μ dA ≥ 0   and   D_C = M_C (ω_j − ω_b) ≥ 0 are lost; nothing is stored.
//
// A law in films/ is a header with equation, symbols, citation, the struct of its parameters and two plain functions of plain
// data, templates on the scalar type, that know ε and w = (w_n, w_t) alone,
//     template <class T> FilmForceOf<T> film(const Ocvirk&, const T& eps, const T& w_n, const T& w_t);     // N for w in m/s
//     double oil_flow(const Ocvirk&, double eps, double w_n, double w_t);                                // m³/s
// and a source with the parameters' table and one registration.
#pragma once

#include <array>
#include <cmath>
#include <memory>
#include <numbers>
#include <string>
#include <type_traits>
#include <vector>

#include "tappet/base/diagnostics.hpp"
#include "tappet/base/dual.hpp"
#include "tappet/base/parameters.hpp"
#include "tappet/base/registry.hpp"
#include "tappet/contact/viscosity.hpp"

namespace tappet {

/// What holds the film, SI.
struct FilmBearing {
  double radius = 0;     ///< R, of the bearing
  double length = 0;     ///< L
  double clearance = 0;  ///< c
  double viscosity = 0;  ///< μ, Pa s

  double ratio() const { return length / (2 * radius); }  ///< λ
};

template <class T>
struct FilmInputOf {
  std::array<T, 2> e{};  ///< m
  std::array<T, 2> w{};  ///< m/s
  T spin = 0;            ///< ω_j − ω_b, rad/s
};
using FilmInput = FilmInputOf<double>;

template <class T>
struct FilmOutputOf {
  std::array<T, 2> force{};  ///< F on the journal, in the axes of e and w, N
  T couple = 0;              ///< M_C, N m
  T pressure_loss = 0;       ///< D_P, W
  T shear_loss = 0;          ///< D_C, W
};
using FilmOutput = FilmOutputOf<double>;

/// Along n and t.
template <class T>
struct FilmForceOf {
  T n = 0, t = 0;
};

struct FilmTraits {
  double largest_eccentricity = 1;      ///< from here on evaluate() throws LawDomainError
  bool even_along = false;              ///< pressure is even along the length; else it falls to the ends
  std::vector<std::string> notes = {};  ///< "film table λ = 0.5: 29 × 33, worst 0.06 %"
};

/// The film at an eccentricity that leaves no gap: evaluate() throws LawDomainError.
[[noreturn]] void refuse_eccentricity(double eccentricity);

class FilmLaw {
 public:
  virtual ~FilmLaw() = default;

  /// Allocates nothing.
  virtual FilmOutput evaluate(const FilmInput& in) const = 0;
  /// With derivatives by e (2), w (2) and spin.
  using Number = Dual<5>;
  virtual FilmOutputOf<Number> evaluate_dual(const FilmInputOf<Number>& in) const = 0;
  /// Oil that leaves at both ends, m³/s.
  virtual double side_flow(const FilmInput& in) const = 0;

  const FilmBearing& bearing() const { return bearing_; }
  const FilmTraits& traits() const { return traits_; }

 protected:
  FilmBearing bearing_;
  FilmTraits traits_;
};

/// The directions of the film: ε, n, and w in them. Where e = 0 any direction serves.
template <class T>
struct FilmAxes {
  T eps, nx, ny, w_n, w_t;

  FilmAxes(const FilmInputOf<T>& in, double clearance) : eps(0), nx(1), ny(0) {
    // Derivatives need a direction that turns with e: this close to the centre (in parts of c) they are taken beside it, which
    // moves them by as little.
    constexpr double beside = 1e-8;
    T ex = in.e[0] / clearance;
    const T ey = in.e[1] / clearance;
    if constexpr (!std::is_same_v<T, double>)
      if (std::hypot(value_of(ex), value_of(ey)) < beside) ex = ex + beside;
    if (value_of(ex) != 0 || value_of(ey) != 0) {
      using std::sqrt;
      eps = sqrt(ex * ex + ey * ey);
      nx = ex / eps, ny = ey / eps;
    }
    w_n = in.w[0] * nx + in.w[1] * ny;
    w_t = in.w[1] * nx - in.w[0] * ny;
  }
};

/// The law that a plain struct L and its functions film() and oil_flow() are.
template <class L>
class PlainFilm final : public FilmLaw {
 public:
  PlainFilm(L law, const FilmBearing& bearing, FilmTraits traits) : law_(std::move(law)) {
    bearing_ = bearing, traits_ = std::move(traits);
  }
  const L& law() const { return law_; }

  FilmOutput evaluate(const FilmInput& in) const override { return at(in); }
  FilmOutputOf<Number> evaluate_dual(const FilmInputOf<Number>& in) const override { return at(in); }
  double side_flow(const FilmInput& in) const override {
    const FilmAxes<double> axes(in, bearing_.clearance);
    return oil_flow(law_, axes.eps, axes.w_n, axes.w_t);
  }

 private:
  template <class T>
  FilmOutputOf<T> at(const FilmInputOf<T>& in) const {
    using std::sqrt;
    const FilmAxes<T> axes(in, bearing_.clearance);
    if (!(axes.eps < traits_.largest_eccentricity)) refuse_eccentricity(value_of(axes.eps));
    const FilmForceOf<T> f = film(law_, axes.eps, axes.w_n, axes.w_t);
    const FilmBearing& b = bearing_;
    const T q = (1 - axes.eps) * (1 + axes.eps);
    FilmOutputOf<T> out;
    out.force = {f.n * axes.nx - f.t * axes.ny, f.n * axes.ny + f.t * axes.nx};
    const double petrov =
        2 * std::numbers::pi * b.viscosity * b.radius * b.radius * b.radius * b.length / b.clearance;
    out.couple = petrov * in.spin / sqrt(q);
    out.pressure_loss = -(f.n * axes.w_n + f.t * axes.w_t);
    out.shear_loss = out.couple * in.spin;
    return out;
  }
  L law_;
};

/// A registered law. `make` reports every fault to the diagnostics and then returns null.
struct FilmLawType {
  std::string name;      ///< as in `lubricant: {model: ...}`
  std::string help;      ///< one line
  std::string equation;  ///< UTF-8, one or more lines
  std::string citation;  ///< keys of docs/references.bib with equation numbers
  Table table;
  std::unique_ptr<FilmLaw> (*make)(const AnyParameters&, const FilmBearing&, Diagnostics&) = nullptr;
};

using FilmLawRegistry = Registry<FilmLawType>;

/// The mapping `lubricant: {model: NAME, ...}`; also registered as the family "lubricant". `ocvirk` when no model is named.
const Family& film_law_family();

/// Builds the law that these parameters are of, in a bearing of these radii and this length: viscosity is the parameters'.
/// Null after an error was reported.
std::unique_ptr<FilmLaw> make_film_law(const AnyParameters& parameters, FilmBearing bearing,
                                       Diagnostics& diagnostics);

// ---- for the files in films/
// ---------------------------------------------------------------------------------------

/// μ R³ L/c³ of a long film, N s/m; and what to say where the bearing is not long, "" where it is.
double long_film_scale(const FilmBearing& bearing);
std::string long_film_note(const std::string& law, const FilmBearing& bearing);

/// atan2 that carries derivatives.
template <class T>
T angle_of(const T& y, const T& x) {
  const double angle = std::atan2(value_of(y), value_of(x));
  if constexpr (std::is_same_v<T, double>) {
    return angle;
  } else {
    const double size = x.value * x.value + y.value * y.value;
    T out(angle);
    for (std::size_t k = 0; k < out.d.size(); ++k)
      out.d[k] = size > 0 ? (x.value * y.d[k] - y.value * x.d[k]) / size : 0;
    return out;
  }
}

/// |(a, b)|, whose derivatives at 0 are 0.
template <class T>
T size_of(const T& a, const T& b) {
  using std::sqrt;
  const T square = a * a + b * b;
  return value_of(square) > 0 ? sqrt(square) : T(0);
}

}  // namespace tappet
