#include "tappet/fem/structure.hpp"

#include <algorithm>
#include <cmath>

#include <Eigen/Dense>
#include <fmt/format.h>

#include "tappet/fem/turned_mass.hpp"

namespace tappet::fem {
namespace {

std::vector<Vec3> positions(const Structure& s, const Element& e) {
  std::vector<Vec3> x;
  for (int n : s.nodes_of(e)) x.push_back(s.mesh.nodes[n]);
  return x;
}

int unknowns_of(const Structure& s, const Element& e) {
  if (e.type->shape == CellShape::point) return s.sections[e.section].mass_inertia.isZero(0) ? 3 : 6;
  return e.type->dofs;
}

/// Places of an element's unknowns among all.
std::vector<int> places(const Structure& s, const Element& e) {
  std::vector<int> out;
  const int dofs = unknowns_of(s, e);
  for (int n : s.nodes_of(e))
    for (int d = 0; d < dofs; ++d) out.push_back(s.first_unknown[n] + d);
  return out;
}

std::string listed(const std::vector<long>& labels, std::size_t limit = 8) {
  std::string out;
  for (std::size_t i = 0; i < std::min(limit, labels.size()); ++i)
    out += fmt::format("{}{}", i ? ", " : "", labels[i]);
  if (labels.size() > limit) out += fmt::format(" and {} more", labels.size() - limit);
  return out;
}

/// The mass matrix of an element as the structure asks for it.
void use_mass(const Structure& s, const Element& e, Eigen::MatrixXd& M) {
  if (s.turns) {
    std::vector<Vec3> x;
    for (const int n : s.nodes_of(e)) x.push_back(s.mesh.nodes[n]);
    turn_mass(*e.type, {x, s.materials[e.material], s.sections[e.section]}, s.lumped_mass, M);
  } else if (s.lumped_mass)
    M = lumped(M, e.count, static_cast<int>(M.rows()) / e.count).asDiagonal();
}

/// A direction without length and sign: its largest component is positive.
std::string direction(Vec3 v) {
  int largest = 0;
  v.cwiseAbs().maxCoeff(&largest);
  v /= v[largest] < 0 ? -v.norm() : v.norm();
  for (double& x : v)
    if (std::abs(x) < 1e-6) x = 0;
  return fmt::format("[{:.3g}, {:.3g}, {:.3g}]", v.x(), v.y(), v.z());
}

}  // namespace

void Structure::add_element(const ElementType& type, std::span<const int> nodes, int section, int material,
                            long label) {
  elements.push_back({&type, static_cast<int>(element_nodes.size()), static_cast<int>(nodes.size()), section,
                      material, label});
  element_nodes.insert(element_nodes.end(), nodes.begin(), nodes.end());
}

void check(const Structure& s, const SourcePos& pos, Diagnostics& diagnostics) {
  std::vector<long> inverted, collapsed, lost;
  for (const Element& e : s.elements) {
    if (!e.type->quality) continue;
    const std::vector<Vec3> x = positions(s, e);
    const double q = e.type->quality(x);
    if (q < -1e-9)
      inverted.push_back(e.label);
    else if (!(q > 1e-9))
      collapsed.push_back(e.label);
  }
  if (!inverted.empty())
    diagnostics.error(
        pos,
        fmt::format("structure '{}': {} of {} elements of {} are turned inside out (their nodes are in the "
                    "wrong order, or they fold over): {}",
                    s.name, inverted.size(), s.elements.size(), s.mesh.source, listed(inverted)));
  if (!collapsed.empty())
    diagnostics.error(
        pos, fmt::format("structure '{}': {} of {} elements of {} have no length, area or volume: {}", s.name,
                         collapsed.size(), s.elements.size(), s.mesh.source, listed(collapsed)));
  std::vector<char> used(s.mesh.nodes.size(), 0);
  for (int n : s.element_nodes) used[n] = 1;
  for (std::size_t n = 0; n < used.size(); ++n)
    if (!used[n]) lost.push_back(s.mesh.label_of_node(static_cast<int>(n)));
  if (!lost.empty())
    diagnostics.warning(
        pos, fmt::format("structure '{}': {} of {} nodes of {} belong to no element and are left out: {}",
                         s.name, lost.size(), used.size(), s.mesh.source, listed(lost)));
}

void number_unknowns(Structure& s) {
  const int n = static_cast<int>(s.mesh.nodes.size());
  s.node_unknowns.assign(n, 0);
  for (const Element& e : s.elements)
    for (int node : s.nodes_of(e)) s.node_unknowns[node] = std::max(s.node_unknowns[node], unknowns_of(s, e));
  s.first_unknown.assign(n, -1);
  s.unknowns = 0;
  for (int i = 0; i < n; ++i)
    if (s.node_unknowns[i]) s.first_unknown[i] = s.unknowns, s.unknowns += s.node_unknowns[i];
  s.free_of.assign(s.unknowns, 0);
  // Nodes that have plane elements alone stay in their plane.
  std::vector<char> in_plane(n, 0), in_space(n, 0);
  for (const Element& e : s.elements)
    if (e.type->shape != CellShape::point)
      for (int node : s.nodes_of(e)) (e.type->plane ? in_plane : in_space)[node] = 1;
  for (int i = 0; i < n; ++i)
    if (in_plane[i] && !in_space[i]) s.free_of[s.first_unknown[i] + 2] = -1;
  // The axis of revolution stays where it is.
  const double on_axis = 1e-9 * extent(s.mesh);
  for (const Element& e : s.elements)
    if (e.type->ring)
      for (int node : s.nodes_of(e))
        if (s.mesh.nodes[node].x() <= on_axis) s.free_of[s.first_unknown[node]] = -1;
  for (const Support& support : s.supports)
    for (int d = 0; d < s.node_unknowns[support.node]; ++d)
      if (support.held[d]) s.free_of[s.first_unknown[support.node] + d] = -1;
  s.free = 0;
  for (int& place : s.free_of)
    if (place == 0) place = s.free++;
}

StructureMatrices assemble(const Structure& s) {
  std::vector<std::vector<int>> items;
  for (const Element& e : s.elements) {
    std::vector<int> free;
    for (int p : places(s, e))
      if (s.free_of[p] >= 0) free.push_back(s.free_of[p]);
    items.push_back(std::move(free));
  }
  StructureMatrices out;
  out.K = assembled_pattern(s.free, items);
  out.M = out.C = out.K;
  ElementMatrices m;
  for (const Element& e : s.elements) {
    const std::vector<Vec3> x = positions(s, e);
    m.C.resize(0, 0);
    e.type->matrices({x, s.materials[e.material], s.sections[e.section]}, m);
    const std::vector<int> at = places(s, e);
    const int rows = static_cast<int>(at.size());
    use_mass(s, e, m.M);
    for (int i = 0; i < rows; ++i) {
      const int fi = s.free_of[at[i]];
      if (fi < 0) continue;
      for (int j = 0; j <= i; ++j) {
        const int fj = s.free_of[at[j]];
        if (fj < 0) continue;
        const int k = out.K.find(fi, fj);
        // An element that meets a node twice couples it with itself both ways.
        const double twice = fi == fj && i != j ? 2 : 1;
        out.K.value[k] += twice * m.K(i, j);
        out.M.value[k] += twice * m.M(i, j);
        if (m.C.size()) out.C.value[k] += twice * m.C(i, j);
      }
    }
  }
  for (std::size_t k = 0; k < out.C.value.size(); ++k)
    out.C.value[k] += s.mass_damping * out.M.value[k] + s.stiffness_damping * out.K.value[k];
  return out;
}

double total_mass(const Structure& s, Vec3* centre) {
  double mass = 0;
  Vec3 moment = Vec3::Zero();
  ElementMatrices m;
  for (const Element& e : s.elements) {
    const std::vector<Vec3> x = positions(s, e);
    e.type->matrices({x, s.materials[e.material], s.sections[e.section]}, m);
    const int dofs = static_cast<int>(m.M.rows()) / e.count;
    for (int i = 0; i < e.count; ++i)
      for (int j = 0; j < e.count; ++j) {
        mass += m.M(dofs * i, dofs * j);
        moment += m.M(dofs * i, dofs * j) * x[j];
      }
  }
  if (centre) *centre = mass > 0 ? Vec3(moment / mass) : Vec3(Vec3::Zero());
  return mass;
}

namespace {

/// Forces that a uniform acceleration of the held unknowns alone, or of all, gives on all unknowns.
std::vector<double> element_weights(const Structure& s, const Vec3& g, bool held_alone) {
  std::vector<double> out(s.unknowns, 0.0);
  ElementMatrices m;
  for (const Element& e : s.elements) {
    const std::vector<int> at = places(s, e);
    const auto counts = [&](int place) { return !held_alone || s.free_of[place] < 0; };
    if (std::none_of(at.begin(), at.end(), counts)) continue;
    const std::vector<Vec3> x = positions(s, e);
    e.type->matrices({x, s.materials[e.material], s.sections[e.section]}, m);
    const int rows = static_cast<int>(at.size()), dofs = rows / e.count;
    use_mass(s, e, m.M);
    for (int j = 0; j < rows; ++j)
      if (j % dofs < 3 && counts(at[j]))
        for (int i = 0; i < rows; ++i) out[at[i]] += m.M(i, j) * g[j % dofs];
  }
  return out;
}

}  // namespace

void add_weight(const Structure& s, const SymmetricCsr& M, const Vec3& g, double* f) {
  std::vector<double> a(s.free, 0.0);
  for (int n = 0; n < static_cast<int>(s.mesh.nodes.size()); ++n)
    for (int d = 0; d < 3; ++d)
      if (const int k = s.free_unknown(n, d); k >= 0) a[k] = g[d];
  multiply_add(M, 1, a.data(), f);
  // M has no columns of held unknowns, but elements share their weight with the free ones beside them.
  const std::vector<double> beside = element_weights(s, g, true);
  for (int i = 0; i < s.unknowns; ++i)
    if (s.free_of[i] >= 0) f[s.free_of[i]] += beside[i];
}

std::vector<double> weights(const Structure& s, const Vec3& g) {
  return element_weights(s, g, false);
}

std::vector<double> spread(const Structure& s, const double* free) {
  std::vector<double> out(s.unknowns, 0.0);
  for (int i = 0; i < s.unknowns; ++i)
    if (s.free_of[i] >= 0) out[i] = free[s.free_of[i]];
  return out;
}

std::string describe_motion(const Structure& s, const double* q) {
  const std::vector<double> all = spread(s, q);
  // The nearest motion of the whole as a rigid body, by least squares over the nodes.
  Vec3 centre = Vec3::Zero();
  int count = 0;
  for (std::size_t n = 0; n < s.mesh.nodes.size(); ++n)
    if (s.node_unknowns[n]) centre += s.mesh.nodes[n], ++count;
  centre /= std::max(count, 1);
  Eigen::Matrix<double, 6, 6> A = Eigen::Matrix<double, 6, 6>::Zero();
  Eigen::Matrix<double, 6, 1> b = Eigen::Matrix<double, 6, 1>::Zero();
  double total = 0, most = 0;
  int furthest = 0;
  for (int n = 0; n < static_cast<int>(s.mesh.nodes.size()); ++n) {
    if (!s.node_unknowns[n]) continue;
    const Vec3 u(all[s.first_unknown[n]], all[s.first_unknown[n] + 1], all[s.first_unknown[n] + 2]),
        r = s.mesh.nodes[n] - centre;
    Eigen::Matrix<double, 3, 6> B;  // u = v + ω × r
    B << Mat3::Identity(), Mat3{{0, r.z(), -r.y()}, {-r.z(), 0, r.x()}, {r.y(), -r.x(), 0}};
    A += B.transpose() * B;
    b += B.transpose() * u;
    total += u.squaredNorm();
    double size = u.norm();
    for (int d = 3; d < s.node_unknowns[n]; ++d)
      size = std::max(size, 1e-3 * std::abs(all[s.first_unknown[n] + d]));
    if (size > most) most = size, furthest = n;
  }
  const Eigen::Matrix<double, 6, 1> rigid = A.completeOrthogonalDecomposition().solve(b);
  const double left = total - b.dot(rigid);
  if (total > 0 && left < 1e-4 * total) {
    const Vec3 v = rigid.head<3>(), w = rigid.tail<3>();
    const double size = std::max(extent(s.mesh), 1e-300);
    if (w.norm() * size < 1e-2 * v.norm())
      return fmt::format("translation of the whole along {}", direction(v));
    Vec3 through = centre + w.cross(v) / w.squaredNorm();
    for (double& x : through)
      if (std::abs(x) < 1e-6 * size) x = 0;
    return fmt::format("rotation of the whole about {} through [{:.3g}, {:.3g}, {:.3g}] m", direction(w),
                       through.x(), through.y(), through.z());
  }
  int moving = 0;
  for (int n = 0; n < static_cast<int>(s.mesh.nodes.size()); ++n) {
    if (!s.node_unknowns[n]) continue;
    const Vec3 u(all[s.first_unknown[n]], all[s.first_unknown[n] + 1], all[s.first_unknown[n] + 2]);
    moving += u.norm() > 0.01 * most;
  }
  const Vec3& x = s.mesh.nodes[furthest];
  return fmt::format("a part of {} nodes moves by itself, most at node {} ([{:.4g}, {:.4g}, {:.4g}] m)",
                     moving, s.mesh.label_of_node(furthest), x.x(), x.y(), x.z());
}

}  // namespace tappet::fem
