#include "tappet/equilibrium/statics.hpp"

#include <algorithm>
#include <cmath>

#include <Eigen/Cholesky>
#include <Eigen/Eigenvalues>
#include <Eigen/LU>
#include <fmt/format.h>

#include "tappet/base/diagnostics.hpp"
#include "tappet/equilibrium/dense_matrices.hpp"
#include "tappet/equilibrium/independent.hpp"
#include "tappet/equilibrium/static_holds.hpp"
#include "tappet/multibody/foundation.hpp"
#include "tappet/multibody/passing_contacts.hpp"

namespace tappet {

using Eigen::MatrixXd;
using Eigen::VectorXd;

namespace {

// All of these are parts of the mechanism's length, if not said otherwise.
constexpr double longest_step = 0.25;  // in which a linear model may be believed; in angles rad
constexpr double first_displacement = 0.01;
constexpr double difference = 1e-7;        // of positions, for K
constexpr double far_away = 100;           // who has gone further has nothing to hold it
constexpr double held_within = 1e-6;       // displacement of what holds under the forces that there are
constexpr double closed_within = 1e-11;    // gaps of rigid contacts that press
constexpr double symmetric_within = 1e-5;  // of K: differences are no better
constexpr int few_coordinates = 100;       // of which all eigenvalues are found in a step
// Of the forces that balance.
constexpr double balanced = 1e-13, balanced_to_rounding = 1e-8, nearly_balanced = 1e-7;
// Of r: what the linear model may be wrong by in a step, and what is so little that the next one may be much longer.
constexpr double believed = 0.5, believed_well = 0.1;

/// Turning of the whole mechanism with one of its bodies.
struct SteadyTurning {
  bool any = false;
  Vec3 omega = Vec3::Zero(), at = Vec3::Zero();
};

class StaticSearch {
 public:
  StaticSearch(const Model& model, SmoothSystem& system, std::vector<double>& y,
               const EquilibriumOptions& options)
      : model_(model),
        m_(model.mechanism),
        system_(system),
        w_(system.workspace()),
        y_(y),
        options_(options),
        holds_(m_),
        states_(system.contact_states()) {
    nq_ = m_.q_size(), nu_ = m_.u_size();
    u_.assign(nu_, 0.0);
    start_.assign(y.begin(), y.begin() + nq_);
    metric_ = metric();
    find_turning();
  }

  StaticSolution run() {
    const std::vector<ContactState> before = states_;
    StaticSolution out;
    try {
      out = search();
    } catch (...) {
      restore(before);
      throw;
    }
    restore(before);
    return out;
  }

 private:
  // ---- forces ----

  MatrixXd metric() const {
    MatrixXd G = reach_of_coordinates(m_).cwiseAbs2().asDiagonal();
    // A point mass does not turn.
    const int width = velocity_size(m_.dimension), turn = m_.dimension == Dimension::planar ? 2 : 3;
    for (int i = 0; i < width * m_.body_count(); ++i)
      if (i % width >= turn && !m_.bodies[i / width].has_inertia) G(i, i) = 0;
    return G;
  }

  void find_turning() {
    if (options_.axes < 0) return;
    update_kinematics(w_.k, options_.time, y_.data(), y_.data() + nq_, y_.data() + nq_ + nu_);
    Vec3 place = Vec3::Zero(), velocity = Vec3::Zero();
    if (m_.dimension == Dimension::planar) {
      const PlanarFrame& f = w_.k.planar[options_.axes];
      turning_.omega = {0, 0, f.w}, place << f.r, 0, velocity << f.v, 0;
    } else {
      const SpatialFrame& f = w_.k.spatial[options_.axes];
      turning_.omega = f.w, place = f.r, velocity = f.v;
    }
    const double square = turning_.omega.squaredNorm();
    if (!(square > 0)) return;
    turning_.any = true;
    turning_.at = place + turning_.omega.cross(velocity) / square;
  }

  /// Velocities of the steady rotation at the positions q, and the accelerations that it needs.
  void turn(const double* q, VectorXd* accelerations) {
    if (!turning_.any) return;
    const Vec3& omega = turning_.omega;
    if (accelerations) accelerations->setZero(nu_);
    for (int b = 0; b < m_.body_count(); ++b) {
      if (m_.dimension == Dimension::planar) {
        const Vec3 arm = Vec3(q[3 * b], q[3 * b + 1], 0) - turning_.at, v = omega.cross(arm),
                   a = omega.cross(v);
        u_[3 * b] = v.x(), u_[3 * b + 1] = v.y(), u_[3 * b + 2] = omega.z();
        if (accelerations) (*accelerations)[3 * b] = a.x(), (*accelerations)[3 * b + 1] = a.y();
      } else {
        const Vec3 arm = Vec3(q[7 * b], q[7 * b + 1], q[7 * b + 2]) - turning_.at, v = omega.cross(arm),
                   a = omega.cross(v), own = rotation_of(q + 7 * b + 3).transpose() * omega;
        for (int i = 0; i < 3; ++i) u_[6 * b + i] = v[i], u_[6 * b + 3 + i] = own[i];
        if (accelerations) accelerations->segment<3>(6 * b) = a;
      }
    }
  }

  /// Frames, constraints and forces at positions that were reached from the reference by d.
  VectorXd forces(const double* q, const VectorXd& d) {
    VectorXd accelerations;
    turn(q, &accelerations);
    update_kinematics(w_.k, options_.time, q, u_.data(), z());
    w_.constraints.evaluate(w_.k);
    for (const auto& contact : m_.contacts)
      if (!contact->rigid && !contact->bearing)
        states_[contact->index].touching = contact->touch(w_.k).gap < 0;
    applied_forces(m_, w_);
    VectorXd f = Eigen::Map<const VectorXd>(w_.h.data(), nu_);
    if (turning_.any) f -= dense_mass(m_, w_.k) * accelerations;
    holds_.add(w_, d, f);
    return f;
  }

  /// Jᵀ λ at the workspace's frames.
  VectorXd reactions(const VectorXd& lambda) {
    std::vector<double> f(m_.frame_force_size(), 0.0);
    const int width = velocity_size(m_.dimension);
    for (int c = 0; c < w_.constraints.count(); ++c) {
      const Constraint& constraint = w_.constraints.constraint(c);
      for (int slot = 0; slot < static_cast<int>(constraint.bodies.size()); ++slot) {
        const double* J = w_.constraints.jacobian(c, slot);
        if (!J) continue;
        double* at = f.data() + width * constraint.bodies[slot];
        for (int r = 0; r < constraint.rows; ++r)
          for (int i = 0; i < width; ++i) at[i] += J[width * r + i] * lambda[w_.constraints.row_of(c) + r];
      }
    }
    w_.constraints.to_bodies(f.data());
    return Eigen::Map<const VectorXd>(f.data(), nu_);
  }

  /// The largest displacement, m, or turn by the mechanism's length.
  double size(const VectorXd& d) const {
    double out = 0;
    for (int i = 0; i < nu_; ++i) out = std::max(out, std::abs(d[i]) * std::sqrt(metric_(i, i)));
    return out;
  }

  // ---- one place ----

  struct Place {
    Independent free;
    VectorXd lambda, r, f;
    MatrixXd K;
    double scale = 0;  // of the forces, N
  };

  /// Contacts of groups that touch are those that are closed here.
  void look_around() {
    for (PassingContacts* passing : system_.passing()) {
      update_kinematics(w_.k, options_.time, y_.data(), u_.data(), z());
      passing->restore({}, 0);
      passing->look_around(w_.k, longest_step * m_.length);
      passing->start(options_.time, w_.k);
    }
  }

  /// Multipliers, what is not balanced, and what balances. K is another matter.
  Place look() {
    look_around();
    Place out;
    const VectorXd none = VectorXd::Zero(nu_);
    out.f = forces(y_.data(), none);
    const MatrixXd J = dense_jacobian(m_, w_.constraints);
    out.free = independent_velocities(J, metric_);
    out.lambda = multipliers_for(J, metric_, -out.f);
    load_bearings(J, out);
    out.f = forces(y_.data(), none);
    out.r = out.free.N.transpose() * out.f;
    const VectorXd held = reactions(out.lambda);
    for (int i = 0; i < nu_; ++i)
      if (metric_(i, i) > 0)
        out.scale = std::max({out.scale, std::abs(out.f[i]) / std::sqrt(metric_(i, i)),
                              std::abs(held[i]) / std::sqrt(metric_(i, i))});
    for (const ContactInstant& contact : w_.contacts) out.scale = std::max(out.scale, contact.force.normal);
    for (const Body& body : m_.bodies) out.scale = std::max(out.scale, body.mass * m_.gravity.norm());
    return out;
  }

  /// The load of a joint with friction is its reaction where everything stands still, also on the way there: its friction is taken for
  /// one more constraint.
  void load_bearings(const MatrixXd& J, const Place& place) {
    std::copy(place.lambda.begin(), place.lambda.end(), w_.lambda.begin());
    holds_.refer(w_);
    const MatrixXd sliding = holds_.sliding_in_joints();
    if (sliding.rows() == 0) return;
    MatrixXd held(J.rows() + sliding.rows(), nu_);
    held << J, sliding;
    const VectorXd lambda = multipliers_for(held, metric_, -place.f);
    std::copy_n(lambda.begin(), J.rows(), w_.lambda.begin());
    holds_.refer(w_);
  }

  void find_stiffness(Place& place) {
    const int n = place.free.count();
    place.K.resize(n, n);
    double shallow = HUGE_VAL;
    for (const auto& contact : m_.contacts) {
      if (contact->bearing || contact->rigid || !states_[contact->index].touching) continue;
      shallow = std::min(shallow, -contact->touch(w_.k).gap);
    }
    const double step = std::max(std::min(difference * m_.length, 0.1 * shallow), 1e-12 * m_.length);
    std::vector<double> q(nq_);
    const auto at = [&](const VectorXd& d) {
      std::copy_n(y_.begin(), nq_, q.begin());
      displace(m_, q.data(), d.data());
      const VectorXd f = forces(q.data(), d);
      return VectorXd(f + reactions(place.lambda));
    };
    for (int i = 0; i < n; ++i) {
      const VectorXd d = step / size(place.free.N.col(i)) * place.free.N.col(i);
      const double part = step / size(place.free.N.col(i));
      place.K.col(i) = -place.free.N.transpose() * (at(d) - at(-d)) / (2 * part);
    }
  }

  double* z() { return y_.data() + nq_ + nu_; }

  /// Whole turns follow a displacement; states of wear do not.
  void follow_windings(const VectorXd& d) {
    std::vector<double> moving(m_.aux_size, 0.0), still(m_.aux_size, 0.0), rest(nu_, 0.0);
    const auto rates = [&](const double* u, std::vector<double>& out) {
      update_kinematics(w_.k, options_.time, y_.data(), u, z());
      for (const Constraint* c : m_.constraints)
        if (c->aux_offset >= 0) c->aux_rates(w_.k, out.data() + c->aux_offset);
      for (const auto& force : m_.forces) {
        const bool wears = std::any_of(m_.foundations.begin(), m_.foundations.end(),
                                       [&](const ForceElement* f) { return f == force.get(); });
        if (force->aux_offset >= 0 && !wears) force->aux_rates(w_.k, out.data() + force->aux_offset);
      }
    };
    rates(d.data(), moving);
    rates(rest.data(), still);
    for (int i = 0; i < m_.aux_size; ++i) z()[i] += moving[i] - still[i];
  }

  // ---- the way ----

  /// A part of the step after which the first surfaces meet; 1: none do.
  double until_touch(const std::vector<double>& before, const std::vector<double>& after) const {
    double out = 1;
    for (std::size_t c = 0; c < before.size(); ++c)
      if (before[c] > closed_within * m_.length && after[c] < 0)
        out = std::min(out, before[c] / (before[c] - after[c]));
    return out;
  }
  std::vector<double> gaps() const {
    std::vector<double> out;
    for (const auto& contact : m_.contacts) out.push_back(contact->bearing ? 0 : contact->touch(w_.k).gap);
    return out;
  }

  StaticSolution search();
  std::string unbalanced(const Place& place) const;

  void restore(const std::vector<ContactState>& before) {
    states_ = before;
    for (PassingContacts* passing : system_.passing()) passing->restore({}, 0);
  }

  const Model& model_;
  const Mechanism& m_;
  SmoothSystem& system_;
  DynamicsWorkspace& w_;
  std::vector<double>& y_;
  const EquilibriumOptions& options_;
  StaticHolds holds_;
  std::vector<ContactState>& states_;
  SteadyTurning turning_;
  MatrixXd metric_;
  int nq_ = 0, nu_ = 0;
  std::vector<double> u_, start_;
};

StaticSolution StaticSearch::search() {
  StaticSolution out;
  VectorXd moved = VectorXd::Zero(nu_);
  double tau = 0, before = HUGE_VAL;
  int stuck = 0;
  Place place;
  std::string gave_up;
  for (out.steps = 0; out.steps <= options_.most_steps; ++out.steps) {
    place = look();
    holds_.keep();
    if (holds_.any() && holds_.stiffness() == 0) {
      holds_.set_stiffness(std::max(place.scale, 1e-9) / (held_within * m_.length));
      place = look();
      holds_.keep();
    }
    const double r = place.r.norm();
    if (!std::isfinite(r)) {
      gave_up = "a force is not a finite number";
      break;
    }
    out.imbalance = place.scale > 0 ? r / place.scale : 0;
    const bool closed = holds_.opening() <= closed_within * m_.length;
    if (out.imbalance <= balanced && closed) out.found = true;
    // Rounding lets it come no nearer.
    stuck = r >= 0.5 * before ? stuck + 1 : 0;
    if (out.imbalance <= balanced_to_rounding && closed && stuck > 4) out.found = true;
    if (out.found) break;
    if (out.imbalance <= balanced_to_rounding && !closed) {
      holds_.press_on();
      before = HUGE_VAL;
      continue;
    }
    before = r;

    holds_.begin_step();
    holds_.freeze(true);
    find_stiffness(place);
    holds_.freeze(false);
    const int n = place.free.count();
    const double stiff = place.K.norm();
    if (tau == 0) tau = first_displacement * m_.length / r;
    const MatrixXd symmetric = 0.5 * (place.K + place.K.transpose()), one = MatrixXd::Identity(n, n);
    // Friction and motors push without a potential: then it is the eigenvalues that tell where bodies are pushed away.
    const bool potential = (place.K - symmetric).norm() <= symmetric_within * stiff;
    if (!potential && n <= few_coordinates) {
      const double lowest = Eigen::EigenSolver<MatrixXd>(place.K, false).eigenvalues().real().minCoeff();
      if (lowest < 0) tau = std::min(tau, 1 / (2 * -lowest));
    }
    const std::vector<double> q(y_.begin(), y_.begin() + nq_), zs(z(), z() + m_.aux_size);
    forces(y_.data(), VectorXd::Zero(nu_));
    const std::vector<double> open = gaps();
    bool accepted = false;
    for (int trial = 0; trial < 200 && !accepted; ++trial) {
      tau = std::min(tau, stiff > 0 ? 1e13 / stiff : HUGE_VAL);
      // What sticks and what slides follows from the step.
      VectorXd step, d;
      holds_.begin_step();
      bool rises = true;
      for (int modes = 0; modes < 20 && rises; ++modes) {
        const MatrixXd held = holds_.stiffness_along(place.free.N);
        rises = !potential || Eigen::LLT<MatrixXd>(symmetric + held + one / tau).info() == Eigen::Success;
        if (!rises) break;
        step =
            (place.K + held + one / tau).partialPivLu().solve(place.r + holds_.sliding_along(place.free.N));
        d = place.free.N * step;
        if (!d.allFinite() || !holds_.decide(d)) break;
      }
      if (!rises || !d.allFinite() || size(d) > longest_step * m_.length) {
        tau /= 4;
        continue;
      }
      // To where surfaces meet, and no further.
      double part = 1;
      constexpr int cuts = 4;
      for (int cut = 0; cut < cuts && !accepted; ++cut) {
        const VectorXd way = part * d;
        std::copy(q.begin(), q.end(), y_.begin());
        std::copy(zs.begin(), zs.end(), z());
        displace(m_, y_.data(), way.data());
        bool good = true;
        std::vector<double> now;
        try {
          if (w_.constraints.rows() > 0) {
            const Projection joints =
                project_positions(m_, options_.time, y_.data(), u_.data(), z(), 1e-15 * m_.length, w_);
            good = joints.remaining <= 1e-9 * std::max(1.0, m_.length);
          }
          const VectorXd f = good ? forces(y_.data(), way) : VectorXd();
          if (good) {
            now = gaps();
            const VectorXd left = place.free.N.transpose() * (f + reactions(place.lambda)),
                           foretold =
                               place.r - part * (place.K * step) + holds_.change_along(place.free.N, way);
            const double wrong = (left - foretold).norm();
            // Sliding ends where friction holds again, not behind it.
            const double ahead = place.r.dot(step), behind = left.dot(step);
            if (holds_.any_slides() && behind < 0 && ahead > 0 && out.imbalance > nearly_balanced &&
                cut + 1 < cuts) {
              part *= ahead / (ahead - behind);
              continue;
            }
            // Changes that are rounding of the forces are none.
            accepted = wrong <= believed * r + balanced * place.scale;
            if (accepted) {
              holds_.keep();
              follow_windings(way);
              moved += way;
              if (part == 1) tau *= wrong <= believed_well * r ? 10 : 2;
            }
          }
        } catch (const SimulationError&) {
          good = false;
        }
        if (accepted || !good) break;
        const double touch = until_touch(open, now);
        if (!(touch < 1)) break;
        part *= touch * (1 + 1e-9) + 1e-13;
      }
      if (!accepted) tau /= 4;
    }
    if (!accepted) {
      std::copy(q.begin(), q.end(), y_.begin());
      std::copy(zs.begin(), zs.end(), z());
      out.found = out.imbalance <= balanced_to_rounding && closed;
      if (out.found) break;
      gave_up = "no step is short enough for the forces to follow";
      break;
    }
    if (size(moved) > far_away * m_.length) break;
  }

  place = look();
  const int stride = position_size(m_.dimension), axes = m_.dimension == Dimension::planar ? 2 : 3;
  for (int b = 0; b < m_.body_count(); ++b) {
    double square = 0;
    for (int i = 0; i < axes; ++i) square += std::pow(y_[stride * b + i] - start_[stride * b + i], 2);
    if (std::sqrt(square) > out.moved) out.moved = std::sqrt(square), out.moved_body = m_.bodies[b].name;
  }
  out.notes = holds_.notes(w_);
  if (turning_.any) std::copy(u_.begin(), u_.end(), y_.begin() + nq_);
  if (out.found) return out;
  out.why = unbalanced(place);
  if (!gave_up.empty()) out.why += "; " + gave_up;
  if (out.moved > 0)
    out.why += fmt::format("; '{}' has moved {:.3g} m on the way, in {} steps", out.moved_body, out.moved,
                           out.steps);
  return out;
}

// What joints and motions cannot take of the forces, body by body.
std::string StaticSearch::unbalanced(const Place& place) const {
  const VectorXd left = metric_ * (place.free.N * place.r);
  const int width = velocity_size(m_.dimension), turn = m_.dimension == Dimension::planar ? 2 : 3;
  int worst = 0;
  double most = -1;
  for (int b = 0; b < m_.body_count(); ++b) {
    double square = 0;
    for (int i = width * b; i < width * (b + 1); ++i)
      if (metric_(i, i) > 0) square += left[i] * left[i] / metric_(i, i);
    if (square > most) most = square, worst = b;
  }
  const auto part = left.segment(width * worst, width);
  const VectorXd force = part.head(turn), couple = part.tail(width - turn);
  const auto list = [](const VectorXd& v) {
    std::string out;
    for (int i = 0; i < v.size(); ++i) out += fmt::format("{}{:.4g}", i ? ", " : "", v[i]);
    return "[" + out + "]";
  };
  std::string what = fmt::format("a force of {} N", list(force));
  const bool turns = couple.norm() > 1e-6 * force.norm() * m_.length;
  const std::string moment = couple.size() == 1
                                 ? fmt::format("a couple of {:.4g} N m", couple[0])
                                 : fmt::format("a couple of {} N m in its own axes", list(couple));
  if (turns) what = force.norm() > 1e-6 * couple.norm() / m_.length ? what + " and " + moment : moment;
  return fmt::format("no equilibrium was found: on '{}' {} is not balanced", m_.bodies[worst].name, what);
}

}  // namespace

StaticSolution solve_statics(const Model& model, SmoothSystem& system, std::vector<double>& y,
                             const EquilibriumOptions& options) {
  const auto refuse = [&](std::string why) {
    throw InputError({{Severity::error, model.pos, std::move(why)}});
  };
  if (!model.structures.empty())
    refuse("statics of mechanisms with structures is not part of a run; `tappet solve --static` has it");
  if (!model.mechanism.states.empty())
    refuse(
        fmt::format("statics does not look for values of states that stay, such as '{}': take it from a run "
                    "that comes to rest",
                    model.mechanism.states.front().name));
  for (const ContactGroup& group : model.mechanism.groups)
    if (group.rigid)
      refuse(
          fmt::format("statics knows contacts of rigid bodies where they are followed one by one: write "
                      "`group: false` for '{}', or take method smooth or event-driven",
                      group.name));
  return StaticSearch(model, system, y, options).run();
}

}  // namespace tappet
