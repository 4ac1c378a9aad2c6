// Values of a model by their paths: "joints.wrist.clearance.journal_radius", list items by number,
// "bodies.rod.position.0".
#pragma once

#include <string>

#include "tappet/base/table.hpp"
#include "tappet/spec/value.hpp"

namespace tappet {

/// The value at a path; null when there is none. "" is the whole.
const Value* find_value(const Value& root, const std::string& path);

/// Puts a value at a path; missing mappings on the way are made. Throws InputError, at `pos`, for a path that
/// leads nowhere.
void set_value(Value& root, const std::string& path, Value value, const SourcePos& pos);

/// The same for a path of a model, as settings do it: keys that the model's tables know may be new, but a name that is
/// not there (a body, a definition) is a fault.
void change_value(Value& root, const std::string& path, Value value, const SourcePos& pos);
/// Puts a new value at a path of a model. Throws InputError if it is there already.
void add_value(Value& root, const std::string& path, Value value, const SourcePos& pos);

/// The row of the model's tables that a path leads to, as the kinds of elements in the tree have it; null: it leads beneath no row, or
/// to a name of the model's own.
const Parameter* row_at(const Value& root, const std::string& path);

/// Puts "key=value" into a mapping that is no model.
void set_key(Value& mapping, const std::string& setting);
/// The setting that adds a new entry: "+forces.push={...}" of "forces.push={...}".
std::string adding_setting(const std::string& assignment);

/// Takes the value at a path out of its mapping. False when there is none, or when it is an item of a list.
bool remove_value(Value& root, const std::string& path);

/// The path of what a diagnostic complains about; "" when it is not in the tree. A mapping and its first key
/// may stand in the same place: then what the message names in quotes counts.
std::string path_of(const Value& root, const Diagnostic& diagnostic);

}  // namespace tappet
