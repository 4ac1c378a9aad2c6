// The results of a study: tables as comma-separated text, and pictures.
#pragma once

#include <string>
#include <vector>

#include "tappet/studies/sweep.hpp"

namespace tappet {

/// One line per run: its number, the parameters, the metrics, "done" or "failed", and why. Units stand in the
/// first line. Numbers have all their digits; a figure without a value is an empty field.
std::string sweep_table(const Study& study, const std::vector<SweepRow>& rows);

/// One line an item of a section or list: the run's number, the parameters, time, value.
std::string list_table(const Study& study, const std::vector<SweepRow>& rows, const Metric& metric);

/// Draws one of the study's plots; the file's ending chooses the kind of picture.
void draw(const Study& study, const std::vector<SweepRow>& rows, const StudyPlot& plot,
          const std::string& file);

}  // namespace tappet
