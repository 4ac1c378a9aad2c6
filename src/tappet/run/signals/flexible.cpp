// Flexible bodies: their elastic coordinates as they were given, and where their interfaces are; world axes.
#include "tappet/model/signals.hpp"

namespace tappet::signals::flexible {
namespace {

double coordinate(SignalContext& c, const SignalDefinition& s) {
  const FlexibleBody& body = c.model.mechanism.flexible.bodies[s.index];
  const Eigen::Map<const Eigen::VectorXd> q(c.k.modal_q.data() + body.first, body.modes);
  return body.given.row(s.component).dot(q);
}
double rate(SignalContext& c, const SignalDefinition& s) {
  const FlexibleBody& body = c.model.mechanism.flexible.bodies[s.index];
  const Eigen::Map<const Eigen::VectorXd> u(c.k.modal_u.data() + body.first, body.modes);
  return body.given.row(s.component).dot(u);
}
double acceleration(SignalContext& c, const SignalDefinition& s) {
  const Mechanism& m = c.model.mechanism;
  const FlexibleBody& body = m.flexible.bodies[s.index];
  const Eigen::Map<const Eigen::VectorXd> a(c.w->a.data() + m.u_size() - m.flexible.modes + body.first,
                                            body.modes);
  return body.given.row(s.component).dot(a);
}

// Interfaces, by their frames.
double planar_position(SignalContext& c, const SignalDefinition& s) {
  return c.k.planar[s.index].r[s.component];
}
double planar_angle(SignalContext& c, const SignalDefinition& s) {
  return c.k.planar[s.index].theta;
}
double planar_velocity(SignalContext& c, const SignalDefinition& s) {
  return c.k.planar[s.index].v[s.component];
}
double planar_omega(SignalContext& c, const SignalDefinition& s) {
  return c.k.planar[s.index].w;
}
double spatial_position(SignalContext& c, const SignalDefinition& s) {
  return c.k.spatial[s.index].r[s.component];
}
double spatial_velocity(SignalContext& c, const SignalDefinition& s) {
  return c.k.spatial[s.index].v[s.component];
}
double spatial_omega(SignalContext& c, const SignalDefinition& s) {
  return c.k.spatial[s.index].w[s.component];
}

void offer_interface(const Mechanism& m, int frame, std::vector<SignalDefinition>& out) {
  const bool planar = m.dimension == Dimension::planar;
  const std::string n = m.frame_name(frame) + ".";
  const int axes = planar ? 2 : 3;
  for (int i = 0; i < axes; ++i)
    out.push_back({n + axis_names[i], "m", false, frame, i, 0, planar ? planar_position : spatial_position});
  if (planar) out.push_back({n + "angle", "rad", false, frame, 0, 0, planar_angle});
  for (int i = 0; i < axes; ++i)
    out.push_back(
        {n + "v" + axis_names[i], "m/s", false, frame, i, 0, planar ? planar_velocity : spatial_velocity});
  if (planar)
    out.push_back({n + "omega", "rad/s", false, frame, 0, 0, planar_omega});
  else
    for (int i = 0; i < 3; ++i)
      out.push_back({n + "w" + axis_names[i], "rad/s", false, frame, i, 0, spatial_omega});
}

void offer(const Model& model, std::vector<SignalDefinition>& out) {
  const Mechanism& m = model.mechanism;
  for (int f = 0; f < static_cast<int>(m.flexible.bodies.size()); ++f) {
    const FlexibleBody& body = m.flexible.bodies[f];
    for (int k = 0; k < body.given.rows(); ++k) {
      const std::string number = std::to_string(k + 1);
      out.push_back({body.name + ".q" + number, body.unit, false, f, k, 0, coordinate});
      out.push_back({body.name + ".qd" + number, body.unit, false, f, k, 0, rate});
      out.push_back({body.name + ".qdd" + number, body.unit, true, f, k, 0, acceleration});
    }
  }
  for (int frame = m.body_count(); frame < m.ground(); ++frame)
    if (!m.flexible.interface(frame).of_surface()) offer_interface(m, frame, out);
}

const Registration<SignalProvider> registered{{.name = "flexible bodies", .order = 15, .offer = offer}};

}  // namespace
}  // namespace tappet::signals::flexible
