// Pictures of results, drawn by gnuplot.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "tappet/results/result_file.hpp"

namespace tappet {

struct PlotOptions {
  std::vector<std::string> signals = {};  ///< patterns allowed; one panel for each unit among them
  std::string x = "time";  ///< the horizontal axis; another signal gives a phase plot or an orbit
  std::optional<double> from = {}, to = {};  ///< s, of the result's time
  std::string title = {};                    ///< the result's own when empty
  bool untitled = false;                     ///< none: the figure's caption says it
  std::vector<std::string> others = {};      ///< results whose signals of the same names are drawn as well
  int width = 900, height = 0;               ///< as of a Figure
  double font = 11, resolution = 90;         ///< likewise
  bool log_x = false, log_y = false;
};

/// Draws to `file`, whose ending chooses SVG, PNG or PDF. Throws InputError with a sentence if there is
/// nothing to draw, the ending is unknown, gnuplot is missing or the file cannot be written.
void plot(const ResultFile& result, const PlotOptions& options, const std::string& file);

}  // namespace tappet
