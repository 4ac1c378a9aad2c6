#include "tappet/results/vtk.hpp"

#include <algorithm>
#include <cstdint>
#include <filesystem>

#include <fmt/format.h>

#include "tappet/base/diagnostics.hpp"
#include "tappet/results/output_file.hpp"
#include "tappet/results/refuse.hpp"
#include "tappet/results/vtk_array.hpp"

namespace tappet {
namespace {

std::string arrays(const std::vector<VtkField>& fields) {
  std::string out;
  for (const VtkField& field : fields)
    out +=
        vtk_array(field.name, field.components, std::vector<float>(field.values.begin(), field.values.end()));
  return out;
}

}  // namespace

void write_vtu(const std::string& path, const fem::FieldMesh& mesh, const std::vector<VtkField>& at_nodes,
               const std::vector<VtkField>& at_elements) {
  std::string text =
      "<?xml version=\"1.0\"?>\n<!-- Tappet -->\n<VTKFile type=\"UnstructuredGrid\" version=\"1.0\" "
      "byte_order=\"LittleEndian\" header_type=\"UInt64\">\n<UnstructuredGrid>\n";
  text += fmt::format("<Piece NumberOfPoints=\"{}\" NumberOfCells=\"{}\">\n<Points>\n", mesh.node_count(),
                      mesh.element_count());
  text += vtk_array("points", 3, mesh.nodes);
  text += "</Points>\n<Cells>\n";
  text += vtk_array("connectivity", 1, std::vector<std::int32_t>(mesh.cells.begin(), mesh.cells.end()));
  text += vtk_array("offsets", 1, std::vector<std::int32_t>(mesh.ends.begin(), mesh.ends.end()));
  text += vtk_array("types", 1, std::vector<std::uint8_t>(mesh.types.begin(), mesh.types.end()));
  text += "</Cells>\n<PointData>\n" + arrays(at_nodes);
  text += "</PointData>\n<CellData>\n" + arrays(at_elements);
  text += "</CellData>\n</Piece>\n</UnstructuredGrid>\n</VTKFile>\n";
  write_output(path, OutputKind::vtk, text);
}

void write_vtu(const std::string& path, const fem::FieldMesh& mesh, const fem::Fields& fields) {
  std::vector<VtkField> nodes, elements;
  const std::pair<const char*, const std::vector<double>*> vectors[] = {
      {"displacement", &fields.displacement},
      {"velocity", &fields.velocity},
      {"contact_force", &fields.contact_force}};
  for (const auto& [name, values] : vectors) {
    // Of flexible bodies forces on nodes are not recorded: what the file holds in their place is not theirs.
    if (mesh.carried && values == &fields.contact_force) continue;
    if (!values->empty()) nodes.push_back({name, 3, *values});
  }
  std::vector<double> von_mises, tensor, principal;
  for (std::size_t i = 0; i < fields.stress.size(); ++i)
    (i % fem::stress_numbers == 0 ? von_mises : tensor).push_back(fields.stress[i]);
  for (std::size_t e = 0; e < tensor.size(); e += 6)
    for (const double one : fem::principal_stresses(tensor.data() + e)) principal.push_back(one);
  if (!von_mises.empty())
    elements = {{"von_mises", 1, von_mises}, {"stress", 6, tensor}, {"principal_stress", 3, principal}};
  write_vtu(path, mesh, nodes, elements);
}

void write_pvd(const std::string& path, const std::vector<VtkMoment>& moments) {
  std::string text =
      "<?xml version=\"1.0\"?>\n<!-- Tappet -->\n<VTKFile type=\"Collection\" version=\"1.0\" "
      "byte_order=\"LittleEndian\">\n<Collection>\n";
  for (const VtkMoment& m : moments)
    text += fmt::format("<DataSet timestep=\"{:.17g}\" part=\"{}\" file=\"{}\"/>\n", m.time, m.part, m.file);
  write_output(path, OutputKind::vtk, text + "</Collection>\n</VTKFile>\n");
}

std::string export_vtk(const ResultFile& result, const std::string& prefix, std::vector<std::string>* notes) {
  const ResultHeader& header = result.header();
  const std::size_t records = header.structures.empty() ? 0 : result.field_count();
  const bool bodies = has_bodies(result);
  if (records == 0 && !bodies)
    refuse(result.path(),
           "holds no records of whole structures, which VTK files are made of: its `output.fields` is 0");
  if (result.rows() == 0) refuse(result.path(), "holds no samples");
  namespace fs = std::filesystem;
  std::error_code error;
  if (const fs::path folder = fs::path(prefix).parent_path(); !folder.empty())
    fs::create_directories(folder, error);
  const std::size_t time_column = 0;
  std::vector<VtkMoment> moments;
  std::vector<std::size_t> rows;
  for (std::size_t k = 0; k < records; ++k) {
    rows.push_back(k * header.field_samples);
    const double time = result.read(rows.back(), 1, {&time_column, 1})[0];
    for (std::size_t s = 0; s < header.structures.size(); ++s) {
      const std::string file = fmt::format("{}_{}_{:04}.vtu", prefix, header.structures[s].name, k);
      write_vtu(file, header.structures[s], result.fields(s, k));
      moments.push_back({time, static_cast<int>(s), fs::path(file).filename().string()});
    }
  }
  if (records == 0) {
    const std::size_t last = result.rows() - 1, frames = std::min(result.rows(), vtk_frames);
    for (std::size_t k = 0; k < frames; ++k) rows.push_back(frames > 1 ? k * last / (frames - 1) : 0);
  }
  if (bodies) {
    const VtkScene scene = write_vtk_scene(result, prefix, rows, static_cast<int>(header.structures.size()));
    moments.insert(moments.end(), scene.moments.begin(), scene.moments.end());
    if (notes && !scene.placeless.empty())
      notes->push_back(fmt::format(
          "the result does not say where these contacts act, so that their forces are not drawn: {}",
          join_names(scene.placeless, 8)));
  }
  const std::string index = prefix + ".pvd";
  write_pvd(index, moments);
  return index;
}

}  // namespace tappet
