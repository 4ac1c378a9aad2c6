// Steps of one length in which a body goes farther than what it may meet is thick: method moreau looks for contacts once a step,
// and would not see it pass through.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "tappet/multibody/mechanism.hpp"

namespace tappet {

class StrideWatch {
 public:
  explicit StrideWatch(const Mechanism& mechanism);

  /// After a step of length h that ends at t with the velocities u.
  void look(double t, double h, const double* u);
  /// What to say of the longest of these strides, if there was one.
  std::optional<std::string> warning() const;

 private:
  struct Walker {
    int body = 0;
    double reach = 0;  ///< of its surfaces, from its origin, m
    double room = 0;   ///< half the way on which it overlaps the thinnest that it may meet head on, m
  };
  const Mechanism& mechanism_;
  std::vector<Walker> walkers_;
  const Walker* worst_ = nullptr;
  double worst_way_ = 0, worst_time_ = 0, worst_part_ = 1;
};

}  // namespace tappet
