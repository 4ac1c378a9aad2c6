// Structures as files for ParaView: VTK's XML, one .vtu file per structure and instant, and a .pvd file that
// lists them with their times.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "tappet/fem/fields.hpp"
#include "tappet/results/result_file.hpp"

namespace tappet {

struct VtkField {
  std::string name;
  std::size_t components = 3;
  std::span<const double> values;  ///< written in single precision
};

/// The mesh undeformed, with fields at its nodes and elements. Throws InputError if it cannot be written.
void write_vtu(const std::string& path, const fem::FieldMesh& mesh, const std::vector<VtkField>& at_nodes,
               const std::vector<VtkField>& at_elements);

/// Everything in `fields` that is not empty: displacement, velocity, contact_force; von_mises and stress.
void write_vtu(const std::string& path, const fem::FieldMesh& mesh, const fem::Fields& fields);

struct VtkMoment {
  double time = 0;
  int part = 0;      ///< number of the structure
  std::string file;  ///< as seen from the .pvd's folder
};
void write_pvd(const std::string& path, const std::vector<VtkMoment>& moments);

/// All records of a result: PREFIX.pvd and PREFIX_STRUCTURE_0000.vtu and so on; folders are made. Returns the
/// name of the .pvd file. A result without records is an InputError that says how to get them.
std::string export_vtk(const ResultFile& result, const std::string& prefix);

}  // namespace tappet
