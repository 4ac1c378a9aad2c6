// Mesh files: Gmsh 1, 2.2, 4.0 and 4.1, text and binary (.msh); Abaqus and CalculiX (.inp).
// A reader is a file in readers/ with one registration for the ending of its files.
#pragma once

#include <string>

#include "tappet/base/diagnostics.hpp"
#include "tappet/base/registry.hpp"
#include "tappet/fem/mesh.hpp"

namespace tappet::fem {

struct MeshFormat {
  std::string name;  ///< ending of the file: ".msh"
  std::string help;
  /// Throws InputError with file and line.
  Mesh (*read)(const std::string& path, const std::string& content, Diagnostics& diagnostics) = nullptr;
};
using MeshFormatRegistry = Registry<MeshFormat>;

/// Reads the file by its ending. What cannot be read is reported at `pos`, or with the mesh file's own line.
Mesh read_mesh(const std::string& path, const SourcePos& pos, Diagnostics& diagnostics);

/// A place in a mesh file as an error.
[[noreturn]] void mesh_fault(const std::string& path, int line, const std::string& message);

}  // namespace tappet::fem
