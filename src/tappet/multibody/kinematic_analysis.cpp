#include "tappet/multibody/kinematic_analysis.hpp"

#include <algorithm>
#include <cmath>
#include <functional>

#include <fmt/format.h>

#include "tappet/multibody/constraint_system.hpp"

namespace tappet {
namespace {

// Constraints that hold at a level: positions leave out prescribed speeds, velocities prescribed accelerations.
std::vector<const Constraint*> holding(const std::vector<const Constraint*>& all, ConstraintLevel level) {
  std::vector<const Constraint*> out;
  for (const Constraint* c : all)
    if (static_cast<int>(c->level) <= static_cast<int>(level)) out.push_back(c);
  return out;
}

// Names of the constraints whose rows are among the worst, with the size of their fault.
std::string worst_joints(const ConstraintSystem& system, const std::vector<double>& residual,
                         const char* unit) {
  std::vector<std::pair<double, std::string>> list;
  for (int c = 0; c < system.count(); ++c) {
    double size = 0;
    for (int r = 0; r < system.constraint(c).rows; ++r)
      size = std::max(size, std::abs(residual[system.row_of(c) + r]));
    list.emplace_back(size, system.constraint(c).name);
  }
  std::sort(list.begin(), list.end(), std::greater<>());
  std::string out;
  for (std::size_t n = 0; n < list.size() && n < 5 && list[n].first > 0.05 * list[0].first; ++n)
    out += fmt::format("{}'{}' by {:.4g} {}", n ? ", " : "", list[n].second, list[n].first, unit);
  return out;
}

[[noreturn]] void fail(const SourcePos& pos, std::string message) {
  throw InputError({{Severity::error, pos, std::move(message)}});
}

double largest(const std::vector<double>& v) {
  double m = 0;
  for (double x : v) m = std::isfinite(x) ? std::max(m, std::abs(x)) : HUGE_VAL;
  return m;
}

void find_positions(const Mechanism& mechanism, Assembly& out, const std::vector<double>& z,
                    const SourcePos& pos) {
  const int n = mechanism.body_count(), width = velocity_size(mechanism.dimension);
  ConstraintSystem system(mechanism.dimension, n,
                          holding(mechanism.assembly_constraints, ConstraintLevel::position));
  const InverseMass weights = InverseMass::uniform(n, mechanism.length);
  Kinematics k;
  resize(k, mechanism.dimension, n);
  std::vector<double> d(mechanism.u_size()), lambda(system.rows()), b(system.rows());
  // Rounding in coordinates of this size is all that may be left.
  const double goal = 4e-15 * std::max({mechanism.length, 1.0, largest(out.q)});
  double previous = HUGE_VAL;
  for (int iteration = 0; iteration < 200; ++iteration) {
    update_kinematics(k, 0, out.q.data(), out.u.data(), z.data());
    system.evaluate(k);
    const double violation = largest(system.phi());
    const bool stuck = violation > 0.5 * previous;
    if (violation <= goal || (stuck && violation < 1e-11 * std::max(mechanism.length, 1.0))) return;
    previous = violation;
    system.factor(weights);
    for (int r = 0; r < system.rows(); ++r) b[r] = -system.phi()[r];
    system.solve(nullptr, b.data(), d.data(), lambda.data());
    // Far from the solution a step is kept short, so that the nearest assembly is found.
    double size = 0;
    for (int i = 0; i < static_cast<int>(d.size()); ++i) {
      const bool angle = mechanism.dimension == Dimension::planar ? i % width == 2 : i % width >= 3;
      size = std::max(size, std::abs(d[i]) * (angle ? 1.0 : 1.0 / mechanism.length));
    }
    if (!std::isfinite(size)) break;
    const double scale = std::min(1.0, 0.3 / std::max(size, 1e-300));
    for (double& x : d) x *= scale;
    displace(mechanism.dimension, n, out.q.data(), d.data());
  }
  fail(pos,
       fmt::format(
           "the mechanism cannot be assembled from these positions: joints stay open, {} (m or rad); check "
           "points, lengths and positions, or joints that contradict each other",
           worst_joints(system, system.phi(), "")));
}

// Which rows depend on others, by joint.
void find_redundancy(const Mechanism& mechanism, ConstraintSystem& system, Assembly& out) {
  const int dropped = system.factor(InverseMass::uniform(mechanism.body_count(), mechanism.length));
  out.rank = system.rows() - dropped;
  if (!dropped) return;
  for (int c = 0; c < system.count(); ++c) {
    int rows = 0;
    for (int r = 0; r < system.constraint(c).rows; ++r) rows += system.dependent(system.row_of(c) + r);
    if (rows)
      out.redundant.push_back(fmt::format("'{}' repeats {} of its {} constraints", system.constraint(c).name,
                                          rows, system.constraint(c).rows));
  }
}

void find_velocities(const Mechanism& mechanism, Assembly& out, const std::vector<double>& z,
                     const std::vector<GivenVelocity>& given, const SourcePos& pos) {
  const int n = mechanism.body_count(), width = velocity_size(mechanism.dimension);
  std::vector<char> held(n, 0);
  for (int b = 0; b < n; ++b)
    held[b] = given[b].linear || (given[b].angular && mechanism.bodies[b].has_inertia);
  ConstraintSystem system(mechanism.dimension, n,
                          holding(mechanism.assembly_constraints, ConstraintLevel::velocity), held);
  Kinematics k;
  resize(k, mechanism.dimension, n);
  update_kinematics(k, 0, out.q.data(), out.u.data(), z.data());
  system.evaluate(k);
  find_redundancy(mechanism, system, out);

  // What is given does not move; the rest follows from the constraints with the least motion.
  InverseMass weights = InverseMass::uniform(n, mechanism.length);
  bool any = false;
  for (int b = 0; b < n; ++b) {
    if (given[b].linear) weights.linear[b] = 0, any = true;
    if (given[b].angular) weights.angular[b].setZero(), any = true;
  }
  std::vector<double> residual(system.rows()), d(mechanism.u_size()), lambda(system.rows());
  auto velocity_residual = [&] {
    system.times(out.u.data(), residual.data());
    for (int r = 0; r < system.rows(); ++r) residual[r] = -(residual[r] + system.phi_t()[r]);
    return largest(residual);
  };
  auto correct = [&](const InverseMass& with) {
    velocity_residual();
    system.factor(with);
    system.solve(nullptr, residual.data(), d.data(), lambda.data());
    for (std::size_t i = 0; i < d.size(); ++i) out.u[i] += d[i];
  };
  correct(weights);
  if (any) {
    correct(weights);
    const double fault = velocity_residual();
    const double speed = std::max(largest(out.u), largest(system.phi_t())) * std::max(1.0, mechanism.length);
    if (fault > 1e-6 * std::max(speed, 1e-300))
      fail(pos,
           fmt::format(
               "the initial velocities given contradict the joints and motions: {}; leave some of them out, "
               "or correct them",
               worst_joints(system, residual, "(m/s or rad/s)")));
  }
  // Digits lost in typing the numbers are put right for all bodies alike.
  for (int pass = 0; pass < 2; ++pass) correct(mechanism.inverse_mass);
  (void)width;
}

}  // namespace

Assembly assemble(const Mechanism& mechanism, std::vector<double> q, std::vector<double> u,
                  const std::vector<GivenVelocity>& given, const SourcePos& pos) {
  Assembly out;
  const std::vector<double> start = q;
  out.q = std::move(q);
  out.u = std::move(u);

  // Couplings compare with the start: their auxiliary variables are set from the positions as written.
  std::vector<double> z(mechanism.aux_size, 0.0);
  Kinematics k;
  resize(k, mechanism.dimension, mechanism.body_count());
  auto start_auxiliary = [&] {
    update_kinematics(k, 0, out.q.data(), out.u.data(), z.data());
    for (const Constraint* c : mechanism.assembly_constraints)
      if (c->aux_offset >= 0) c->start_aux(k, z.data() + c->aux_offset);
  };
  start_auxiliary();
  find_positions(mechanism, out, z, pos);
  start_auxiliary();
  find_velocities(mechanism, out, z, given, pos);

  const int stride = position_size(mechanism.dimension),
            dimensions = mechanism.dimension == Dimension::planar ? 2 : 3;
  for (int b = 0; b < mechanism.body_count(); ++b) {
    double square = 0;
    for (int i = 0; i < dimensions; ++i) square += std::pow(out.q[stride * b + i] - start[stride * b + i], 2);
    if (std::sqrt(square) > out.moved)
      out.moved = std::sqrt(square), out.moved_body = mechanism.bodies[b].name;
  }
  return out;
}

}  // namespace tappet
