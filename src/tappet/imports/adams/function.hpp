// Run-time functions of Adams, such as -30*(DM(204, 205) - 2.0) + STEP(TIME, 0, 0, 1, 5), as expressions of a model file.
//
// What a function measures between markers is a number of Adams' units: the translation asks its context, which knows what the element
// can see, for an expression of that.
#pragma once

#include <functional>
#include <map>
#include <stdexcept>
#include <string>
#include <vector>

namespace tappet::adams {

/// A function that cannot be said in a model file: why.
class Untranslatable : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// What an element knows besides time and constants. The name is in capitals, the arguments are constants; throws Untranslatable for what
/// the element does not know.
using Measures = std::function<std::string(const std::string& name, const std::vector<std::string>& ids)>;

struct FunctionContext {
  std::string time = "t";  ///< of the data set's unit
  Measures measures;       ///< of markers and elements; may be empty
  const std::map<std::string, std::string>* variables =
      {};  ///< functions of VARIABLE statements by id; null: none
  /// What ARYVAL(id, k) reads, as functions, by id; null: none.
  const std::map<std::string, std::vector<std::string>>* arrays = {};
  /// Functions of DIFF statements by id, which DIF1 stands for; null: none.
  const std::map<std::string, std::string>* rates = {};
  /// The table that a SPLINE becomes, by its id, for AKISPL or for CUBSPL; throws Untranslatable. May be empty.
  std::function<std::string(const std::string& id, bool akima)> spline = {};
};

/// The function as an expression of a model file, in parentheses where it has to be. Throws Untranslatable.
std::string translate(const std::string& function, const FunctionContext& context);

/// Names that translate() knows of itself, for documents and tests.
std::vector<std::string> translated_functions();

}  // namespace tappet::adams
