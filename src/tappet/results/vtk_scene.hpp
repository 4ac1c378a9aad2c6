// Mechanisms for ParaView: the surfaces of their bodies as these move, and the forces of their contacts as arrows.
//
//   PREFIX_bodies_0000.vtp     all bodies and the ground: triangles in space, outlines in the plane; bodies without shapes as lines from their
//                              centre to their joints. Per cell `body`, its number; per point `velocity`
//   PREFIX_contacts_0000.vtp   a point for each contact where it acts, with `force` on its second surface and `contact`, its number
#pragma once

#include <string>
#include <vector>

#include "tappet/results/result_file.hpp"

namespace tappet {

/// Instants of a mechanism where no record of a structure says which.
inline constexpr std::size_t vtk_frames = 200;

/// A file that a .pvd file lists.
struct VtkMoment {
  double time = 0;
  int part = 0;      ///< number of the structure, or of what stands behind these
  std::string file;  ///< as seen from the .pvd's folder
};

struct VtkScene {
  std::vector<VtkMoment> moments;
  std::vector<std::string> bodies, contacts;  ///< by number
  std::vector<std::string> placeless;  ///< contacts whose place the result does not say: they are left out
};

/// True where the model has bodies that move as wholes.
bool has_bodies(const ResultFile& result);

/// Writes the files of these rows; numbers of parts begin with `part`. Throws InputError where the result does not hold where bodies are.
VtkScene write_vtk_scene(const ResultFile& result, const std::string& prefix,
                         const std::vector<std::size_t>& rows, int part);

}  // namespace tappet
