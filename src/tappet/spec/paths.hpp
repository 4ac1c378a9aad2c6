// Values of a model by their paths: "joints.wrist.clearance.journal_radius", list items by number,
// "bodies.rod.position.0".
#pragma once

#include <string>

#include "tappet/spec/value.hpp"

namespace tappet {

/// The value at a path; null when there is none. "" is the whole.
const Value* find_value(const Value& root, const std::string& path);

/// Puts a value at a path; missing mappings on the way are made. Throws InputError, at `pos`, for a path that
/// leads nowhere.
void set_value(Value& root, const std::string& path, Value value, const SourcePos& pos);

/// Takes the value at a path out of its mapping. False when there is none, or when it is an item of a list.
bool remove_value(Value& root, const std::string& path);

/// The path of what a diagnostic complains about; "" when it is not in the tree. A mapping and its first key
/// may stand in the same place: then what the message names in quotes counts.
std::string path_of(const Value& root, const Diagnostic& diagnostic);

}  // namespace tappet
