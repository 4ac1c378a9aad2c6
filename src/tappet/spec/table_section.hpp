// The section `tables`: functions given by points, in the model file or in a file of its own. Private to spec/.
#pragma once

#include "tappet/base/definitions.hpp"
#include "tappet/spec/object.hpp"

namespace tappet {

/// A function given by points.
struct TableParameters {
  std::string file = {};  ///< columns of numbers; or
  std::string grid = {};  ///< file of two variables: y in its first row, x in its first column; or
  std::vector<std::vector<double>> points = {};  ///< [x, y] each
  std::string x = {}, y = {};                    ///< columns of the file; "": the first and the second
  std::string x_unit = {}, y_unit = {}, value_unit = {};
  std::string interpolate = "cubic", outside = "linear";
  bool periodic = false;
};

/// Reads all tables into the definitions. Faults are reported, those of a file with its line.
void read_tables(const Value& root, const ReadContext& context, Definitions& definitions);

}  // namespace tappet
