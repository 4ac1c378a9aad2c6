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

#include "tappet/contact/normal_law.hpp"

namespace tappet {

class LineContactLaw final : public NormalLaw {
 public:
  /// a in m/N, b in N.
  LineContactLaw(double a, double b, std::string name, NormalTraits traits);

 protected:
  NormalOutput contact(const NormalInput& in) const override;

 private:
  double a_, b_;
  double scale_;  ///< δ_max = a b, m
  std::string name_;
};

/// The only key that the three laws have: compliance.
Table line_contact_table(const std::string& name, const std::string& help);

/// What b may depend on.
struct LineContact {
  double compliance = 0;  ///< Σ of the two surfaces, 1/Pa
  double length = 0;      ///< L, m
  double curvature = 0;   ///< 1/R_i + 1/R_j > 0, 1/m
  double radius_difference =
      0;  ///< R_i − R_j of a journal in a bearing, R_i + R_j of two convex cylinders, m
};

/// Reads the geometry and builds the law with b = load(line), N.
std::unique_ptr<NormalLaw> make_line_contact(const Object& object, const ContactPair& pair,
                                             Diagnostics& diagnostics, double (*load)(const LineContact&));

}  // namespace tappet
