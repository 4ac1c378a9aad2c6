// An FMU that runs: its shared object, loaded into this process, and one instance of it. It runs a stranger's code with all rights of who
// loads it.
#pragma once

#include <memory>
#include <span>
#include <stdexcept>
#include <string>

#include "tappet/fmi/package.hpp"

namespace tappet::fmi {

/// What an FMU refused, or failed in: a sentence, with what it said itself.
class InstanceError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// The shared object and its resources in a folder of their own, which goes with it.
class Library;

/// Loads it, or takes the one that is loaded: one for all instances of equal FMUs. Throws InstanceError.
std::shared_ptr<Library> load(const std::shared_ptr<const Package>& package);

/// One instance, in its initialisation mode once it is made. All of its functions throw InstanceError.
class Instance {
 public:
  virtual ~Instance() = default;

  /// Values of one variable each; integers are rounded, true is what is not 0.
  virtual void set(const Variable& variable, double value) = 0;
  virtual double get(const Variable& variable) = 0;
  /// Ends the initialisation mode.
  virtual void begin() = 0;
  virtual void step(double from, double length) = 0;
  /// What it remembers, as it writes it itself; and back. Only where its description says that it can.
  virtual std::string memory() = 0;
  virtual void recall(const std::string& memory) = 0;
};

/// A new instance that has been told about the experiment: t from 0 to `stop`. Variables that can be set before it initialises are set
/// by `before`.
std::unique_ptr<Instance> instantiate(const std::shared_ptr<Library>& library, const std::string& name,
                                      double stop,
                                      const std::vector<std::pair<const Variable*, double>>& before);

}  // namespace tappet::fmi
