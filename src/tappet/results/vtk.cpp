#include "tappet/results/vtk.hpp"

#include <cerrno>
#include <cstdint>
#include <cstring>
#include <filesystem>
#include <fstream>

#include <fmt/format.h>

#include "tappet/results/base64.hpp"
#include "tappet/results/refuse.hpp"

namespace tappet {
namespace {

template <class Number>
constexpr const char* vtk_name() {
  if constexpr (std::is_same_v<Number, double>) return "Float64";
  if constexpr (std::is_same_v<Number, float>) return "Float32";
  if constexpr (std::is_same_v<Number, std::int32_t>) return "Int32";
  return "UInt8";
}

/// One DataArray: the number of bytes, then the bytes, in one piece of base64.
template <class Number>
std::string array(const std::string& name, std::size_t components, const std::vector<Number>& values) {
  const std::uint64_t size = values.size() * sizeof(Number);
  std::vector<unsigned char> bytes(sizeof size + size);
  std::memcpy(bytes.data(), &size, sizeof size);
  if (size > 0) std::memcpy(bytes.data() + sizeof size, values.data(), size);
  return fmt::format(
      "<DataArray type=\"{}\" Name=\"{}\" NumberOfComponents=\"{}\" format=\"binary\">{}</DataArray>\n",
      vtk_name<Number>(), name, components, base64(bytes));
}

std::string arrays(const std::vector<VtkField>& fields) {
  std::string out;
  for (const VtkField& field : fields)
    out += array(field.name, field.components, std::vector<float>(field.values.begin(), field.values.end()));
  return out;
}

void write_file(const std::string& path, const std::string& text) {
  std::ofstream out(path, std::ios::binary);
  out << text << std::flush;
  if (!out) refuse(path, fmt::format("cannot be written: {}", std::strerror(errno)));
}

}  // namespace

void write_vtu(const std::string& path, const fem::FieldMesh& mesh, const std::vector<VtkField>& at_nodes,
               const std::vector<VtkField>& at_elements) {
  std::string text =
      "<?xml version=\"1.0\"?>\n<VTKFile type=\"UnstructuredGrid\" version=\"1.0\" "
      "byte_order=\"LittleEndian\" header_type=\"UInt64\">\n<UnstructuredGrid>\n";
  text += fmt::format("<Piece NumberOfPoints=\"{}\" NumberOfCells=\"{}\">\n<Points>\n", mesh.node_count(),
                      mesh.element_count());
  text += array("points", 3, mesh.nodes);
  text += "</Points>\n<Cells>\n";
  text += array("connectivity", 1, std::vector<std::int32_t>(mesh.cells.begin(), mesh.cells.end()));
  text += array("offsets", 1, std::vector<std::int32_t>(mesh.ends.begin(), mesh.ends.end()));
  text += array("types", 1, std::vector<std::uint8_t>(mesh.types.begin(), mesh.types.end()));
  text += "</Cells>\n<PointData>\n" + arrays(at_nodes);
  text += "</PointData>\n<CellData>\n" + arrays(at_elements);
  text += "</CellData>\n</Piece>\n</UnstructuredGrid>\n</VTKFile>\n";
  write_file(path, text);
}

void write_vtu(const std::string& path, const fem::FieldMesh& mesh, const fem::Fields& fields) {
  std::vector<VtkField> nodes, elements;
  const std::pair<const char*, const std::vector<double>*> vectors[] = {
      {"displacement", &fields.displacement},
      {"velocity", &fields.velocity},
      {"contact_force", &fields.contact_force}};
  for (const auto& [name, values] : vectors)
    if (!values->empty()) nodes.push_back({name, 3, *values});
  std::vector<double> von_mises, tensor;
  for (std::size_t i = 0; i < fields.stress.size(); ++i)
    (i % fem::stress_numbers == 0 ? von_mises : tensor).push_back(fields.stress[i]);
  if (!von_mises.empty()) elements = {{"von_mises", 1, von_mises}, {"stress", 6, tensor}};
  write_vtu(path, mesh, nodes, elements);
}

void write_pvd(const std::string& path, const std::vector<VtkMoment>& moments) {
  std::string text =
      "<?xml version=\"1.0\"?>\n<VTKFile type=\"Collection\" version=\"1.0\" "
      "byte_order=\"LittleEndian\">\n<Collection>\n";
  for (const VtkMoment& m : moments)
    text += fmt::format("<DataSet timestep=\"{:.17g}\" part=\"{}\" file=\"{}\"/>\n", m.time, m.part, m.file);
  write_file(path, text + "</Collection>\n</VTKFile>\n");
}

std::string export_vtk(const ResultFile& result, const std::string& prefix) {
  const ResultHeader& header = result.header();
  if (header.structures.empty() || result.field_count() == 0)
    refuse(result.path(),
           "holds no records of whole structures, which VTK files are made of: the model has no body with "
           "`structure`, or its `output.fields` is 0");
  namespace fs = std::filesystem;
  std::error_code error;
  if (const fs::path folder = fs::path(prefix).parent_path(); !folder.empty())
    fs::create_directories(folder, error);
  const std::size_t time_column = 0;
  std::vector<VtkMoment> moments;
  for (std::size_t k = 0; k < result.field_count(); ++k) {
    const double time = result.read(k * header.field_samples, 1, {&time_column, 1})[0];
    for (std::size_t s = 0; s < header.structures.size(); ++s) {
      const std::string file = fmt::format("{}_{}_{:04}.vtu", prefix, header.structures[s].name, k);
      write_vtu(file, header.structures[s], result.fields(s, k));
      moments.push_back({time, static_cast<int>(s), fs::path(file).filename().string()});
    }
  }
  const std::string index = prefix + ".pvd";
  write_pvd(index, moments);
  return index;
}

}  // namespace tappet
