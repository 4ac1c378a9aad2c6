// Functions of the user's, written in Python and called by a run.
#pragma once

#include <atomic>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "bindings.hpp"
#include "tappet/base/parameters.hpp"
#include "tappet/base/registry.hpp"

namespace tappet::python {

/// A Python object that may be let go of by any thread, with Python's lock or without.
using Kept = std::shared_ptr<PyObject>;
Kept keep(py::object object);

/// A function as it was registered: what it is called with, and the keys that it has in a model file.
struct Function {
  std::string name, help;
  Kept callable;
  std::vector<int> variables;         ///< which of the caller's quantities it takes, in its own order
  std::vector<Parameter> parameters;  ///< numbers by keyword
  Kept energy;                        ///< of a normal law: the stored energy; null: none was given
  bool torque = false;                ///< of a force: it returns a torque as well
};

/// From what tappet/_functions.py found out about it.
Function read_function(const py::dict& description);

/// A function with its parameters filled in.
class Bound {
 public:
  Bound(const std::string& name, const Kept& callable, const std::vector<int>& variables,
        const std::vector<Parameter>& parameters, const AnyParameters& values);

  /// Calls with the variables that the function takes out of `quantities`. The caller has Python's lock;
  /// whatever Python raises comes through as py::error_already_set.
  py::object operator()(std::span<const double> quantities) const;
  /// What Python returned as a number; raises TypeError, with the function's name, if it is none.
  double as_number(const py::handle& returned) const;
  [[noreturn]] void refuse(const py::handle& returned, const std::string& expected) const;

 private:
  std::string name_;
  Kept partial_;
  std::vector<int> variables_;
};

/// Adds a registration, or puts it in the place of an older one of the same name, which must be in `ours`.
template <class Type>
void replace_registration(Type entry, std::map<std::string, Function>& ours) {
  auto& registry = Registry<Type>::instance();
  if (registry.find(entry.name) && !ours.contains(entry.name))
    throw py::value_error("'" + entry.name + "' is a name of the library's own; choose another");
  Registry<Type> changed;
  for (const Type& other : registry.entries())
    if (other.name != entry.name) changed.add(other);
  changed.add(std::move(entry));
  registry = std::move(changed);
}

/// While one of these exists, nothing can be registered: models are being compiled and run.
class Busy {
 public:
  Busy() { ++count; }
  ~Busy() { --count; }
  Busy(const Busy&) = delete;
  Busy& operator=(const Busy&) = delete;
  static void require_idle(const std::string& name);

 private:
  static inline std::atomic<int> count = 0;
};

}  // namespace tappet::python
