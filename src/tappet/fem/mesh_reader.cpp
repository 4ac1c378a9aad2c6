#include "tappet/fem/mesh_reader.hpp"

#include <filesystem>
#include <fstream>
#include <sstream>

#include <fmt/format.h>

namespace tappet::fem {

void mesh_fault(const std::string& path, int line, const std::string& message) {
  Diagnostics out;
  out.error({std::make_shared<const std::string>(path), line, 0}, message);
  throw InputError(out.all());
}

Mesh read_mesh(const std::string& path, const SourcePos& pos, Diagnostics& diagnostics) {
  const std::string ending = std::filesystem::path(path).extension().string();
  const MeshFormat* format = MeshFormatRegistry::instance().find(ending);
  if (!format) {
    diagnostics.error(pos, fmt::format("the mesh file '{}' ends in '{}'; known are {}", path, ending,
                                       join_names(MeshFormatRegistry::instance().names())));
    return {};
  }
  std::ifstream in(path, std::ios::binary);
  if (!in) {
    diagnostics.error(pos, fmt::format("the mesh file '{}' cannot be opened", path));
    return {};
  }
  std::stringstream text;
  text << in.rdbuf();
  try {
    Mesh mesh = format->read(path, text.str(), diagnostics);
    mesh.source = std::filesystem::path(path).filename().string();
    mesh.finish_groups();
    return mesh;
  } catch (const InputError& fault) {
    for (const Diagnostic& d : fault.diagnostics()) diagnostics.error(d.pos, d.message);
    return {};
  }
}

}  // namespace tappet::fem
