// Method kinematic: joints and motions say all, and what it takes to move so is asked of the forces.
//
//   Φ(q, t) = 0, J u = −Φ_t, J u̇ = γ                 positions, velocities and accelerations, none of which is integrated
//   Jᵀ λ = M u̇ − h(q, u, t)                           inverse dynamics: reactions, and what motions must exert
//   ż = f(z, q, u, t)                                 coordinates of prescribed rates, energies: Runge and Kutta's method, order 4
//
// The mechanism has no degree of freedom. A step goes to the next sample, or less far where a prescribed rate or the way to the next
// position asks for it: positions are found by Newton's method from where the last velocities and accelerations lead, which
// must be near, so that a mechanism does not change over to another way of being assembled. A step by z is compared with two halves.
//
// Contacts load by their laws at each instant and remember nothing: no speed of impact, and friction is that of the sliding there is.
#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "tappet/base/diagnostics.hpp"
#include "tappet/equilibrium/dense_matrices.hpp"
#include "tappet/equilibrium/independent.hpp"
#include "tappet/methods/method.hpp"
#include "tappet/multibody/passing_contacts.hpp"

namespace tappet {
namespace kinematic {
namespace {

// Steps that Newton's method corrects by more than this part of the mechanism's length, or rad, are taken in smaller ones.
constexpr double near = 0.02;
// Below this part of the run no step helps.
constexpr double shortest = 1e-12;

struct KinematicMemory {
  static constexpr const char* kind = "kinematic";
  bool operator==(const KinematicMemory&) const = default;
};
void fields(FieldVisitor&, KinematicMemory&) {}

struct KinematicWorkspace final : Workspace {
  explicit KinematicWorkspace(const Model& model) : Workspace(model) {}
  struct End {
    double t = 0;
    std::vector<double> y, rates;  ///< of q, u and z
  };
  End from, to;        // of the last step
  double attempt = 0;  // step to try; 0: to the next sample
  std::vector<double> rates, y, scale;
  Counters counters;  // undo()
};

class KinematicMethod final : public Method {
 public:
  explicit KinematicMethod(const Model& model) : mechanism_(model.mechanism) {}

  std::string integrator() const override { return "none"; }

  std::unique_ptr<Workspace> make_workspace(const Model& model) const override {
    return std::make_unique<KinematicWorkspace>(model);
  }

  void prepare(const Model& model, State& state, Workspace& base) const override {
    auto& w = static_cast<KinematicWorkspace&>(base);
    state.method.as<KinematicMemory>();
    refuse_freedom(model, w, state);
    arrive(model, state, w);
  }
  void begin(const Model& model, State& state, Workspace& base) const override {
    auto& w = static_cast<KinematicWorkspace&>(base);
    evaluate_at(w, state.t, state.y.data());
    double held = 0;
    for (const PassingContacts* passing : w.system.passing())
      for (const ContactSum& sum : passing->sums()) held += sum.stored;
    Counters& c = state.counters;
    c.energy_start += held, c.energy_low += held, c.energy_high += held;
    arrive(model, state, w);
  }
  void adopt(const Model& model, const State& state, Workspace& base) const override {
    auto& w = static_cast<KinematicWorkspace&>(base);
    (void)state.method.get<KinematicMemory>();
    w.system.set_inputs(state.inputs);
    w.system.adopt_off(state.off);
    w.system.constraint_violation = state.counters.constraint_violation;
    w.attempt = 0;
    State copy = state;
    arrive(model, copy, w);
    w.finished.rows.clear();
  }
  void collect(const Model&, const Workspace& base, State& state) const override {
    state.contacts = base.system.contact_states();
  }

  StepReport step(const Model& model, State& state, Workspace& base, double until) const override {
    auto& w = static_cast<KinematicWorkspace&>(base);
    const double t = state.t;
    w.from = {t, state.y, w.to.t == t && w.to.y == state.y ? w.to.rates : rates_at(w, t, state.y)};
    w.counters = state.counters;
    const double sample = next_sample(model, t, until);
    double h = sample - t;
    if (w.attempt > 0 && w.attempt < h) h = w.attempt;
    if (model.settings.max_step > 0) h = std::min(h, model.settings.max_step);
    bool shortened = false;
    std::vector<double> whole, half;
    for (;; h /= 2, shortened = true) {
      if (h < shortest * model.settings.duration) throw SimulationError(t, why_it_ends(w));
      if (!advance(w, t, w.from.y, w.from.rates, h, whole)) {
        ++state.counters.rejected;
        continue;
      }
      if (!advance(w, t, w.from.y, w.from.rates, h / 2, half)) continue;
      const std::vector<double> at_half = half, rates = rates_at(w, t + h / 2, at_half);
      if (!advance(w, t + h / 2, at_half, rates, h / 2, half)) continue;
      if (error(w, t + h, whole, half) <= model.settings.tolerance) break;
      ++state.counters.rejected;
    }
    const double to = t + h > sample - same_instant * h ? sample : t + h;
    state.y = half;
    state.t = to;
    w.attempt = shortened ? h : 2 * h;
    ++state.counters.steps;
    arrive(model, state, w);
    state.counters.constraint_violation = std::max(state.counters.constraint_violation, violation(w));
    return {t, to, false};
  }
  void settle(const Model&, State& state, Workspace& base) const override {
    state.contacts = base.system.contact_states();
  }
  void undo(const Model& model, State& state, Workspace& base) const override {
    auto& w = static_cast<KinematicWorkspace&>(base);
    if (w.from.y.empty()) return;
    state.t = w.from.t, state.y = w.from.y, state.counters = w.counters;
    adopt(model, state, base);
  }
  void disturbed(const Model& model, State& state, Workspace& base) const override {
    auto& w = static_cast<KinematicWorkspace&>(base);
    w.system.jump(state.inputs, state.t, state.y.data());
    arrive(model, state, w);
  }
  void switched(const Model& model, State& state, Workspace& base) const override {
    auto& w = static_cast<KinematicWorkspace&>(base);
    w.system.set_off(state.off, state.t, state.y.data());
    w.system.jump(state.inputs, state.t, state.y.data());
    refuse_freedom(model, w, state);
    arrive(model, state, w);
  }

  // Between the ends of a step z is the cubic through both, and everything else follows.
  void interpolate(const Model& model, const State&, Workspace& base, double t, double* y) const override {
    auto& w = static_cast<KinematicWorkspace&>(base);
    const Mechanism& m = model.mechanism;
    const auto &a = w.from, &b = w.to;
    if (t == b.t || a.y.empty()) return void(std::copy(b.y.begin(), b.y.end(), y));
    const auto& nearest = t - a.t < b.t - t ? a : b;
    std::vector<double> out = nearest.y;
    follow(w, nearest.y, nearest.rates, t - nearest.t, out);
    const double h = b.t - a.t, s = (t - a.t) / h;
    const int first = m.q_size() + m.u_size();
    for (int i = first; i < first + m.aux_size; ++i)
      out[i] = (1 + 2 * s) * (1 - s) * (1 - s) * a.y[i] + s * s * (3 - 2 * s) * b.y[i] +
               h * s * (1 - s) * ((1 - s) * a.rates[i] - s * b.rates[i]);
    place(w, t, out);
    std::copy(out.begin(), out.end(), y);
  }

  const DynamicsWorkspace& evaluate(const Model&, const State&, Workspace& base, double t, const double* y,
                                    bool) const override {
    auto& w = static_cast<KinematicWorkspace&>(base);
    evaluate_at(w, t, y);
    return w.system.workspace();
  }

  void report(const Model&, const State&, const Workspace&, std::vector<std::string>& notes,
              std::vector<std::string>&) const override {
    notes.push_back("method kinematic: motions say where everything is; forces are those that it takes");
  }

 private:
  /// Positions and velocities of the constraints at z, nearest to y. False: none are near.
  bool place(KinematicWorkspace& w, double t, std::vector<double>& y) const {
    DynamicsWorkspace& d = w.system.workspace();
    double *q = y.data(), *u = q + mechanism_.q_size(), *z = u + mechanism_.u_size();
    const std::vector<double> guess(q, u);
    const double goal = 1e-14 * std::max(mechanism_.length, largest(guess));
    const Projection found = project_positions(mechanism_, t, q, u, z, goal, d);
    if (!(found.remaining <= 1e-9 * std::max(1.0, mechanism_.length))) return false;
    for (std::size_t i = 0; i < guess.size(); ++i)
      if (!(std::abs(q[i] - guess[i]) <= near * std::max(mechanism_.length, 1.0))) return false;
    double fastest = 1e-9;
    for (double rate : d.constraints.phi_t()) fastest = std::max(fastest, std::abs(rate));
    project_velocities(mechanism_, u, 1e-15 * fastest, false, d);
    return true;
  }
  static double largest(const std::vector<double>& v) {
    double out = 0;
    for (double x : v) out = std::max(out, std::abs(x));
    return out;
  }

  /// y after a time, by velocities and accelerations.
  void follow(KinematicWorkspace&, const std::vector<double>& y, const std::vector<double>& rates, double h,
              std::vector<double>& out) const {
    const int nq = mechanism_.q_size(), nu = mechanism_.u_size();
    out = y;
    std::vector<double> d(nu);
    for (int i = 0; i < nu; ++i) d[i] = h * (y[nq + i] + 0.5 * h * rates[nq + i]);
    displace(mechanism_, out.data(), d.data());
    for (int i = 0; i < nu; ++i) out[nq + i] += h * rates[nq + i];
  }

  /// Forces and accelerations, with contacts as their places and speeds there say.
  void evaluate_at(KinematicWorkspace& w, double t, const double* y) const {
    const Kinematics& k = w.system.frames(t, y);
    std::vector<ContactState>& states = w.system.contact_states();
    for (const auto& contact : mechanism_.contacts) {
      ContactState& state = states[contact->index];
      state = {};
      const Touch touch = contact->touch(k);
      state.touching = touch.gap < 0;
      if (!state.touching || !contact->friction_law) continue;
      const double speed = touch.slip.norm();
      if (contact->friction_law->traits().kind == FrictionKind::regularised) {
        state.branch = contact->friction_law->branch_of(speed);
        if (state.branch > 0) state.direction = touch.slip / speed;
        continue;
      }
      const Tangential v = contact->tangents(k, touch).components(touch.slip);
      state.stick.armed = true;
      if (speed > 0) state.stick.direction = {v[0] / speed, v[1] / speed};
    }
    for (PassingContacts* passing : w.system.passing()) {
      passing->restore({}, 0);
      passing->look_around(k, 0);
      passing->start(t, k);
    }
    w.system.evaluate(t, y);
  }
  std::vector<double> rates_at(KinematicWorkspace& w, double t, const std::vector<double>& y) const {
    evaluate_at(w, t, y.data());
    const DynamicsWorkspace& d = w.system.workspace();
    const int nq = mechanism_.q_size(), nu = mechanism_.u_size();
    std::vector<double> out(y.size(), 0.0);
    position_rates(mechanism_, y.data(), y.data() + nq, out.data());
    std::copy(d.a.begin(), d.a.end(), out.begin() + nq);
    auxiliary_rates(mechanism_, d, y.data(), out.data() + nq + nu);
    return out;
  }

  /// One step of order 4 in z, positions and velocities after it.
  bool advance(KinematicWorkspace& w, double t, const std::vector<double>& y,
               const std::vector<double>& rates, double h, std::vector<double>& out) const {
    const int first = mechanism_.q_size() + mechanism_.u_size(), n = mechanism_.aux_size;
    std::vector<double> sum(n, 0.0), k(rates.begin() + first, rates.begin() + first + n), stage;
    for (int i = 0; i < n; ++i) sum[i] += k[i] / 6;
    for (int s = 1; s < 4; ++s) {
      const double part = s == 3 ? 1 : 0.5;
      follow(w, y, rates, part * h, stage);
      for (int i = 0; i < n; ++i) stage[first + i] = y[first + i] + part * h * k[i];
      if (!place(w, t + part * h, stage)) return false;
      const std::vector<double> there = rates_at(w, t + part * h, stage);
      std::copy_n(there.begin() + first, n, k.begin());
      for (int i = 0; i < n; ++i) sum[i] += k[i] * (s == 3 ? 1.0 / 6 : 1.0 / 3);
    }
    out = stage;
    for (int i = 0; i < n; ++i) out[first + i] = y[first + i] + h * sum[i];
    return place(w, t + h, out);
  }
  double error(KinematicWorkspace& w, double t, const std::vector<double>& whole,
               const std::vector<double>& half) const {
    const int first = mechanism_.q_size() + mechanism_.u_size();
    w.scale.resize(whole.size());
    w.system.error_scale(t, half.data(), w.scale.data());
    constexpr double order_4 = 15;  // 2⁴ − 1
    double out = 0;
    for (int i = first; i < first + mechanism_.aux_size; ++i)
      out = std::max(out, std::abs(whole[i] - half[i]) / (order_4 * w.scale[i]));
    return out;
  }

  static double next_sample(const Model& model, double t, double until) {
    const double h = model.settings.step > 0 ? model.settings.step : model.settings.output_step;
    const double next = h * (std::floor(t / h + same_instant) + 1);
    return next > until - same_instant * h ? until : next;
  }

  /// The workspace goes with the state.
  void arrive(const Model&, State& state, KinematicWorkspace& w) const {
    w.to = {state.t, state.y, rates_at(w, state.t, state.y)};
    state.contacts = w.system.contact_states();
    ++state.counters.evaluations;
  }
  static double violation(const KinematicWorkspace& w) {
    double out = 0;
    for (double phi : w.system.workspace().constraints.phi()) out = std::max(out, std::abs(phi));
    return out;
  }
  static std::string why_it_ends(KinematicWorkspace& w) {
    const ConstraintSystem& constraints = w.system.workspace().constraints;
    int worst = 0;
    for (int r = 0; r < constraints.rows(); ++r)
      if (std::abs(constraints.phi()[r]) > std::abs(constraints.phi()[worst])) worst = r;
    return fmt::format(
        "motions and joints have no position near by: '{}' cannot be closed any further, or the mechanism "
        "is at a singular position",
        constraints.constraint_of_row(worst).name);
  }

  void refuse_freedom(const Model& model, KinematicWorkspace& w, const State& state) const {
    const DynamicsWorkspace& d = w.system.evaluate(state.t, state.y.data());
    const Independent free =
        independent_velocities(dense_jacobian(mechanism_, d.constraints), dense_mass(mechanism_, d.k));
    if (free.count() == 0) return;
    Eigen::Index most = 0;
    free.N.rowwise().norm().maxCoeff(&most);
    const int width = velocity_size(mechanism_.dimension), rigid = width * mechanism_.body_count();
    const std::string name = most < rigid ? mechanism_.bodies[most / width].name : "a flexible body's shape";
    throw InputError(
        {{Severity::error, model.pos,
          fmt::format(
              "method kinematic needs motions that say where everything is: {} of freedom {} left, by "
              "which '{}' can move; drive it by a motion, or take another method",
              free.count() == 1 ? "one degree" : fmt::format("{} degrees", free.count()),
              free.count() == 1 ? "is" : "are", name)}});
  }

  const Mechanism& mechanism_;
};

std::unique_ptr<Method> make(const Model& model) {
  const auto refuse = [](const SourcePos& pos, std::string why) {
    throw InputError({{Severity::error, pos, std::move(why)}});
  };
  if (!model.structures.empty())
    refuse(model.pos,
           "method kinematic moves what joints and motions move; structures have a motion of their own");
  if (model.settings.integrator != "auto")
    refuse(model.settings.integrator_pos,
           fmt::format("method kinematic integrates no motion: `integrator: {}` has no meaning with it",
                       model.settings.integrator));
  for (const auto& contact : model.mechanism.contacts)
    if (contact->friction_law && contact->friction_law->traits().kind == FrictionKind::bristle)
      refuse(
          model.pos,
          fmt::format(
              "the friction law of '{}' remembers a deflection, which method kinematic does not; take one of "
              "the sliding velocity",
              contact->name));
  return std::make_unique<KinematicMethod>(model);
}

const Registration<MethodType> registered{{
    .name = "kinematic",
    .help = "no degree of freedom: motions say where everything is, and reactions and drives what that takes",
    .treatment = ContactTreatment::forces,
    .prescribed = true,
    .make = make,
}};

}  // namespace
}  // namespace kinematic
}  // namespace tappet
