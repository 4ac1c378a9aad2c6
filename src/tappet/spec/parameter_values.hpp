// Parameters that a program filled in, as the mapping of a model file that says the same.
#pragma once

#include "tappet/base/parameters.hpp"
#include "tappet/spec/value.hpp"

namespace tappet {

/// A mapping that a program gives as YAML text, where there is no struct for it: the `structure` of a body.
struct WrittenParameters {
  std::string text;
};

struct WriteContext {
  Dimension dimension = Dimension::planar;
  SourcePos pos;  ///< of every value that is written
};

/// What equals its default is left out. Reading the value gives equal parameters, to the last bit.
/// Throws std::logic_error where the parameters are not of the table, or of no member of the family.
Value value_of(const AnyParameters& parameters, const Table& table, const WriteContext& context);
Value value_of(const AnyParameters& parameters, const Family& family, const WriteContext& context);

/// Whether the table, or a member of the family, maps onto these parameters.
bool maps_onto(const Table& table, const AnyParameters& parameters);
bool maps_onto(const Family& family, const AnyParameters& parameters);

}  // namespace tappet
