// Goldsmith: the law of Dubowsky and Freudenstein with another power of the length.
//
//   δ = (F Σ/L) [ln(L (R_i − R_j)/(F R_i R_j Σ)) + 1]
//
//   R_i, R_j  radii of bearing and journal, m, here both positive
//   L         length of the line, m
//   Σ         sum of the surfaces' compliances, 1/Pa: (1 − ν²)/(πE) or (1 − ν²)/E each, by `compliance`
//   δ         penetration, m;  F on the second surface along the normal, away from the first, N
//
// [Goldsmith 1960; Flores & Ambrósio 2004, after equation 26 with m = 1; Flores 2006, after equation 10 with
// b = 1]. The logarithm's argument then has the unit 1/m², as Flores 2006 remarks: the law depends on the
// unit of length, and we evaluate it in metres. In the notation of line_contact.hpp a = Σ/L, b = (1 m²) L κ/Σ
// with κ = 1/R_i + 1/R_j.
#pragma once

#include <string>

#include "tappet/contact/line_contact.hpp"

namespace tappet {

struct GoldsmithParameters {
  std::string compliance = "plane-strain";  ///< or "flores-2006"
};

}  // namespace tappet
