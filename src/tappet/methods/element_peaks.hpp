// Where the loads of force elements are largest that press and let go without being contacts: journals on a bed of springs, oil films. No
// event tells when they are pressed, and the impact table does not have them.
#pragma once

#include <vector>

#include "tappet/multibody/mechanism.hpp"
#include "tappet/multibody/passing_contacts.hpp"

namespace tappet {

class ElementPeaks {
 public:
  explicit ElementPeaks(const Mechanism& mechanism) : mechanism_(mechanism) {}
  /// Adds the instants of the last step at which the load of one of them is largest.
  void find(StepMotion& motion, std::vector<double>& out);

 private:
  double load(int element, const Kinematics& k) const;

  const Mechanism& mechanism_;
  std::vector<double> first_, middle_, last_;  // N, each
};

}  // namespace tappet
