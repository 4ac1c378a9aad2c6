// The model file as read: a tree of values, each knowing its line and column. No meaning yet.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "tappet/base/diagnostics.hpp"

namespace tappet {

struct Value {
  enum class Kind { null, scalar, sequence, mapping };

  Kind kind = Kind::null;
  SourcePos pos;
  std::string text;                                ///< scalar, as written without quotes
  bool quoted = false;                             ///< scalar was quoted in the file
  std::vector<Value> items;                        ///< sequence
  std::vector<std::pair<std::string, Value>> map;  ///< mapping, in file order
  std::vector<SourcePos> key_pos;                  ///< mapping: where each key stands

  // Written out in value.cpp: a type that contains lists of pairs with itself is more than Clang's library
  // checks allow inside its own definition.
  Value();
  Value(const Value&);
  Value(Value&&) noexcept;
  Value& operator=(const Value&);
  Value& operator=(Value&&) noexcept;
  ~Value();

  const Value* find(const std::string& key) const;
  Value* find(const std::string& key);
};

/// Largest model file accepted, in bytes. A chain of 10,000 bodies takes about 3 MB.
inline constexpr std::size_t max_model_bytes = 32u << 20;

/// Reads YAML. Throws InputError for anything that is not a readable, non-empty, reasonably sized YAML
/// mapping (missing file, directory, too large, not UTF-8 text, syntax error, duplicate key, alias bomb).
Value read_yaml_file(const std::string& path);
Value read_yaml_text(const std::string& text, const std::string& name_in_messages);

/// Applies "path.to.key=value" (value is YAML) to the tree of a model; "+path=value" adds an entry (spec/paths.hpp). List
/// items by number: "joints.pin.points.0". Throws InputError with the place "--set path=value" or "--add path=value".
void apply_setting(Value& root, const std::string& setting);
/// The setting that gives an input a value: "inputs.throttle.default=0.3 N" of "throttle=0.3 N". Throws InputError.
std::string input_setting(const std::string& assignment);

}  // namespace tappet
