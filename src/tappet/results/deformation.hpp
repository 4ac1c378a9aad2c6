// Structures as the report's page draws them: their outer surface, and how it moves.
//
// A page has room for a few hundred thousand numbers. The displacements of all records are written as
//
//   d_f(x) = c_f + Σ_k a_kf u_k(x)          k = 1 … r
//
// with the mean displacement c_f of record f (of a structure that nothing holds; of a flexible body, and of a structure that turns far,
// a pose instead, and d_f in its axes), and the r shapes u_k that
// together come nearest to all records (their singular vectors), until no node is off by more than 0.2 % of
// the largest displacement, or the room is used up. Von Mises stress is kept at fewer moments, a byte a node.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "tappet/results/result_file.hpp"

namespace tappet {

/// What is drawn of a mesh: its outer faces and its lines, with nodes renumbered.
struct DrawnPart {
  std::vector<int> nodes;            ///< of the mesh
  std::vector<std::uint32_t> faces;  ///< 4 a face; the last twice for a triangle
  std::vector<std::uint32_t> lines;  ///< 2 per line
};
DrawnPart drawn_part(const fem::FieldMesh& mesh);

/// Von Mises stress at nodes, Pa: the mean of their elements'; `stress` as in fem::Fields.
std::vector<double> node_stress(const fem::FieldMesh& mesh, const std::vector<double>& stress);

/// One JSON object a structure; together about `bytes` bytes.
nlohmann::ordered_json deformation_json(const ResultFile& result, std::size_t bytes);

/// What is drawn of a mesh, and one state of it: its shape of 16 bits a number, where 32767 stands for `largest`, and von
/// Mises stress.
nlohmann::ordered_json drawn_mesh_json(const fem::FieldMesh& mesh);
nlohmann::ordered_json drawn_fields_json(const fem::FieldMesh& mesh, const fem::Fields& fields);

}  // namespace tappet
