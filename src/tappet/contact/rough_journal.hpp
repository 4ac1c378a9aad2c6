// What the summits of a rough journal and a rough bearing push each other with, in all: Greenwood and Tripp's pressure around the joint.
//
//   h(α) = c − (c − g) cos α,   U(g) = ∫ u_a(h) R L dα,   F(g) = −dU/dg = ∫ p_a(h) cos α R L dα
//
//   g   the thinnest gap c − |e|, which may be negative;  u_a, p_a stored energy and pressure (contact/asperity.hpp)
//
// ln U is tabulated over g/σ with its first two derivatives (quintic Hermite interpolation), and F is the slope of that: conservative to rounding.
// From g = 8 σ on there is nothing; below −20 σ the force stays as it is there.
#pragma once

#include <vector>

#include "tappet/contact/asperity.hpp"

namespace tappet {

class RoughJournal {
 public:
  RoughJournal(const GreenwoodTripp& surface, double radius, double length, double clearance);

  struct Push {
    double force = 0, stored = 0;  ///< N, J
  };
  Push at(double gap) const;

 private:
  static constexpr double from_ = -20, to_ = 8, step_ = 0.125;  // in σ
  struct Node {
    double value, slope, bend;  // of ln U by g/σ in steps
  };
  double sigma_;
  std::vector<Node> nodes_;
};

}  // namespace tappet
