// A cubic spline through points of a body, over the sum of their distances, with two derivatives.
//
// A closed one returns to its first point with the same direction and curvature, an open one ends without curvature and goes on straight.
#pragma once

#include <string>
#include <vector>

#include "tappet/base/diagnostics.hpp"
#include "tappet/base/parameters.hpp"
#include "tappet/base/vectors.hpp"

namespace tappet {

class SplineCurve {
 public:
  SplineCurve(std::vector<Vec3> points, bool closed);

  struct Place {
    Vec3 at, slope, bend;  ///< c, c′, c″
  };
  Place at(double s) const;
  double end() const { return s_.back(); }
  bool closed() const { return closed_; }
  int pieces() const { return static_cast<int>(s_.size()) - 1; }

  /// The s nearest to p: from the nearest of places between the points, by Newton's method.
  double nearest(const Vec3& p) const;

 private:
  Place straight_on(double s) const;
  void find_bends();

  std::vector<Vec3> points_, bend_;
  bool closed_;
  std::vector<double> s_;
  std::vector<Vec3> places_;  // evenly spaced in s, from which nearest() begins
};

/// Points of a curve as the key `key` of a joint gives them; false after an error was reported.
bool check_curve(const std::vector<Vec3>& points, bool closed, const Origin& origin, const std::string& key,
                 Diagnostics& diagnostics);

/// The rows of keys that give a curve.
Parameter curve_parameter(const std::string& name, const std::string& whose);
Parameter closed_parameter(const std::string& name);

}  // namespace tappet
