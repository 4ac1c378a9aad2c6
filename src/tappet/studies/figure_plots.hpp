// Plots of a catalogue's figure: tables and pictures.
#pragma once

#include <algorithm>
#include <filesystem>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "tappet/studies/figure_runs.hpp"
#include "tappet/studies/reproduction.hpp"

namespace tappet {

/// Names of files in the document's folder.
struct FigureFiles {
  const ReproduceOptions& options;
  const Catalogue& document;
  const CatalogueFigure& figure;

  std::string inside(const std::string& part, const char* ending) const {
    std::string called = figure.called();
    std::replace(called.begin(), called.end(), ' ', '_');
    return fmt::format("{}/{}_{}{}", document.name, called, part, ending);
  }
  std::string path(const std::string& name) const {
    return (std::filesystem::path(options.folder) / name).string();
  }
};

/// Plot `number` as a table of all its curves and as one picture, or one for each run; what was written is
/// entered in `out`. Throws InputError or SimulationError where that cannot be done.
void make_plot(std::size_t number, const PreparedFigure& prepared, const std::vector<Recording>& recordings,
               const FigureFiles& files, Reproduction& out);

}  // namespace tappet
