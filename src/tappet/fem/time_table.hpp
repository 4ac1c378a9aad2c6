// A function of time from a table: a cubic spline through its rows, smooth in velocity and acceleration.
//
//   between rows:  f″ linear, f and f′ continuous;  f″ = 0 in the first and the last row (natural spline)
//   before the first row and after the last:  f as there, f′ = 0
#pragma once

#include <string>
#include <vector>

#include "tappet/base/diagnostics.hpp"
#include "tappet/base/expression.hpp"

namespace tappet::fem {

class TimeSpline {
 public:
  /// `t` ascends; at least two rows.
  TimeSpline(std::vector<double> t, std::vector<double> f);
  Jet at(double t) const;
  double begin() const { return t_.front(); }
  double end() const { return t_.back(); }

 private:
  std::vector<double> t_, f_, second_;
};

/// Columns of a text file: the first line names them, `t` among them; numbers in SI units, separated by
/// commas or spaces; lines that begin with # are left out.
struct TimeTable {
  std::vector<double> t;
  std::vector<std::string> names;            ///< of the other columns
  std::vector<std::vector<double>> columns;  ///< like names, each as long as t
};
/// What is wrong is said with the line of the file, and the result is empty then. `pos`: where the model
/// names the file.
TimeTable read_time_table(const std::string& path, const SourcePos& pos, Diagnostics& diagnostics);

}  // namespace tappet::fem
