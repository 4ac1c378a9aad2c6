#include "tappet/ode/smooth_system.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>

#include <fmt/format.h>

#include "tappet/base/diagnostics.hpp"
#include "tappet/model/method.hpp"
#include "tappet/multibody/bearings.hpp"
#include "tappet/multibody/group_forces.hpp"
#include "tappet/multibody/not_finite.hpp"

namespace tappet {
namespace {

// A constraint is met when it is below these, relative to the mechanism's size (positions) and speed
// (velocities): far below what the tolerance allows a step to err. A step that stays below is left alone,
// which saves its projection.
double met_position(double tolerance) {
  return std::max(std::clamp(1e-5 * tolerance, 1e-13, 1e-11), 1e-7 * tolerance);
}
double met_velocity(double tolerance) {
  return std::max(std::clamp(1e-4 * tolerance, 1e-13, 1e-9), 1e-6 * tolerance);
}

}  // namespace

SmoothSystem::SmoothSystem(const Model& model)
    : model_(model),
      mechanism_(model.mechanism),
      nq_(model.mechanism.q_size()),
      nu_(model.mechanism.u_size()),
      nz_(model.mechanism.aux_size),
      w_(model.mechanism) {
  resize(frames_, mechanism_);
  frames_at_.assign(nq_ + nu_, std::numeric_limits<double>::quiet_NaN());
  contacts_.resize(mechanism_.contacts.size());
  frames_.contacts = w_.k.contacts = contacts_.data();
  for (const ModelInput& input : model.inputs) inputs_.push_back(input.default_value);
  take_inputs(frames_, inputs_.data());
  take_inputs(w_.k, inputs_.data());
  off_ = mechanism_.off;
  frames_.off = w_.k.off = off_.empty() ? nullptr : off_.data();
  const ContactTreatment treatment = method_type(model.settings).treatment;
  if (treatment == ContactTreatment::events) rigid_ = std::make_unique<RigidContacts>(model, w_, contacts_);
  if (treatment == ContactTreatment::forces && !mechanism_.groups.empty()) {
    group_forces_ = std::make_unique<GroupForces>(mechanism_);
    w_.group_forces = group_forces_.get();
    passing_.push_back(group_forces_.get());
  }
  displacement_.assign(nu_, 0.0);
  change_.assign(nq_, 0.0);
  nearest_.assign(size(), 0.0);
  if (model.events.empty()) return;
  const std::vector<SignalDefinition> signals = all_signals(model);
  for (const ModelEvent& event : model.events)
    event_signals_.push_back(event.by_expression ? SignalDefinition{} : signals[event.source]);
}

void SmoothSystem::attach(std::unique_ptr<ElasticBlock> elastic) {
  elastic_ = std::move(elastic);
  ne_ = elastic_->unknowns();
  w_.elastic = elastic_.get();
  if (PassingContacts* contacts = elastic_->contacts()) passing_.push_back(contacts);
  nearest_.assign(size(), 0.0);
}

void SmoothSystem::set_inputs(const std::vector<double>& inputs) {
  std::copy(inputs.begin(), inputs.end(), inputs_.begin());  // who evaluates points to them
}

// u⁺ = u⁻ + M⁻¹ Jᵀ Λ with J u⁺ + Φ_t = 0. The kinetic energy changes by ½ Λ·J (u⁺ + u⁻), to which rows of joints, J u = 0 before and
// after, contribute nothing: the change is what the motions did.
bool SmoothSystem::jump(const std::vector<double>& inputs, double t, double* y) {
  if (!mechanism_.speeds_jump) return set_inputs(inputs), false;
  double *q = y, *u = y + nq_, *z = y + nq_ + nu_;
  const auto look = [&] {
    update_kinematics(w_.k, t, q, u, z);
    w_.constraints.evaluate(w_.k);
  };
  look();
  const std::vector<double> prescribed = w_.constraints.phi_t();
  set_inputs(inputs);
  look();
  if (w_.constraints.phi_t() == prescribed) return false;

  for (ContactState& contact : contacts_) contact.stick.sticking = false;
  look();
  const double before = kinetic_energy(mechanism_, w_.k);
  double speed = 1e-3;
  for (double rate : w_.constraints.phi_t()) speed = std::max(speed, std::abs(rate));
  for (int i = 0; i < nu_; ++i) speed = std::max(speed, std::abs(u[i]));
  constexpr double rounding = 1e-13;
  project_velocities(mechanism_, u, rounding * speed, false, w_);
  update_kinematics(w_.k, t, q, u, z);
  z[ledger_input] += kinetic_energy(mechanism_, w_.k) - before;
  return true;
}

// What comes back starts from where the bodies are; it can only hold what fits.
bool SmoothSystem::set_off(const std::vector<int>& off, double t, double* y) {
  const std::vector<int> before = off_;
  std::copy(off.begin(), off.end(), off_.begin());
  dropped_rows_ = 1 << 30;
  const auto back = [&](const Constraint& c) {
    return c.with_switch >= 0 && before[c.with_switch] && !off_[c.with_switch];
  };
  update_kinematics(w_.k, t, q(y), u(y), z(y));
  double* aux = y + nq_ + nu_;
  bool any = false;
  for (const Constraint* c : mechanism_.constraints) {
    if (!back(*c)) continue;
    any = true;
    if (c->aux_offset >= 0) c->start_aux(w_.k, aux + c->aux_offset);
  }
  if (!any) return false;
  update_kinematics(w_.k, t, q(y), u(y), z(y));
  w_.constraints.evaluate(w_.k);
  constexpr double fits = 1e-6;
  for (int c = 0; c < w_.constraints.count(); ++c) {
    if (!back(w_.constraints.constraint(c))) continue;
    double open = 0;
    for (int r = 0; r < w_.constraints.constraint(c).rows; ++r)
      open = std::max(open, std::abs(w_.constraints.phi()[w_.constraints.row_of(c) + r]));
    if (open > fits * std::max(1.0, mechanism_.length))
      throw SimulationError(
          t, fmt::format("'{}' is switched on where it is open by {:.3g} m (or rad): what holds "
                         "places can come back only where it fits",
                         w_.constraints.constraint(c).name, open));
  }
  project(t, y);
  return true;
}

const DynamicsWorkspace& SmoothSystem::evaluate(double t, const double* y) {
  see_elastic(y, w_.k);
  accelerations(mechanism_, model_.settings.stabilisation, t, q(y), u(y), z(y), w_);
  if (!rigid_) return w_;
  if (w_.bearings && rigid_->any_closed())
    load_bearings(t, y);
  else
    rigid_->react(q(y), u(y));
  return w_;
}

// Reactions of closed contacts load the joints whose friction they feel: both again until they stay.
void SmoothSystem::load_bearings(double t, const double* y) {
  constexpr int most = 100;
  constexpr double stays = 1e-13;
  std::vector<double>& others = w_.bearings->others;
  std::fill(others.begin(), others.end(), 0.0);
  double change = HUGE_VAL, largest = 0;
  for (int n = 0; n < most && change > stays * largest; ++n) {
    accelerations(mechanism_, model_.settings.stabilisation, t, q(y), u(y), z(y), w_);
    const std::vector<double> before = w_.lambda;
    rigid_->react(q(y), u(y));
    change = largest = 0;
    for (std::size_t r = 0; r < others.size(); ++r) {
      const double now = w_.lambda[r] - before[r];
      change = std::max(change, std::abs(now - others[r]));
      largest = std::max({largest, std::abs(now), std::abs(w_.lambda[r])});
      others[r] = now;
    }
  }
  std::fill(others.begin(), others.end(), 0.0);
}

void SmoothSystem::derivative(double t, const double* y, double* dydt) {
  evaluate(t, y);
  if (on_manifold_ && model_.settings.stabilisation.type == Stabilisation::Type::projection) {
    std::copy(y, y + size(), nearest_.begin());
    const double violation = constraint_violation;
    if (project(t, nearest_.data())) evaluate(t, nearest_.data());
    constraint_violation = violation;
    y = nearest_.data();
  }
  put_rates(y, dydt);
}

// Where joints were closed enough, what has just been checked is what the derivative begins with.
void SmoothSystem::arrive(double t, double* y, double* dydt) {
  project(t, y);
  if (!at_end_ || rigid_) return derivative(t, y, dydt);
  see_elastic(y, w_.k);
  accelerations_here(mechanism_, model_.settings.stabilisation, u(y), w_);
  put_rates(y, dydt);
}

// dy/dt from the accelerations in the workspace.
void SmoothSystem::put_rates(const double* y, double* dydt) {
  // More dependent rows than elsewhere: a singular position itself.
  dropped_rows_ = std::min(dropped_rows_, w_.dependent_rows);
  condition_ = w_.dependent_rows > dropped_rows_ ? 0 : w_.constraints.independence();
  position_rates(mechanism_, q(y), u(y), dydt);
  std::copy(w_.a.begin(), w_.a.end(), dydt + nq_);
  double* zdot = dydt + nq_ + nu_;
  std::fill(zdot, zdot + nz_, 0.0);
  auxiliary_rates(mechanism_, w_, q(y), zdot);
  if (!elastic_) return;
  double* elastic_rates = dydt + nq_ + nu_ + nz_;
  std::copy(elastic(y) + ne_, elastic(y) + 2 * ne_, elastic_rates);
  zdot[ledger_input] += elastic_->accelerations(w_.k, elastic_rates + ne_);
  elastic_->auxiliary_rates(zdot);
}

// Bodies and what joins them are not stiff as structures are: for them the identity will do.
void SmoothSystem::solve_newton(const double* r, double* x) {
  const int bodies = nq_ + nu_ + nz_;
  std::copy(r, r + bodies, x);
  elastic_->solve_newton(r + bodies, x + bodies);
}

bool SmoothSystem::project(double t, double* y) {
  bool changed = project_joints(t, y);
  if (elastic_) {
    double* q = y + nq_ + nu_ + nz_;
    if (elastic_->hold(t, q, q + ne_)) changed = true;
  }
  if (!rigid_ || !rigid_->any_closed()) return changed;
  double *q = y, *u = y + nq_, *z = y + nq_ + nu_;
  update_kinematics(w_.k, t, q, u, z);
  w_.constraints.evaluate(w_.k);
  if (!rigid_->project(t, q, u, z)) return changed;
  project_joints(t, y);
  return true;
}

bool SmoothSystem::project_joints(double t, double* y) {
  double *q = y, *u = y + nq_, *z = y + nq_ + nu_;
  bool changed = false;
  at_end_ = false;

  // Quaternions drift off unit length by what the integrator errs.
  if (mechanism_.dimension == Dimension::spatial) {
    for (int b = 0; b < mechanism_.body_count(); ++b) {
      double* e = q + 7 * b + 3;
      const double square = e[0] * e[0] + e[1] * e[1] + e[2] * e[2] + e[3] * e[3];
      if (std::abs(square - 1) < 1e-14) continue;
      const double scale = 1 / std::sqrt(square);
      for (int i = 0; i < 4; ++i) e[i] *= scale;
      changed = true;
    }
  }
  if (w_.constraints.rows() == 0) return changed;

  // Without projection the violation is only watched.
  if (model_.settings.stabilisation.type != Stabilisation::Type::projection) {
    update_kinematics(w_.k, t, q, u, z);
    w_.constraints.evaluate(w_.k);
    for (double phi : w_.constraints.phi())
      constraint_violation = std::max(constraint_violation, std::abs(phi));
    at_end_ = true;
    return changed;
  }

  // Rounding of the coordinates themselves bounds what can be asked for; an angle moves points by its size
  // times a length.
  const bool planar = mechanism_.dimension == Dimension::planar;
  double size = mechanism_.length, speed = 0, turned = 0;
  for (int i = 0; i < nq_ - mechanism_.flexible.modes; ++i)
    if (planar && i % 3 == 2)
      turned = std::max(turned, std::abs(q[i]));
    else
      size = std::max(size, std::abs(q[i]));
  const double tolerance = model_.settings.tolerance;
  const double closed = std::max(met_position(tolerance) * size, 1e-15 * turned);
  for (int i = 0; i < nu_ - mechanism_.flexible.modes; ++i) speed = std::max(speed, std::abs(u[i]));
  const Projection positions = project_positions(mechanism_, t, q, u, z, closed, w_);
  if (!(positions.remaining <= std::max(1e-9 * size, 10 * closed))) {
    // A motion that is no number has not moved anything yet.
    if (!std::isfinite(positions.remaining))
      if (const std::string cause = tappet::not_finite_cause(mechanism_, w_.k); !cause.empty())
        throw SimulationError(t, cause);
    const std::string& name = w_.constraints.constraint_of_row(positions.worst_row).name;
    throw SimulationError(
        t, fmt::format("'{}' cannot be closed: {:.3g} m (or rad) remain; joints or motions contradict each "
                       "other there, or the mechanism is at a singular position",
                       name, positions.remaining));
  }
  constraint_violation = std::max(constraint_violation, positions.remaining);
  changed = positions.changed || changed;
  const double still = met_velocity(tolerance) * std::max(speed, 1e-3) * std::max(1.0, size);
  at_end_ = !project_velocities(mechanism_, u, still, positions.changed, w_);
  return changed || !at_end_;
}

// Errors across the manifold are removed by project(), so what remains is e − W Jᵀ S⁻¹ J e, for positions and
// for velocities.
bool SmoothSystem::project_error(double t, const double* y, double* error) {
  if (w_.constraints.rows() == 0 || model_.settings.stabilisation.type != Stabilisation::Type::projection)
    return false;
  update_kinematics(w_.k, t, q(y), u(y), z(y));
  w_.constraints.evaluate(w_.k);
  w_.constraints.factor(mechanism_.inverse_mass);
  const auto across = [&](const double* e) {
    w_.constraints.times(e, w_.rhs.data());
    for (double& r : w_.rhs) r = -r;
    w_.constraints.solve(nullptr, w_.rhs.data(), w_.correction.data(), w_.lambda.data());
  };

  // Positions in the coordinates of u: in space the turn that a quaternion's error makes, 2 ē ∘ δe.
  const int bodies = mechanism_.body_count();
  if (mechanism_.dimension == Dimension::planar) {
    std::copy(error, error + nq_, displacement_.begin());
  } else {
    for (int b = 0; b < bodies; ++b) {
      const double *e = q(y) + 7 * b + 3, *d = error + 7 * b + 3;
      double* out = displacement_.data() + 6 * b;
      std::copy(error + 7 * b, error + 7 * b + 3, out);
      out[3] = 2 * (e[0] * d[1] - e[1] * d[0] - e[2] * d[3] + e[3] * d[2]);
      out[4] = 2 * (e[0] * d[2] - e[2] * d[0] - e[3] * d[1] + e[1] * d[3]);
      out[5] = 2 * (e[0] * d[3] - e[3] * d[0] - e[1] * d[2] + e[2] * d[1]);
    }
    std::copy(error + 7 * bodies, error + nq_, displacement_.begin() + 6 * bodies);
  }
  across(displacement_.data());
  position_rates(mechanism_, q(y), w_.correction.data(), change_.data());
  for (int i = 0; i < nq_; ++i) error[i] += change_[i];
  across(error + nq_);
  for (int i = 0; i < nu_; ++i) error[nq_ + i] += w_.correction[i];
  return true;
}

void SmoothSystem::error_scale(double, const double* y, double* scale) {
  // Positions are measured by the mechanism's size, angles by a radian, velocities by the largest speed there
  // is (or that gravity or the run's duration suggest when all is at rest).
  const double length = mechanism_.length;
  const double* u = y + nq_;
  double speed = model_.usual_speed();
  const bool planar = mechanism_.dimension == Dimension::planar;
  const int width = planar ? 3 : 6, turn = planar ? 2 : 3, bends = mechanism_.flexible.modes;
  for (int i = 0; i < nu_ - bends; ++i) {
    const double size = std::abs(u[i]);
    speed = std::max(speed, i % width < turn ? size : length * size);
  }
  const int places = planar ? 3 : 7;
  for (int i = 0; i < nq_ - bends; ++i) scale[i] = i % places < turn ? length : 1.0;
  for (int i = 0; i < nu_ - bends; ++i) scale[nq_ + i] = i % width < turn ? speed : speed / length;
  // Elastic coordinates: what moves an interface so far, or so fast.
  for (const FlexibleBody& body : mechanism_.flexible.bodies) {
    const int first = body.first - bends;
    std::fill_n(scale + nq_ + first, body.modes, length * body.amplitude);
    std::fill_n(scale + nq_ + nu_ + first, body.modes, speed * body.amplitude);
  }
  double* z = scale + nq_ + nu_;
  for (int i = 0; i < nz_; ++i)
    z[i] = i < ledger_size || i == mechanism_.ledger_film || i == mechanism_.ledger_wear
               ? std::numeric_limits<double>::infinity()
               : std::min(1.0, length);
  for (const StateVariable& state : mechanism_.states)
    z[state.offset] = std::max(state.scale, std::abs(this->z(y)[state.offset]));
  if (elastic_) elastic_->error_scale(elastic(y) + ne_, z + nz_, z + nz_ + ne_);
}

std::string SmoothSystem::component_name(int i) const {
  return tappet::component_name(mechanism_, i);
}

std::string SmoothSystem::not_finite_cause(double t, const double* y) {
  return tappet::not_finite_cause(mechanism_, frames(t, y));
}

void SmoothSystem::event_values(double t, const double* y, double* g) {
  SignalContext context{.model = model_, .k = frames(t, y), .q = q(y), .z = z(y)};
  for (std::size_t i = 0; i < event_signals_.size(); ++i)
    g[i] = (model_.events[i].by_expression ? model_.events[i].when(t, context.k.inputs)
                                           : event_signals_[i].evaluate(context, event_signals_[i])) -
           model_.events[i].level;
}

// Speeds are those of the last event_values().
double SmoothSystem::event_scale(int event) const {
  const double length = mechanism_.length;
  const std::string& unit = event_signals_[event].unit;
  if (unit == "m") return length;
  if (unit != "m/s" && unit != "rad/s") return 1;
  double speed = model_.usual_speed();
  for (int b = 0; b < mechanism_.body_count(); ++b)
    speed = mechanism_.dimension == Dimension::planar
                ? std::max({speed, frames_.planar[b].v.norm(), length * std::abs(frames_.planar[b].w)})
                : std::max({speed, frames_.spatial[b].v.norm(), length * frames_.spatial[b].w.norm()});
  if (unit == "m/s") return speed;
  return speed / length;
}

const Kinematics& SmoothSystem::frames(double t, const double* y) {
  const std::size_t bytes = frames_at_.size() * sizeof(double);
  if (bytes > 0 && std::memcmp(frames_at_.data(), y, bytes) != 0) {
    update_kinematics(frames_, t, q(y), u(y), z(y));
    std::memcpy(frames_at_.data(), y, bytes);
  } else if (frames_.feed) {
    // Time and states may be others where places and speeds are the same.
    frames_.t = t;
    frames_.z = z(y);
    frames_.feed->fill(frames_, q(y));
  }
  frames_.t = t;
  frames_.z = z(y);
  see_elastic(y, frames_);
  return frames_;
}

double SmoothSystem::extra_error(double t, const double* y, const double* error) {
  if (contacts_.empty() && passing_.empty()) return 0;
  // A gap's rate is linear in the velocities, so the rate that the error itself would have as a velocity is
  // the gap's error.
  frames(t, y);
  if (nq_ > 0) frames_at_[0] = std::numeric_limits<double>::quiet_NaN();
  const bool planar = mechanism_.dimension == Dimension::planar;
  for (int b = 0; b < mechanism_.body_count(); ++b) {
    if (planar) {
      const double* e = error + 3 * b;
      frames_.planar[b].v = pair(e[0], e[1]);
      frames_.planar[b].w = e[2];
    } else {
      // δφ′ = 2 ē ∘ δe
      const double *d = error + 7 * b, *de = d + 3, *e = y + 7 * b + 3;
      frames_.spatial[b].v = {d[0], d[1], d[2]};
      frames_.spatial[b].w_body = 2 * Vec3(e[0] * de[1] - e[1] * de[0] - e[2] * de[3] + e[3] * de[2],
                                           e[0] * de[2] - e[2] * de[0] - e[3] * de[1] + e[1] * de[3],
                                           e[0] * de[3] - e[3] * de[0] - e[1] * de[2] + e[2] * de[1]);
      frames_.spatial[b].w = frames_.spatial[b].R * frames_.spatial[b].w_body;
    }
  }
  if (frames_.flexible) {
    std::copy_n(error + nq_ - frames_.modal_u.size(), frames_.modal_u.size(), frames_.modal_u.begin());
    place_carried(frames_);
  }
  // Below this a gap is rounding of the coordinates.
  const double floor = 1e-14 * mechanism_.length / model_.settings.tolerance;
  double worst = 0;
  for (const auto& contact : mechanism_.contacts) {
    const ContactState& state = contacts_[contact->index];
    if (contact->rigid && state.touching) continue;  // project() keeps it closed
    const Touch touch = contact->touch(frames_);
    const double scale = state.touching
                             ? std::max({state.depth_scale, 1e-3 * state.depth_scale_high, -touch.gap, floor})
                             : std::max(contact->length_scale, floor);
    worst = std::max(worst, std::abs(touch.rate) / scale);
  }
  if (elastic_) frames_.elastic_u = elastic(error);
  for (PassingContacts* passing : passing_)
    worst = std::max(worst, passing->relative_gap_error(frames_, floor));
  see_elastic(y, frames_);

  // The frames' own velocities again, to the last bit: who asks for the end of the step next finds them.
  for (int b = 0; b < mechanism_.body_count(); ++b) {
    if (planar) {
      const double* v = u(y) + 3 * b;
      frames_.planar[b].v = pair(v[0], v[1]);
      frames_.planar[b].w = v[2];
    } else {
      const double* v = u(y) + 6 * b;
      frames_.spatial[b].v = {v[0], v[1], v[2]};
      frames_.spatial[b].w_body = {v[3], v[4], v[5]};
      const Mat3& R = frames_.spatial[b].R;
      for (int i = 0; i < 3; ++i) frames_.spatial[b].w[i] = R(i, 0) * v[3] + R(i, 1) * v[4] + R(i, 2) * v[5];
    }
  }
  if (frames_.flexible) {
    std::copy_n(u(y) + nu_ - frames_.modal_u.size(), frames_.modal_u.size(), frames_.modal_u.begin());
    place_carried(frames_);
  }
  if (nq_ > 0) frames_at_[0] = y[0];
  return worst;
}

}  // namespace tappet
