// The signals of a model that its expressions read, in the order in which they were first met, and where each of them is read. They are
// named while the model file is read, and looked for when the model is compiled, which is when it is known what there is.
#pragma once

#include <mutex>
#include <string>
#include <vector>

#include "tappet/base/diagnostics.hpp"
#include "tappet/base/inputs.hpp"

namespace tappet {

/// Expressions may be read by several threads.
class SignalsRead {
 public:
  struct Use {
    SourcePos pos;
    std::string words;  ///< "`force`", for a sentence
    Inputs where = Inputs::allowed;
    std::string alone_as;  ///< the expression is nothing but this signal, and of this unit
    bool alone = false;
  };

  int number_of(const std::string& name) {
    const std::lock_guard lock(mutex_);
    for (std::size_t i = 0; i < names_.size(); ++i)
      if (names_[i] == name) return static_cast<int>(i);
    names_.push_back(name);
    uses_.emplace_back();
    return static_cast<int>(names_.size()) - 1;
  }
  void note(int number, Use use) {
    const std::lock_guard lock(mutex_);
    uses_[static_cast<std::size_t>(number)].push_back(std::move(use));
  }

  std::string name(int number) const {
    const std::lock_guard lock(mutex_);
    return names_[static_cast<std::size_t>(number)];
  }
  /// Once all expressions have been read.
  const std::vector<std::string>& names() const { return names_; }
  const std::vector<Use>& uses(int number) const { return uses_[static_cast<std::size_t>(number)]; }

 private:
  mutable std::mutex mutex_;
  std::vector<std::string> names_;
  std::vector<std::vector<Use>> uses_;
};

}  // namespace tappet
