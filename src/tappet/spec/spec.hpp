// The model as the user wrote it, checked key by key: names, numbers in SI, places in the file.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "tappet/base/input_file.hpp"
#include "tappet/spec/object.hpp"

namespace tappet {

struct Spec {
  std::string file;        ///< as given by the user
  std::string model_text;  ///< YAML text that reproduces this model, settings applied (stored in the result)
  std::string title;
  Dimension dimension = Dimension::planar;
  std::vector<double> gravity;  ///< 2 or 3 numbers, m/s²
  SourcePos pos;
  std::vector<Object> inputs, tables, states, bodies, joints, motions, forces, events, contacts, controllers,
      materials, material_pairs;
  std::shared_ptr<const Definitions>
      definitions;    ///< names that expressions may use: inputs, and those of `define`
  Object ground;      ///< may carry shapes
  Object simulation;  ///< method, duration, tolerance, ...
  Object output;
  std::vector<std::string> notes;  ///< of the import, where the file is another program's
  std::vector<InputFile> files;    ///< of tables, as they were read
};

/// The table of the whole file. Sections that a later room brings (joints by type, forces by type, contacts, ...) are
/// families over registries.
const Table& model_table();

/// Reads a model: YAML, then settings ("path=value"), then every key against its table.
/// Throws InputError with all faults found.
Spec load_spec(const std::string& path, const std::vector<std::string>& settings = {});
Spec spec_from_text(const std::string& text, const std::string& name_in_messages,
                    const std::vector<std::string>& settings = {});
Spec spec_from_value(Value root, const std::string& name_in_messages);

/// JSON Schema (draft 2020-12) of the model file, from the tables.
std::string json_schema();
/// The same for any one table, such as another kind of file.
std::string json_schema(const Table& table, const std::string& title);

/// YAML text of a value tree (used to store the model with its settings applied).
std::string to_yaml(const Value& value);

}  // namespace tappet
