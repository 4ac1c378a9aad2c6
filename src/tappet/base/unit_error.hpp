// What is thrown where a text is no unit.
#pragma once

#include <stdexcept>

namespace tappet {

/// A unit that is not known, or has the wrong dimension; what() is a sentence without a place.
class UnitError : public std::runtime_error {
  using std::runtime_error::runtime_error;
};

}  // namespace tappet
