// Results as files for ParaView: VTK's XML, one .vtu file per structure and instant, .vtp files for the bodies of a mechanism, and a .pvd
// file that lists them with their times.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "tappet/fem/fields.hpp"
#include "tappet/results/result_file.hpp"
#include "tappet/results/vtk_scene.hpp"

namespace tappet {

struct VtkField {
  std::string name;
  std::size_t components = 3;
  std::span<const double> values;  ///< written in single precision
};

/// The mesh undeformed, with fields at its nodes and elements. Throws InputError if it cannot be written.
void write_vtu(const std::string& path, const fem::FieldMesh& mesh, const std::vector<VtkField>& at_nodes,
               const std::vector<VtkField>& at_elements);

/// Everything in `fields` that is not empty: displacement, velocity, contact_force; von_mises, stress and
/// principal_stress, the largest first.
void write_vtu(const std::string& path, const fem::FieldMesh& mesh, const fem::Fields& fields);

void write_pvd(const std::string& path, const std::vector<VtkMoment>& moments);

/// All records of a result's structures, PREFIX_STRUCTURE_0000.vtu and so on, its bodies and contacts (vtk_scene.hpp), at the same instants or at
/// 200 of the run, and PREFIX.pvd, which lists them; folders are made. Returns the name of that. A result that has nothing of all this is an
/// InputError that says how to get it. `notes`: what could not be drawn.
std::string export_vtk(const ResultFile& result, const std::string& prefix,
                       std::vector<std::string>* notes = nullptr);

}  // namespace tappet
