// The names that a model file defines, compiled: what the parser of expressions looks up.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "tappet/base/expression_ops.hpp"

namespace tappet {

class DefinedNames {
 public:
  struct Entry {
    int parameters = 0;
    std::vector<ExpressionOp> ops;  ///< postfix; its arguments lie at the bottom of the stack
  };

  const Entry* find(const std::string& name) const {
    const auto found = entries_.find(name);
    return found == entries_.end() ? nullptr : &found->second;
  }
  std::vector<std::string> names() const {
    std::vector<std::string> out;
    for (const auto& [name, entry] : entries_) out.push_back(name);
    return out;
  }

 protected:
  std::map<std::string, Entry> entries_;
};

}  // namespace tappet
