#include "tappet/multibody/contact_point.hpp"

#include <algorithm>
#include <cmath>

#include "tappet/multibody/rows.hpp"

namespace tappet {

Vec3 Tangents::any_tangent(const Vec3& n) {
  return any_perpendicular(n);
}

int ContactPoint::aux_count() const {
  return aux_fixed + (friction_law->traits().kind == FrictionKind::bristle ? 2 : 0);
}

ContactForce ContactPoint::force(const Touch& touch, const ContactState& state, const double* z) const {
  ContactForce out;
  if (rigid || !state.touching || touch.gap >= 0) return out;
  const NormalOutput n =
      normal_law->evaluate({.depth = -touch.gap, .rate = -touch.rate, .impact_rate = state.impact_rate});
  out.normal = share * n.force;
  out.stored = share * n.stored_energy;
  out.normal_loss = share * n.dissipated_power;

  switch (friction_law->traits().kind) {
    case FrictionKind::regularised: {
      if (state.branch == 0) {
        out.tangential = -out.normal * friction_law->evaluate_branch(0, touch.slip.norm()).ratio * touch.slip;
        break;
      }
      // Beyond the first kink the force keeps the direction of sliding: a step that runs past a reversal
      // meets a smooth force, and is cut back to the kink before it.
      const Vec3 d = sliding_direction(touch, state);
      const double along = d.dot(touch.slip);
      if (planar || along <= 0)
        out.tangential =
            -out.normal * friction_law->evaluate_branch(state.branch, along).coefficient * d;
      else
        out.tangential =
            -out.normal * friction_law->evaluate_branch(state.branch, touch.slip.norm()).ratio * touch.slip;
      break;
    }
    case FrictionKind::stick: {
      if (state.stick.sticking) break;  // the holding force is the constraint's
      const Tangents tangents(touch.normal, planar);
      out.tangential = -out.normal * tangents.vector(slip_coefficient(*friction_law, state.stick,
                                                                      tangents.components(touch.slip)));
      break;
    }
    case FrictionKind::bristle: {
      const Tangents tangents(touch.normal, planar);
      const double* p = z + aux_offset + aux_fixed;
      const BristleOutput b =
          friction_law->bristle(state.sliding, tangents.components(touch.slip), {p[0], p[1]});
      out.tangential = -out.normal * tangents.vector(b.coefficient);
      break;
    }
  }
  out.friction_loss = -out.tangential.dot(touch.slip);
  return out;
}

Vec3 ContactPoint::sliding_direction(const Touch& touch, const ContactState& state) const {
  // Remembered at the last accepted step; the surface has turned a little since.
  const Vec3& d = state.direction;
  if (planar) {
    const Vec3 t(-touch.normal.y(), touch.normal.x(), 0);
    return t.dot(d) < 0 ? Vec3(-t) : t;
  }
  const Vec3 tangential = d - d.dot(touch.normal) * touch.normal;
  const double size = tangential.norm();
  return size > 0 ? Vec3(tangential / size) : d;
}

Tangential ContactPoint::bristle_rate(const Touch& touch, const ContactState& state, const double* z) const {
  const Tangents tangents(touch.normal, planar);
  const double* p = z + aux_offset + aux_fixed;
  return friction_law->bristle(state.sliding, tangents.components(touch.slip), {p[0], p[1]}).deflection_rate;
}

void StickConstraint::evaluate(const Kinematics& k, const ConstraintRows& out) const {
  const ContactState& state = k.contacts[contact->index];
  const bool planar = k.dimension == Dimension::planar;
  const int width = velocity_size(k.dimension);
  for (int r = 0; r < rows; ++r) out.phi[r] = out.phi_t[r] = out.gamma[r] = out.compliance[r] = 0;
  for (int b = 0; b < 2; ++b)
    if (out.J[b]) std::fill(out.J[b], out.J[b] + rows * width, 0.0);
  if (!state.touching || !state.stick.sticking) return;

  // v_t of the two material points that are at the contact now: t·(v_j + ω_j × s_j − v_i − ω_i × s_i) = 0.
  // The tangents turn with the first body; over a stick phase that is what a held point does.
  const Touch touch = contact->touch(k);
  const Tangents tangents(touch.normal, planar);
  const double normal_force = contact->force(touch, state, k.z).normal;
  const double share = std::clamp(1e-9 * reference_force / std::max(normal_force, 1e-300), 1e-11, 1e-6);
  for (int r = 0; r < rows; ++r) out.compliance[r] = share;
  for (int r = 0; r < rows; ++r) {
    const Vec3 t = r == 0 ? tangents.t1 : tangents.t2;
    if (planar) {
      const PlanarFrame &fi = k.planar[bodies[0]], &fj = k.planar[bodies[1]];
      const Vec2 axis = t.head<2>(), si = touch.at.head<2>() - fi.r, sj = touch.at.head<2>() - fj.r;
      put(out.J[0], r, -axis, -axis.dot(perpendicular(si)));
      put(out.J[1], r, axis, axis.dot(perpendicular(sj)));
      out.gamma[r] = axis.dot(fj.w * fj.w * sj - fi.w * fi.w * si);
    } else {
      const SpatialFrame &fi = k.spatial[bodies[0]], &fj = k.spatial[bodies[1]];
      const Vec3 si = touch.at - fi.r, sj = touch.at - fj.r;
      put(out.J[0], r, fi, -t, -si.cross(t));
      put(out.J[1], r, fj, t, sj.cross(t));
      out.gamma[r] = -t.dot(fj.w.cross(fj.w.cross(sj)) - fi.w.cross(fi.w.cross(si)));
    }
  }
}

void apply_contacts(const std::vector<std::unique_ptr<ContactPoint>>& contacts, const Kinematics& k,
                    ForceSum& sum, std::vector<ContactInstant>& out) {
  for (const auto& contact : contacts) {
    const ContactState& state = k.contacts[contact->index];
    ContactInstant& now = out[contact->index];
    if (!state.touching || contact->rigid) {
      now.force = {};
      continue;
    }
    now.touch = contact->touch(k);
    now.force = contact->force(now.touch, state, k.z);
    const Vec3 force = now.force.normal * now.touch.normal + now.force.tangential;
    const int i = contact->bodies[0], j = contact->bodies[1];
    if (k.dimension == Dimension::planar) {
      const Vec2 at = now.touch.at.head<2>(), planar = force.head<2>();
      sum.add(k.planar[j], j, at, planar);
      sum.add(k.planar[i], i, at, -planar);
    } else {
      sum.add(k.spatial[j], j, now.touch.at, force);
      sum.add(k.spatial[i], i, now.touch.at, -force);
    }
    sum.powers.normal += now.force.normal_loss;
    sum.powers.friction += now.force.friction_loss;
  }
}

void contact_aux_rates(const std::vector<std::unique_ptr<ContactPoint>>& contacts, const Kinematics& k,
                       const std::vector<ContactInstant>& instants, double* zdot) {
  for (const auto& contact : contacts) {
    double* rate = zdot + contact->aux_offset;
    const ContactInstant& now = instants[contact->index];
    rate[0] = now.force.normal;
    rate[1] = now.force.normal_loss;
    rate[2] = now.force.friction_loss;
    if (contact->aux_count() == ContactPoint::aux_fixed) continue;
    const ContactState& state = k.contacts[contact->index];
    const Tangential p = state.touching ? contact->bristle_rate(now.touch, state, k.z) : Tangential{};
    rate[3] = p[0], rate[4] = p[1];
  }
}

double contact_energy(const std::vector<std::unique_ptr<ContactPoint>>& contacts, const Kinematics& k) {
  double sum = 0;
  for (const auto& contact : contacts) {
    const ContactState& state = k.contacts[contact->index];
    if (state.touching) sum += contact->force(contact->touch(k), state, k.z).stored;
  }
  return sum;
}

}  // namespace tappet
