// Named things that extend the program: joints, laws, forces, schemes, solvers.
//
// One file a thing; the file ends with
//   static const Registration<JointType> registered{{.name = "revolute", ...}};
// The registry is the only dispatch: it feeds the model-file reader, the JSON schema, the command line's lists, the
// documentation and the tests that run over every entry.
#pragma once

#include <algorithm>
#include <stdexcept>
#include <string>
#include <vector>

namespace tappet {

/// All registered entries of one kind, sorted by name. T has a `std::string name`.
template <class T>
class Registry {
 public:
  static Registry& instance() {
    static Registry registry;
    return registry;
  }

  void add(T entry) {
    if (find(entry.name)) throw std::logic_error("registered twice: " + entry.name);
    auto at = std::upper_bound(entries_.begin(), entries_.end(), entry,
                               [](const T& a, const T& b) { return a.name < b.name; });
    entries_.insert(at, std::move(entry));
  }

  /// Null when there is no such name: the caller tells the user which names there are.
  const T* find(const std::string& name) const {
    auto at = std::lower_bound(entries_.begin(), entries_.end(), name,
                               [](const T& entry, const std::string& key) { return entry.name < key; });
    return at != entries_.end() && at->name == name ? &*at : nullptr;
  }

  const std::vector<T>& entries() const { return entries_; }

  std::vector<std::string> names() const {
    std::vector<std::string> out;
    for (const T& entry : entries_) out.push_back(entry.name);
    return out;
  }

 private:
  std::vector<T> entries_;
};

/// Registers one entry before main() starts.
template <class T>
struct Registration {
  explicit Registration(T entry) { Registry<T>::instance().add(std::move(entry)); }
};

}  // namespace tappet
