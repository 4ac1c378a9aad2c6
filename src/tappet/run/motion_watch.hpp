// Prescribed motions that jump: the bodies are then somewhere else at once, or faster at once, and no force did it.
#pragma once

#include <string>
#include <vector>

#include "tappet/multibody/constraint_system.hpp"
#include "tappet/multibody/mechanism.hpp"

namespace tappet {

class MotionWatch {
 public:
  explicit MotionWatch(const Mechanism& mechanism);

  /// Looks at the time since it was last asked, and adds a sentence to `said` for each motion that jumped there, once per motion.
  /// The motions are as the constraints were evaluated last: where that is not at t it looks next time. What inputs do when they are set is
  /// their user's business: from then on it looks anew.
  void look(double t, const ConstraintSystem& constraints, const std::vector<double>& inputs,
            std::vector<std::string>& said);

 private:
  struct Function {
    const Constraint* motion = nullptr;
    const Expression* f = nullptr;
    int constraint = -1, number = 0;  // among the constraints; of its functions
    double noticeable = 0;            // m or rad; of the rate: in a second
    bool angular = false;
    bool told = false;
    Jet last = {};
  };
  std::string jump(const Function& function, const Jet& now, double t) const;

  std::vector<Function> functions_;
  std::vector<double> inputs_;  // when it was asked
  double last_ = 0;             // when it was asked
  bool begun_ = false;
};

}  // namespace tappet
