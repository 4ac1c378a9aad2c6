#include "tappet/multibody/mechanism.hpp"

namespace tappet {

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
  return sum;
}

double potential_energy(const Mechanism& mechanism, const Kinematics& k) {
  double sum = 0;
  for (int b = 0; b < mechanism.body_count(); ++b) {
    const double mass = mechanism.bodies[b].mass;
    sum -= mechanism.dimension == Dimension::planar ? mass * mechanism.gravity.head<2>().dot(k.planar[b].r)
                                                    : mass * mechanism.gravity.dot(k.spatial[b].r);
  }
  for (const auto& force : mechanism.forces) sum += force->potential(k);
  return sum + contact_energy(mechanism.contacts, k);
}

}  // namespace tappet
