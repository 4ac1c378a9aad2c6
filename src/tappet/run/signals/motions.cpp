// Motions: the effort that drives them, and the power it puts in, −λ·Φ_t.
#include "tappet/model/signals.hpp"

namespace tappet::signals::motions {
namespace {

double effort(SignalContext& c, const SignalDefinition& s) {
  return c.w->lambda[c.w->constraints.row_of(s.index) + s.component];
}

// `component` is the number of rows.
double power(SignalContext& c, const SignalDefinition& s) {
  double sum = 0;
  for (int row = c.w->constraints.row_of(s.index), end = row + s.component; row < end; ++row)
    sum -= c.w->lambda[row] * c.w->constraints.phi_t()[row];
  return sum;
}

void offer(const Model& model, std::vector<SignalDefinition>& out) {
  const Mechanism& m = model.mechanism;
  for (int i = 0; i < static_cast<int>(m.motions.size()); ++i) {
    // Constraints are those of joints, then those of motions.
    const int c = m.joint_constraint_count + i;
    const Motion& motion = m.motions[i];
    const std::string n = motion.constraint->name + ".";
    if (!motion.effort.empty()) {
      out.push_back({n + motion.effort, motion.effort == "torque" ? "N m" : "N", true, c, 0, 0, effort});
    } else {
      for (int r = 0; r < motion.constraint->rows; ++r)
        if (const int axis = motion.axes[r]; axis < 3)
          out.push_back({n + "f" + axis_names[axis], "N", true, c, r, 0, effort});
        else
          out.push_back({n + "t" + axis_names[axis - 3], "N m", true, c, r, 0, effort});
    }
    out.push_back({n + "power", "W", true, c, motion.constraint->rows, 0, power});
  }
}

const Registration<SignalProvider> registered{{.name = "motions", .order = 30, .offer = offer}};

}  // namespace
}  // namespace tappet::signals::motions
