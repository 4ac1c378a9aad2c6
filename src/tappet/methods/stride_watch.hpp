// Steps of one length in which a body goes farther than what it may meet is thick: method moreau looks for contacts once a step,
// and would not see it pass through.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "tappet/base/value_stream.hpp"
#include "tappet/multibody/mechanism.hpp"

namespace tappet {

/// The longest of these steps so far: part of the state.
struct Stride {
  int body = -1;        ///< whose it was; −1: there was none
  double distance = 0;  ///< that it went, m
  double time = 0;      ///< end of that step, s
  double room = 0;      ///< half the distance on which it overlaps the thinnest that it may meet head on, m

  bool operator==(const Stride&) const = default;
};
void fields(FieldVisitor& v, Stride& stride);

class StrideWatch {
 public:
  explicit StrideWatch(const Mechanism& mechanism);

  /// After a step of length h that ends at t with the velocities u: `worst` becomes this one where it is longer.
  void look(double t, double h, const double* u, Stride& worst) const;
  /// What to say of the longest of these strides, if there was one.
  std::optional<std::string> warning(const Stride& worst) const;

 private:
  struct Walker {
    int body = 0;
    double reach = 0;  ///< of its surfaces, from its origin, m
    double room = 0;   ///< half the way on which it overlaps the thinnest that it may meet head on, m
  };
  const Mechanism& mechanism_;
  std::vector<Walker> walkers_;
};

}  // namespace tappet
