// Pictures of a catalogue's figure: what stands in space at some instants.
#pragma once

#include "tappet/studies/figure_plots.hpp"

namespace tappet {

/// Picture `number`: an SVG for each of its instants; what was written is entered in `out`. Throws InputError or SimulationError where
/// that cannot be done.
void make_picture(std::size_t number, const PreparedFigure& prepared,
                  const std::vector<Recording>& recordings, const FigureFiles& files, Reproduction& out);

}  // namespace tappet
