// Robots described in URDF, as models.
//
//   link         body: its axes are the link's, its origin the centre of mass of <inertial>
//   joint        revolute, continuous → revolute; prismatic → translational; fixed, planar → the same; floating → none
//   mimic        gear (two angles), rack (an angle and a displacement)
//   collision    shapes; those of <visual> where a link has none.  damping → spring-damper without stiffness
//
// Links without mass that a fixed joint holds become part of the link that they are fixed to. A root without
// mass is the ground. What a model has no place for is left out, and a note says so: limits, meshes, friction
// of joints.
#pragma once

#include <string>
#include <vector>

#include "tappet/spec/value.hpp"

namespace tappet {

struct UrdfImport {
  Value model;                     ///< as to_yaml() writes and spec_from_value() reads it
  std::vector<std::string> notes;  ///< what was left out or assumed, sentences
};

/// Throws InputError when the file cannot be used.
UrdfImport import_urdf(const std::string& path);
/// The same for a text.
UrdfImport import_urdf_text(const std::string& xml, const std::string& name_in_messages);

}  // namespace tappet
