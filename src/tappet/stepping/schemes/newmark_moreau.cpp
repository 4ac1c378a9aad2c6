#include "tappet/stepping/schemes/newmark_moreau.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>

#include <Eigen/LU>
#include <fmt/format.h>

#include "tappet/base/diagnostics.hpp"
#include "tappet/lcp/friction_lcp.hpp"

namespace tappet {

using Eigen::MatrixXd;
using Eigen::VectorXd;

namespace {

/// Gaps below this part of the structures' size are none.
constexpr double closed = 1e-10;

/// The least γ_nE: Newton's law for a contact that closes by itself, else what closes its gap exactly; a
/// contact that opens at first may be closed as fast, so that it never gains from it.
double least_rate(double restitution, double before, double unhindered, double gap, double reach) {
  if (restitution > 0 && before < 0 && gap + reach * unhindered < 0) return -restitution * before;
  return -std::max({gap / reach, before, 0.0});
}

}  // namespace

NewmarkMoreau::NewmarkMoreau(const Model& model, StructureSystem& system, const MoreauOptions& options)
    : model_(model), system_(system), options_(options), contacts_(model, system) {
  lcp::SolverOptions settings;
  // What is left of a problem is how fast a held body creeps; Newton's last step is cheap.
  settings.tolerance = std::min(options.contacts.tolerance, 1e-12);
  solver_ = lcp::make_solver(options.contacts.solver, settings);
  fallback_ = lcp::make_solver(std::string("lemke"), settings);
  for (auto* like_q : {&weight_and_loads_, &free_, &change_, &middle_, &work_, &rates_, &more_})
    like_q->assign(system.size(), 0.0);

  for (int s = 0; s < system.count(); ++s)
    for (const fem::NonlinearSpring& law : system.body(s).springs) {
      Spring spring;
      spring.law = &law;
      for (int end = 0; end < 2; ++end)
        for (int d = 0; d < 3; ++d) {
          if (law.nodes[end] < 0) continue;
          const int k = system.unknown(s, law.nodes[end], d);
          const double weight = (end ? 1 : -1) * law.direction[d];
          if (k < 0 || weight == 0) continue;
          spring.places.emplace_back(k, weight);
          spring.row.at[spring.row.count] = keep(k);
          spring.row.value[spring.row.count++] = weight;
        }
      springs_.push_back(spring);
    }
  spring_forces_.setZero(static_cast<int>(springs_.size()));
  warm_.assign(3 * static_cast<std::size_t>(contacts_.points()) + springs_.size(), 0.0);
}

void NewmarkMoreau::refactor(double h) {
  system_.factor(h, options_.theta);
  h_ = h;
  complete_ = 0;
}

int NewmarkMoreau::keep(int unknown) {
  const auto [at, fresh] = kept_.try_emplace(unknown, static_cast<int>(kept_unknowns_.size()));
  if (fresh) kept_unknowns_.push_back(unknown);
  assert(system_.is_watched(unknown));
  return at->second;
}

// Columns of A⁻¹ for unknowns that are new, some at a time.
void NewmarkMoreau::complete_columns() {
  const int n = static_cast<int>(kept_unknowns_.size());
  if (complete_ == n) return;
  MatrixXd larger = MatrixXd::Zero(n, n);
  larger.topLeftCorner(complete_, complete_) = columns_.topLeftCorner(complete_, complete_);
  for (int first = complete_; first < n; first += 48) {
    const int width = std::min(48, n - first);
    MatrixXd x = MatrixXd::Zero(system_.size(), width);
    for (int j = 0; j < width; ++j) x(kept_unknowns_[first + j], j) = 1;
    system_.solve(x);
    for (int j = 0; j < width; ++j)
      for (int i = 0; i < n; ++i) larger(i, first + j) = larger(first + j, i) = x(kept_unknowns_[i], j);
  }
  columns_ = std::move(larger);
  complete_ = n;
}

double NewmarkMoreau::compliance(const Row& a, const Row& b) const {
  double sum = 0;
  for (int j = 0; j < b.count; ++j) {
    const double* column = columns_.data() + static_cast<std::size_t>(b.at[j]) * columns_.rows();
    double part = 0;
    for (int i = 0; i < a.count; ++i) part += a.value[i] * column[a.at[i]];
    sum += part * b.value[j];
  }
  return sum;
}

double NewmarkMoreau::dot(const Row& row, const double* x) const {
  double sum = 0;
  for (int k = 0; k < row.count; ++k) sum += row.value[k] * x[kept_unknowns_[row.at[k]]];
  return sum;
}

void NewmarkMoreau::step(double t, double h, double* q, double* u, double* z) {
  if (h != h_) refactor(h);
  const int n = system_.size();
  const double theta = options_.theta;

  for (int s = 0; s < spring_forces_.size(); ++s) spring_forces_[s] = warm_[3 * contacts_.points() + s];

  // Without contacts: A d = h [f − C v − K (q + θ h v)], with springs as they were: near enough to see what
  // comes near. The solution pauses where contacts and springs act.
  const bool loaded = system_.has_loads();
  weight_and_loads_ = system_.weight();
  if (loaded) system_.add_loads(stopped_ ? 0 : t + theta * h, weight_and_loads_.data());
  std::copy(u, u + n, rates_.begin());
  drive(t, h, q, u);
  for (int i = 0; i < n; ++i) {
    middle_[i] = q[i] + theta * h * rates_[i];
    change_[i] += h * weight_and_loads_[i];
  }
  system_.add_internal_forces(-h, middle_.data(), rates_.data(), change_.data());
  for (std::size_t k = 0; k < springs_.size(); ++k)
    for (const auto& [at, weight] : springs_[k].places)
      change_[at] -= h * spring_forces_[static_cast<int>(k)] * weight;
  const auto with_driven = [&] {
    for (std::size_t k = 0; k < ways_.size(); ++k) change_[system_.driven()[k].unknown] = ways_[k].change;
  };
  system_.begin(change_.data());
  system_.peek(change_.data());
  with_driven();

  // What is closed in the middle of the step, and its impulses.
  for (int i = 0; i < n; ++i) middle_[i] = q[i] + (1 - theta) * h * rates_[i];
  prepare_contacts(t, h, middle_.data(), u);
  const VectorXd before = spring_forces_;
  if (!springs_.empty() || !touches_.empty()) solve_springs_and_contacts(t, h, q, u);

  // Everything together.
  bool pushed = !springs_.empty();
  for (int k : kept_unknowns_) more_[k] = 0;
  for (std::size_t r = 0; r < rows_.size(); ++r) {
    const double p = P_[static_cast<int>(r)];
    if (p == 0) continue;
    for (int j = 0; j < rows_[r].count; ++j) more_[kept_unknowns_[rows_[r].at[j]]] += p * rows_[r].value[j];
    pushed = true;
  }
  for (std::size_t s = 0; s < springs_.size(); ++s)
    for (const auto& [at, weight] : springs_[s].places)
      more_[at] -= h * (spring_forces_[static_cast<int>(s)] - before[static_cast<int>(s)]) * weight;
  if (pushed) system_.add(more_.data());
  system_.finish(change_.data());
  with_driven();

  // The ledger, at the velocity with which the step moves.
  for (int i = 0; i < n; ++i) free_[i] = u[i] + theta * change_[i];
  for (std::size_t k = 0; k < ways_.size(); ++k) free_[system_.driven()[k].unknown] = ways_[k].velocity;
  if (loaded) {
    double work = 0;
    for (int i = 0; i < n; ++i) work += (weight_and_loads_[i] - system_.weight()[i]) * free_[i];
    z[ledger_input] += h * work;
  }
  if (system_.damped()) {
    std::fill(middle_.begin(), middle_.end(), 0.0);
    system_.add_damping(1, free_.data(), middle_.data());
    double lost = 0;
    for (int i = 0; i < n; ++i) lost += middle_[i] * free_[i];
    z[ledger_damping] += h * lost;
  }
  for (std::size_t s = 0; s < springs_.size(); ++s)
    z[ledger_damping] += h * spring_forces_[static_cast<int>(s)] * dot(springs_[s].row, free_.data());

  if (!ways_.empty()) z[ledger_input] += work_of_supports(h, q, u);
  for (int i = 0; i < n; ++i) {
    q[i] += h * free_[i];
    u[i] += change_[i];
  }
  for (std::size_t k = 0; k < ways_.size(); ++k) q[system_.driven()[k].unknown] = ways_[k].end;

  for (int s = 0; s < spring_forces_.size(); ++s) warm_[3 * contacts_.points() + s] = spring_forces_[s];
  impulses_.clear();
  for (int i = 0; i < static_cast<int>(touches_.size()); ++i) {
    const NodeTouch& touch = touches_[i];
    const int at = 3 * contacts_.point(touch.contact, touch.number);
    for (int k = 0; k < 3; ++k) warm_[at + k] = P_[3 * i + k];
    if (P_.segment<3>(3 * i).isZero(0)) continue;
    NodeImpulse out;
    out.contact = touch.contact, out.number = touch.number, out.gap = touch.gap;
    const Mat3 axes = fem::shell_axes(touch.normal);
    out.normal = P_[3 * i];
    out.impulse = P_[3 * i] * touch.normal + P_[3 * i + 1] * axes.col(0) + P_[3 * i + 2] * axes.col(1);
    // Rates of the unknowns as they really came out; before and after relative to a ground that moves.
    Vec3 after;
    for (int k = 0; k < 3; ++k) after[k] = dot(rows_[3 * i + k], u) - (k == 0 ? touch.lift_after : 0);
    out.rate_before = before_[3 * i], out.rate_after = after[0];
    out.slip = std::hypot(after[1], after[2]);
    out.normal_loss = -P_[3 * i] * ((1 - theta) * before_[3 * i] + theta * after[0]);
    for (int k = 1; k < 3; ++k)
      out.friction_loss -= P_[3 * i + k] * ((1 - theta) * before_[3 * i + k] + theta * after[k]);
    z[ledger_normal] += out.normal_loss;
    z[ledger_friction] += out.friction_loss;
    // A ground that moves does work.
    z[ledger_input] += P_[3 * i] * ((1 - theta) * touch.lift_before + theta * touch.lift_after);
    impulses_.push_back(out);
  }
}

// Where driven unknowns go in this step: their mean velocities into rates_, and −M Δq̇_p as the beginning of
// change_.
void NewmarkMoreau::drive(double t, double h, const double* q, const double* u) {
  std::fill(change_.begin(), change_.end(), 0.0);
  ways_.resize(system_.driven().size());
  if (ways_.empty()) return;
  std::fill(work_.begin(), work_.end(), 0.0);
  for (std::size_t k = 0; k < ways_.size(); ++k) {
    const auto& [unknown, motion] = system_.driven()[k];
    const Jet end = motion->at(stopped_ ? 0 : t + h);
    ways_[k] = {end.value, (end.value - q[unknown]) / h, (stopped_ ? 0 : end.d1) - u[unknown]};
    rates_[unknown] = ways_[k].velocity;
    work_[unknown] = ways_[k].change;
  }
  system_.add_mass(-1, work_.data(), change_.data());
}

// Called before q and u become those of the end.
double NewmarkMoreau::work_of_supports(double h, const double* q, const double* u) {
  const double theta = options_.theta;
  const int n = system_.size();
  // Springs, dampers, weight and loads at the supports: h (K q̄ + C v̄ − f).
  for (int i = 0; i < n; ++i) middle_[i] = q[i] + theta * h * free_[i];
  std::fill(rates_.begin(), rates_.end(), 0.0);
  system_.add_stiffness(h, middle_.data(), rates_.data());
  system_.add_damping(h, free_.data(), rates_.data());
  for (int i = 0; i < n; ++i) rates_[i] -= h * weight_and_loads_[i];
  for (std::size_t s = 0; s < springs_.size(); ++s)
    for (const auto& [at, weight] : springs_[s].places)
      rates_[at] += h * spring_forces_[static_cast<int>(s)] * weight;
  // Inertia and contacts.
  std::fill(middle_.begin(), middle_.end(), 0.0);
  system_.add_mass(1, change_.data(), middle_.data());
  for (std::size_t r = 0; r < rows_.size(); ++r)
    for (int j = 0; j < rows_[r].count; ++j)
      middle_[kept_unknowns_[rows_[r].at[j]]] -= P_[static_cast<int>(r)] * rows_[r].value[j];
  double work = 0;
  for (const auto& [k, motion] : system_.driven())
    work += rates_[k] * free_[k] + middle_[k] * (u[k] + theta * change_[k]);
  return work;
}

NewmarkMoreau::Row NewmarkMoreau::row_of(const NodeTouch& touch, const Vec3& direction) {
  Row row;
  for (int k = 0; k < touch.count; ++k)
    for (int d = 0; d < 3; ++d) {
      const int unknown = system_.unknown(touch.structures[k], touch.nodes[k], d);
      const double value = touch.weight[k] * direction[d];
      if (unknown < 0 || value == 0) continue;
      row.at[row.count] = keep(unknown);
      row.value[row.count++] = value;
    }
  return row;
}

// Contacts that are closed in the middle of the step, or would be when it ends.
void NewmarkMoreau::prepare_contacts(double t, double h, const double* q, const double* u) {
  const double reach = options_.theta * h, none = closed * contacts_.length();
  contacts_.find(t + (1 - options_.theta) * h, t, t + h, q,
                 none + 2 * reach * contacts_.fastest(t, u, change_.data()), near_);
  touches_.clear();
  rows_.clear();
  for (NodeTouch& touch : near_) {
    if (stopped_) touch.lift_before = touch.lift_after = 0;
    const Vec3& n = touch.normal;
    Vec3 before = Vec3::Zero(), change = Vec3::Zero();
    for (int k = 0; k < touch.count; ++k) {
      before += touch.weight[k] * system_.velocity(touch.structures[k], touch.nodes[k], u);
      change += touch.weight[k] * system_.velocity(touch.structures[k], touch.nodes[k], change_.data());
    }
    const double first = n.dot(before) - touch.lift_before, last = n.dot(before + change) - touch.lift_after;
    const double approach = -std::min({first, last, 0.0});
    if (touch.gap > none + 2 * reach * approach) continue;
    touches_.push_back(touch);
    const Mat3 axes = fem::shell_axes(n);
    for (const Vec3& direction : {n, Vec3(axes.col(0)), Vec3(axes.col(1))})
      rows_.push_back(row_of(touch, direction));
  }
  const int rows = static_cast<int>(rows_.size());
  before_.setZero(rows), unhindered_.setZero(rows), P_.setZero(rows);
  for (int r = 0; r < rows; ++r) {
    // The ground's velocity is the mean of both, as the nodes' is: then its displacement is followed without
    // drift.
    const bool normal = r % 3 == 0;
    const double now = dot(rows_[r], u);
    before_[r] = now - (normal ? touches_[r / 3].lift_before : 0);
    unhindered_[r] = now + dot(rows_[r], change_.data()) - (normal ? touches_[r / 3].lift_after : 0);
  }
}

double NewmarkMoreau::spring_force(const Spring& s, double d, double v, double* tangent, double h) const {
  const double values[2] = {d, v};
  const Jet at = s.law->force.jet(values);
  // The derivative by the rate, by differences: it only steers Newton's method.
  const double step = 1e-6 * (1 + std::abs(v)), other[2] = {d, v + step};
  const double by_rate = (s.law->force(other) - at.value) / step;
  // v_θ changes with u_E by θ, d_θ by θ² h.
  *tangent = options_.theta * (by_rate + options_.theta * h * at.d1);
  return at.value;
}

void NewmarkMoreau::solve_springs_and_contacts(double t, double h, const double* q, const double* u) {
  complete_columns();
  const int ns = static_cast<int>(springs_.size()), nr = static_cast<int>(rows_.size());
  w_.resize(nr, nr);
  for (int i = 0; i < nr; ++i)
    for (int j = 0; j <= i; ++j) w_(i, j) = w_(j, i) = compliance(rows_[i], rows_[j]);
  for (int i = 0; i < nr / 3; ++i)
    for (int k = 0; k < 3; ++k)
      P_[3 * i + k] = warm_[3 * contacts_.point(touches_[i].contact, touches_[i].number) + k];
  if (ns == 0) return solve_contacts(t, unhindered_, before_, h);

  // s = Wᵀ (u_E − u_A) of the springs: s = s₀ − h S F(s) + S_c P.
  MatrixXd S(ns, ns), Sc(ns, nr);
  VectorXd s0(ns), d0(ns), v0(ns), s(ns), F(ns), J(ns);
  for (int i = 0; i < ns; ++i) {
    for (int j = 0; j < ns; ++j) S(i, j) = compliance(springs_[i].row, springs_[j].row);
    for (int j = 0; j < nr; ++j) Sc(i, j) = compliance(springs_[i].row, rows_[j]);
    s0[i] = dot(springs_[i].row, change_.data());
    d0[i] = dot(springs_[i].row, q), v0[i] = dot(springs_[i].row, u);
  }
  // Without any springs at all.
  s0 += h * S * spring_forces_;
  const VectorXd unsprung = unhindered_ + h * Sc.transpose() * spring_forces_;
  const MatrixXd plain = w_;
  s = s0 - h * S * spring_forces_ + Sc * P_;
  double scale = s0.cwiseAbs().maxCoeff() + v0.cwiseAbs().maxCoeff() + 1e-300;
  for (int pass = 0; pass < 50; ++pass) {
    for (int i = 0; i < ns; ++i) {
      const double v = v0[i] + options_.theta * s[i];
      F[i] = spring_force(springs_[i], d0[i] + options_.theta * h * v, v, &J[i], h);
    }
    if (!F.allFinite()) throw SimulationError(t, "the force of a spring is not a finite number");
    // F ≈ F* + J (s − s*), eliminated: s = E (s₀ − h S (F* − J s*) + S_c P), E = (1 + h S J)⁻¹.
    const MatrixXd E = (MatrixXd::Identity(ns, ns) + h * S * J.asDiagonal()).inverse();
    const VectorXd constant = F - J.cwiseProduct(s);
    const VectorXd base = E * (s0 - h * S * constant);
    const VectorXd b = unsprung - h * Sc.transpose() * (constant + J.cwiseProduct(base));
    w_ = plain - h * Sc.transpose() * (J.asDiagonal() * (E * Sc));
    w_ = (0.5 * (w_ + w_.transpose())).eval();
    solve_contacts(t, b, before_, h);
    const VectorXd next = base + E * (Sc * P_);
    const double moved = (next - s).cwiseAbs().maxCoeff();
    scale = std::max(scale, next.cwiseAbs().maxCoeff());
    s = next;
    if (moved <= 1e-12 * scale) {
      for (int i = 0; i < ns; ++i) {
        const double v = v0[i] + options_.theta * s[i];
        F[i] = spring_force(springs_[i], d0[i] + options_.theta * h * v, v, &J[i], h);
      }
      spring_forces_ = F;
      return;
    }
  }
  throw SimulationError(t,
                        "Newton's method did not find the forces of the springs; a shorter `step` may help");
}

void NewmarkMoreau::solve_contacts(double t, const VectorXd& free, const VectorXd& before, double h) {
  const int n = static_cast<int>(touches_.size());
  if (n == 0) return;
  problem_.dimension = 3;
  problem_.mu.resize(n);
  problem_.b = free;
  bool closes = false;
  for (int i = 0; i < n; ++i) {
    const RigidLaw& law = model_.structure_contacts[touches_[i].contact].law;
    problem_.mu[i] = law.friction;
    problem_.b[3 * i] -=
        least_rate(law.restitution, before[3 * i], free[3 * i], touches_[i].gap, options_.theta * h);
    for (int k = 1; k < 3; ++k) problem_.b[3 * i + k] += law.tangential_restitution * before[3 * i + k];
    closes = closes || problem_.b[3 * i] < 0;
  }
  if (!closes) {
    P_.setZero();
    return;
  }
  if (!std::holds_alternative<MatrixXd>(problem_.W)) problem_.W = MatrixXd();
  std::get<MatrixXd>(problem_.W) = w_;
  problem_.unit = std::max(before.lpNorm<Eigen::Infinity>(), problem_.b.lpNorm<Eigen::Infinity>());

  const unsigned claims = lcp::SolverRegistry::instance().find(options_.contacts.solver)->claims;
  lcp::Result result;
  if (problem_.mu.maxCoeff() == 0) {
    // Normals alone: a linear problem.
    lcp::Lcp normals;
    MatrixXd m(n, n);
    VectorXd zn(n);
    normals.q.resize(n);
    for (int i = 0; i < n; ++i) {
      for (int j = 0; j < n; ++j) m(i, j) = w_(3 * i, 3 * j);
      normals.q[i] = problem_.b[3 * i];
      zn[i] = P_[3 * i];
    }
    normals.M = std::move(m);
    normals.unit = problem_.unit;
    result = solver_->solve(normals, zn);
    P_.setZero();
    for (int i = 0; i < n; ++i) P_[3 * i] = zn[i];
  } else if ((claims & lcp::cone) && options_.contacts.facets == 0) {
    result = solver_->solve(problem_, P_);
  } else {
    lcp::Mlcp linear;
    const lcp::FrictionLayout layout =
        lcp::friction_mlcp(problem_, std::max(options_.contacts.facets, 4), linear);
    VectorXd zl;
    result = (claims & lcp::lcp_copositive ? *solver_ : *fallback_).solve(linear, zl);
    lcp::friction_impulses(problem_, layout, zl, P_);
  }
  ++statistics_.problems;
  statistics_.iterations += result.iterations;
  statistics_.most_contacts = std::max(statistics_.most_contacts, n);
  if (result.status == lcp::Status::infeasible || !P_.allFinite())
    throw SimulationError(
        t, fmt::format("the contacts contradict each other: no impulses keep all {} nodes apart ({})", n,
                       result.note.text()));
  if (result.status != lcp::Status::converged) ++statistics_.stalled;
  if (!(result.residual <= statistics_.worst_residual)) {
    statistics_.worst_residual = result.residual;
    statistics_.worst_note = std::string(result.note.text());
  }
}

}  // namespace tappet
