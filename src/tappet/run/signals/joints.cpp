// Joints: their coordinates, and the reaction on their second body, world axes. Its torque is about the second body's
// point P_j; about the first body's, P_i, it is T + (r_Pj − r_Pi) × F, which differs where the joint lets the points part.
#include <algorithm>

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
/// A joint's point on one of its bodies, world axes; planar: z = 0.
Vec3 joint_point(const Kinematics& k, const Constraint& constraint, const Joint& joint, int side) {
  const int body = constraint.bodies[side];
  const Vec3& p = joint.points[side];
  if (k.dimension == Dimension::spatial) return k.spatial[body].point(p);
  const Vec2 r = k.planar[body].point(p.head<2>());
  return Vec3(r.x(), r.y(), 0);
}

// `index` is the constraint, `part` the joint.
double torque_at_first(SignalContext& c, const SignalDefinition& s) {
  const Constraint& constraint = *c.model.mechanism.constraints[s.index];
  const Joint& joint = c.model.mechanism.joints[s.part];
  const Vec3 arm = joint_point(c.k, constraint, joint, 1) - joint_point(c.k, constraint, joint, 0);
  const Reaction& at_second = reaction_of(c, s.index);
  return (at_second.torque + arm.cross(at_second.force))[s.component];
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
      out.push_back({n + "angle", "rad", false, j, 0, 0, angle, false, n + "angle_rate"});
      out.push_back({n + "angle_rate", "rad/s", false, j, 0, 0, angle_rate, true});
    }
    if (m.joints[j].displacement) {
      out.push_back({n + "displacement", "m", false, j, 0, 0, displacement, false, n + "displacement_rate"});
      out.push_back({n + "displacement_rate", "m/s", false, j, 0, 0, displacement_rate, true});
    }
  }
  for (int c = 0; c < m.joint_constraint_count; ++c) {
    const std::string& name = m.constraints[c]->name;
    const std::string n = name + ".";
    const int j =
        static_cast<int>(std::find(m.joint_names.begin(), m.joint_names.end(), name) - m.joint_names.begin());
    if (m.constraints[c]->bodies.size() != 2 || m.constraints[c]->aux_count() == 3) {  // a coupling
      if (m.joints[j].couples_displacement)
        out.push_back({n + "force", "N", true, c, 0, 0, multiplier});
      else
        out.push_back({n + "torque", "N m", true, c, 0, 0, multiplier});
      continue;
    }
    for (int i = 0; i < (planar ? 2 : 3); ++i)
      out.push_back({n + "f" + axis_names[i], "N", true, c, i, 0, force});
    if (planar)
      out.push_back({n + "torque", "N m", true, c, 2, 0, torque});
    else
      for (int i = 0; i < 3; ++i) out.push_back({n + "t" + axis_names[i], "N m", true, c, i, 0, torque});
    if (planar)
      out.push_back({n + "torque_at_first", "N m", true, c, 2, j, torque_at_first, true});
    else
      for (int i = 0; i < 3; ++i)
        out.push_back({n + "t" + axis_names[i] + "_at_first", "N m", true, c, i, j, torque_at_first, true});
  }
}

const Registration<SignalProvider> registered{{.name = "joints", .order = 20, .offer = offer}};

}  // namespace
}  // namespace tappet::signals::joints
