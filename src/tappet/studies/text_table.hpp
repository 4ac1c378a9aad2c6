// Rows of texts in columns as wide as they need to be.
#pragma once

#include <string>
#include <vector>

namespace tappet {

enum class Align { left, right };

/// The first column is always aligned to the left; `others` says how the rest is. All rows have the same
/// length.
std::string text_table(const std::vector<std::vector<std::string>>& rows, Align others);

}  // namespace tappet
