// The names that a model file defines, compiled, and those of its inputs, tables and states: what the parser of expressions looks up.
#pragma once

#include <atomic>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "tappet/base/expression_ops.hpp"
#include "tappet/base/signals_read.hpp"

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

  /// What has signals, by name: bodies, joints and so on. "crank.angle" is one where `crank` is among them.
  bool has_signals(const std::string& name) const { return owners_.contains(name); }
  const std::set<std::string>& owners() const { return owners_; }
  /// Names of places of contacts are made of bodies' names: "bounce.ball-floor.gap".
  bool is_body(const std::string& name) const { return bodies_.contains(name); }
  /// The place of a signal behind the inputs, as the argument of an instruction.
  int signal(const std::string& name) const {
    return static_cast<int>(inputs_.size()) + signals_->number_of(name);
  }
  const std::shared_ptr<SignalsRead>& signals() const { return signals_; }
  /// The input or signal that an instruction reads.
  std::string name_of_read(int argument) const {
    const auto inputs = static_cast<int>(inputs_.size());
    return argument < inputs ? inputs_[argument].name : signals_->name(argument - inputs);
  }

 protected:
  std::map<std::string, Entry> entries_;  ///< inputs too
  std::vector<Input> inputs_;
  std::set<std::string> owners_, bodies_;
  std::shared_ptr<SignalsRead> signals_ = std::make_shared<SignalsRead>();
};

}  // namespace tappet
