// A function given by points: f(x), or f(x, y) on a grid.
//
// Between neighbours h apart, s = (x − xᵢ)/h:
//
//   linear   f = (1 − s) fᵢ + s fᵢ₊₁
//   cubic    f = (1 + 2s)(1 − s)² fᵢ + s² (3 − 2s) fᵢ₊₁ + h s (1 − s)² mᵢ − h s² (1 − s) mᵢ₊₁, the slopes m such that f″ is
//            continuous; at the ends f‴ is so as well (not-a-knot), so that a cubic polynomial is met exactly [deBoor1978, ch. IV]
//   akima    the same with slopes from the four neighbouring differences, mᵢ = (|d₃ − d₂| d₁ + |d₁ − d₀| d₂)/(|d₃ − d₂| + |d₁ − d₀|),
//            which stays straight beside a kink; f″ jumps at the points [Akima1970]
//
// On a grid the same in both directions, with ∂²f/∂x∂y from the slopes of slopes. Derivatives are those of these polynomials.
#pragma once

#include <string>
#include <vector>

#include "tappet/base/expression_ops.hpp"

namespace tappet {

enum class Interpolation { linear, cubic, akima };
/// What holds outside of the points: the value at the end, the straight line with the slope there, or not a number.
enum class Outside { hold, linear, stop };

struct LookupOptions {
  Interpolation interpolate = Interpolation::cubic;
  Outside outside = Outside::linear;
  bool periodic = false;  ///< x: the last point is the first of the next period
};

/// Value and derivatives of a function of two variables.
struct Patch {
  double f = 0, x = 0, y = 0, xx = 0, xy = 0, yy = 0;
};

class LookupTable {
 public:
  /// Abscissae ascend; at least two.
  LookupTable(std::string name, std::vector<double> x, std::vector<double> f, LookupOptions options);
  /// f row by row: those of x₀ at all y first.
  LookupTable(std::string name, std::vector<double> x, std::vector<double> y, std::vector<double> f,
              LookupOptions options);

  const std::string& name() const { return name_; }
  int variables() const { return y_.empty() ? 1 : 2; }
  Jet at(double x) const;
  Patch at(double x, double y) const;

 private:
  /// A place between two neighbours: what their values and slopes count there, and in the two derivatives.
  struct Place {
    int left = 0;
    double w[3][4] = {};
  };
  Place find(const std::vector<double>& points, double x, bool periodic) const;

  std::string name_;
  LookupOptions options_;
  std::vector<double> x_, y_;
  std::vector<double> f_, fx_, fy_, fxy_;  ///< row by row
};

/// Slopes at points that an interpolation goes through with.
std::vector<double> slopes(const std::vector<double>& x, const std::vector<double>& f,
                           Interpolation interpolate, bool periodic);

}  // namespace tappet
