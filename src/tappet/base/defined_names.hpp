// The names that a model file defines, compiled, and those of its inputs: what the parser of expressions looks up.
#pragma once

#include <atomic>
#include <map>
#include <memory>
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

  /// A number that is set from outside between steps.
  struct Input {
    std::string name, unit;    ///< SI; "": a plain number
    double default_value = 0;  ///< SI
    /// Some expression that was read uses it. Laws may be read by several threads.
    std::shared_ptr<std::atomic<bool>> used = std::make_shared<std::atomic<bool>>(false);
  };
  const std::vector<Input>& inputs() const { return inputs_; }
  const Input* find_input(const std::string& name) const {
    for (const Input& input : inputs_)
      if (input.name == name) return &input;
    return nullptr;
  }

 protected:
  std::map<std::string, Entry> entries_;  ///< inputs too
  std::vector<Input> inputs_;
};

}  // namespace tappet
