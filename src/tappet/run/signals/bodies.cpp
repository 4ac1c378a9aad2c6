// Rigid bodies: where they are, how fast they move, how they accelerate; world axes.
#include "tappet/model/signals.hpp"

namespace tappet::signals::bodies {
namespace {

// Planar bodies.
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
double planar_acceleration(SignalContext& c, const SignalDefinition& s) {
  return c.w->a[3 * s.index + s.component];
}

// Spatial bodies.
double spatial_position(SignalContext& c, const SignalDefinition& s) {
  return c.k.spatial[s.index].r[s.component];
}
double quaternion(SignalContext& c, const SignalDefinition& s) {
  return c.q[7 * s.index + 3 + s.component];
}
double spatial_velocity(SignalContext& c, const SignalDefinition& s) {
  return c.k.spatial[s.index].v[s.component];
}
double spatial_omega(SignalContext& c, const SignalDefinition& s) {
  return c.k.spatial[s.index].w[s.component];
}
double spatial_acceleration(SignalContext& c, const SignalDefinition& s) {
  return c.w->a[6 * s.index + s.component];
}
// The state's angular velocity is that in the body's axes, and ω̇ = R ω̇′.
double spatial_alpha(SignalContext& c, const SignalDefinition& s) {
  const double* a = c.w->a.data() + 6 * s.index + 3;
  return c.k.spatial[s.index].R.row(s.component).dot(Vec3(a[0], a[1], a[2]));
}

void offer_planar(int b, const std::string& n, std::vector<SignalDefinition>& out) {
  for (int i = 0; i < 2; ++i)
    out.push_back({n + axis_names[i], "m", false, b, i, 0, planar_position, false, n + "v" + axis_names[i]});
  out.push_back({n + "angle", "rad", false, b, 0, 0, planar_angle, false, n + "omega"});
  for (int i = 0; i < 2; ++i)
    out.push_back({n + "v" + axis_names[i], "m/s", false, b, i, 0, planar_velocity});
  out.push_back({n + "omega", "rad/s", false, b, 0, 0, planar_omega});
  for (int i = 0; i < 2; ++i)
    out.push_back({n + "a" + axis_names[i], "m/s^2", true, b, i, 0, planar_acceleration});
  out.push_back({n + "alpha", "rad/s^2", true, b, 2, 0, planar_acceleration});
}

void offer_spatial(int b, const std::string& n, std::vector<SignalDefinition>& out) {
  const char* parts[] = {"qw", "qx", "qy", "qz"};
  for (int i = 0; i < 3; ++i)
    out.push_back({n + axis_names[i], "m", false, b, i, 0, spatial_position, false, n + "v" + axis_names[i]});
  for (int i = 0; i < 4; ++i) out.push_back({n + parts[i], "1", false, b, i, 0, quaternion});
  const struct {
    const char *prefix, *unit;
    bool needs_forces;
    double (*evaluate)(SignalContext&, const SignalDefinition&);
  } vectors[] = {{"v", "m/s", false, spatial_velocity},
                 {"w", "rad/s", false, spatial_omega},
                 {"a", "m/s^2", true, spatial_acceleration},
                 {"alpha", "rad/s^2", true, spatial_alpha}};
  for (const auto& v : vectors)
    for (int i = 0; i < 3; ++i)
      out.push_back({n + v.prefix + axis_names[i], v.unit, v.needs_forces, b, i, 0, v.evaluate});
}

void offer(const Model& model, std::vector<SignalDefinition>& out) {
  const Mechanism& m = model.mechanism;
  for (int b = 0; b < m.body_count(); ++b)
    (m.dimension == Dimension::planar ? offer_planar : offer_spatial)(b, m.bodies[b].name + ".", out);
}

const Registration<SignalProvider> registered{{.name = "bodies", .order = 10, .offer = offer}};

}  // namespace
}  // namespace tappet::signals::bodies
