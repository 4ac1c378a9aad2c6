// Descriptions of other programs, as models. An importer is a file with one registration, under the name of the outermost element of its
// files, or under "adm", the ending of data sets, which are no XML.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "tappet/base/registry.hpp"
#include "tappet/imports/robot_options.hpp"
#include "tappet/spec/value.hpp"

namespace tappet {

struct ImportedModel {
  Value model;                     ///< as to_yaml() writes and spec_from_value() reads it
  std::vector<std::string> notes;  ///< what was left out or assumed, sentences
  std::vector<std::pair<std::string, std::string>> apart =
      {};                                  ///< bodies of the model that are not to touch each other
  std::vector<std::string> warnings = {};  ///< what was changed unasked and matters to the motion, sentences
};

struct Importer {
  std::string name;  ///< of the outermost element: "robot"
  std::string help;  ///< "URDF"
  /// From a text; other files are looked for from where one called `name_in_messages` stands. Throws InputError.
  ImportedModel (*import)(const std::string& xml, const std::string& name_in_messages,
                          const RobotOptions& options) = nullptr;
};
using ImporterRegistry = Registry<Importer>;

/// By the file's ending or outermost element. Throws InputError when the file cannot be used.
ImportedModel import_model(const std::string& path, const RobotOptions& options = {});

/// The file that the user named, as text. Throws InputError.
std::string text_of_file(const std::string& path);
/// One that a description names: only where a model's files may be read.
std::string text_of_included_file(const std::string& path);

}  // namespace tappet
