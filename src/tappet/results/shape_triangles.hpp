// Shapes from files as triangles and curves as polygons, for pictures of a model.
#pragma once

#include <nlohmann/json_fwd.hpp>

#include "tappet/spec/spec.hpp"

namespace tappet {

/// Gives each `mesh` and `solid` of a model's JSON (spec_json.hpp) `vertices` and `triangles` in body
/// coordinates; solids become meshes. A `curve` becomes a polygon of 256 corners. A shape of more than 20,000 triangles is drawn coarser. A file that is
/// not there any more leaves its shape without, and not drawn.
void add_triangles(const Spec& spec, nlohmann::ordered_json& model);

}  // namespace tappet
