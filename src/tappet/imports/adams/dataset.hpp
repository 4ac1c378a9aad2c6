// An Adams Solver data set as text: statements with their arguments, each with its line. No meaning yet.
//
//   NAME/id, ARGUMENT, ARGUMENT = value[, value ...], FUNCTION = expression [\ ARGUMENT ...]
//
// The first line is the title. A line that begins with a comma, or follows one that ends with &, goes on with the statement; a semicolon
// ends it within a line; ! begins a comment. Adams View writes names as comments before the statements, adams_view_name = 'ROD'. Names of arguments may be cut short.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "tappet/base/diagnostics.hpp"

namespace tappet::adams {

struct Argument {
  std::string name;                 ///< as written, capitals
  std::vector<std::string> values;  ///< none: a condition such as GROUND. A function: its one text
  int line = 0;
};

struct Statement {
  std::string name;   ///< as written, capitals
  std::string id;     ///< without leading zeros; "" where there is none
  std::string title;  ///< its name in Adams View; "" where the file does not say
  std::vector<Argument> arguments;
  int line = 0;
};

struct DataSet {
  std::string title;
  std::vector<Statement> statements;
};

/// `ids` are written with and without leading zeros: 0101 is 101.
std::string plain_id(const std::string& id);

/// What cannot be read is reported at its line of `file`.
DataSet read_data_set(const std::string& text, const SourcePos& file, Diagnostics& diagnostics);

/// The number of a text such as -.4, 1.5E-3 or 90D, which is in degrees and comes out in radians.
std::optional<double> read_number(const std::string& text);

}  // namespace tappet::adams
