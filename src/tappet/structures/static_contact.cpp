#include "tappet/structures/static_contact.hpp"

#include <algorithm>
#include <cmath>

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
  resize(start, m.dimension, m.body_count());
  start.contacts = rigid_system.contact_states().data();
  update_kinematics(start, 0, y.data(), body_u, z);
  start_auxiliaries(m, start, z);
  RigidPart rigid{rigid_stepper, rigid_system.workspace(), y.data(), body_u};

  NewmarkMoreau stepper(model, system, options, y.data());
  std::vector<double> q(system.size(), 0.0), u(system.size(), 0.0), before;
  StaticContact out;
  int increment = 0, steps = 0;  // of this one
  double last_moved = 0;
  int slow = 0;  // steps that came hardly nearer than those before
  while (!out.converged && steps < how.most_steps) {
    if (steps == 0) {
      const double part = (increment + 1.0) / how.increments;
      stepper.stop_time(part);
      for (const StructureSystem::Driven& d : system.driven()) q[d.unknown] = part * d.motion->at(0).value;
    }
    before = q;
    std::fill(u.begin(), u.end(), 0.0);
    stepper.state_changed();
    std::fill(body_u, body_u + m.u_size(), 0.0);
    stepper.step(0, h, q.data(), u.data(), z, m.bodies.empty() ? nullptr : &rigid);
    ++out.steps, ++steps;
    double moved = 0, size = 1e-300;
    for (std::size_t i = 0; i < q.size(); ++i) {
      moved = std::max(moved, std::abs(q[i] - before[i]));
      size = std::max(size, std::abs(q[i]));
    }
    for (int i = 0; i < m.u_size(); ++i)
      if (i % 6 < 3) moved = std::max(moved, std::abs(h * body_u[i]));
    if (!m.bodies.empty()) rigid_system.project(0, y.data());
    out.moved = moved / size;
    // On the way it is enough to be near.
    const bool last = increment + 1 == how.increments;
    out.converged = last && out.moved < 1e-9;
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
