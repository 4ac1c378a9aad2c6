#include "tappet/structures/structure_motion.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include <fmt/format.h>

#include "tappet/base/diagnostics.hpp"

namespace tappet {

StructureMotion::StructureMotion(const Model& model)
    : model_(model), system_(model), nodes_(model, system_), spring_dampers_(model, system_) {
  const int n = system_.size();
  for (auto* like_q : {&q_, &u_, &forces_, &push_, &drive_}) like_q->assign(n, 0.0);
  support_forces_.assign(system_.motions(), 0.0);
  try {
    system_.factor(0, 1);
  } catch (const SimulationError&) {
    throw InputError({{Severity::error, model.structures[0]->pos,
                       "method smooth needs mass in every unknown of a structure, and some have none "
                       "(nodes of springs alone, or rotations about a shell's normal); use method moreau"}});
  }

  // An error of a rotation moves the next node; modes are scaled by their share of the kinetic energy.
  const double edge = nodes_.field().contacts().edge();
  scale_.assign(n, 0.0);
  for (int s = 0; s < system_.count(); ++s) {
    const fem::Structure& structure = system_.body(s).structure;
    length_ = std::max(length_, fem::extent(structure.mesh));
    for (int node = 0; node < static_cast<int>(structure.mesh.nodes.size()); ++node)
      for (int d = 0; d < structure.node_unknowns[node]; ++d)
        if (const int at = system_.unknown(s, node, d); at >= 0) scale_[at] = d < 3 ? 1 : 1 / edge;
  }
  double mass = 0;
  for (int s = 0; s < system_.count(); ++s) mass += system_.body(s).mass;
  for (int i = 0; i < n; ++i)
    if (scale_[i] == 0) scale_[i] = std::sqrt(mass / system_.mass_at(i));
}

// All forces but that of inertia; those of contacts and springs on the bodies.
void StructureMotion::apply(const Kinematics& k, ForceSum& sum) {
  const int n = system_.size();
  std::copy(k.elastic_q, k.elastic_q + n, q_.begin());
  std::copy(k.elastic_u, k.elastic_u + n, u_.begin());
  for (const auto& [unknown, motion, number] : system_.driven()) {
    const Jet at = motion->at(k.t);
    q_[unknown] = at.value, u_[unknown] = at.d1;
  }
  const bool driven = !system_.driven().empty();
  if (driven) {
    held_ = k;
    held_.elastic_q = q_.data(), held_.elastic_u = u_.data();
  }
  const Kinematics& now = driven ? held_ : k;

  system_.inputs = k.inputs;
  nodes_.field().clear();
  if (contacts()) nodes_.apply(now, sum);
  forces_ = nodes_.field().forces();
  if (system_.has_loads()) {
    std::fill(push_.begin(), push_.end(), 0.0);
    system_.add_loads(k.t, push_.data());
    sum.powers.input += std::inner_product(push_.begin(), push_.end(), u_.begin(), 0.0);
    for (int i = 0; i < n; ++i) forces_[i] += push_[i];
  }
  for (int i = 0; i < n; ++i) forces_[i] += system_.weight()[i];
  add_springs(sum);
  if (spring_dampers_.count() > 0) spring_dampers_.apply(q_.data(), u_.data(), now, forces_.data(), sum);
  if (system_.damped())
    sum.powers.damping +=
        system_.add_internal_forces_and_power(-1, q_.data(), 0, u_.data(), forces_.data(), u_.data());
  else
    system_.add_internal_forces(-1, q_.data(), 0, u_.data(), forces_.data());
}

// Springs F(d, v) of the structures themselves, whose energy nobody knows: their work is counted as lost.
void StructureMotion::add_springs(ForceSum& sum) {
  for (int s = 0; s < system_.count(); ++s)
    for (const fem::NonlinearSpring& law : system_.body(s).springs) {
      double at[2] = {0, 0};
      const auto each = [&](auto&& visit) {
        for (int end = 0; end < 2; ++end)
          for (int d = 0; d < 3; ++d) {
            if (law.nodes[end] < 0) continue;
            const int i = system_.unknown(s, law.nodes[end], d);
            if (i >= 0) visit(i, (end ? 1 : -1) * law.direction[d]);
          }
      };
      each([&](int i, double weight) { at[0] += weight * q_[i], at[1] += weight * u_[i]; });
      const double pull = law.force(at, system_.inputs);
      each([&](int i, double weight) { forces_[i] -= weight * pull; });
      sum.powers.damping += pull * at[1];
    }
}

double StructureMotion::accelerations(const Kinematics& k, double* a) {
  const int n = system_.size();
  std::copy(forces_.begin(), forces_.end(), push_.begin());
  const bool driven = !system_.driven().empty();
  if (driven) {
    std::fill(drive_.begin(), drive_.end(), 0.0);
    for (const auto& [unknown, motion, number] : system_.driven()) drive_[unknown] = motion->at(k.t).d2;
    system_.add_mass(-1, drive_.data(), push_.data());
  }
  system_.begin(push_.data());
  system_.finish(push_.data());
  std::copy(push_.begin(), push_.end(), a);
  if (!driven) return 0;

  for (const auto& [unknown, motion, number] : system_.driven()) a[unknown] = drive_[unknown];
  for (int i = 0; i < n; ++i) push_[i] = -forces_[i];
  system_.add_mass(1, a, push_.data());
  std::fill(support_forces_.begin(), support_forces_.end(), 0.0);
  double power = 0;
  for (const auto& [unknown, motion, number] : system_.driven()) {
    support_forces_[number] += push_[unknown];
    power += push_[unknown] * u_[unknown];
  }
  return power;
}

void StructureMotion::auxiliary_rates(double* zdot) const {
  for (std::size_t c = 0; c < model_.structure_contacts.size(); ++c) {
    const ContactSum& sum = nodes_.sums()[c];
    double* rate = zdot + model_.structure_contacts[c].aux_offset;
    rate[ContactPoint::aux_impulse] = sum.normal;
    rate[ContactPoint::aux_normal_loss] = sum.normal_loss;
    rate[ContactPoint::aux_friction_loss] = sum.friction_loss;
  }
}

bool StructureMotion::hold(double t, double* q, double* u) {
  bool moved = false;
  for (const auto& [unknown, motion, number] : system_.driven()) {
    const Jet at = motion->at(t);
    moved = moved || q[unknown] != at.value || u[unknown] != at.d1;
    q[unknown] = at.value, u[unknown] = at.d1;
  }
  return moved;
}

// Displacements by the structures' size, velocities by the fastest there is, or that gravity or the run's duration suggest.
void StructureMotion::error_scale(const double* u, double* of_q, double* of_u) const {
  double speed = std::max(length_ / model_.settings.duration,
                          0.1 * std::sqrt(model_.mechanism.gravity.norm() * length_));
  const int n = system_.size();
  for (int i = 0; i < n; ++i) speed = std::max(speed, std::abs(u[i]) / scale_[i]);
  for (int i = 0; i < n; ++i) of_q[i] = length_ * scale_[i], of_u[i] = speed * scale_[i];
}

void StructureMotion::prepare_newton(double gamma) {
  if (newton_ && gamma == gamma_) return;
  if (!newton_) newton_ = std::make_unique<StructureSystem>(model_);
  newton_->factor(gamma, 1);
  gamma_ = gamma;
}

void StructureMotion::solve_newton(const double* r, double* x) {
  const int n = system_.size();
  std::vector<double> of_q(r, r + n), of_u(r + n, r + 2 * n), change(n, 0.0);
  for (const auto& [unknown, motion, number] : system_.driven()) of_q[unknown] = of_u[unknown] = 0;
  newton_->add_mass(1, of_u.data(), change.data());
  newton_->add_stiffness(-gamma_, of_q.data(), change.data());
  newton_->begin(change.data());
  newton_->finish(change.data());
  for (int i = 0; i < n; ++i) x[i] = of_q[i] + gamma_ * change[i], x[n + i] = change[i];
  for (const auto& [unknown, motion, number] : system_.driven())
    x[unknown] = r[unknown], x[n + unknown] = r[n + unknown];
}

double StructureMotion::potential_energy(const Kinematics& k) const {
  double sum = system_.potential_energy(k.elastic_q) + spring_dampers_.potential(k.elastic_q, k);
  for (const ContactSum& contact : nodes_.sums()) sum += contact.stored;
  return sum;
}

// Power iteration. Where it has not come to its end it is below the truth by a few per cent, which is near enough to count steps.
double StructureMotion::fastest_oscillation() {
  const int n = system_.size();
  constexpr int iterations = 40;
  std::vector<double> x(n), f(n);
  for (int i = 0; i < n; ++i) x[i] = i % 2 ? -scale_[i] : scale_[i];
  double square = 0;
  for (int pass = 0; pass < iterations; ++pass) {
    for (const auto& [unknown, motion, number] : system_.driven()) x[unknown] = 0;
    std::fill(f.begin(), f.end(), 0.0);
    system_.add_mass(1, x.data(), f.data());
    const double size = std::sqrt(std::inner_product(x.begin(), x.end(), f.begin(), 0.0));
    if (!(size > 0)) return 0;
    for (double& each : x) each /= size;
    std::fill(f.begin(), f.end(), 0.0);
    system_.add_stiffness(1, x.data(), f.data());
    square = std::inner_product(x.begin(), x.end(), f.begin(), 0.0);
    system_.begin(f.data());
    system_.finish(f.data());
    x.swap(f);
  }
  return std::sqrt(std::max(square, 0.0));
}

}  // namespace tappet
