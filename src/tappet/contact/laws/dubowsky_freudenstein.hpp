// Dubowsky–Freudenstein: elastic contact of a pin in a cylinder, along a line.
//
//   δ = (F Σ/L) [ln(L³ (R_i − R_j)/(F R_i R_j Σ)) + 1]
//
//   R_i, R_j  radii of bearing and journal, m, here both positive
//   L         length of the line, m
//   Σ         sum of the surfaces' compliances, 1/Pa: (1 − ν²)/(πE) or (1 − ν²)/E each, by `compliance`
//   δ         penetration, m;  F on the second surface along the normal, away from the first, N
//
// [Dubowsky & Freudenstein 1971; Flores & Ambrósio 2004, equation 26 with m = 3; Flores 2006, equation 10
// with b = 3]. In the notation of line_contact.hpp, where the inversion, the domain and the compliance are
// explained, a = Σ/L and b = L³ κ/Σ with κ = 1/R_i + 1/R_j of the signed radii; written so it also holds for
// two convex cylinders and a plane.
#pragma once

#include <string>

#include "tappet/contact/line_contact.hpp"

namespace tappet {

struct DubowskyFreudensteinParameters {
  std::string compliance = "plane-strain";  ///< or "flores-2006"
};

}  // namespace tappet
