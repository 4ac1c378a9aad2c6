#include "tappet/structures/static_contact.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include <Eigen/Geometry>

#include "tappet/fem/modes.hpp"
#include "tappet/ode/smooth_system.hpp"

namespace tappet {
namespace {

/// Some periods of the slowest elastic mode, s.
double long_step(const Model& model) {
  double slowest = 1e300;
  for (const auto& body : model.structures) {
    const fem::StructureMatrices m = fem::assemble(fem::with_motions_held(*body));
    const fem::Modes modes = fem::lowest_modes(m.K, m.M, 8, 1e-4);
    const double highest = modes.omega2.back();
    for (double w2 : modes.omega2)
      if (w2 > 1e-5 * highest) slowest = std::min(slowest, w2);
  }
  return 30 / std::sqrt(slowest);
}

/// How far one step was from equilibrium.
class Progress {
 public:
  Progress(const Model& model, const StructureSystem& system, const Kinematics& start)
      : model_(model), system_(system), start_(start), kind_(system.size(), modal) {
    double far = 0;
    for (int s = 0; s < system.count(); ++s) {
      const auto& nodes = system.body(s).structure.mesh.nodes;
      for (int n = 0; n < static_cast<int>(nodes.size()); ++n) {
        far = std::max(far, nodes[n].lpNorm<Eigen::Infinity>());
        for (int d = 0; d < 6; ++d)
          if (const int k = system.unknown(s, n, d); k >= 0) kind_[k] = d < 3 ? place : rotation;
      }
    }
    rounding_ = 8 * epsilon * far;
    loads_ = system.weight();
    system.add_loads(0, loads_.data());
  }

  /// Largest change of the step against the largest displacement; like with like. `bodies`: positions of rigid bodies, and their
  /// velocities in the step.
  double moved(const std::vector<double>& q, const std::vector<double>& before, const double* bodies,
               const double* body_u, double h) const {
    double change[kinds] = {}, size[kinds] = {};
    for (std::size_t i = 0; i < q.size(); ++i) {
      change[kind_[i]] = std::max(change[kind_[i]], std::abs(q[i] - before[i]));
      size[kind_[i]] = std::max(size[kind_[i]], std::abs(q[i]));
    }
    // Rigid bodies, which may go further than structures bend.
    double way = 0, travel = size[place];
    for (int b = 0; b < model_.mechanism.body_count(); ++b) {
      way = std::max(way, h * Vec3(body_u[6 * b], body_u[6 * b + 1], body_u[6 * b + 2]).norm());
      travel = std::max(
          travel, (Vec3(bodies[7 * b], bodies[7 * b + 1], bodies[7 * b + 2]) - start_.spatial[b].r).norm());
    }
    change[place] = std::max(0.0, change[place] - rounding_);
    way = std::max(0.0, way - rounding_);
    double worst = part(way, travel);
    for (int k = 0; k < kinds; ++k) worst = std::max(worst, part(change[k], size[k]));
    return worst;
  }

  /// Sum of the forces M Δq/h² + C Δq/h on nodes against that of all forces on them.
  double imbalance(const std::vector<double>& q, const std::vector<double>& before, double h, double loaded,
                   const std::vector<NodeImpulse>& contacts) {
    change_.resize(q.size()), left_.assign(q.size(), 0.0), elastic_.assign(q.size(), 0.0);
    for (std::size_t i = 0; i < q.size(); ++i) change_[i] = q[i] - before[i];
    system_.add_mass(1 / (h * h), change_.data(), left_.data());
    if (system_.damped()) system_.add_damping(1 / h, change_.data(), left_.data());
    system_.add_stiffness(1, q.data(), elastic_.data());
    double left = 0, all = 0;
    for (std::size_t i = 0; i < q.size(); ++i) {
      if (kind_[i] != place) continue;
      left += std::abs(left_[i]);
      all += std::abs(loaded * loads_[i]) + std::abs(elastic_[i]);
    }
    for (const NodeImpulse& p : contacts) all += p.impulse.norm() / h;
    return part(std::max(0.0, left - epsilon * system_.stiffness_terms(q.data())), all);
  }

 private:
  enum Kind { place, rotation, modal, kinds };
  static constexpr double epsilon = std::numeric_limits<double>::epsilon();
  static double part(double of, double all) { return of > 0 ? of / std::max(all, 1e-300) : 0; }

  const Model& model_;
  const StructureSystem& system_;
  const Kinematics& start_;
  std::vector<Kind> kind_;  // of each unknown
  double rounding_ = 0;     // of coordinates, m
  std::vector<double> loads_, change_, left_, elastic_;
};

}  // namespace

StaticContact solve_static_contact(const Model& model, const StaticOptions& how) {
  const Mechanism& m = model.mechanism;
  const MoreauOptions options{
      .theta = 1,
      .contacts = {.solver = model.settings.solver, .tolerance = 1e-10, .facets = model.settings.facets}};
  StructureSystem system(model);
  double h = long_step(model);
  const double longest = 100 * h;

  // Rigid bodies as they are assembled: positions, velocities and auxiliary variables.
  SmoothSystem rigid_system(model);
  MoreauStepper rigid_stepper(m, options);
  std::vector<double> y(rigid_system.size(), 0.0);
  const Assembly assembly = assemble(m, model.q0, model.u0, model.given, model.pos);
  std::copy(assembly.q.begin(), assembly.q.end(), y.begin());
  double *z = y.data() + m.q_size() + m.u_size(), *body_u = y.data() + m.q_size();
  Kinematics start;
  resize(start, m);
  start.contacts = rigid_system.contact_states().data();
  update_kinematics(start, 0, y.data(), body_u, z);
  start_auxiliaries(m, start, z);
  RigidPart rigid{rigid_stepper, rigid_system.workspace(), y.data(), body_u};

  NewmarkMoreau stepper(model, system, options, y.data());
  std::vector<double> q(system.size(), 0.0), u(system.size(), 0.0), before;
  Progress progress(model, system, start);
  StaticContact out;
  int increment = 0, steps = 0;  // of this one
  double last_moved = 0;
  int slow = 0;  // steps that came hardly nearer than those before
  while (!out.converged && steps < how.most_steps) {
    const double part = (increment + 1.0) / how.increments;
    if (steps == 0) {
      stepper.stop_time(part);
      for (const StructureSystem::Driven& d : system.driven()) q[d.unknown] = part * d.motion->at(0).value;
    }
    before = q;
    std::fill(u.begin(), u.end(), 0.0);
    stepper.state_changed();
    std::fill(body_u, body_u + m.u_size(), 0.0);
    stepper.step(0, h, q.data(), u.data(), z, m.bodies.empty() ? nullptr : &rigid);
    ++out.steps, ++steps;
    out.moved = progress.moved(q, before, y.data(), body_u, h);
    out.imbalance = progress.imbalance(q, before, h, part, stepper.impulses());
    if (!m.bodies.empty()) rigid_system.project(0, y.data());
    // On the way it is enough to be near.
    const bool last = increment + 1 == how.increments;
    out.converged = last && out.moved < 1e-9 && out.imbalance < 1e-9;
    if (!last && out.moved < 1e-4) ++increment, steps = 0;
    // What only rolls or swings into its place goes there with longer steps.
    slow = out.moved > 0.7 * last_moved ? slow + 1 : 0;
    last_moved = out.moved;
    if (slow >= 10 && h < longest) h *= 2, slow = 0;
  }
  for (int b = 0; b < m.body_count(); ++b) {
    out.bodies.push_back(Vec3(y[7 * b], y[7 * b + 1], y[7 * b + 2]) - start.spatial[b].r);
    const Eigen::AngleAxisd turn(Mat3(rotation_of(&y[7 * b + 3]) * start.spatial[b].R.transpose()));
    out.turned.push_back(turn.angle() * turn.axis());
  }
  for (int s = 0; s < system.count(); ++s) {
    out.q.push_back(system.free_unknowns(s, q.data()));
    out.contact_force.push_back(stepper.node_impulses(s));
    for (double& f : out.contact_force.back()) f /= h;
  }
  out.normal.assign(model.structure_contacts.size(), 0.0);
  out.nodes.resize(model.structure_contacts.size());
  for (NodeImpulse p : stepper.impulses()) {
    p.impulse /= h, p.normal /= h;
    out.normal[p.contact] += p.normal;
    out.nodes[p.contact].push_back(p);
  }
  return out;
}

}  // namespace tappet
