// Reads single values of the model file by the row of their table. Private to spec/.
//
// Every function reports what is wrong to the context's diagnostics, at the value's place, and then returns
// nothing.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "tappet/spec/object.hpp"

namespace tappet {

std::optional<double> read_number(const Value& value, const Parameter& parameter, const ReadContext& context);
std::optional<Expression> read_expression(const Value& value, const Parameter& parameter,
                                          const ReadContext& context);

/// A list of `length` numbers; `length` may be by_dimension or any_length.
std::optional<std::vector<double>> read_vector(const Value& value, const Parameter& parameter, int length,
                                               const ReadContext& context);

/// 1 number in a planar model, 9 in a spatial one.
std::optional<std::vector<double>> read_inertia(const Value& value, const Parameter& parameter,
                                                const ReadContext& context);
/// Quaternion (w, x, y, z) of unit length.
std::optional<std::vector<double>> read_orientation(const Value& value, const Parameter& parameter,
                                                    const ReadContext& context);

/// Any kind but object and objects; fills the member of the entry that the kind uses.
bool read_entry(const Value& value, const Parameter& parameter, const ReadContext& context,
                Object::Entry& entry);

/// "'-3 kg'", "a list" or "a mapping", for messages.
std::string shown(const Value& value);

/// True when the value is a list of the right length; otherwise reports it. `items` names them: "numbers",
/// "points".
bool check_list(const Value& value, const Parameter& parameter, int length, const char* items,
                const ReadContext& context);

/// The length a list must have in this model.
int resolved_length(int length, const ReadContext& context);

}  // namespace tappet
