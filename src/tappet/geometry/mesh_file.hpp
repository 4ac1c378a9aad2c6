// Triangles from files: STL, text and binary, OBJ and COLLADA.
#pragma once

#include <optional>
#include <string>

#include "tappet/base/diagnostics.hpp"
#include "tappet/geometry/mesh.hpp"

namespace tappet {

/// `file` as seen from the model file that names it: relative names are looked for beside that.
std::string beside(const SourcePos& pos, const std::string& file);

/// By the extension: .stl, .obj or .dae. Coordinates as in the file (.dae: in metres); vertices are not welded. Nothing after an
/// error was reported at `pos`.
std::optional<TriangleMesh> read_mesh_file(const std::string& path, const SourcePos& pos,
                                           Diagnostics& diagnostics);

/// The same from a file's bytes; `name` in messages.
std::optional<TriangleMesh> read_stl(const std::string& bytes, const std::string& name, const SourcePos& pos,
                                     Diagnostics& diagnostics);
std::optional<TriangleMesh> read_obj(const std::string& text, const std::string& name, const SourcePos& pos,
                                     Diagnostics& diagnostics);

}  // namespace tappet
