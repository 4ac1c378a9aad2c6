// A capsule lying on a face.
#pragma once

#include "tappet/geometry/pair.hpp"

namespace tappet {

inline constexpr int capsule_candidates = 3;

/// A polyhedron, first, and a capsule: the two ends of what of the axis lies over the face
/// (face_contact.hpp), and the nearest place when it is neither of them.
void capsule_contacts(const Shape& first, const Pose& p, const Shape& second, const Pose& q,
                      std::span<Proximity> out);

PairType capsule_on_polyhedron(const std::string& name);

}  // namespace tappet
