// Files that cannot be used are the user's input as much as models are.
#pragma once

#include <string>

namespace tappet {

/// Throws InputError with one sentence about a file: "FILE: error: message".
[[noreturn]] void refuse(const std::string& file, const std::string& message);

}  // namespace tappet
