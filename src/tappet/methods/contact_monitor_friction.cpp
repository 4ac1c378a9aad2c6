// Contacts by force laws whose friction can stick: what comes to rest, what holds, what lets go (contact_monitor.hpp).
#include <algorithm>
#include <cmath>

#include "tappet/contact/stick_slip.hpp"
#include "tappet/methods/contact_monitor.hpp"

namespace tappet {
namespace {

// A contact is loaded to the full within this part of what static friction gives: forces of contacts that repeat each other are found
// to 1e-16 over their compliance.
constexpr double full_to = 1e-6;
// Accelerations below this part of what a full load makes are none; so is a mobility of this part of a contact's own.
constexpr double still_at = 1e-6;

}  // namespace

// Takes the tangential velocity of a contact that now sticks out at once, by an impulse Λ of all constraints:
// M Δu = Jᵀ Λ. Motors that run on work meanwhile, −Λ·Φ_t; the rest of what the kinetic energy changes by,
// ½ Λ·v_t, is lost to friction.
void ContactMonitor::hold(int c, double t, double* y) {
  double *u = y + mechanism_.q_size(), *z = u + mechanism_.u_size();
  const double before = kinetic_energy(mechanism_, system_.frames(t, y));
  const DynamicsWorkspace& w = system_.evaluate(t, y);
  const std::vector<double>& phi_t = w.constraints.phi_t();
  w.constraints.times(u, rows_.data());
  for (std::size_t r = 0; r < rows_.size(); ++r) rows_[r] = -(rows_[r] + phi_t[r]);
  std::fill(unit_.begin(), unit_.end(), 0.0);
  system_.respond(unit_.data(), rows_.data(), response_.data(), lambda_.data());
  double work = 0;
  for (std::size_t r = 0; r < rows_.size(); ++r) work -= lambda_[r] * phi_t[r];
  for (std::size_t i = 0; i < response_.size(); ++i) u[i] += response_[i];
  system_.project(t, y);
  const double lost = before + work - kinetic_energy(mechanism_, system_.frames(t, y));
  z[ledger_input] += work;
  z[ledger_friction] += lost;
  z[mechanism_.contacts[c]->aux_offset + ContactPoint::aux_friction_loss] += lost;
}

// A sliding contact has come to rest, a sticking one is overloaded, a bristle has let go or caught.
void ContactMonitor::change_friction(int c, double t, double* y, bool just_begun) {
  const ContactPoint& contact = *mechanism_.contacts[c];
  ContactState& state = states_[c];
  double* z = y + system_.size() - mechanism_.aux_size;
  if (contact.friction_law->traits().kind == FrictionKind::regularised) {
    // To the branch beyond the end that was reached.
    const std::vector<double>& kinks = contact.friction_law->traits().kinks;
    const Touch touch = contact.touch(system_.frames(t, y));
    const double speed = touch.slip.norm();
    const int b = state.branch, last = static_cast<int>(kinks.size());
    const double above = b < last ? kinks[b] - speed : HUGE_VAL,
                 below = b > 0 ? speed - kinks[b - 1] : HUGE_VAL;
    state.branch += above < below ? 1 : -1;
    state.direction = touch.slip.normalized();
    return;
  }
  if (!contact.stick) {
    double* p = z + contact.aux_offset + ContactPoint::aux_fixed;
    state.sliding = !state.sliding;
    const Tangential next = contact.friction_law->bristle_reset(state.sliding, {p[0], p[1]});
    p[0] = next[0], p[1] = next[1];
    return;
  }
  if (state.stick.sticking && !just_begun) {
    // Overloaded: it slides against the force that held it, unless others that rest with it hold it still.
    overloaded_ = c;
    return;
  }
  if (state.stick.yields) return let_move(t, y);
  state.stick = {.sticking = true};
  hold(c, t, y);

  // Other points that this one brings to rest, such as the next corner of the same block, stick with it:
  // their own speed has no sign left that an event could find.
  const Kinematics& k = system_.frames(t, y);
  system_.error_scale(t, y, y_.data());
  const double rest = model_.settings.tolerance * y_[mechanism_.q_size()];
  bool more = false;
  for (const auto& other : mechanism_.contacts) {
    ContactState& held = states_[other->index];
    if (!other->stick || !held.touching || held.stick.sticking || other->touch(k).slip.norm() > rest)
      continue;
    held.stick = {.sticking = true};
    more = true;
  }
  if (more) hold(c, t, y);
}

// Others do not hold still what gives all its static friction: it slides the way it moves, and so do those like it.
void ContactMonitor::let_move(double t, const double* y) {
  const Kinematics& k = system_.frames(t, y);
  for (const auto& contact : mechanism_.contacts) {
    StickSlip& stick = states_[contact->index].stick;
    if (!contact->stick || !stick.yields) continue;
    const Touch touch = contact->touch(k);
    const Tangential v = contact->tangents(k, touch).components(touch.slip);
    if (!(touch.slip.norm() > 0.5 * contact->rest)) continue;
    release(stick, {-v[0], -v[1]});
    moves_[contact->index] = 1;
  }
}

// Friction in ideal joints: lets go what cannot hold its load, the worst first, since each that goes leaves its load to the others.
void ContactMonitor::release_overloaded_joints(double t, const double* y) {
  for (;;) {
    const DynamicsWorkspace& w = system_.evaluate(t, y);
    int worst = -1;
    double excess = 0;
    Tangential load{};
    for (const int b : mechanism_.bearings) {
      const ContactPoint& contact = *mechanism_.contacts[b];
      if (!contact.stick || !states_[b].touching || !states_[b].stick.sticking) continue;
      const Touch& touch = w.contacts[b].touch;
      const Tangential holding =
          contact.tangents(w.k, touch).components(holding_force(mechanism_, w, b, touch));
      double over = -margin(*contact.friction_law, states_[b].stick, {}, w.contacts[b].force.normal, holding);
      if (b == overloaded_) over = std::max(over, std::numeric_limits<double>::min());
      if (over > excess) worst = b, excess = over, load = holding;
    }
    if (worst < 0) return;
    release(states_[worst].stick, load);
    if (worst == overloaded_) overloaded_ = -1;
  }
}

// What brings one contact to rest changes how the others slide: they go on as they do now, or come to rest as well.
void ContactMonitor::turn_sliding(double t, double* y) {
  for (const auto& contact : mechanism_.contacts) {
    StickSlip& stick = states_[contact->index].stick;
    if (!contact->stick || contact->bearing || !states_[contact->index].touching || stick.sticking ||
        moves_[contact->index])
      continue;
    const Kinematics& k = system_.frames(t, y);
    const Touch touch = contact->touch(k);
    if (stick.yields) {
      if (touch.slip.norm() > contact->rest) let_move(t, y);
      continue;
    }
    const FrictionLaw& law = *contact->friction_law;
    const Tangential v = contact->tangents(k, touch).components(touch.slip);
    if (margin(law, stick, v, 0, {}, contact->rest) > 0) continue;
    if (touch.slip.norm() <= 2 * contact->rest && !stick.armed) continue;  // settle_friction() looks at it
    stick = begin_contact(law, v, contact->rest);
    if (stick.sticking) hold(contact->index, t, y);
  }
}

// Contacts that are at rest, or have let go and not moved yet: whether they hold is decided for all of them at once. All are held, by
// forces λ* of the constraints v = 0; where these are more than some can give, Tresca's problem tells the accelerations of sliding.
// Between its discs it shares the load by the rows' compliance, as the constraints then do.
void ContactMonitor::settle_friction(double t, double* y) {
  turn_sliding(t, y);
  resting_.clear();
  bool joints = false, moved = false;
  for (const auto& contact : mechanism_.contacts) {
    ContactState& state = states_[contact->index];
    if (!contact->stick || !state.touching) continue;
    if (contact->bearing) {
      joints = joints || state.stick.sticking;
      continue;
    }
    if (!state.stick.sticking) {
      if (state.stick.armed || moves_[contact->index]) continue;
      const double speed = contact->touch(system_.frames(t, y)).slip.norm();
      if (speed > 2 * contact->rest) continue;
      moved = moved || speed > 0.01 * contact->rest;
      state.stick = {.sticking = true};
    }
    resting_.push_back(contact->index);
  }
  if (moved) hold(resting_.front(), t, y);
  if (joints) release_overloaded_joints(t, y);
  if (!resting_.empty()) share_load(t, y);
  if (joints && !resting_.empty()) release_overloaded_joints(t, y);
  overloaded_ = -1;
  std::fill(moves_.begin(), moves_.end(), 0);
}

void ContactMonitor::share_load(double t, const double* y) {
  const DynamicsWorkspace& w = system_.evaluate(t, y);
  const int n = static_cast<int>(resting_.size()), d = mechanism_.contacts[resting_[0]]->stick->rows;
  holding_.resize(d * n);
  first_row_.resize(n);
  static_load_.resize(n);
  bool holds = true;
  for (int i = 0; i < n; ++i) {
    const ContactPoint& contact = *mechanism_.contacts[resting_[i]];
    first_row_[i] = w.constraints.row_of(stick_of_[contact.index]);
    for (int k = 0; k < d; ++k) holding_[d * i + k] = w.lambda[first_row_[i] + k];
    static_load_[i] =
        contact.friction_law->traits().static_coefficient * w.contacts[contact.index].force.normal;
    holds = holds && contact.index != overloaded_ && holding_.segment(d * i, d).norm() <= static_load_[i];
  }
  if (holds) return;
  const auto part = [&](const Eigen::VectorXd& v, int i) {
    return Tangential{v[d * i], d > 1 ? v[d * i + 1] : 0.0};
  };
  if (n == 1) return release(states_[resting_[0]].stick, part(holding_, 0));

  // What unit accelerations of sliding ask of the contacts is the inverse of what unit forces do to them.
  Eigen::MatrixXd asked(d * n, d * n);
  std::fill(unit_.begin(), unit_.end(), 0.0);
  std::fill(rows_.begin(), rows_.end(), 0.0);
  for (int column = 0; column < d * n; ++column) {
    double& row = rows_[first_row_[column / d] + column % d];
    row = 1;
    system_.respond(unit_.data(), rows_.data(), response_.data(), lambda_.data());
    row = 0;
    for (int i = 0; i < n; ++i)
      for (int k = 0; k < d; ++k) asked(d * i + k, column) = lambda_[first_row_[i] + k];
  }
  const Eigen::MatrixXd inverse = asked.partialPivLu().inverse();
  const Eigen::MatrixXd mobility = 0.5 * (inverse + inverse.transpose());

  // Those that slide give less than they held with: then others may have to let go.
  std::vector<double> radii = static_load_;
  std::vector<char> slides(n, 0), full_load(n, 0);
  Eigen::VectorXd lambda = holding_;
  const double most = *std::max_element(static_load_.begin(), static_load_.end());
  for (bool changed = true; changed;) {
    changed = false;
    tresca_.solve(mobility, holding_, radii, d, lambda);
    const Eigen::VectorXd& left = tresca_.accelerations();
    std::vector<int> held;
    for (int i = 0; i < n; ++i) {
      full_load[i] = slides[i] || lambda.segment(d * i, d).norm() >= (1 - full_to) * radii[i];
      if (!full_load[i])
        for (int k = 0; k < d; ++k) held.push_back(d * i + k);
    }
    for (int i = 0; i < n; ++i) {
      if (slides[i] || !full_load[i]) continue;
      const double own = mobility.block(d * i, d * i, d, d).trace();
      // What is left of it when the others hold: M_ii − M_ih M_hh⁻¹ M_hi.
      Eigen::MatrixXd rest = mobility.block(d * i, d * i, d, d);
      if (!held.empty()) {
        const Eigen::MatrixXd beside = mobility(held, Eigen::seqN(d * i, d));
        rest -= beside.transpose() * Eigen::MatrixXd(mobility(held, held)).ldlt().solve(beside);
      }
      if (left.segment(d * i, d).norm() <= still_at * own * most && rest.trace() <= still_at * own) continue;
      slides[i] = 1;
      const FrictionLaw& law = *mechanism_.contacts[resting_[i]]->friction_law;
      const double sliding = law.evaluate(0).coefficient * w.contacts[resting_[i]].force.normal;
      if (sliding < radii[i]) radii[i] = sliding, changed = true;
    }
  }
  for (int i = 0; i < n; ++i) {
    if (!full_load[i]) continue;
    StickSlip& stick = states_[resting_[i]].stick;
    release(stick, part(lambda, i));
    stick.yields = !slides[i];
  }
}

}  // namespace tappet
