// Joints: their coordinates, and the reaction on their second body at the joint's point; world axes.
#include "tappet/model/signals.hpp"

namespace tappet::signals::joints {
namespace {

double angle(SignalContext& c, const SignalDefinition& s) {
  return c.model.mechanism.joints[s.index].angle->evaluate(c.k).value;
}
double displacement(SignalContext& c, const SignalDefinition& s) {
  return c.model.mechanism.joints[s.index].displacement->evaluate(c.k).value;
}

double angle_rate(SignalContext& c, const SignalDefinition& s) {
  return c.model.mechanism.joints[s.index].angle->evaluate(c.k).rate;
}
double displacement_rate(SignalContext& c, const SignalDefinition& s) {
  return c.model.mechanism.joints[s.index].displacement->evaluate(c.k).rate;
}

const Reaction& reaction_of(SignalContext& c, int constraint) {
  if (c.reaction_of != constraint) c.reaction = reaction(*c.w, constraint), c.reaction_of = constraint;
  return c.reaction;
}
double force(SignalContext& c, const SignalDefinition& s) {
  return reaction_of(c, s.index).force[s.component];
}
double torque(SignalContext& c, const SignalDefinition& s) {
  return reaction_of(c, s.index).torque[s.component];
}
double multiplier(SignalContext& c, const SignalDefinition& s) {
  return c.w->lambda[c.w->constraints.row_of(s.index) + s.component];
}

void offer(const Model& model, std::vector<SignalDefinition>& out) {
  const Mechanism& m = model.mechanism;
  const bool planar = m.dimension == Dimension::planar;
  for (int j = 0; j < static_cast<int>(m.joints.size()); ++j) {
    const std::string n = m.joint_names[j] + ".";
    if (m.joints[j].angle) {
      out.push_back({n + "angle", "rad", false, j, 0, 0, angle});
      out.push_back({n + "angle_rate", "rad/s", false, j, 0, 0, angle_rate, true});
    }
    if (m.joints[j].displacement) {
      out.push_back({n + "displacement", "m", false, j, 0, 0, displacement});
      out.push_back({n + "displacement_rate", "m/s", false, j, 0, 0, displacement_rate, true});
    }
  }
  for (int c = 0; c < m.joint_constraint_count; ++c) {
    const std::string n = m.constraints[c]->name + ".";
    if (m.constraints[c]->bodies.size() != 2 || m.constraints[c]->aux_count() == 3) {
      out.push_back({n + "torque", "N m", true, c, 0, 0, multiplier});  // a coupling
      continue;
    }
    for (int i = 0; i < (planar ? 2 : 3); ++i)
      out.push_back({n + "f" + axis_names[i], "N", true, c, i, 0, force});
    if (planar)
      out.push_back({n + "torque", "N m", true, c, 2, 0, torque});
    else
      for (int i = 0; i < 3; ++i) out.push_back({n + "t" + axis_names[i], "N m", true, c, i, 0, torque});
  }
}

const Registration<SignalProvider> registered{{.name = "joints", .order = 20, .offer = offer}};

}  // namespace
}  // namespace tappet::signals::joints
