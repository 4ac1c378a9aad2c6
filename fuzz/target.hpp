// A reader, or whatever else takes what strangers wrote, as something to throw bytes at.
//
// A target is a file in targets/ with one registration. `run` must come back from every input: an InputError is an answer, as is each
// exception by which its interface says no. Anything else that it throws, a sanitiser's report, a signal or a hang is a finding.
#pragma once

#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "tappet/base/registry.hpp"

namespace tappet::fuzz {

struct FuzzTarget {
  std::string name, help;
  std::vector<std::string> examples;  ///< endings of files under examples/ to begin with, besides corpus/NAME
  bool names = false;                 ///< text of YAML: names and values are exchanged as well as bytes
  void (*run)(std::string_view input) = nullptr;
  std::vector<std::string> words = {};  ///< pieces worth putting in
  /// Not null: inputs are numbers, tried one after the other, and this shows what one stands for.
  std::string (*show)(unsigned long number) = nullptr;
  /// What takes long and is done once, before the children that take inputs are begun.
  void (*prepare)() = nullptr;
};
using TargetRegistry = Registry<FuzzTarget>;

/// What a target throws when an answer contradicts itself.
class Contradiction : public std::logic_error {
  using std::logic_error::logic_error;
};

}  // namespace tappet::fuzz
