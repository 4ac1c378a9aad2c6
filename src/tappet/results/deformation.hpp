// Structures as the report's page draws them: their outer surface, and how it moves.
//
// A page has room for a few hundred thousand numbers. The displacements of all records are written as
//
//   d_f(x) = c_f + Σ_k a_kf u_k(x)          k = 1 … r
//
// with the mean displacement c_f of record f (of a structure that nothing holds), and the r shapes u_k that
// together come nearest to all records (their singular vectors), until no node is off by more than 0.2 % of
// the largest displacement, or the room is used up. Von Mises stress is kept at fewer moments, a byte a node.
#pragma once

#include <cstddef>

#include <nlohmann/json_fwd.hpp>

#include "tappet/results/result_file.hpp"

namespace tappet {

/// One JSON object a structure; together about `bytes` bytes.
nlohmann::ordered_json deformation_json(const ResultFile& result, std::size_t bytes);

/// What is drawn of a mesh, and one state of it: its shape of 16 bits a number, where 32767 stands for `largest`, and von
/// Mises stress.
nlohmann::ordered_json drawn_mesh_json(const fem::FieldMesh& mesh);
nlohmann::ordered_json drawn_fields_json(const fem::FieldMesh& mesh, const fem::Fields& fields);

}  // namespace tappet
