#include "tappet/fem/internal_forces.hpp"

#include <Eigen/Core>

#include "tappet/fem/corotational.hpp"

namespace tappet::fem {

std::vector<double> internal_forces(const Structure& s, const std::vector<double>& all) {
  if (s.turns) {
    const Corotational elements(s);
    return elements.forces(elements.shape(all));
  }
  std::vector<double> out(s.unknowns, 0.0);
  std::vector<Vec3> x;
  std::vector<int> places;
  ElementMatrices m;
  for (const Element& e : s.elements) {
    x.clear(), places.clear();
    for (const int n : s.nodes_of(e)) x.push_back(s.mesh.nodes[n]);
    e.type->matrices({x, s.materials[e.material], s.sections[e.section]}, m);
    const int dofs = static_cast<int>(m.K.rows()) / e.count;
    for (const int n : s.nodes_of(e))
      for (int d = 0; d < dofs; ++d) places.push_back(s.first_unknown[n] + d);
    Eigen::VectorXd u(places.size());
    for (std::size_t i = 0; i < places.size(); ++i) u[static_cast<Eigen::Index>(i)] = all[places[i]];
    const Eigen::VectorXd f = m.K * u;
    for (std::size_t i = 0; i < places.size(); ++i) out[places[i]] += f[static_cast<Eigen::Index>(i)];
  }
  return out;
}

}  // namespace tappet::fem
