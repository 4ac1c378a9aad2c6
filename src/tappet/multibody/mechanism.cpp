#include "tappet/multibody/mechanism.hpp"

#include <algorithm>

namespace tappet {

std::string Mechanism::frame_name(int frame) const {
  if (frame < body_count()) return bodies[frame].name;
  if (frame == ground()) return "ground";
  return flexible.carrier(frame).name + "." + flexible.interface(frame).name;
}

void position_rates(const Mechanism& m, const double* q, const double* u, double* qdot) {
  if (m.dimension == Dimension::planar) return void(std::copy_n(u, m.u_size(), qdot));
  position_rates(m.dimension, m.body_count(), q, u, qdot);
  if (m.flexible.modes > 0)
    std::copy(u + m.u_size() - m.flexible.modes, u + m.u_size(), qdot + m.q_size() - m.flexible.modes);
}

void displace(const Mechanism& m, double* q, const double* d) {
  displace(m.dimension, m.body_count(), q, d);
  for (int i = 1; i <= m.flexible.modes; ++i) q[m.q_size() - i] += d[m.u_size() - i];
}

double kinetic_energy(const Mechanism& mechanism, const Kinematics& k) {
  double sum = 0;
  for (int b = 0; b < mechanism.body_count(); ++b) {
    const Body& body = mechanism.bodies[b];
    if (mechanism.dimension == Dimension::planar) {
      const PlanarFrame& f = k.planar[b];
      sum += 0.5 * (body.mass * f.v.squaredNorm() + body.inertia(2, 2) * f.w * f.w);
    } else {
      const SpatialFrame& f = k.spatial[b];
      sum += 0.5 * (body.mass * f.v.squaredNorm() + f.w_body.dot(body.inertia * f.w_body));
    }
  }
  for (const FlexibleBody& body : mechanism.flexible.bodies) sum += flexible_kinetic_energy(body, k);
  return sum;
}

double potential_energy(const Mechanism& mechanism, const Kinematics& k) {
  double sum = 0;
  for (int b = 0; b < mechanism.body_count(); ++b) {
    const double mass = mechanism.bodies[b].mass;
    sum -= mechanism.dimension == Dimension::planar ? mass * mechanism.gravity.head<2>().dot(k.planar[b].r)
                                                    : mass * mechanism.gravity.dot(k.spatial[b].r);
  }
  for (const FlexibleBody& body : mechanism.flexible.bodies)
    sum += flexible_potential_energy(body, k, mechanism.gravity);
  for (const auto& force : mechanism.forces)
    if (!is_off(k, force->with_switch)) sum += force->potential(k);
  return sum + contact_energy(mechanism.contacts, k);
}

}  // namespace tappet
