// Two joints whose coordinates move in proportion: `gear`, `rack` or `coupler`, by what they are.
#pragma once

#include <array>

#include "tappet/imports/adams/conversion.hpp"

namespace tappet::adams {

struct Coupled {
  std::string joint;
  bool turns;
  double factor;  ///< angles in rad, displacements in the data set's unit of length
};

/// a.factor Δc_a + b.factor Δc_b = 0.
void couple(const Given& given, const Coupled& a, const Coupled& b, Conversion& c);
/// The same of three.
void couple(const Given& given, const std::array<Coupled, 3>& joints, Conversion& c);

}  // namespace tappet::adams
