// Triangles of COLLADA files (.dae).
//
// A scene of nodes, each with transformations and the geometries that it shows; a geometry has lists of positions and
// of polygons that name them. Lengths are in the file's own unit (<unit meter>). The file's <up_axis> is not applied:
// robots' descriptions, where such files come from, take coordinates as they are.
#pragma once

#include <optional>
#include <string>

#include "tappet/geometry/mesh.hpp"

namespace tappet {

/// All triangles of the file's scene, in metres; of all its geometries where there is no scene. Nothing when it cannot
/// be read; `fault` then says why.
std::optional<TriangleMesh> read_collada(const std::string& text, std::string& fault);

}  // namespace tappet
