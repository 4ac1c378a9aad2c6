// A result as one page that any browser opens from disk.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "tappet/results/result_file.hpp"

namespace tappet {

/// What the page shows of one result, as a JSON object: names, units, summary, the model's geometry, the
/// impact table and so many rows of the samples that their columns take about `bytes` bytes. Rows are chosen
/// so that peaks and impacts stay (thinning.hpp).
std::string report_data(const ResultFile& result, std::size_t bytes);

struct ReportOptions {
  std::vector<std::string> compared = {};  ///< other result files, drawn beside the first
  std::size_t bytes = 3'400'000;           ///< of samples, all results together
};

/// Throws InputError, with what to do about it, if Tappet was built without the page: its libraries could not be fetched.
void require_viewer();

/// The page for data of one or more results; `live` tells the page that a server stands behind it. Needs the
/// viewer, as above.
std::string report_page(const std::vector<std::string>& data, bool live = false);

/// Writes the page with this JSON to `file`. Needs the viewer; throws InputError with a sentence if it cannot.
void write_page(const std::string& json, const std::string& file);

/// Writes the page to `file`. Throws InputError with a sentence if it cannot.
void write_report(const std::string& result, const ReportOptions& options, const std::string& file);

}  // namespace tappet
