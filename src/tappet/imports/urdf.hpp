// Robots described in URDF, as models.
//
//   link         body, with all links that fixed joints hold to it: its axes are those of the first, its origin the
//                centre of mass of all
//   joint        revolute, continuous → revolute; prismatic → translational; planar → the same; floating → none
//   zero         a joint's coordinate is that of the URDF: 0 where <origin> alone places the child
//   mimic        gear (two angles), coupler (two displacements), rack (one of each)
//   collision    shapes; those of <visual> where a link has none.  Meshes that are open: the hull of their vertices
//   damping      spring-damper without stiffness
//
// A root without mass is the ground, and so is one called world with all that is fixed to it. What a model has no place
// for is left out, and a note says so: friction of joints, their limits unless these are to be elastic stops.
#pragma once

#include <string>

#include "tappet/imports/importer.hpp"

namespace tappet {

using UrdfImport = ImportedModel;

/// Throws InputError when the file cannot be used.
UrdfImport import_urdf(const std::string& path, const RobotOptions& options = {});
/// The same for a text; meshes are looked for from where a file of that name stands.
UrdfImport import_urdf_text(const std::string& xml, const std::string& name_in_messages,
                            const RobotOptions& options = {});

}  // namespace tappet
