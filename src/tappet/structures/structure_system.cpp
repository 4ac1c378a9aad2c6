#include "tappet/structures/structure_system.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <span>
#include <stdexcept>

#include <Eigen/Geometry>
#include <fmt/format.h>

#include "tappet/base/diagnostics.hpp"

namespace tappet {

StructureSystem::StructureSystem(const Model& model) : model_(model) {
  parts_.resize(model.structures.size());
  for (std::size_t s = 0; s < parts_.size(); ++s) {
    Part& part = parts_[s];
    part.body = model.structures[s].get();
    const fem::Structure& structure = part.body->structure;
    part.first = size_;
    part.matrices = fem::assemble(structure);
    lighten(static_cast<int>(s), part);
    // The mean motion, weighted with mass.
    part.mass_share = Eigen::MatrixXd::Zero(structure.free, 3);
    for (int d = 0; d < 3; ++d) {
      std::vector<double> f(structure.free, 0.0);
      fem::add_weight(structure, part.matrices.M, Vec3::Unit(d), f.data());
      for (int i = 0; i < structure.free; ++i) part.mass_share(i, d) = f[i] / part.body->mass;
    }
    part.size = structure.free;
    part.start = start_of(*part.body);
    if (part.body->reduced_modes >= 0) reduce(static_cast<int>(s), part);
    size_ += part.size;
    prepare_products(part);
    if (structure.turns) {
      part.turning = std::make_unique<TurningStep>(structure, part.matrices.M);
      part.tangent = part.matrices.K;
      turns_ = true;
      std::fill(part.matrices.C.value.begin(), part.matrices.C.value.end(), 0.0);  // its elements know
    }
    damped_ = damped_ || std::any_of(part.matrices.C.value.begin(), part.matrices.C.value.end(),
                                     [](double c) { return c != 0; });
    // Three nodes that span it.
    const auto& x = structure.mesh.nodes;
    const auto& used = structure.node_unknowns;
    const auto furthest = [&](auto&& measure) {
      int best = -1;
      for (int n = 0; n < static_cast<int>(x.size()); ++n)
        if (used[n] && (best < 0 || measure(x[n]) > measure(x[best]))) best = n;
      return best;
    };
    part.corners[0] = furthest([&](const Vec3& p) { return (p - part.body->centre).norm(); });
    const Vec3 a = x[part.corners[0]];
    part.corners[1] = furthest([&](const Vec3& p) { return (p - a).norm(); });
    const Vec3 b = x[part.corners[1]];
    part.corners[2] = furthest([&](const Vec3& p) { return (p - a).cross(p - b).norm(); });
  }
  // Weight is mass times gravity, whatever the coordinates.
  weight_.assign(size_, 0.0);
  for (const Part& part : parts_)
    for (int i = 0; i < part.size; ++i)
      weight_[part.first + i] = part.body->mass * part.mass_share.row(i).dot(model.mechanism.gravity);
  work_.assign(size_, 0.0);
  is_light_.assign(size_, 0);
  for (const Light& each : light_) is_light_[each.unknown] = 1;
  is_driven_.assign(size_, 0);
  for (int s = 0; s < count(); ++s)
    for (const fem::SupportMotion& motion : parts_[s].body->motions) {
      for (int n : motion.nodes) {
        driven_.push_back({unknown(s, n, motion.direction), &motion, motions_});
        is_driven_[driven_.back().unknown] = 1;
      }
      ++motions_;
    }
  watched_.assign(size_, 0);
  for (int s = 0; s < count(); ++s) analyse(s);
}

void StructureSystem::prepare_products(Part& part) {
  const fem::StructureMatrices& m = part.matrices;
  part.K = SymmetricProduct(m.K);
  part.M = SymmetricProduct(m.M);
  // Damping by mass and stiffness alone takes no matrix of its own.
  part.alpha = part.body->structure.mass_damping, part.beta = part.body->structure.stiffness_damping;
  part.proportional = true;
  for (std::size_t k = 0; k < m.C.value.size() && part.proportional; ++k)
    part.proportional = m.C.value[k] == part.alpha * m.M.value[k] + part.beta * m.K.value[k];
  if (!part.proportional) part.C = SymmetricProduct(m.C);
}

// The order of elimination. Unknowns in which contacts, springs and rigid bodies act are watched, and come
// last where they are few.
void StructureSystem::analyse(int s) {
  Part& part = parts_[s];
  std::vector<int> rows;
  const auto watch = [&](int node, int unknowns = 3) {
    for (int d = 0; d < unknowns; ++d) {
      const int k = unknown(s, node, d);
      if (k < 0 || watched_[k] || is_driven_[k]) continue;
      watched_[k] = 1;
      watched_list_.push_back(k);
      rows.push_back(k - part.first);
    }
  };
  for (const fem::NonlinearSpring& spring : part.body->springs)
    for (int n : spring.nodes)
      if (n >= 0) watch(n);
  for (const Spider& spider : model_.spiders)
    for (int n : spider.nodes)
      if (spider.structure == s) watch(n, 6);
  for (const StructureForce& force : model_.structure_forces)
    for (const StructureForce::End& end : force.ends)
      if (end.structure == s) watch(end.node);
  for (const StructureContact& c : model_.structure_contacts) {
    if (c.structure == s)
      for (int n : c.nodes) watch(n);
    if (c.other == s)
      for (int n : c.face_nodes) watch(n);
  }
  constexpr int few = 100;
  const bool last = static_cast<int>(rows.size()) <= std::min(few, part.size / 20);
  part.cholesky.analyse(part.matrices.K, last ? rows : std::vector<int>{});
  part.cholesky.watch(rows);
}

// Keeps what points, loads, motions, springs, rigid bodies and contacts need.
void StructureSystem::reduce(int s, Part& part) {
  const fem::Body& body = *part.body;
  std::vector<int> nodes = body.kept_nodes;
  for (const fem::NamedPoint& p : body.points) nodes.push_back(p.node);
  for (const fem::NodeLoad& load : body.loads)
    nodes.insert(nodes.end(), load.nodes.begin(), load.nodes.end());
  for (const fem::SupportMotion& motion : body.motions)
    nodes.insert(nodes.end(), motion.nodes.begin(), motion.nodes.end());
  for (const fem::NonlinearSpring& spring : body.springs)
    for (int n : spring.nodes)
      if (n >= 0) nodes.push_back(n);
  for (const Spider& spider : model_.spiders)
    if (spider.structure == s) nodes.insert(nodes.end(), spider.nodes.begin(), spider.nodes.end());
  for (const StructureForce& force : model_.structure_forces)
    for (const StructureForce::End& end : force.ends)
      if (end.structure == s) nodes.push_back(end.node);
  for (const StructureContact& c : model_.structure_contacts) {
    if (c.structure == s) nodes.insert(nodes.end(), c.nodes.begin(), c.nodes.end());
    if (c.other == s) nodes.insert(nodes.end(), c.face_nodes.begin(), c.face_nodes.end());
  }
  std::vector<int> interface;
  for (int n : nodes)
    for (int d = 0; d < body.structure.node_unknowns[n]; ++d)
      if (const int k = body.structure.free_unknown(n, d); k >= 0) interface.push_back(k);
  try {
    part.reduction =
        std::make_unique<fem::Reduction>(fem::craig_bampton(part.matrices, interface, body.reduced_modes));
  } catch (const std::runtime_error& e) {
    throw InputError({{Severity::error, body.pos,
                       fmt::format("structure '{}' cannot be reduced: {}", body.structure.name, e.what())}});
  }
  const fem::Reduction& r = *part.reduction;
  part.kept.assign(body.structure.free, -1);
  for (std::size_t k = 0; k < r.interface.size(); ++k) part.kept[r.interface[k]] = static_cast<int>(k);
  part.size = r.size();
  // The interface moves as it does, the modes as is nearest to the rest: φᵀ M (u − Ψ u_i).
  const int kept = static_cast<int>(r.interface.size());
  Eigen::VectorXd start = Eigen::VectorXd::Zero(part.size),
                  momentum = Eigen::VectorXd::Zero(body.structure.free);
  for (int k = 0; k < kept; ++k) start[k] = part.start[r.interface[k]];
  const Eigen::VectorXd rest = part.start - r.basis * start;
  multiply_add(part.matrices.M, 1, rest.data(), momentum.data());
  start.tail(part.size - kept) = r.basis.rightCols(part.size - kept).transpose() * momentum;
  part.start = start;
  part.mass_share = (r.basis.transpose() * part.mass_share).eval();
  part.matrices = r.matrices;
  notes.push_back(fmt::format(
      "structure '{}' was reduced from {} to {} unknowns: {} of the interface and {} modes up to {:.4g} Hz",
      body.structure.name, body.structure.free, part.size, r.interface.size(),
      part.size - static_cast<int>(r.interface.size()), r.highest / (2 * std::numbers::pi)));
}

// Free unknowns of the nodes of light groups. Nodes that are loaded, moved, attached or held by springs keep their mass.
std::vector<char> StructureSystem::light_unknowns(int s, const Part& part) {
  const fem::Body& body = *part.body;
  const fem::Structure& structure = body.structure;
  std::vector<char> light(structure.free, 0), busy(structure.mesh.nodes.size(), 0), kept(busy);
  const auto mark = [&](const auto& nodes) {
    for (int n : nodes)
      if (n >= 0) busy[n] = 1;
  };
  for (const fem::NodeLoad& load : body.loads) mark(load.nodes);
  for (const fem::SupportMotion& motion : body.motions) mark(motion.nodes);
  for (const fem::NonlinearSpring& spring : body.springs) mark(spring.nodes);
  for (const fem::Element& e : structure.elements)
    if (structure.sections[e.section].damping != 0)
      mark(std::span(structure.element_nodes.data() + e.first, e.count));
  for (const Spider& spider : model_.spiders)
    if (spider.structure == s) mark(spider.nodes);
  for (const StructureForce& force : model_.structure_forces)
    for (const StructureForce::End& end : force.ends)
      if (end.structure == s) busy[end.node] = 1;
  for (const std::string& name : body.light_groups)
    for (int n : structure.mesh.find_group(name)->nodes) {
      kept[n] = busy[n];
      for (int d = 0; d < std::min(3, structure.node_unknowns[n]) && !busy[n]; ++d)
        if (const int k = structure.free_unknown(n, d); k >= 0) light[k] = 1;
    }
  if (const auto count = std::count(kept.begin(), kept.end(), 1); count > 0)
    notes.push_back(fmt::format(
        "structure '{}': {} node{} of `light_contact` keep{} {} mass, since loads, motions, springs or "
        "bodies act there",
        structure.name, count, count == 1 ? "" : "s", count == 1 ? "s" : "", count == 1 ? "its" : "their"));
  return light;
}

// Mass of the nodes of light groups goes to their neighbours, direction by direction; what the whole weighs
// stays.
void StructureSystem::lighten(int number, Part& part) {
  const fem::Structure& s = part.body->structure;
  if (part.body->light_groups.empty()) return;
  const std::vector<char> light = light_unknowns(number, part);
  std::vector<int> direction(s.free, 0);
  for (int n = 0; n < static_cast<int>(s.mesh.nodes.size()); ++n)
    for (int d = 0; d < s.node_unknowns[n]; ++d)
      if (const int k = s.free_unknown(n, d); k >= 0) direction[k] = d;
  SymmetricCsr& M = part.matrices.M;
  std::vector<double> pool(s.free, 0.0), heavier(s.free, 0.0);
  std::vector<std::vector<int>> neighbours(s.free);
  for (int i = 0; i < s.free; ++i)
    for (int k = M.row_ptr[i]; k < M.row_ptr[i + 1]; ++k) {
      const int j = M.col[k];
      if (!light[i] && !light[j]) continue;
      const double m = M.value[k];
      M.value[k] = 0;
      if (i == j) {
        pool[i] += m;
        continue;
      }
      // Each end holds half of a coupling; that of an ordinary node stays with it.
      (light[i] ? pool : heavier)[i] += m;
      (light[j] ? pool : heavier)[j] += m;
      if (direction[i] != direction[j]) continue;
      if (light[i] && !light[j]) neighbours[i].push_back(j);
      if (light[j] && !light[i]) neighbours[j].push_back(i);
    }
  for (int i = 0; i < s.free; ++i) {
    if (!light[i]) continue;
    if (neighbours[i].empty()) {  // nobody to take it
      heavier[i] += pool[i];
      continue;
    }
    for (int j : neighbours[i]) heavier[j] += pool[i] / static_cast<double>(neighbours[i].size());
  }
  for (int i = 0; i < s.free; ++i) M.value[M.row_ptr[i + 1] - 1] += heavier[i];
  // Damping by mass follows. Elements at nodes without mass have no other: those nodes are where they are in equilibrium.
  SymmetricCsr &C = part.matrices.C, &K = part.matrices.K;
  if (std::any_of(C.value.begin(), C.value.end(), [](double c) { return c != 0; })) {
    fem::Structure inner = s;
    std::erase_if(inner.elements, [&](const fem::Element& e) {
      for (int k = e.first; k < e.first + e.count; ++k)
        for (int d = 0; d < std::min(3, s.node_unknowns[s.element_nodes[k]]); ++d)
          if (const int f = s.free_unknown(s.element_nodes[k], d); f >= 0 && light[f]) return true;
      return false;
    });
    inner.mass_damping = 0;
    const SymmetricCsr damping = fem::assemble(inner).C;
    for (std::size_t k = 0; k < C.value.size(); ++k) C.value[k] = s.mass_damping * M.value[k];
    for (int i = 0; i < s.free; ++i)
      for (int k = damping.row_ptr[i]; k < damping.row_ptr[i + 1]; ++k)
        C.value[C.find(i, damping.col[k])] += damping.value[k];
  }
  if (part.body->reduced_modes >= 0) return;  // what is kept of it gets mass of its inside

  std::vector<int> at(s.free, -1);
  for (int i = 0; i < s.free; ++i) {
    if (!light[i] || neighbours[i].empty()) continue;
    at[i] = static_cast<int>(light_.size());
    light_.push_back({part.first + i, {}});
  }
  for (int i = 0; i < s.free; ++i)
    for (int k = K.row_ptr[i]; k < K.row_ptr[i + 1]; ++k) {
      const int j = K.col[k];
      if (at[i] >= 0) light_[at[i]].stiffness.emplace_back(part.first + j, K.value[k]);
      if (at[j] >= 0 && i != j) light_[at[j]].stiffness.emplace_back(part.first + i, K.value[k]);
    }
}

Vec3 StructureSystem::position(int s, int node, const double* q) const {
  Vec3 x = parts_[s].body->structure.mesh.nodes[node];
  for (int d = 0; d < 3; ++d)
    if (const int k = unknown(s, node, d); k >= 0) x[d] += q[k];
  return x;
}

Vec3 StructureSystem::velocity(int s, int node, const double* u) const {
  Vec3 v = Vec3::Zero();
  for (int d = 0; d < 3; ++d)
    if (const int k = unknown(s, node, d); k >= 0) v[d] = u[k];
  return v;
}

std::vector<double> StructureSystem::free_unknowns(int s, const double* q) const {
  const Part& p = parts_[s];
  std::vector<double> out(q + p.first, q + p.first + p.size);
  if (!p.reduction) return out;
  out.resize(p.body->structure.free);
  Eigen::Map<Eigen::VectorXd>(out.data(), static_cast<Eigen::Index>(out.size())) =
      p.reduction->basis * Eigen::Map<const Eigen::VectorXd>(q + p.first, p.size);
  return out;
}

std::vector<double> StructureSystem::start_velocity() const {
  std::vector<double> u;
  for (const Part& p : parts_) u.insert(u.end(), p.start.data(), p.start.data() + p.start.size());
  return u;
}

// Of all free unknowns.
Eigen::VectorXd StructureSystem::start_of(const fem::Body& body) {
  const fem::Structure& s = body.structure;
  Eigen::VectorXd u = Eigen::VectorXd::Zero(s.free);
  for (int n = 0; n < static_cast<int>(s.mesh.nodes.size()); ++n) {
    const Vec3 v = body.velocity + body.angular_velocity.cross(s.mesh.nodes[n] - body.centre);
    for (int d = 0; d < 6; ++d)
      if (const int k = s.free_unknown(n, d); k >= 0) u[k] = d < 3 ? v[d] : body.angular_velocity[d - 3];
  }
  for (const fem::SupportMotion& motion : body.motions)
    for (int n : motion.nodes) u[s.free_unknown(n, motion.direction)] = motion.at(0).d1;
  return u;
}

void StructureSystem::add_stiffness(double factor, const double* x, double* y) const {
  for (const Part& p : parts_)
    if (!p.turning) p.K.multiply_add(factor, x + p.first, y + p.first);
}
double StructureSystem::stiffness_terms(const double* q) const {
  double sum = 0;
  for (const Part& p : parts_) {
    if (p.turning) continue;
    const SymmetricCsr& K = p.matrices.K;
    const double* own = q + p.first;
    for (int i = 0; i < K.rows(); ++i)
      for (int k = K.row_ptr[i]; k < K.row_ptr[i + 1]; ++k) {
        const double size = std::abs(K.value[k]);
        sum += size * std::abs(own[K.col[k]]);
        if (K.col[k] != i) sum += size * std::abs(own[i]);
      }
  }
  return sum;
}
void StructureSystem::add_mass(double factor, const double* x, double* y) const {
  for (const Part& p : parts_) p.M.multiply_add(factor, x + p.first, y + p.first);
}
void StructureSystem::add_damping(double factor, const double* x, double* y) const {
  for (const Part& p : parts_) {
    if (p.turning) continue;
    if (!p.proportional) p.C.multiply_add(factor, x + p.first, y + p.first);
    if (p.proportional && p.alpha != 0) p.M.multiply_add(factor * p.alpha, x + p.first, y + p.first);
    if (p.proportional && p.beta != 0) p.K.multiply_add(factor * p.beta, x + p.first, y + p.first);
  }
}
void StructureSystem::add_internal_forces(double factor, const double* q, double s, const double* u,
                                          double* y) const {
  for (const Part& p : parts_) {
    if (p.turning) continue;
    const double both = p.proportional ? s + p.beta : s;
    for (int i = p.first; i < p.first + p.size; ++i) work_[i] = q[i] + both * u[i];
    p.K.multiply_add(factor, work_.data() + p.first, y + p.first);
    if (!p.proportional) p.C.multiply_add(factor, u + p.first, y + p.first);
    if (p.proportional && p.alpha != 0) p.M.multiply_add(factor * p.alpha, u + p.first, y + p.first);
  }
}

double StructureSystem::damping_power(const double* u) const {
  double power = 0;
  for (const Part& p : parts_) {
    if (p.turning) continue;
    if (!p.proportional) power += p.C.form(u + p.first);
    if (p.proportional && p.alpha != 0) power += p.alpha * p.M.form(u + p.first);
    if (p.proportional && p.beta != 0) power += p.beta * p.K.form(u + p.first);
  }
  return power;
}

double StructureSystem::add_internal_forces_and_power(double factor, const double* q, double s,
                                                      const double* u, double* y, const double* v) const {
  const bool stiffness_alone = std::all_of(parts_.begin(), parts_.end(), [](const Part& p) {
    return p.turning || (p.proportional && p.alpha == 0);
  });
  if (!stiffness_alone) {
    add_internal_forces(factor, q, s, u, y);
    return damping_power(v);
  }
  double power = 0;
  for (const Part& p : parts_) {
    if (p.turning) continue;
    for (int i = p.first; i < p.first + p.size; ++i) work_[i] = q[i] + (s + p.beta) * u[i];
    power += p.beta * p.K.multiply_add_and_form(factor, work_.data() + p.first, y + p.first, v + p.first);
  }
  return power;
}

bool StructureSystem::has_loads() const {
  return std::any_of(parts_.begin(), parts_.end(), [](const Part& p) { return !p.body->loads.empty(); });
}

void StructureSystem::add_loads(double t, double* f) const {
  for (int s = 0; s < count(); ++s)
    for (const fem::NodeLoad& load : parts_[s].body->loads)
      for (int d = 0; d < 3; ++d) {
        const auto nodes = static_cast<double>(load.nodes.size());
        const double force = load.force[d](t, inputs) / nodes,
                     moment = load.turns ? load.moment[d](t, inputs) / nodes : 0;
        for (int n : load.nodes) {
          if (const int k = unknown(s, n, d); k >= 0 && force != 0) f[k] += force;
          if (moment == 0) continue;
          if (const int k = unknown(s, n, 3 + d); k >= 0) f[k] += moment;
        }
      }
}

double StructureSystem::mass_at(int unknown) const {
  auto part = parts_.begin();
  while (unknown >= part->first + part->size) ++part;
  const SymmetricCsr& M = part->matrices.M;
  const int i = unknown - part->first;
  for (int k = M.row_ptr[i]; k < M.row_ptr[i + 1]; ++k)
    if (M.col[k] == i) return M.value[k];
  return 0;
}

void StructureSystem::factor(double h, double theta) {
  for (Part& p : parts_) {
    if (p.turning) continue;
    SymmetricCsr A = p.matrices.K;
    for (std::size_t k = 0; k < A.value.size(); ++k)
      A.value[k] = p.matrices.M.value[k] + theta * h * p.matrices.C.value[k] +
                   theta * theta * h * h * p.matrices.K.value[k];
    if (!factor_part(p, A))
      throw SimulationError(
          0, fmt::format(
                 "structure '{}': mass and stiffness are not positive definite together; a part has neither",
                 p.body->structure.name));
  }
}

bool StructureSystem::factor_part(Part& p, SymmetricCsr& A) const {
  if (!driven_.empty())
    for (int i = 0; i < A.rows(); ++i)
      for (int k = A.row_ptr[i]; k < A.row_ptr[i + 1]; ++k)
        if (is_driven_[p.first + i] || is_driven_[p.first + A.col[k]]) A.value[k] = i == A.col[k];
  return p.cholesky.factor(A, 0) < 0;
}

void StructureSystem::begin(double* b) {
  for (const Driven& d : driven_) b[d.unknown] = 0;
  for (Part& p : parts_) p.cholesky.begin(b + p.first);
}

void StructureSystem::peek(double* d) {
  for (Part& p : parts_) p.cholesky.peek(d + p.first);
}

void StructureSystem::add(const double* b) {
  for (Part& p : parts_) p.cholesky.add(b + p.first);
}

void StructureSystem::finish(double* d) {
  for (Part& p : parts_) p.cholesky.finish(d + p.first);
}

Eigen::MatrixXd StructureSystem::inverse_among(const std::vector<int>& unknowns, int first) const {
  const int n = static_cast<int>(unknowns.size());
  Eigen::MatrixXd out = Eigen::MatrixXd::Zero(n, n - first);
  for (const Part& p : parts_) {
    std::vector<int> rows, number;  // of this structure, and which of `unknowns` they are
    int old = 0;
    for (int i = 0; i < n; ++i) {
      if (unknowns[i] < p.first || unknowns[i] >= p.first + p.size || is_driven_[unknowns[i]]) continue;
      if (i < first) ++old;
      rows.push_back(unknowns[i] - p.first), number.push_back(i);
    }
    if (old == static_cast<int>(rows.size())) continue;
    const Eigen::MatrixXd own =
        old == 0 ? p.cholesky.inverse_among(rows) : p.cholesky.inverse_columns(rows, old);
    for (int j = 0; j < own.cols(); ++j)
      for (int i = 0; i < own.rows(); ++i) out(number[i], number[old + j] - first) = own(i, j);
  }
  return out;
}

std::size_t StructureSystem::factor_size() const {
  std::size_t out = 0;
  for (const Part& p : parts_) out += p.cholesky.factor_size();
  return out;
}

double StructureSystem::kinetic_energy(const double* u) const {
  double sum = 0;
  for (const Part& p : parts_) sum += 0.5 * p.M.form(u + p.first);
  return sum;
}

// By forces, row by row: these are small where the whole moves far, and a form's terms are not.
double StructureSystem::potential_energy(const double* q) const {
  std::fill(work_.begin(), work_.end(), 0.0);
  add_stiffness(1, q, work_.data());
  double sum = 0;
  for (int i = 0; i < size_; ++i) sum += q[i] * (0.5 * work_[i] - weight_[i]);
  for (const Part& p : parts_)
    if (p.turning) sum += p.turning->energy(q + p.first);
  return sum;
}

Vec3 StructureSystem::centre(int s, const double* q) const {
  const Part& p = parts_[s];
  const Eigen::Map<const Eigen::VectorXd> own(q + p.first, p.size);
  return p.body->centre + p.mass_share.transpose() * own;
}

Vec3 StructureSystem::centre_velocity(int s, const double* u) const {
  const Part& p = parts_[s];
  return p.mass_share.transpose() * Eigen::Map<const Eigen::VectorXd>(u + p.first, p.size);
}

double StructureSystem::turn(int s, const double* q) const {
  const Part& p = parts_[s];
  if (p.turning) return 0;    // as far as it likes
  if (p.reduction) return 0;  // its far nodes are not among the unknowns
  const auto& x = p.body->structure.mesh.nodes;
  double most = 0;
  for (int k = 1; k < 3; ++k) {
    const Vec3 before = x[p.corners[k]] - x[p.corners[0]],
               now = position(s, p.corners[k], q) - position(s, p.corners[0], q);
    if (before.norm() > 0) most = std::max(most, before.cross(now).norm() / before.squaredNorm());
  }
  return most;
}

}  // namespace tappet
