// Elastic contact along a line of length L: the three laws for parallel cylinders give penetration as a
// function of force,
//
//   δ = a F [ln(b/F) + 1],      a in m/N, b in N,
//
// and differ only in b. They are said to need an iteration [Flores 2006, section 3]; they do not. With u =
// ln(b/F) + 1, F = b e^(1−u) and δ = a b e · u e^(−u), so that −u e^(−u) = −δ/(a b e) and
//
//   F = δ/(a u),      u = −W₋₁(−δ/(a b e)),      W₋₁ the lower real branch of Lambert's function.
//
// One Newton step on the logarithmic form ln u − u = ln(δ/(a b e)) takes away the last rounding of W₋₁.
//
// Domain. δ(F) rises to δ_max = a b at F = b (u = 1) and falls beyond: no force belongs to δ > a b, and none
// of the laws means anything near it. evaluate() says so in a LawDomainError.
//
//   dF/dδ = 1/(a ln(b/F)) = 1/(a (u − 1))
//   U = ∫F dδ = a F² (2u − 1)/4
//   P = 0
//
// Compliance of the two surfaces. [Flores & Ambrósio 2004, equations 25 to 27] use h = (1 − ν²)/(πE), the
// plane-strain form that ESDU 78035 publishes; [Flores 2006, equations 4, 10 and 11] leave out the π, so that
// the forces differ by almost π. `compliance: plane-strain` (the default) is the former, `compliance:
// flores-2006` the latter, with which figure 7 of that paper shows the curves of spheres and cylinders close
// together.
//
// Radii are signed (concave negative), so that (R_i − R_j)/(R_i R_j) of a journal in a bearing is 1/R_i +
// 1/R_j.
#pragma once

#include <cmath>
#include <optional>
#include <string>

#include "tappet/contact/normal_law.hpp"

namespace tappet {

struct LineLaw {
  double a = 0, b = 0;  ///< m/N, N
  std::string name;     ///< in messages

  double max_depth() const { return a * b; }  ///< m
};

/// u ≥ 1 with u e^(1−u) = x, for 0 < x ≤ 1.
double line_contact_root(double x);
[[noreturn]] void refuse_depth(const LineLaw& law, double depth);

/// The same with derivatives: u' = u x'/(x (1 − u)).
template <class T>
T line_contact_root_of(const T& x) {
  const double u = line_contact_root(value_of(x));
  if constexpr (std::is_same_v<T, double>)
    return u;
  else
    return x.chain(u, u / (x.value * (1 - u)));
}

template <class T>
NormalOutputOf<T> force(const LineLaw& law, const NormalInputOf<T>& in) {
  if (!(in.depth <= law.max_depth())) refuse_depth(law, value_of(in.depth));
  const T u = line_contact_root_of(in.depth / law.max_depth());
  const T force = in.depth / (law.a * u);
  return {.force = force,
          .d_depth = 1 / (law.a * (u - 1)),
          .stored_energy = law.a * force * force * (2 * u - 1) / 4};
}

/// What b may depend on.
struct LineContact {
  double compliance = 0;  ///< Σ of the two surfaces, 1/Pa
  double length = 0;      ///< L, m
  double curvature = 0;   ///< 1/R_i + 1/R_j > 0, 1/m
  double radius_difference =
      0;  ///< R_i − R_j of a journal in a bearing, R_i + R_j of two convex cylinders, m
};
/// From the geometry; none after an error was reported.
std::optional<LineContact> find_line_contact(const ContactPair& pair, bool plane_strain, const Origin& origin,
                                             Diagnostics& diagnostics);

Parameter compliance_parameter();

/// The table of the structs that the three laws have: compliance.
template <class P>
Table line_contact_table(const std::string& name, const std::string& help) {
  return table_of<P>(name, help, {{&P::compliance, compliance_parameter()}});
}

/// The law with a = Σ/L and this b, N.
std::unique_ptr<NormalLaw> make_line_law(const LineContact& line, double b, const Origin& origin,
                                         Diagnostics& diagnostics);

/// The law with b = load(line), N.
template <class P, double (*load)(const LineContact&)>
std::unique_ptr<NormalLaw> make_line_contact(const P& p, const Origin& origin, const ContactPair& pair,
                                             Diagnostics& diagnostics) {
  const auto line = find_line_contact(pair, p.compliance == "plane-strain", origin, diagnostics);
  return line ? make_line_law(*line, load(*line), origin, diagnostics) : nullptr;
}

}  // namespace tappet
