// Model files of other programs, by the ending of their names: read as if they were ours.
#pragma once

#include <string>
#include <vector>

#include "tappet/base/registry.hpp"
#include "tappet/spec/value.hpp"

namespace tappet {

struct ModelSource {
  std::string name;  ///< the ending, ".adm"
  /// `notes`: what was left out or assumed, sentences. Throws InputError.
  Value (*read)(const std::string& path, std::vector<std::string>& notes) = nullptr;
};

/// A model file of ours, or of a program whose files end as a registered source says. Throws InputError.
Value read_model_file(const std::string& path, std::vector<std::string>* notes = nullptr);

}  // namespace tappet
