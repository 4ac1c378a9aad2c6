#include "tappet/multibody/contact_point.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <new>

#include "tappet/multibody/rows.hpp"

namespace tappet {

Tangents Tangents::in_space(const Vec3& normal, const Vec3& carried) {
  const Vec3 along = carried - carried.dot(normal) * normal;
  const double size = along.norm();
  // Nothing carried yet, or carried along the normal: any will do.
  const Vec3 t1 = size > 0.1 ? Vec3(along / size) : any_perpendicular(normal);
  return {t1, normal.cross(t1)};
}

Tangents ContactPoint::tangents(const Kinematics& k, const Touch& touch) const {
  // Of a bearing the sliding along its rows, of a stop none.
  if (by_rows)
    return bearing ? Tangents{Vec3::UnitX(), planar ? Vec3(Vec3::Zero()) : Vec3(Vec3::UnitY())} : Tangents{};
  if (planar) return Tangents::in_plane(touch.normal);
  return Tangents::in_space(touch.normal, k.spatial[bodies[0]].R * k.contacts[index].tangent);
}

Vec3 ContactPoint::carried_tangent(const Kinematics& k, const Touch& touch) const {
  return planar || by_rows ? Vec3(Vec3::Zero())
                           : Vec3(k.spatial[bodies[0]].R.transpose() * tangents(k, touch).t1);
}

int ContactPoint::aux_count() const {
  return aux_fixed + (friction_law->traits().kind == FrictionKind::bristle ? 2 : 0);
}

NormalOutput ContactPoint::press(double t, const NormalInput& in) const {
  try {
    return normal_law->evaluate(in);
  } catch (const LawDomainError& error) {
    throw error.at(name, t);
  }
}

ContactForce ContactPoint::force(const Kinematics& k, const Touch& touch) const {
  const ContactState& state = k.contacts[index];
  ContactForce out;
  if (rigid || bearing || !state.touching) return out;
  double depth = -touch.gap;
  if (!(depth > 0)) {
    // A law that sets in with a jump keeps its force a little beyond both ends of the contact: where the contact begins and
    // ends is known to rounding only, and a step across must not meet the jump.
    if (normal_law->traits().continuous) return out;
    depth = std::numeric_limits<double>::min();
  }
  const NormalOutput n =
      press(k.t, {.depth = depth, .rate = -touch.rate, .impact_rate = state.impact_rate, .inputs = k.inputs});
  out.normal = share * touch.slope * n.force;
  out.stored = share * n.stored_energy;
  out.normal_loss = share * n.dissipated_power;
  if (!by_rows) rub(k, touch, out);
  return out;
}

void ContactPoint::rub(const Kinematics& k, const Touch& touch, ContactForce& out) const {
  const ContactState& state = k.contacts[index];
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
        out.tangential = -out.normal * friction_law->evaluate_branch(state.branch, along).coefficient * d;
      else
        out.tangential =
            -out.normal * friction_law->evaluate_branch(state.branch, touch.slip.norm()).ratio * touch.slip;
      break;
    }
    case FrictionKind::stick: {
      if (state.stick.sticking) break;  // the holding force is the constraint's
      const Tangents t = tangents(k, touch);
      out.tangential = -out.normal *
                       t.vector(slip_coefficient(*friction_law, state.stick, t.components(touch.slip), rest));
      break;
    }
    case FrictionKind::bristle: {
      const Tangents t = tangents(k, touch);
      const double* p = k.z + aux_offset + aux_fixed;
      const BristleOutput b = friction_law->bristle(state.sliding, t.components(touch.slip), {p[0], p[1]});
      out.tangential = -out.normal * t.vector(b.coefficient);
      break;
    }
  }
  out.friction_loss = -out.tangential.dot(touch.slip);
  if (resists.any()) {
    const Vec3 omega = relative_turning(bodies, k);
    out.couple = resisting_couple(resists, out.normal, touch.normal, omega);
    out.friction_loss -= out.couple.dot(omega);
  }
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

Tangential ContactPoint::bristle_rate(const Kinematics& k, const Touch& touch) const {
  const Tangential v = tangents(k, touch).components(touch.slip);
  const double* p = k.z + aux_offset + aux_fixed;
  return friction_law->bristle(k.contacts[index].sliding, v, {p[0], p[1]}).deflection_rate;
}

void StickConstraint::evaluate(const Kinematics& k, const ConstraintRows& out) const {
  const ContactState& state = k.contacts[contact->index];
  const bool planar = k.dimension == Dimension::planar;
  const int width = velocity_size(k.dimension);
  for (int r = 0; r < rows; ++r) out.phi[r] = out.phi_t[r] = out.gamma[r] = out.compliance[r] = 0;
  for (int b = 0; b < 2; ++b)
    if (out.J[b]) std::fill(out.J[b], out.J[b] + rows * width, 0.0);
  if (!state.touching || !state.stick.sticking) return;

  if (contact->bearing) {
    for (int r = 0; r < rows; ++r) {
      CoordinateRow row;
      contact->row(k, 1 + r, row);
      out.compliance[r] = 1e-11;
      out.gamma[r] = -row.bias;
      for (int b = 0; b < row.count; ++b)
        for (std::size_t n = 0; n < bodies.size(); ++n)
          if (bodies[n] == row.bodies[b] && out.J[n])
            std::copy(row.J[b], row.J[b] + width, out.J[n] + r * width);
    }
    return;
  }

  // The two material points that are at Q now do not slide: t·v = 0, v = v_j + ω_j × s_j − v_i − ω_i × s_i
  // with s = Q − r. Its derivative, where the tangents and Q move too (a journal rolls on):
  //   J·a = −t·(ω_j × (Q̇ − v_j) − ω_i × (Q̇ − v_i)) + (t·ṅ) v_n
  // the last because v has only its normal part v_n left, and ṫ·n = −t·ṅ.
  const Touch touch = contact->touch(k);
  const TouchMotion motion = contact->motion(k);
  const Tangents tangents = contact->tangents(k, touch);
  const double normal_force = contact->force(k, touch).normal;
  const double share = std::clamp(1e-9 * reference_force / std::max(normal_force, 1e-300), 1e-11, 1e-6);
  for (int r = 0; r < rows; ++r) out.compliance[r] = share;
  for (int r = 0; r < rows; ++r) {
    const Vec3 t = r == 0 ? tangents.t1 : tangents.t2;
    out.gamma[r] = t.dot(motion.normal) * touch.rate;
    if (planar) {
      const PlanarFrame &fi = k.planar[bodies[0]], &fj = k.planar[bodies[1]];
      const Vec2 axis = t.head<2>(), Q = touch.at.head<2>(), Q_dot = motion.at.head<2>();
      put(out.J[0], r, -axis, -axis.dot(perpendicular(Q - fi.r)));
      put(out.J[1], r, axis, axis.dot(perpendicular(Q - fj.r)));
      out.gamma[r] -= axis.dot(fj.w * perpendicular(Q_dot - fj.v) - fi.w * perpendicular(Q_dot - fi.v));
    } else {
      const SpatialFrame &fi = k.spatial[bodies[0]], &fj = k.spatial[bodies[1]];
      put(out.J[0], r, fi, -t, -(touch.at - fi.r).cross(t));
      put(out.J[1], r, fj, t, (touch.at - fj.r).cross(t));
      out.gamma[r] -= t.dot(fj.w.cross(motion.at - fj.v) - fi.w.cross(motion.at - fi.v));
    }
  }
}

void add_opposed(const int (&bodies)[2], const Kinematics& k, const Vec3& at, const Vec3& force,
                 ForceSum& sum) {
  const int i = bodies[0], j = bodies[1];
  if (k.dimension == Dimension::planar) {
    const Vec2 place = at.head<2>(), planar = force.head<2>();
    sum.add(k.planar[j], j, place, planar);
    sum.add(k.planar[i], i, place, -planar);
  } else {
    sum.add(k.spatial[j], j, at, force);
    sum.add(k.spatial[i], i, at, -force);
  }
}

void add_opposed_couple(const int (&bodies)[2], const Kinematics& k, const Vec3& couple, ForceSum& sum) {
  const int i = bodies[0], j = bodies[1];
  if (k.dimension == Dimension::planar) {
    sum.add_torque(j, couple.z());
    sum.add_torque(i, -couple.z());
  } else {
    sum.add_torque(k.spatial[j], j, couple);
    sum.add_torque(k.spatial[i], i, -couple);
  }
}

void add_along(const CoordinateRow& row, bool planar, double force, ForceSum& sum) {
  const int width = planar ? 3 : 6;
  for (int n = 0; n < row.count; ++n) {
    if (row.bodies[n] == sum.ground) continue;
    double* h = sum.h + width * row.bodies[n];
    for (int i = 0; i < width; ++i) h[i] += force * row.J[n][i];
  }
}

Vec3 relative_turning(const int (&bodies)[2], const Kinematics& k) {
  if (k.dimension == Dimension::planar) return {0, 0, k.planar[bodies[1]].w - k.planar[bodies[0]].w};
  return k.spatial[bodies[1]].w - k.spatial[bodies[0]].w;
}

void push_apart(const ContactPoint& contact, const Touch& touch, const Kinematics& k, int ground,
                std::vector<double>& f) {
  std::fill(f.begin(), f.end(), 0.0);
  ForceSum sum{f.data(), ground, {}};
  if (contact.by_rows) {
    CoordinateRow row;
    contact.row(k, 0, row);
    return add_along(row, contact.planar, 1, sum);
  }
  add_opposed(contact.bodies, k, touch.at, touch.normal, sum);
}

void apply_contacts(const std::vector<std::unique_ptr<ContactPoint>>& contacts, const Kinematics& k,
                    ForceSum& sum, std::vector<ContactInstant>& out) {
  for (const auto& contact : contacts) {
    const ContactState& state = k.contacts[contact->index];
    ContactInstant& now = out[contact->index];
    if (!state.touching || contact->rigid || contact->bearing) {
      now.force = {};
      continue;
    }
    // In place: an assignment would read what has not reached the memory yet, and wait for it.
    new (&now.touch) Touch(contact->touch(k));
    new (&now.force) ContactForce(contact->force(k, now.touch));
    if (contact->by_rows) {
      CoordinateRow row;
      contact->row(k, 0, row);
      add_along(row, contact->planar, now.force.normal, sum);
    } else {
      add_opposed(contact->bodies, k, now.touch.at,
                  now.force.normal * now.touch.normal + now.force.tangential, sum);
    }
    if (contact->resists.any()) add_opposed_couple(contact->bodies, k, now.force.couple, sum);
    sum.powers.normal += now.force.normal_loss;
    sum.powers.friction += now.force.friction_loss;
  }
}

void contact_aux_rates(const std::vector<std::unique_ptr<ContactPoint>>& contacts, const Kinematics& k,
                       const std::vector<ContactInstant>& instants, double* zdot) {
  for (const auto& contact : contacts) {
    double* rate = zdot + contact->aux_offset;
    const ContactInstant& now = instants[contact->index];
    rate[ContactPoint::aux_impulse] = now.force.normal;
    rate[ContactPoint::aux_normal_loss] = now.force.normal_loss;
    rate[ContactPoint::aux_friction_loss] = now.force.friction_loss;
    if (contact->aux_count() == ContactPoint::aux_fixed) continue;
    const ContactState& state = k.contacts[contact->index];
    const Tangential p = state.touching ? contact->bristle_rate(k, now.touch) : Tangential{};
    rate[3] = p[0], rate[4] = p[1];
  }
}

double contact_energy(const std::vector<std::unique_ptr<ContactPoint>>& contacts, const Kinematics& k) {
  double sum = 0;
  for (const auto& contact : contacts) {
    const ContactState& state = k.contacts[contact->index];
    if (state.touching) sum += contact->force(k, contact->touch(k)).stored;
  }
  return sum;
}

}  // namespace tappet
