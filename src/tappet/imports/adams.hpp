// Models of MSC Adams: Adams Solver data sets (.adm), as models.
//
//   PART                    body, its axes the part's; GROUND is the ground
//   MARKER                  points and axes of what refers to it
//   JOINT, JPRIM, COUPLER … joints; MOTION motions; SFORCE, SPRINGDAMPER, BUSHING … forces
//   GRAPHICS                shapes; CONTACT contacts between them
//
// adams/statements has a file for each kind of statement. One that is not known, or cannot be said in a model although the motion depends
// on it, is an error with its line; a note where a partial model is asked for.
#pragma once

#include <string>
#include <vector>

#include "tappet/imports/importer.hpp"

namespace tappet {

/// Throws InputError when the data set cannot be used.
ImportedModel import_adams_text(const std::string& text, const std::string& name_in_messages,
                                const RobotOptions& options = {});
/// Statements that are understood.
std::vector<std::string> adams_statements();

}  // namespace tappet
