// An imported robot on a floor: what it needs to be dropped.
#pragma once

#include <string>

#include "tappet/imports/importer.hpp"

namespace tappet {

/// Adds the contact `floor` between all shapes and a floor, a horizontal plane at the height of the robot's lowest point; planes that
/// the description has are the floor where there are some. With `self_collision`, contacts between bodies that no joint connects and
/// that do not overlap as they stand, each pair a group. Notes say what was assumed. `file`: the description, for messages and
/// meshes' places.
void stand_on_floor(ImportedModel& import, const std::string& file, bool self_collision);

}  // namespace tappet
