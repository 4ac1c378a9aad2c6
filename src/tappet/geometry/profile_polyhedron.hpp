// A polyhedron on a profile.
#pragma once

#include "tappet/geometry/pair.hpp"

namespace tappet {

/// Corners of the polyhedron over the profile; and noses of the profile under its faces, every other nose a
/// group: the two ends of where the nose's line runs below the face, and its nearest place
/// (capsule_contact.hpp).
PairType polyhedron_on_profile(const std::string& kind);

}  // namespace tappet
