// Structures as VTK files for ParaView: legacy text, one file a structure and instant.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "tappet/fem/structure.hpp"

namespace tappet {

/// A vector at every node, by all unknowns or by nodes.
struct NodeField {
  std::string name;
  std::vector<Vec3> values;  ///< one a node
};

/// The first three of the unknowns of each node; zero where it has none.
std::vector<Vec3> node_vectors(const fem::Structure& s, const std::vector<double>& all);
/// Largest von Mises stress of each element, Pa, for displacements of all unknowns.
std::vector<double> element_stress(const fem::Structure& s, const std::vector<double>& all);

/// Mesh as given, displacement and other fields at nodes, von Mises stress in cells. Throws InputError if the
/// file cannot be written.
void write_vtk(const std::string& path, const fem::Structure& s, const std::vector<NodeField>& fields,
               const std::vector<double>& stress);

}  // namespace tappet
