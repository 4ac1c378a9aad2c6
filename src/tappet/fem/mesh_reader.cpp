#include "tappet/fem/mesh_reader.hpp"

#include <filesystem>
#include <optional>

#include <fmt/format.h>

#include "tappet/base/input_file.hpp"

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
  std::string why;
  const std::optional<std::string> text = read_input_file(path, why);
  if (!text) {
    diagnostics.error(pos, fmt::format("the mesh file '{}' {}", path, why));
    return {};
  }
  try {
    Mesh mesh = format->read(path, *text, diagnostics);
    mesh.source = std::filesystem::path(path).filename().string();
    mesh.finish_groups();
    return mesh;
  } catch (const InputError& fault) {
    for (const Diagnostic& d : fault.diagnostics()) diagnostics.error(d.pos, d.message);
    return {};
  }
}

}  // namespace tappet::fem
