// ESDU 78035: elastic contact of a pin in a cylinder, along a line.
//
//   δ = (F Σ/L) [ln(4 L (R_i − R_j)/(F Σ)) + 1]
//
//   R_i, R_j  radii of bearing and journal, m, here both positive; two convex cylinders take R_i + R_j
//   L         length of the line, m
//   Σ         sum of the surfaces' compliances, 1/Pa: (1 − ν²)/(πE) or (1 − ν²)/E each, by `compliance`
//   δ         penetration, m;  F on the second surface along the normal, away from the first, N
//
// [ESDU 1978; Flores & Ambrósio 2004, equation 27; Flores 2006, equation 11]. In the notation of
// line_contact.hpp, where the inversion, the domain and the compliance are explained, a = Σ/L and b = 4 L
// (R_i − R_j)/Σ: the law ends at a penetration of four times the clearance. For a circular contact ESDU 78035
// gives Hertz' law: use `hertz`.
#pragma once

#include <string>

#include "tappet/contact/line_contact.hpp"

namespace tappet {

struct Esdu78035Parameters {
  std::string compliance = "plane-strain";  ///< or "flores-2006"
};

}  // namespace tappet
