// A checked model as JSON in SI units, for programs that draw or list it: every value that its table knows,
// defaults included.
#pragma once

#include <string>

#include "tappet/spec/spec.hpp"

namespace tappet {

/// One JSON object with the sections of the model file. Named things are a list of objects with `name` (and
/// `type`, for members of a family); numbers are SI; expressions are numbers where they are constant and text
/// elsewhere.
std::string spec_json(const Spec& spec);

}  // namespace tappet
