#include "tappet/multibody/kinematic_analysis.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <optional>
#include <tuple>

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

// "m" for a row that a body's translation changes, "rad" for one that only rotations change.
std::vector<const char*> units_of_rows(const ConstraintSystem& system, const Mechanism& mechanism) {
  const int width = velocity_size(mechanism.dimension),
            linear = mechanism.dimension == Dimension::planar ? 2 : 3;
  std::vector<double> u(mechanism.u_size(), 0.0), rate(system.rows());
  // No body like another, so that differences do not cancel.
  for (std::size_t i = 0; i < u.size() - mechanism.flexible.modes; ++i)
    if (static_cast<int>(i) % width < linear) u[i] = 1 + 0.618 * static_cast<double>(i * i % 97);
  system.times(u.data(), rate.data());
  std::vector<const char*> out;
  for (const double r : rate) out.push_back(std::abs(r) > 1e-9 ? "m" : "rad");
  return out;
}

// Names of the constraints whose rows are among the worst, with the size of their fault; `frames`: also where.
std::string worst_joints(const ConstraintSystem& system, const Mechanism& mechanism,
                         const std::vector<double>& residual, const char* per,
                         const Kinematics* frames = nullptr) {
  const std::vector<const char*> units = units_of_rows(system, mechanism);
  std::vector<std::tuple<double, std::string, std::string>> list;
  for (int c = 0; c < system.count(); ++c) {
    double size = 0;
    const char* unit = "";
    for (int r = system.row_of(c); r < system.row_of(c) + system.constraint(c).rows; ++r)
      if (std::abs(residual[r]) > size || !*unit) size = std::abs(residual[r]), unit = units[r];
    std::string place = fmt::format("{}{}", unit, per);
    if (const auto at = frames ? system.constraint(c).reaction_point(*frames) : std::nullopt)
      place += mechanism.dimension == Dimension::planar
                   ? fmt::format(" at ({:.4g}, {:.4g}) m", at->x(), at->y())
                   : fmt::format(" at ({:.4g}, {:.4g}, {:.4g}) m", at->x(), at->y(), at->z());
    list.emplace_back(size, system.constraint(c).name, place);
  }
  std::sort(list.begin(), list.end(), std::greater<>());
  std::string out;
  for (std::size_t n = 0; n < list.size() && n < 5 && std::get<0>(list[n]) > 0.05 * std::get<0>(list[0]); ++n)
    out += fmt::format("{}'{}' by {:.4g} {}", n ? ", " : "", std::get<1>(list[n]), std::get<0>(list[n]),
                       std::get<2>(list[n]));
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
                          holding(mechanism.assembly_constraints, ConstraintLevel::position), {},
                          ConstraintSystem::DrivenBodies::are_free, &mechanism.flexible);
  InverseMass weights = InverseMass::uniform(n, mechanism.length);
  const double yielding = weights.elastic;
  weights.elastic = 0;
  Kinematics k;
  resize(k, mechanism);
  std::vector<double> d(mechanism.u_size()), lambda(system.rows()), b(system.rows());
  // Rounding in coordinates of this size is all that may be left.
  const double goal = 4e-15 * std::max({mechanism.length, 1.0, largest(out.q)});
  double previous = HUGE_VAL;
  constexpr int few = 3;
  for (int iteration = 0; iteration < 200; ++iteration) {
    update_kinematics(k, 0, out.q.data(), out.u.data(), z.data());
    system.evaluate(k);
    const double violation = largest(system.phi());
    const bool stuck = violation > 0.5 * previous;
    if (violation <= goal || (stuck && violation < 1e-11 * std::max(mechanism.length, 1.0))) return;
    // Where bodies cannot close the joints as rigid ones, they bend.
    if (stuck && iteration > few) weights.elastic = yielding;
    previous = violation;
    system.factor(weights);
    for (int r = 0; r < system.rows(); ++r) b[r] = -system.phi()[r];
    system.solve(nullptr, b.data(), d.data(), lambda.data());
    // Far from the solution a step is kept short, so that the nearest assembly is found.
    double size = 0;
    for (int i = 0; i < static_cast<int>(d.size()); ++i) {
      if (i >= width * n) {  // elastic coordinates
        size = std::max(size, std::abs(d[i]) / (mechanism.length * mechanism.flexible.bodies[0].amplitude));
        continue;
      }
      const bool angle = mechanism.dimension == Dimension::planar ? i % width == 2 : i % width >= 3;
      size = std::max(size, std::abs(d[i]) * (angle ? 1.0 : 1.0 / mechanism.length));
    }
    if (!std::isfinite(size)) break;
    const double scale = std::min(1.0, 0.3 / std::max(size, 1e-300));
    for (double& x : d) x *= scale;
    displace(mechanism, out.q.data(), d.data());
  }
  fail(pos, fmt::format("the mechanism cannot be assembled from these positions: joints stay open, {}; check "
                        "points, lengths and positions, or joints that contradict each other",
                        worst_joints(system, mechanism, system.phi(), "", &k)));
}

// Which rows depend on others, by joint.
void find_redundancy(const Mechanism& mechanism, ConstraintSystem& system, Assembly& out) {
  const int dropped = system.factor(InverseMass::uniform(mechanism.body_count(), mechanism.length));
  out.rank = system.rows() - dropped;
  if (!dropped) return;
  for (int c = 0; c < system.count(); ++c) {
    if (const int with = system.constraint(c).with_switch; with >= 0 && mechanism.off[with]) continue;
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
                          holding(mechanism.assembly_constraints, ConstraintLevel::velocity), held,
                          ConstraintSystem::DrivenBodies::are_free, &mechanism.flexible);
  Kinematics k;
  resize(k, mechanism);
  update_kinematics(k, 0, out.q.data(), out.u.data(), z.data());
  system.evaluate(k);
  find_redundancy(mechanism, system, out);

  // What is given does not move; the rest follows from the constraints with the least motion.
  InverseMass weights = InverseMass::uniform(n, mechanism.length);
  const double yielding = weights.elastic;
  weights.elastic = 0;
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
  const auto speed_scale = [&] {
    return std::max(largest(out.u), largest(system.phi_t())) * std::max(1.0, mechanism.length);
  };
  // Where bodies cannot follow the joints as rigid ones, they bend.
  if (mechanism.flexible.modes > 0 && velocity_residual() > 1e-12 * speed_scale()) {
    correct(weights);
    if (velocity_residual() > 1e-12 * speed_scale()) weights.elastic = yielding;
  }
  if (any || weights.elastic > 0) {
    correct(weights);
    const double fault = velocity_residual();
    const double speed = speed_scale();
    if (fault > 1e-6 * std::max(speed, 1e-300))
      fail(pos,
           fmt::format(
               "the initial velocities given contradict the joints and motions: {}; leave some of them out, "
               "or correct them",
               worst_joints(system, mechanism, residual, "/s")));
  }
  // Digits lost in typing the numbers are put right for all bodies alike.
  for (int pass = 0; pass < 2; ++pass) correct(mechanism.inverse_mass);
  // Rows that repeat others may still ask for another speed than these.
  if (out.redundant.empty()) return;
  const double left = velocity_residual();
  if (left > 1e-6 * std::max(largest(system.phi_t()), 1e-300))
    fail(pos,
         fmt::format("joints and motions contradict each other: at the start {} cannot be met; two of them "
                     "prescribe the same thing differently",
                     worst_joints(system, mechanism, residual, "/s")));
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
  for (const StateVariable& state : mechanism.states) z[state.offset] = state.initial;
  Kinematics k;
  resize(k, mechanism);
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
