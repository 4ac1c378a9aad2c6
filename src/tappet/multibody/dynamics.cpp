#include "tappet/multibody/dynamics.hpp"

#include <algorithm>
#include <cmath>

#include "tappet/multibody/passing_contacts.hpp"

namespace tappet {

// Friction in ideal joints; in bearings.cpp, whose header needs this one's.
std::shared_ptr<Bearings> make_bearings(const Mechanism& mechanism, const ConstraintSystem& constraints);
void solve_bearings(const Mechanism& mechanism, DynamicsWorkspace& w);

DynamicsWorkspace::DynamicsWorkspace(const Mechanism& mechanism)
    : constraints(mechanism.dimension, mechanism.body_count(), mechanism.constraints, {},
                  ConstraintSystem::DrivenBodies::are_eliminated, &mechanism.flexible) {
  resize(k, mechanism);
  if (mechanism.flexible.modes > 0)
    gathered.assign(velocity_size(mechanism.dimension) * mechanism.frame_count(), 0.0);
  for (const FlexibleBody& body : mechanism.flexible.bodies) carried.emplace_back(body);
  h.assign(mechanism.u_size(), 0.0);
  a.assign(mechanism.u_size(), 0.0);
  correction.assign(mechanism.u_size(), 0.0);
  lambda.assign(constraints.rows(), 0.0);
  impulses.assign(constraints.rows(), 0.0);
  rhs.assign(constraints.rows(), 0.0);
  contacts.assign(mechanism.contacts.size(), {});
  groups.assign(mechanism.groups.size(), {});
  if (!mechanism.bearings.empty() && !mechanism.contacts[mechanism.bearings.front()]->rigid)
    bearings = make_bearings(mechanism, constraints);
}

double stored_energy(const Mechanism& mechanism, const DynamicsWorkspace& w) {
  double sum = potential_energy(mechanism, w.k);
  for (const ContactSum& group : w.groups) sum += group.stored;
  return sum;
}

namespace {

// From forces on frames to those on bodies, interfaces' taken to the bodies that carry them, with the flexible bodies' own.
void gather_flexible(const Mechanism& mechanism, DynamicsWorkspace& w) {
  const int width = velocity_size(mechanism.dimension), bodies = mechanism.body_count();
  std::copy_n(w.gathered.begin(), width * bodies, w.h.begin());
  for (std::size_t f = 0; f < mechanism.flexible.bodies.size(); ++f) {
    const FlexibleBody& body = mechanism.flexible.bodies[f];
    double *const rigid = w.h.data() + width * body.body, *const elastic =
                                                              w.h.data() + width * bodies + body.first;
    FlexibleInstant& at = w.constraints.instant(static_cast<int>(f));
    evaluate_flexible(body, w.k, mechanism.gravity, true, at);
    for (int i = 0; i < width; ++i) rigid[i] += at.h[i];
    for (int n = 0; n < body.modes; ++n) elastic[n] = at.hq[n];
    w.powers.damping += at.loss;
    for (std::size_t n = 0; n < body.interfaces.size(); ++n) {
      const double* force = w.gathered.data() + width * (body.interface + static_cast<int>(n));
      if (std::all_of(force, force + width, [](double x) { return x == 0; })) continue;
      evaluate_carried(body, body.interfaces[n], w.k, w.carried[f]);
      add_carried_force(w.carried[f], w.k, body.body, force, rigid, elastic);
    }
  }
  w.constraints.instants_filled();
}

}  // namespace

void applied_forces(const Mechanism& mechanism, DynamicsWorkspace& w) {
  const bool bends = !w.gathered.empty();
  if (bends) std::fill(w.gathered.begin(), w.gathered.end(), 0.0);
  double* h = bends ? w.gathered.data() : w.h.data();
  double* const forces = h;
  if (mechanism.dimension == Dimension::planar) {
    for (const Body& body : mechanism.bodies) {
      h[0] = body.mass * mechanism.gravity.x();
      h[1] = body.mass * mechanism.gravity.y();
      h[2] = 0;
      h += 3;
    }
  } else {
    for (int b = 0; b < mechanism.body_count(); ++b, h += 6) {
      const Body& body = mechanism.bodies[b];
      const Vec3& omega = w.k.spatial[b].w_body;
      const Vec3 gyroscopic = -omega.cross(body.inertia * omega);
      for (int i = 0; i < 3; ++i) h[i] = body.mass * mechanism.gravity[i];
      for (int i = 0; i < 3; ++i) h[3 + i] = gyroscopic[i];
    }
  }
  ForceSum sum{forces, mechanism.ground(), {}};
  for (const auto& force : mechanism.forces)
    if (!is_off(w.k, force->with_switch)) force->apply(w.k, sum);
  apply_contacts(mechanism.contacts, w.k, sum, w.contacts);
  if (w.group_forces) {
    w.group_forces->apply(w.k, sum);
    w.groups = w.group_forces->sums();
  }
  if (w.elastic) w.elastic->apply(w.k, sum);
  w.powers = sum.powers;
  if (bends) gather_flexible(mechanism, w);
}

void accelerations(const Mechanism& mechanism, const Stabilisation& stabilisation, double t, const double* q,
                   const double* u, const double* z, DynamicsWorkspace& w) {
  update_kinematics(w.k, t, q, u, z);
  w.constraints.evaluate(w.k);
  accelerations_here(mechanism, stabilisation, u, w);
}

void accelerations_here(const Mechanism& mechanism, const Stabilisation& stabilisation, const double* u,
                        DynamicsWorkspace& w) {
  applied_forces(mechanism, w);

  // The accelerations that the constraints ask for.
  const std::vector<double>&gamma = w.constraints.gamma(), &phi_t = w.constraints.phi_t();
  const double* wanted = gamma.data();
  if (stabilisation.type == Stabilisation::Type::baumgarte) {
    const std::vector<double>& phi = w.constraints.phi();
    w.constraints.times(u, w.lambda.data());
    for (int r = 0; r < w.constraints.rows(); ++r)
      w.rhs[r] = gamma[r] - (2 * stabilisation.alpha * (w.lambda[r] + phi_t[r]) +
                             stabilisation.beta * stabilisation.beta * phi[r]);
    wanted = w.rhs.data();
  }
  w.dependent_rows = w.constraints.factor(mechanism.inverse_mass);
  w.constraints.solve(w.h.data(), wanted, w.a.data(), w.lambda.data());
  if (w.bearings) solve_bearings(mechanism, w);

  // Motions do work: λ times the prescribed rate −Φ_t. Most rows are those of joints, which do none.
  for (int r = 0; r < w.constraints.rows(); ++r)
    if (phi_t[r] != 0) w.powers.input -= w.lambda[r] * phi_t[r];
}

void start_auxiliaries(const Mechanism& mechanism, const Kinematics& k, double* z) {
  for (const StateVariable& state : mechanism.states) z[state.offset] = state.initial;
  for (const Constraint* c : mechanism.constraints)
    if (c->aux_offset >= 0) c->start_aux(k, z + c->aux_offset);
  for (const auto& force : mechanism.forces)
    if (force->aux_offset >= 0) force->start_aux(k, z + force->aux_offset);
}

void auxiliary_rates(const Mechanism& mechanism, const DynamicsWorkspace& w, const double* q, double* zdot) {
  zdot[ledger_input] = w.powers.input;
  zdot[ledger_damping] = w.powers.damping;
  zdot[ledger_normal] = w.powers.normal;
  zdot[ledger_friction] = w.powers.friction;
  if (mechanism.ledger_film >= 0) zdot[mechanism.ledger_film] = w.powers.film;
  if (mechanism.ledger_wear >= 0) zdot[mechanism.ledger_wear] = w.powers.wear;
  for (const Constraint* c : mechanism.constraints)
    if (c->aux_offset >= 0) c->aux_rates(w.k, zdot + c->aux_offset);
  for (const auto& force : mechanism.forces)
    if (force->aux_offset >= 0) force->aux_rates(w.k, zdot + force->aux_offset);
  contact_aux_rates(mechanism.contacts, w.k, w.contacts, zdot);
  for (std::size_t g = 0; g < mechanism.groups.size(); ++g) {
    double* rate = zdot + mechanism.groups[g].aux_offset;
    rate[ContactPoint::aux_impulse] = w.groups[g].normal;
    rate[ContactPoint::aux_normal_loss] = w.groups[g].normal_loss;
    rate[ContactPoint::aux_friction_loss] = w.groups[g].friction_loss;
  }
  if (mechanism.feed) mechanism.feed->state_rates(w, q, zdot);
}

Projection project_positions(const Mechanism& mechanism, double t, double* q, const double* u,
                             const double* z, double tolerance, DynamicsWorkspace& w) {
  Projection out;
  constexpr int iterations = 12;
  double before = 0;
  for (int n = 0;; ++n) {
    update_kinematics(w.k, t, q, u, z);
    w.constraints.evaluate(w.k);
    double largest = 0;
    for (int r = 0; r < w.constraints.rows(); ++r) {
      const double size = std::abs(w.constraints.phi()[r]);
      if (size > largest || !std::isfinite(size)) largest = size, out.worst_row = r;
    }
    if (n == 0) out.violation = largest;
    out.remaining = largest;
    if (largest <= tolerance || n == iterations || !std::isfinite(largest)) return out;
    // Factors serve the next position as well, as long as each comes much nearer.
    if (largest > 0.01 * before) w.constraints.factor(mechanism.inverse_mass, largest / mechanism.length);
    before = largest;
    for (int r = 0; r < w.constraints.rows(); ++r) w.rhs[r] = -w.constraints.phi()[r];
    w.constraints.solve(nullptr, w.rhs.data(), w.correction.data(), w.lambda.data());
    displace(mechanism, q, w.correction.data());
    out.changed = true;
  }
}

bool project_velocities(const Mechanism& mechanism, double* u, double tolerance, bool factorised,
                        DynamicsWorkspace& w) {
  constexpr int passes = 5;
  double before = 0;
  bool fresh = false;
  std::fill(w.impulses.begin(), w.impulses.end(), 0.0);
  for (int pass = 0; pass < passes; ++pass) {
    w.constraints.times(u, w.rhs.data());
    double largest = 0;
    for (int r = 0; r < w.constraints.rows(); ++r) {
      w.rhs[r] = -(w.rhs[r] + w.constraints.phi_t()[r]);
      largest = std::max(largest, std::abs(w.rhs[r]));
    }
    if (largest <= tolerance) return pass > 0;
    // Factors of a position nearby serve as long as each pass comes much nearer.
    const bool slow = pass > 0 && largest > 0.01 * before;
    if (!factorised || (slow && !fresh)) w.constraints.factor(mechanism.inverse_mass), fresh = true;
    factorised = true;
    before = largest;
    w.constraints.solve(nullptr, w.rhs.data(), w.correction.data(), w.lambda.data());
    for (std::size_t i = 0; i < w.correction.size(); ++i) u[i] += w.correction[i];
    for (std::size_t r = 0; r < w.impulses.size(); ++r) w.impulses[r] += w.lambda[r];
  }
  return true;
}

Reaction reaction(const DynamicsWorkspace& w, int c) {
  const Constraint& constraint = w.constraints.constraint(c);
  const std::optional<Vec3> point = constraint.reaction_point(w.k);
  Reaction out;
  if (!point) return out;
  // Read it off the second body, or as the opposite off the first when the second is the ground.
  int slot = static_cast<int>(constraint.bodies.size()) - 1;
  double sign = 1;
  if (!w.constraints.jacobian(c, slot)) slot = 0, sign = -1;
  const double* J = w.constraints.jacobian(c, slot);
  if (!J) return out;
  const double* lambda = w.lambda.data() + w.constraints.row_of(c);
  const int body = constraint.bodies[slot];
  if (w.k.dimension == Dimension::planar) {
    Vec3 f = Vec3::Zero();
    for (int r = 0; r < constraint.rows; ++r) f += lambda[r] * Vec3(J[3 * r], J[3 * r + 1], J[3 * r + 2]);
    const Vec2 force = f.head<2>(), arm = point->head<2>() - w.k.planar[body].r;
    out.force << sign * force, 0;
    out.torque.z() = sign * (f.z() - cross(arm, force));
  } else {
    Vec3 force = Vec3::Zero(), torque = Vec3::Zero();
    for (int r = 0; r < constraint.rows; ++r) {
      force += lambda[r] * Vec3(J[6 * r], J[6 * r + 1], J[6 * r + 2]);
      torque += lambda[r] * Vec3(J[6 * r + 3], J[6 * r + 4], J[6 * r + 5]);
    }
    const SpatialFrame& f = w.k.spatial[body];
    out.force = sign * force;
    out.torque = sign * (f.R * torque - (*point - f.r).cross(force));
  }
  return out;
}

Vec3 holding_force(const Mechanism& mechanism, const DynamicsWorkspace& w, int contact, const Touch& touch) {
  const Constraint* stick = mechanism.contacts[contact]->stick;
  for (int c = w.constraints.count() - 1; c >= 0; --c) {
    if (&w.constraints.constraint(c) != stick) continue;
    const double* lambda = w.lambda.data() + w.constraints.row_of(c);
    return mechanism.contacts[contact]
        ->tangents(w.k, touch)
        .vector({lambda[0], stick->rows > 1 ? lambda[1] : 0.0});
  }
  return Vec3::Zero();
}

}  // namespace tappet
