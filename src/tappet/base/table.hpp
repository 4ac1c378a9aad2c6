// Parameter tables: what may stand in a mapping of the model file.
//
// A table is data. The same table reads and checks the file, produces the JSON Schema, `tappet laws NAME`, the Python
// keywords and the reference page, so none of them can disagree with another.
#pragma once

#include <functional>
#include <limits>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "tappet/base/inputs.hpp"

namespace tappet {

enum class Dimension { planar, spatial };

/// The kinds of values a parameter can take, and the accessor of Object that returns it.
enum class Kind {
  number,       ///< one number with unit                        → Object::number
  integer,      ///< whole number                                → Object::integer
  boolean,      ///< true | false                                → Object::boolean
  text,         ///< any text                                    → Object::text
  choice,       ///< one of `choices`                            → Object::text
  name,         ///< the name of something else in the model     → Object::text
  names,        ///< list of `count` names (0: any number)       → Object::names
  expression,   ///< number or expression of `variables`         → Object::expression
  vector,       ///< `length` numbers of one unit                → Object::vector
  expressions,  ///< `length` expressions of `variables`         → Object::expressions
  numbers,      ///< mapping of free names to numbers of one unit → Object::names and vector, in file order
  definitions,  ///< mapping of names, or names with parameters, to expressions → Object::definitions
  points,       ///< `count` vectors of `length` numbers         → Object::points
  matrix,       ///< `count` rows of `length` plain SI numbers   → Object::points
  inertia,  ///< planar: number; spatial: [Ixx,Iyy,Izz], [Ixx,Iyy,Izz,Ixy,Ixz,Iyz] or 3×3; about the centre of mass,
            ///< body axes; checked positive definite        → Object::vector: 1 number, or 9 row by row
  orientation,  ///< quaternion [w,x,y,z] or {axis, angle}       → Object::vector: 4 numbers, unit length
  spin,         ///< planar: one number; spatial: three           → Object::vector: 1 or 3 numbers
  object,       ///< mapping described by `table` or `family`    → Object::object
  objects,      ///< mapping name → object by `table`/`family`   → Object::objects
};

/// Length of a vector that follows the model's dimension: 2 in the plane, 3 in space.
inline constexpr int by_dimension = 0;
/// Length of a list that may hold any number of items, at least one.
inline constexpr int any_length = -1;

/// Permitted numbers, bounds included unless open. Non-finite numbers are never permitted.
struct Range {
  double low = -std::numeric_limits<double>::infinity();
  double high = std::numeric_limits<double>::infinity();
  bool low_open = false;
  bool high_open = false;

  bool contains(double x) const;
  std::string text() const;  ///< "> 0", "between 0 and 1", ...
};
inline Range any_number() {
  return {};
}
inline Range positive() {
  return {.low = 0, .low_open = true};
}
inline Range not_negative() {
  return {.low = 0};
}
inline Range unit_interval() {
  return {.low = 0, .high = 1};
}

struct Table;
struct Family;
struct StructType;

struct Parameter {
  std::string name;
  Kind kind = Kind::number;
  std::string unit =
      "";  ///< SI unit, "" for a pure number; in `any_unit` kinds the reader's table says more in help
  std::string help = "";  ///< one line, for people
  bool required = false;
  /// Default as it would be written in the file; "" and not required: absent. In a list whose length follows the
  /// dimension, a single number stands for all items ("0"), and a spatial list loses its last item in the plane.
  std::string fallback = "";
  /// Not "": a required value that may also come from elsewhere, in words ("`materials` of a known pair"). The reader lets
  /// it be absent; who uses the mapping fills it in and then asks require_supplied().
  std::string supplied_by = "";
  Range range = {};
  std::vector<std::string> choices = {};  ///< Kind::choice
  std::vector<std::string> variables =
      {};  ///< Kind::expression(s): names that may be used, the first is differentiated
  Inputs inputs = Inputs::refused;  ///< Kind::expression(s): may they be used
  std::string no_inputs = "";       ///< why not, and what to do instead
  int length = by_dimension;        ///< Kind::vector, points, matrix, expressions
  int count = 2;                    ///< Kind::points, names, matrix
  const Table* table = nullptr;     ///< Kind::object(s) of one shape
  const Family* family = nullptr;   ///< Kind::object(s) whose shape depends on a key such as `type`
  /// Kind::number whose unit ends in "^n": the key of the same mapping that says n.
  std::string unit_power = "";
  /// Kind::number whose unit another key of the same mapping says: that key.
  std::string unit_from = "";
};

/// "missing key 'mass' in a body 'crank': mass (in kg)", `words` being "a body 'crank'".
std::string missing_key(const Parameter& parameter, const std::string& words);

/// The allowed keys of one mapping.
struct Table {
  std::string name;  ///< in messages: "a revolute joint"
  std::string help;
  std::vector<Parameter> parameters;
  bool planar = true;   ///< may be used in a planar model
  bool spatial = true;  ///< may be used in a spatial model
  std::shared_ptr<const StructType> maps =
      nullptr;  ///< the struct it maps onto (base/parameters.hpp); null: none
};

inline Table planar_only(Table table) {
  table.spatial = false;
  return table;
}
inline Table spatial_only(Table table) {
  table.planar = false;
  return table;
}

/// Mappings whose allowed keys depend on one of them (`type: revolute`, `law: hertz`), or that hold one key, the
/// member's name, over the member's own mapping (`{sphere: {radius: 1}}`).
struct Family {
  std::string key;            ///< "type" or "law"; "": the only key is the member
  std::string noun;           ///< "joint type", in messages
  Table common;               ///< keys that every member allows
  std::string fallback = "";  ///< member taken when the key is absent; "": the key is required
  /// Members by name, from a registry; called when needed, never before main().
  std::function<std::vector<std::pair<std::string, const Table*>>()> members;
};

}  // namespace tappet
