#include "tappet/nonsmooth/impact_problem.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "tappet/base/diagnostics.hpp"
#include "tappet/lcp/matrix.hpp"
#include "tappet/lcp/scale_back.hpp"

namespace tappet {

using Eigen::VectorXd;

ContactReport report_contacts(const ContactStatistics& s, const char* what, const RunSettings& settings) {
  ContactReport out;
  if (s.problems == 0) return out;
  out.notes.push_back(fmt::format(
      "{} contact problems of at most {} {}, {:.1f} iterations each on average, were solved by '{}' to "
      "a residual of {:.1e} at worst ({})",
      s.problems, s.most_contacts, what, static_cast<double>(s.iterations) / static_cast<double>(s.problems),
      settings.solver, s.worst_residual, s.worst_note));
  const char* law = settings.impact_law == ImpactLaw::poisson ? "Poisson's" : "Newton's";
  if (s.scaled > 0)
    out.notes.push_back(fmt::format(
        "in {} step{} {} impact law with friction would have gained energy: the impulses were scaled back to "
        "keep it",
        s.scaled, s.scaled == 1 ? "" : "s", law));
  if (s.plastic > 0)
    out.notes.push_back(fmt::format(
        "in {} step{} {} impact law with friction has no solution: what met there did not rebound", s.plastic,
        s.plastic == 1 ? "" : "s", law));
  if (s.stalled > 0)
    out.warnings.push_back(fmt::format(
        "{} of {} contact problems were not solved to the tolerance of {:.1e}: the worst residual is "
        "{:.1e} of the velocities there; try another `solver` or a shorter `step`",
        s.stalled, s.problems, settings.tolerance, s.worst_residual));
  return out;
}

ImpactLoss impact_loss(int dimension, const double* P, const double* mean) {
  ImpactLoss out;
  out.normal = -P[0] * mean[0];
  for (int k = 1; k < dimension; ++k) out.friction -= P[k] * mean[k];
  if (out.friction < 0) out.normal += out.friction, out.friction = 0;
  return out;
}

namespace {

bool closes_by_itself(double before, double unhindered, double gap, double reach) {
  return before < 0 && gap + reach * unhindered < 0;
}

}  // namespace

double least_rate(double restitution, double before, double unhindered, double gap, double reach) {
  if (restitution > 0 && closes_by_itself(before, unhindered, gap, reach)) return -restitution * before;
  return -std::max({gap / reach, before, 0.0});
}

bool sticks_at_start(double gap, double length_scale, const double* slip, int dimension, double speed) {
  double square = 0;
  for (int k = 0; k + 1 < dimension; ++k) square += slip[k] * slip[k];
  return gap <= thresholds::closed * length_scale && std::sqrt(square) <= thresholds::starts_at_rest * speed;
}

bool ImpactProblem::closes(int dimension, double reach) {
  d_ = dimension;
  const int n = static_cast<int>(contacts.size());
  b_.resize(d_ * n);
  floor_.resize(n);
  bool close = false;
  rebounds_ = static_ = massless_ = curved_ = false;
  couples_.clear();
  for (int i = 0; i < n; ++i) {
    const int row = d_ * i;
    if (contacts[i].couple_of >= 0) {
      couples_.push_back({.block = i, .of = contacts[i].couple_of});
      floor_[i] = 0;
      b_.segment(row, d_) = unhindered.segment(row, d_);
      if (contacts[i].bearing) {
        static_ = static_ || (holds(*contacts[i].law) && !at_rest);
        curved_ = curved_ || (contacts[i].law->curve && !at_rest);
        close = true;
      }
      continue;
    }
    const RigidLaw& law = *contacts[i].law;
    const double gap = contacts[i].gap, first = before[row], last = unhindered[row];
    const bool exact = at_rest || contacts[i].massless;
    double least = exact     ? -gap / reach
                   : instant ? -law.restitution * std::min(first, 0.0)
                             : least_rate(law.restitution, first, last, gap, reach);
    floor_[i] = least;
    massless_ = massless_ || contacts[i].massless;
    if (least > 0 && !exact) floor_[i] = 0, rebounds_ = true;
    if (law_ == ImpactLaw::poisson) least = floor_[i];
    b_[row] = last - least;
    const double tangential =
        law_ == ImpactLaw::newton && !contacts[i].massless ? law.tangential_restitution : 0;
    for (int k = 1; k < d_; ++k) b_[row + k] = unhindered[row + k] + tangential * before[row + k];
    rebounds_ =
        rebounds_ || law.tangential_restitution > 0 || (law_ == ImpactLaw::poisson && law.restitution > 0);
    static_ = static_ || (holds(law) && !at_rest);
    curved_ = curved_ || (law.curve && !at_rest);
    close = close || b_[row] < 0;
  }
  after_ = unhindered;
  sticks_.assign(n, 0);
  return close;
}

void ImpactProblem::solve(double t, double unit, lcp::ConeProblem& cone, ContactSolver& solver, VectorXd& P) {
  cone.unit = unit;
  cone.dimension = d_;
  const Task task{t, cone, solver};
  for (CoupleBlock& couple : couples_) couple.own = contacts[couple.block].own;
  guess_ = P;
  set_friction(cone);
  bool found = solve_law(task, P);
  while (static_ && change_friction(cone, P)) found = solve_law(task, P);
  // At the mean speed of the step, which is known now to its first order.
  if (curved_ && set_sliding(cone)) found = solve_law(task, P);
  // What the law holds is held, even if the little that it would gain in a step of reversal is taken back.
  if (static_) note_sticking(P);
  if (!at_rest && (!found || gains(P, solver.tolerance()))) scale_back(task, found, P);
}

// Leaves γ_E in after_. False: the law has no solution.
bool ImpactProblem::solve_law(const Task& task, VectorXd& P) {
  return law_ == ImpactLaw::newton ? solve_newton(task, P) : solve_poisson(task, P);
}

bool ImpactProblem::solve_newton(const Task& task, VectorXd& P) {
  task.cone.b = b_;
  const bool found = solve_cones(task, nullptr, !rebounds_, P);
  after_ = unhindered + task.solver.response();
  return found;
}

bool ImpactProblem::solve_poisson(const Task& task, VectorXd& P) {
  // What the impact alone stores: without approach nothing.
  const int n = static_cast<int>(contacts.size());
  stored_.setZero(d_ * n);
  given_.setZero(n);
  task.cone.b = before;
  bool meets = false;
  for (int i = 0; i < n; ++i) {
    task.cone.b[d_ * i] -= floor_[i];
    meets = meets || (rebounds_ && task.cone.b[d_ * i] < 0);
  }
  if (meets) {
    solve_cones(task, nullptr, true, stored_);
    for (int i = 0; i < n; ++i)
      if (!contacts[i].massless && contacts[i].couple_of < 0)
        given_[i] = contacts[i].law->restitution * stored_[d_ * i];
  }
  solve_plastic(task, P);
  if (!(given_.maxCoeff() > 0)) return true;

  task.cone.b = after_;
  for (int i = 0; i < n; ++i) {
    task.cone.b[d_ * i] -= floor_[i];
    for (int k = 1; k < d_; ++k)
      task.cone.b[d_ * i + k] += contacts[i].law->tangential_restitution * before[d_ * i + k];
  }
  VectorXd& expansion = stored_;
  expansion.setZero();
  const bool found = solve_cones(task, &given_, false, expansion);
  P += expansion;
  after_ += task.solver.response();
  return found;
}

void ImpactProblem::solve_plastic(const Task& task, VectorXd& P) {
  task.cone.b = unhindered;
  for (int i = 0; i < static_cast<int>(contacts.size()); ++i) task.cone.b[d_ * i] -= floor_[i];
  solve_cones(task, nullptr, true, P);
  after_ = unhindered + task.solver.response();
}

// The cone problem as it stands; with `given`, normal impulses are at least these. What must be solved throws where it cannot be.
bool ImpactProblem::solve_cones(const Task& task, const VectorXd* given, bool must, VectorXd& P) {
  const lcp::Result result = solve_with_couples(task.solver, couples_, given, task.cone, P);
  const bool impossible =
      result.status == lcp::Status::infeasible || !P.allFinite() || (!must && is_jammed(task.cone, P));
  slip_tolerance_ =
      std::max(thresholds::slip_of_residual * result.residual, thresholds::least_slip) * task.cone.unit;
  if (must || !(impossible || result.residual > no_solution)) count(result);
  if (must && impossible)
    throw SimulationError(
        task.t,
        fmt::format("the contacts contradict each other or a joint or motion: no impulses keep all {} of "
                    "them apart ({})",
                    contacts.size(), result.note.text()));
  return !impossible && (result.status == lcp::Status::converged || result.residual <= no_solution);
}

// Impulses that only hold each other.
bool ImpactProblem::is_jammed(const lcp::ConeProblem& cone, const VectorXd& P) {
  if (!(cone.unit > 0)) return false;
  lcp::column_scale(cone.W, scale_);
  return (P.array().abs() * scale_.array()).maxCoeff() > thresholds::largest_impulse * cone.unit;
}

void ImpactProblem::count(const lcp::Result& result) {
  ++statistics.problems;
  statistics.iterations += result.iterations;
  statistics.most_contacts =
      std::max(statistics.most_contacts, static_cast<int>(contacts.size() - couples_.size()));
  if (result.status != lcp::Status::converged) ++statistics.stalled;
  if (!(result.residual <= statistics.worst_residual)) {
    statistics.worst_residual = result.residual;
    statistics.worst_note = std::string(result.note.text());
  }
}

void ImpactProblem::set_friction(lcp::ConeProblem& cone) {
  const int n = static_cast<int>(contacts.size());
  cone.mu.resize(n);
  for (int i = 0; i < n; ++i) cone.mu[i] = at_rest ? contacts[i].law->static_friction : sliding_friction(i);
  if (!static_) return;
  friction_.assign(n, Friction::fixed);
  for (int i = 0; i < n; ++i) {
    const RigidLaw& law = *contacts[i].law;
    if (!holds(law)) continue;
    friction_[i] = contacts[i].stuck ? Friction::held : Friction::sliding;
    if (contacts[i].stuck) cone.mu[i] = law.static_friction;
  }
}

// μ at the mean of the speeds at both ends of the step, as far as they are known.
double ImpactProblem::sliding_friction(int i) const {
  const RigidLaw& law = *contacts[i].law;
  if (!law.curve) return law.friction;
  const int row = d_ * i + 1;
  return law.sliding(0.5 * (before.segment(row, d_ - 1).norm() + after_.segment(row, d_ - 1).norm()));
}

// The coefficients of what slides by the last solution; true when one is another.
bool ImpactProblem::set_sliding(lcp::ConeProblem& cone) {
  bool changed = false;
  for (int i = 0; i < static_cast<int>(contacts.size()); ++i) {
    if (!contacts[i].law->curve || !(slip(i) > slip_tolerance_)) continue;
    if (static_ && (friction_[i] == Friction::held || friction_[i] == Friction::caught)) continue;
    const double mu = sliding_friction(i);
    changed = changed || mu != cone.mu[i];
    cone.mu[i] = mu;
  }
  return changed;
}

// ‖γ_tE + ε_t γ_tA‖: what friction opposes.
double ImpactProblem::slip(int i) const {
  const double part = contacts[i].massless ? 0 : contacts[i].law->tangential_restitution;
  double square = 0;
  for (int r = d_ * i + 1; r < d_ * (i + 1); ++r) {
    const double each = after_[r] + part * before[r];
    square += each * each;
  }
  return std::sqrt(square);
}

// The coefficients that the solution calls for; true when they are others.
bool ImpactProblem::change_friction(lcp::ConeProblem& cone, const VectorXd& P) {
  bool changed = false;
  for (int i = 0; i < static_cast<int>(contacts.size()); ++i) {
    Friction& state = friction_[i];
    const double none = (state == Friction::held ? thresholds::slip_of_held : 1) * slip_tolerance_;
    if (state == Friction::fixed || !(P[d_ * i] > 0) || !(slip(i) > none)) continue;
    const RigidLaw& law = *contacts[i].law;
    const auto first = before.segment(d_ * i + 1, d_ - 1), last = after_.segment(d_ * i + 1, d_ - 1);
    // What was held and still moves a little, since a step must not gain, is not let go as long as it is slowed down.
    if (state == Friction::held && last.norm() < first.norm()) continue;
    if (state == Friction::held)
      state = Friction::broken, cone.mu[i] = sliding_friction(i);
    else if (state == Friction::caught)
      state = Friction::released, cone.mu[i] = sliding_friction(i);
    else if (state == Friction::sliding && first.dot(last) < 0)
      state = Friction::caught, cone.mu[i] = law.static_friction;
    else
      continue;
    changed = true;
  }
  return changed;
}

void ImpactProblem::note_sticking(const VectorXd& P) {
  for (int i = 0; i < static_cast<int>(contacts.size()); ++i)
    sticks_[i] = P[d_ * i] > 0 && (slip(i) <= slip_tolerance_ || friction_[i] == Friction::held);
}

bool ImpactProblem::gains(const VectorXd& all, double tolerance) const {
  VectorXd own;
  const VectorXd& P = that_work(all, own);
  return lcp::contact_work(P, before, after_, theta_) >
         thresholds::gain(tolerance) * lcp::work_scale(P, before, after_);
}

// Impulses of the contacts that have mass on both sides; what couples have in place of normals does no work.
const VectorXd& ImpactProblem::that_work(const VectorXd& P, VectorXd& own) const {
  if (!massless_ && couples_.empty()) return P;
  own = P;
  for (std::size_t i = 0; i < contacts.size(); ++i) {
    if (contacts[i].massless) own.segment(d_ * static_cast<int>(i), d_).setZero();
    if (contacts[i].couple_of >= 0) own[d_ * i] = 0;
  }
  return own;
}

// The law, if it was found, gains: P ← what does not.
void ImpactProblem::scale_back(const Task& task, bool found, VectorXd& P) {
  const auto between = [&](const VectorXd& P0, const VectorXd& after0) {
    VectorXd own0, own;
    const double s = lcp::scale_back(that_work(P0, own0), after0, that_work(P, own), after_, before, theta_);
    P = P0 + s * (P - P0);
    after_ = after0 + s * (after_ - after0);
  };
  if (rebounds_) {
    P_law_.swap(P), after_law_.swap(after_);
    P = guess_;
    solve_plastic(task, P);
    if (!gains(P, task.solver.tolerance())) {
      ++(found ? statistics.scaled : statistics.plastic);
      if (!found) return;
      P_plastic_.swap(P), after_plastic_.swap(after_);
      P_law_.swap(P), after_law_.swap(after_);
      return between(P_plastic_, after_plastic_);
    }
  }

  // Friction that gained from a reversal within the step.
  P_plastic_ = P, after_plastic_ = after_;
  task.cone.b = unhindered;
  for (int i = 0; i < static_cast<int>(contacts.size()); ++i) {
    task.cone.b[d_ * i] -= floor_[i];
    for (int k = 1; k < d_ && !contacts[i].massless; ++k)
      task.cone.b[d_ * i + k] += (1 - theta_) / theta_ * before[d_ * i + k];
  }
  solve_cones(task, nullptr, true, P);
  after_ = unhindered + task.solver.response();
  VectorXd own;
  if (lcp::contact_work(that_work(P, own), before, after_, theta_) < 0) between(P_plastic_, after_plastic_);
}

}  // namespace tappet
