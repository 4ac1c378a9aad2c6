#include "tappet/structures/newmark_moreau.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include <Eigen/LU>
#include <fmt/format.h>

#include "tappet/base/diagnostics.hpp"
#include "tappet/base/expression_words.hpp"

namespace tappet {

using Eigen::MatrixXd;
using Eigen::VectorXd;

namespace {

/// What is left of a problem is how fast a held body creeps; Newton's last step is cheap.
ContactSolverOptions accurate(ContactSolverOptions options) {
  options.tolerance = std::min(options.tolerance, 1e-12);
  return options;
}

}  // namespace

NewmarkMoreau::NewmarkMoreau(const Model& model, StructureSystem& system, const MoreauOptions& options,
                             const double* bodies)
    : model_(model),
      system_(system),
      options_(options),
      contacts_(model, system),
      compliance_(system),
      solver_(accurate(options.contacts)),
      impact_(options.impact_law, options.theta),
      spring_dampers_(model, system) {
  for (auto* like_q :
       {&weight_and_loads_, &free_, &change_, &middle_, &work_, &rates_, &more_, &forces_, &guess_, &mean_})
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
          if (k >= 0 && weight != 0) compliance_.add(spring.row, k, weight);
        }
      springs_.push_back(spring);
    }
  for (int i = 0; i < spring_dampers_.count(); ++i) {
    Spring spring;
    spring.force = i;
    springs_.push_back(spring);
  }
  forces_on_bodies_ = spring_dampers_.on_bodies();
  spring_forces_.setZero(static_cast<int>(springs_.size()));
  warm_.assign(3 * static_cast<std::size_t>(contacts_.points()) + springs_.size(), 0.0);
  if (std::any_of(model.structure_contacts.begin(), model.structure_contacts.end(),
                  [](const StructureContact& c) { return holds(c.law); }))
    stuck_.assign(contacts_.points(), 0);
  if (bodies && !model.spiders.empty())
    spiders_ = std::make_unique<Spiders>(model, bodies, system, compliance_);
  if (!system.light().empty()) {
    light_loads_.points.assign(3 * static_cast<std::size_t>(contacts_.points()), 0.0);
    light_loads_.nodes.assign(system.size(), 0.0);
    light_loads_.bodies.assign(6 * model.mechanism.bodies.size(), 0.0);
    start_.assign(system.size(), 0.0);
  }
  spider_loads_.resize(model.spiders.size());
  support_impulses_.assign(system.motions(), 0.0);
}

void NewmarkMoreau::step(double t, double h, double* q, double* u, double* z, RigidPart* rigid) {
  if (h != h_) {
    system_.factor(h, options_.theta);
    compliance_.forget();
    prepared_ = false;
    h_ = h;
  }
  const int n = system_.size();
  const double theta = options_.theta;
  const bool light = !system_.light().empty();
  const double* from = u;  // velocities with which the step begins
  if (light) {
    std::copy(u, u + n, start_.begin());
    for (const auto& each : system_.light()) start_[each.unknown] = 0;
    from = start_.data();
  }

  const bool turning = system_.turns();
  if (turning) {
    system_.begin_turning(q, u, from, h, theta);
    compliance_.forget();
    std::fill(guess_.begin(), guess_.end(), 0.0);
  }

  // As the step begins; the bodies go to its middle next.
  if (spiders_) spiders_->gaps(q, rigid->q, openings_);
  elongations_.resize(static_cast<int>(springs_.size()));
  for (std::size_t s = 0; s < springs_.size(); ++s)
    elongations_[static_cast<int>(s)] =
        springs_[s].law ? compliance_.dot(springs_[s].row, q)
                        : spring_dampers_.elongation(springs_[s].force, q, rigid ? rigid->q : nullptr);
  if (light) push_by_light_loads(h, rigid);
  if (rigid)
    rigid->stepper.begin(t, h, rigid->q, rigid->u, z, rigid->workspace, light ? body_push_.data() : nullptr);
  aim_forces(h, q, from, rigid);
  // Of forces whose ends may be on rigid bodies the step knows nothing yet.
  for (int s = 0; s < spring_forces_.size(); ++s)
    spring_forces_[s] = springs_[s].law ? warm_[3 * contacts_.points() + s] : 0;
  old_forces_ = spring_forces_;

  // Without contacts: A d = h [f − C v − K (q + θ h v)], with springs as they were: near enough to see what
  // comes near. The solution pauses where contacts, springs and rigid bodies act.
  const bool loaded = system_.has_loads(), driven = !system_.driven().empty();
  const double *load = system_.weight().data(), *v = from;
  if (loaded) {
    weight_and_loads_ = system_.weight();
    system_.add_loads(stopped_ ? 0 : t + theta * h, weight_and_loads_.data());
    if (turning) system_.to_nodes(weight_and_loads_.data());
    load = weight_and_loads_.data();
  }
  if (part_ != 1) {
    if (!loaded) weight_and_loads_ = system_.weight();
    for (double& f : weight_and_loads_) f *= part_;
    load = weight_and_loads_.data();
  }
  const auto with_driven = [&] {
    for (std::size_t k = 0; k < ways_.size(); ++k) change_[system_.driven()[k].unknown] = ways_[k].change;
  };
  double left = 0;  // of Newton's method
  for (int pass = 0;; ++pass) {
    std::fill(change_.begin(), change_.end(), 0.0);
    if (driven) {
      drive(t, h, q, from);
      v = rates_.data();
    }
    if (!prepared_ && pass == 0) {
      std::fill(forces_.begin(), forces_.end(), 0.0);
      system_.add_internal_forces(1, q, theta * h, v, forces_.data());
    }
    if (turning) turn(from);
    for (int i = 0; i < n; ++i) change_[i] += h * (load[i] - forces_[i]);
    if (light) balance_light(h, v);
    for (std::size_t s = 0; s < springs_.size(); ++s)
      compliance_.push(springs_[s].row, -h * spring_forces_[static_cast<int>(s)], change_.data());
    system_.begin(change_.data());
    system_.peek(change_.data());
    with_driven();

    // What is closed in the middle of the step, and its impulses.
    for (int i : system_.watched()) middle_[i] = q[i] + (1 - theta) * h * v[i];
    for (const auto& d : system_.driven()) middle_[d.unknown] = q[d.unknown] + (1 - theta) * h * v[d.unknown];
    find_contacts(t, h, middle_.data(), from, rigid, pass > 0);
    gather_rows(h, u, from, rigid);
    recall_sticking(t, rigid);
    if (!turning && rigid && !together_) rigid->stepper.collide(t, h, rigid->u, rigid->workspace);
    if (!springs_.empty() || !places_.empty() || spiders_) {
      solve_springs_and_contacts(t, h);
      if (push_structures(h)) system_.add(more_.data());
    }
    system_.finish(change_.data());
    with_driven();
    if (!turning || turned(t, from, pass, left)) break;
    old_forces_ = spring_forces_;
  }
  if (rigid) {
    if (turning && !together_) rigid->stepper.collide(t, h, rigid->u, rigid->workspace);
    if (together_) push_bodies(*rigid);
    rigid->stepper.finish(t, h, rigid->q, rigid->u, z, rigid->workspace);
  }

  // The ledger, at the velocity with which the step moves.
  for (int i = 0; i < n; ++i) free_[i] = from[i] + theta * change_[i];
  for (std::size_t k = 0; k < ways_.size(); ++k) free_[system_.driven()[k].unknown] = ways_[k].velocity;
  if (loaded) {
    double work = 0;
    for (int i = 0; i < n; ++i) work += (load[i] - system_.weight()[i]) * free_[i];
    z[ledger_input] += h * work;
  }
  for (std::size_t s = 0; s < springs_.size(); ++s) {
    const double v = spring_rates_[static_cast<int>(s)], pull = spring_forces_[static_cast<int>(s)];
    if (springs_[s].law)
      z[ledger_damping] += h * pull * compliance_.dot(springs_[s].row, free_.data());
    else if (const StructureForce& law = spring_dampers_.law(springs_[s].force); law.by_expression)
      z[ledger_input] -= h * pull * v;
    else
      z[ledger_damping] += h * law.damping * v * v;
  }
  if (driven) z[ledger_input] += work_of_supports(h, load, q, from);

  for (int i = 0; i < n; ++i) {
    q[i] += h * free_[i];
    u[i] = from[i] + change_[i];
  }
  if (turning) {
    system_.turn_nodes(free_.data(), q);
    z[ledger_damping] += system_.turning_loss();
  }
  for (const auto& each : system_.light()) u[each.unknown] = free_[each.unknown];
  note_impulses(u, rigid, z);
  if (light) settle_light(h, u, rigid, z);
  // What damping took; in the same reading of K, the forces with which the next step begins.
  prepared_ = system_.damped() && !driven && !light && !turning;
  if (prepared_) {
    std::fill(forces_.begin(), forces_.end(), 0.0);
    z[ledger_damping] +=
        h * system_.add_internal_forces_and_power(1, q, theta * h, u, forces_.data(), free_.data());
  } else if (system_.damped()) {
    z[ledger_damping] += h * system_.damping_power(free_.data());
  }
  for (std::size_t k = 0; k < ways_.size(); ++k) q[system_.driven()[k].unknown] = ways_[k].end;
  for (int s = 0; s < spring_forces_.size(); ++s) warm_[3 * contacts_.points() + s] = spring_forces_[s];
}

// Forces of elements that turn, if velocities change by the guess.
void NewmarkMoreau::turn(const double* from) {
  for (std::size_t k = 0; k < ways_.size(); ++k) guess_[system_.driven()[k].unknown] = ways_[k].change;
  for (int i = 0; i < system_.size(); ++i) mean_[i] = from[i] + options_.theta * guess_[i];
  for (std::size_t k = 0; k < ways_.size(); ++k) mean_[system_.driven()[k].unknown] = ways_[k].velocity;
  system_.turning_forces(mean_.data(), guess_.data(), forces_.data());
}

// Whether the change of velocities is the guess; else it is the next one. Where the guess does not come nearer any more, rounding is all
// that is left; where it does not come near, the matrix is made again. `left`: how far the last guess was off.
bool NewmarkMoreau::turned(double t, const double* from, int pass, double& left) {
  constexpr double small = 1e-13, rounding = 1e-10;
  constexpr int patience = 8, most = 80;
  for (int i = 0; i < system_.size(); ++i) work_[i] = change_[i] - guess_[i];
  const double off = system_.turning_size(work_.data()),
               size = system_.turning_size(from) + system_.turning_size(change_.data());
  const bool stays = pass > 2 && off > 0.9 * left && off <= rounding * size;
  left = off;
  if (off <= small * size || stays) return true;
  if (!std::isfinite(off) || pass == most)
    throw SimulationError(t,
                          "Newton's method did not find where a structure with `large_rotations` turns; a "
                          "shorter `step` may help");
  guess_ = change_;
  if (pass % patience == patience - 1) {
    for (int i = 0; i < system_.size(); ++i) mean_[i] = from[i] + options_.theta * guess_[i];
    system_.aim_turning(mean_.data());
    compliance_.forget();
  }
  return false;
}

// All impulses on the structures, beyond those of the springs as they were, into more_; false: there are
// none.
bool NewmarkMoreau::push_structures(double h) {
  bool any = !springs_.empty() || spiders_;
  compliance_.clear(more_.data());
  for (std::size_t r = 0; r < rows_.size(); ++r) {
    const double p = P_[static_cast<int>(r)];
    if (p != 0) compliance_.push(rows_[r], p, more_.data()), any = true;
  }
  for (std::size_t s = 0; s < springs_.size(); ++s) {
    const int i = static_cast<int>(s);
    compliance_.push(springs_[s].row, -h * (spring_forces_[i] - old_forces_[i]), more_.data());
  }
  if (spiders_)
    for (int g = 0; g < spiders_->rows(); ++g)
      compliance_.push(spiders_->row(g), spider_impulses_[g], more_.data());
  return any;
}

// All impulses on the rigid bodies: those of their own contacts by the contacts themselves, the others as
// they are.
void NewmarkMoreau::push_bodies(RigidPart& rigid) {
  const int touched = 3 * static_cast<int>(touches_.size()), rows = static_cast<int>(rows_.size());
  others_.resize(body_rows_.rows());
  Eigen::Map<VectorXd> others(others_.data(), body_rows_.rows());
  others = body_rows_.leftCols(touched) * P_.head(touched);
  if (forces_on_bodies_) others -= h_ * spring_bodies_ * spring_forces_;
  if (spiders_) {
    others += body_rows_.rightCols(spiders_->rows()) * spider_impulses_;
    for (int s = 0; s < static_cast<int>(spider_loads_.size()); ++s) {
      const auto [first, count] = spiders_->rows_of(s);
      const int body = model_.spiders[s].body;
      const auto rows_of_body = body_rows_.middleRows(6 * body, 6).middleCols(rows + first, count);
      const Eigen::Matrix<double, 6, 1> load = rows_of_body * spider_impulses_.segment(first, count);
      spider_loads_[s] = {load.head<3>(), rigid.workspace.k.spatial[body].R * load.tail<3>()};
    }
  }
  std::vector<char> sticks;
  for (std::size_t i = touches_.size(); i < places_.size() && places_[i].couple_of < 0; ++i)
    sticks.push_back(impact_.sticks(static_cast<int>(i)));
  rigid.stepper.take(P_.tail(rows - touched), std::move(sticks), others_.data(), rigid.u, rigid.workspace);
}

// What contacts of nodes did; q, u and the rigid bodies are those of the end.
void NewmarkMoreau::note_impulses(const double* u, const RigidPart* rigid, double* z) {
  const double theta = options_.theta;
  impulses_.clear();
  std::fill(stuck_.begin(), stuck_.end(), 0);
  for (int i = 0; i < static_cast<int>(touches_.size()); ++i) {
    const NodeTouch& touch = touches_[i];
    const int point = contacts_.point(touch.contact, touch.number);
    Eigen::Map<Vec3>(warm_.data() + 3 * point) = P_.segment<3>(3 * i);
    if (!stuck_.empty()) stuck_[point] = impact_.sticks(i);
    if (P_.segment<3>(3 * i).isZero(0)) continue;
    NodeImpulse out;
    out.contact = touch.contact, out.number = touch.number, out.gap = touch.gap;
    out.touch = i;
    out.normal = P_[3 * i];
    out.tangential = std::hypot(P_[3 * i + 1], P_[3 * i + 2]);
    out.impulse = touch.axes() * P_.segment<3>(3 * i);
    // Rates of the unknowns as they really came out; before and after relative to a ground that moves.
    Vec3 after;
    for (int k = 0; k < 3; ++k) {
      after[k] = compliance_.dot(rows_[3 * i + k], u) - (k == 0 ? touch.lift_after : 0);
      if (touch.body >= 0)
        after[k] += body_rows_.col(3 * i + k).dot(Eigen::Map<const VectorXd>(rigid->u, body_rows_.rows()));
    }
    out.rate_before = before_[3 * i], out.rate_after = after[0];
    out.slip = std::hypot(after[1], after[2]);
    if (places_[i].light) {  // settle_light() says what it did
      out.impulse /= theta, out.normal /= theta;
      impulses_.push_back(out);
      continue;
    }
    const Vec3 mean = (1 - theta) * before_.segment<3>(3 * i) + theta * after;
    const ImpactLoss loss = impact_loss(3, P_.data() + 3 * i, mean.data());
    out.normal_loss = loss.normal, out.friction_loss = loss.friction;
    z[ledger_normal] += out.normal_loss;
    z[ledger_friction] += out.friction_loss;
    // A ground that moves does work.
    z[ledger_input] += P_[3 * i] * ((1 - theta) * touch.lift_before + theta * touch.lift_after);
    impulses_.push_back(out);
  }
}

// Rows of forces at the middle of the step; rates of all springs as it begins.
void NewmarkMoreau::aim_forces(double h, const double* q, const double* u, const RigidPart* rigid) {
  const int ns = static_cast<int>(springs_.size()), nu = rigid ? model_.mechanism.u_size() : 0;
  spring_starts_.resize(ns), spring_rates_.setZero(ns);
  spring_bodies_.setZero(nu, ns), spring_changes_.setZero(nu, ns);
  if (spring_dampers_.count() > 0) {
    for (int i : system_.watched()) middle_[i] = q[i] + 0.5 * h * u[i];
    for (const auto& d : system_.driven()) middle_[d.unknown] = q[d.unknown] + 0.5 * h * u[d.unknown];
  }
  VectorXd held, reactions;
  for (int s = 0; s < ns; ++s) {
    Spring& spring = springs_[s];
    if (spring.law) {
      spring_starts_[s] = compliance_.dot(spring.row, u);
      continue;
    }
    spring_dampers_.aim(spring.force, middle_.data(), rigid ? &rigid->workspace.k : nullptr, compliance_,
                        spring.row, spring_bodies_.col(s));
    spring_starts_[s] = compliance_.dot(spring.row, u);
    if (!rigid) continue;
    spring_starts_[s] += spring_bodies_.col(s).dot(Eigen::Map<const VectorXd>(rigid->u, nu));
    ConstraintSystem& joints = rigid->workspace.constraints;
    held.setZero(joints.rows()), reactions.resize(joints.rows());
    joints.solve(spring_bodies_.col(s).data(), held.data(), spring_changes_.col(s).data(), reactions.data());
  }
}

// Where driven unknowns go in this step: their mean velocities into rates_, and −M Δq̇_p onto
// change_.
void NewmarkMoreau::drive(double t, double h, const double* q, const double* u) {
  std::copy(u, u + system_.size(), rates_.begin());
  ways_.resize(system_.driven().size());
  std::fill(work_.begin(), work_.end(), 0.0);
  for (std::size_t k = 0; k < ways_.size(); ++k) {
    const auto& [unknown, motion, number] = system_.driven()[k];
    const Jet end = motion->at(stopped_ ? 0 : t + h);
    const double to = stopped_ ? part_ * end.value : end.value;
    ways_[k] = {to, (to - q[unknown]) / h, (stopped_ ? 0 : end.d1) - u[unknown]};
    rates_[unknown] = ways_[k].velocity;
    work_[unknown] = ways_[k].change;
  }
  system_.add_mass(-1, work_.data(), change_.data());
}

// Called before q and u become those of the end.
double NewmarkMoreau::work_of_supports(double h, const double* load, const double* q, const double* u) {
  const double theta = options_.theta;
  const int n = system_.size();
  // Springs, dampers, weight and loads at the supports: h (K q̄ + C v̄ − f).
  for (int i = 0; i < n; ++i) middle_[i] = q[i] + theta * h * free_[i];
  std::fill(rates_.begin(), rates_.end(), 0.0);
  system_.add_stiffness(h, middle_.data(), rates_.data());
  system_.add_damping(h, free_.data(), rates_.data());
  if (system_.turns()) {
    std::fill(work_.begin(), work_.end(), 0.0);
    system_.turning_loads(free_.data(), change_.data(), work_.data());
    for (int i = 0; i < n; ++i) rates_[i] += h * work_[i];
  }
  for (int i = 0; i < n; ++i) rates_[i] -= h * load[i];
  for (std::size_t s = 0; s < springs_.size(); ++s)
    compliance_.push(springs_[s].row, h * spring_forces_[static_cast<int>(s)], rates_.data());
  // Inertia and contacts.
  std::fill(middle_.begin(), middle_.end(), 0.0);
  system_.add_mass(1, change_.data(), middle_.data());
  for (std::size_t r = 0; r < rows_.size(); ++r)
    compliance_.push(rows_[r], -P_[static_cast<int>(r)], middle_.data());
  if (spiders_)
    for (int g = 0; g < spiders_->rows(); ++g)
      compliance_.push(spiders_->row(g), -spider_impulses_[g], middle_.data());
  double work = 0;
  std::fill(support_impulses_.begin(), support_impulses_.end(), 0.0);
  for (const auto& [k, motion, number] : system_.driven()) {
    work += rates_[k] * free_[k] + middle_[k] * (u[k] + theta * change_[k]);
    support_impulses_[number] += rates_[k] + middle_[k];
  }
  return work;
}

std::vector<double> NewmarkMoreau::node_impulses(int structure) const {
  std::vector<double> out(3 * system_.body(structure).structure.mesh.nodes.size(), 0.0);
  for (const NodeImpulse& p : impulses_) touches_[p.touch].share(structure, p.impulse, out);
  return out;
}

double NewmarkMoreau::spring_force(const Spring& s, double t, double d, double v, double* tangent,
                                   double h) const {
  if (!s.law) {
    const StructureForce& law = spring_dampers_.law(s.force);
    double by_x = law.stiffness, by_v = law.damping, pull = by_x * d + by_v * v;
    if (law.by_expression) {
      const double step = 1e-6 * (1 + std::abs(v)), now[3] = {d, v, t}, other[3] = {d, v + step, t};
      const Jet at = law.force.jet(now, system_.inputs);
      by_x = at.d1, by_v = (law.force(other, system_.inputs) - at.value) / step, pull = at.value;
      if (!std::isfinite(pull))
        throw SimulationError(
            t, fmt::format("force '{}': {}", law.name, in_words(law.force, {"x", "v", "t"}, now)));
    }
    *tangent = options_.theta * (by_v + options_.theta * h * by_x);
    return pull;
  }
  const double values[2] = {d, v};
  const Jet at = s.law->force.jet(values, system_.inputs);
  if (!std::isfinite(at.value))
    throw SimulationError(
        t, fmt::format("spring '{}': {}", s.law->name, in_words(s.law->force, {"d", "v"}, values)));
  // The derivative by the rate, by differences: it only steers Newton's method.
  const double step = 1e-6 * (1 + std::abs(v)), other[2] = {d, v + step};
  const double by_rate = (s.law->force(other, system_.inputs) - at.value) / step;
  // v_θ changes with u_E by θ, d_θ by θ² h.
  *tangent = options_.theta * (by_rate + options_.theta * h * at.d1);
  return at.value;
}

void NewmarkMoreau::solve_springs_and_contacts(double t, double h) {
  const int ns = static_cast<int>(springs_.size()), nr = static_cast<int>(rows_.size());
  if (ns == 0 && !spiders_ && !together_) {
    make_matrix();
    solve_contacts(t, unhindered_, h);
    return;
  }
  eliminate_spiders(t);
  problem_.matrix = 0;
  made_rows_.clear();
  w() = all_.block(ns, ns, nr, nr);
  const VectorXd free = all_free_.tail(nr);
  if (ns == 0) {
    solve_contacts(t, free, h);
    if (spiders_) spider_impulses_ = -spider_factor_.solve(spider_free_) - spider_response_ * P_;
    return;
  }

  // s = Wᵀ (u_E − u_A) of the springs: s = s₀ − h S F(s) + S_c P.
  const MatrixXd S = all_.topLeftCorner(ns, ns), Sc = all_.block(0, ns, ns, nr);
  VectorXd s0 = all_free_.head(ns), s(ns), F(ns), J(ns);
  const VectorXd &d0 = elongations_, &v0 = spring_starts_;
  const double now = stopped_ ? 0 : t + options_.theta * h;
  // Without any springs at all.
  s0 += h * S * spring_forces_;
  const VectorXd unsprung = free + h * Sc.transpose() * spring_forces_;
  const MatrixXd plain = w();
  s = s0 - h * S * spring_forces_ + Sc * P_;
  double scale = s0.cwiseAbs().maxCoeff() + v0.cwiseAbs().maxCoeff() + 1e-300;
  for (int pass = 0; pass < 50; ++pass) {
    for (int i = 0; i < ns; ++i) {
      const double v = v0[i] + options_.theta * s[i];
      F[i] = spring_force(springs_[i], now, d0[i] + options_.theta * h * v, v, &J[i], h);
    }
    if (!F.allFinite()) throw SimulationError(t, "the force of a spring is not a finite number");
    // F ≈ F* + J (s − s*), eliminated: s = E (s₀ − h S (F* − J s*) + S_c P), E = (1 + h S J)⁻¹.
    const MatrixXd E = (MatrixXd::Identity(ns, ns) + h * S * J.asDiagonal()).inverse();
    const VectorXd constant = F - J.cwiseProduct(s);
    const VectorXd base = E * (s0 - h * S * constant);
    const VectorXd b = unsprung - h * Sc.transpose() * (constant + J.cwiseProduct(base));
    w() = plain - h * Sc.transpose() * (J.asDiagonal() * (E * Sc));
    w() = (0.5 * (w() + w().transpose())).eval();
    solve_contacts(t, b, h);
    const VectorXd next = base + E * (Sc * P_);
    const double moved = (next - s).cwiseAbs().maxCoeff();
    scale = std::max(scale, next.cwiseAbs().maxCoeff());
    s = next;
    if (moved <= 1e-12 * scale) {
      for (int i = 0; i < ns; ++i) {
        const double v = v0[i] + options_.theta * s[i];
        spring_rates_[i] = v;
        F[i] = spring_force(springs_[i], now, d0[i] + options_.theta * h * v, v, &J[i], h);
      }
      spring_forces_ = F;
      if (spiders_) {
        VectorXd impulses(ns + nr);
        impulses << -h * (F - old_forces_), P_;
        spider_impulses_ = -spider_factor_.solve(spider_free_) - spider_response_ * impulses;
      }
      return;
    }
  }
  throw SimulationError(t,
                        "Newton's method did not find the forces of the springs; a shorter `step` may help");
}

}  // namespace tappet
