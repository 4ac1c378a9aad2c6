// YAML fragments. Private to spec/.
#pragma once

#include <string>

#include "tappet/spec/value.hpp"

namespace tappet {

/// Any YAML value: the right-hand side of a setting, or a default. Every part of it gets the place `pos`;
/// empty text is null. Throws InputError.
Value read_yaml_fragment(const std::string& text, const SourcePos& pos);

}  // namespace tappet
