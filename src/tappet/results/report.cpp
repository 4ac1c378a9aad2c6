#include "tappet/results/report.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <limits>
#include <map>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "tappet/results/base64.hpp"
#include "tappet/results/deformation.hpp"
#include "tappet/results/output_file.hpp"
#include "tappet/results/refuse.hpp"
#include "tappet/results/shape_triangles.hpp"
#include "tappet/results/thinning.hpp"
#include "tappet/results/viewer_page.hpp"
#include "tappet/spec/spec_json.hpp"

namespace tappet {

namespace {

using Json = nlohmann::ordered_json;

constexpr std::size_t most_impacts = 5000, most_events = 5000;
/// What is smaller than this part of the largest number of its unit is taken for rounding noise.
constexpr double noise = 1e-6;
/// Numbers held in memory at a time while rows are chosen.
constexpr std::size_t block_numbers = 30'000'000;

// ---- numbers as text

/// Beyond the range of floats lies only their infinity, which the page would not draw.
float as_float(double x) {
  constexpr double most = std::numeric_limits<float>::max();
  return static_cast<float>(std::isfinite(x) ? std::clamp(x, -most, most) : x);
}

// ---- samples

/// The chosen rows, column by column.
struct Samples {
  std::vector<double> time;
  std::vector<std::vector<float>> columns;  ///< without time
  std::vector<double> low, high;            ///< of each column, over all rows
  std::vector<double> error;                ///< largest, of straight lines between the chosen rows

  explicit Samples(std::size_t width)
      : columns(width), low(width, INFINITY), high(width, -INFINITY), error(width, 0.0) {}

  void note(std::span<const double> table, std::size_t width, const std::vector<std::size_t>& rows);
  /// Largest deviation of a drawn curve, relative to its range; rounding noise is none.
  double deviation(const std::vector<Signal>& signals) const;
};

void Samples::note(std::span<const double> table, std::size_t width, const std::vector<std::size_t>& rows) {
  for (const std::size_t r : rows) {
    time.push_back(table[r * width]);
    for (std::size_t c = 1; c < width; ++c) columns[c - 1].push_back(as_float(table[r * width + c]));
  }
  std::size_t piece = 0;
  for (std::size_t r = 0; r < table.size() / width; ++r) {
    while (piece + 2 < rows.size() && rows[piece + 1] < r) ++piece;
    const double *a = &table[rows[piece] * width],
                 *b = &table[rows[std::min(piece + 1, rows.size() - 1)] * width];
    const double* x = &table[r * width];
    const double s = b[0] > a[0] ? (x[0] - a[0]) / (b[0] - a[0]) : 0;
    for (std::size_t c = 1; c < width; ++c) {
      if (!std::isfinite(x[c])) continue;
      low[c - 1] = std::min(low[c - 1], x[c]);
      high[c - 1] = std::max(high[c - 1], x[c]);
      const double off = std::abs(x[c] - (a[c] + s * (b[c] - a[c])));
      if (std::isfinite(off)) error[c - 1] = std::max(error[c - 1], off);
    }
  }
}

double Samples::deviation(const std::vector<Signal>& signals) const {
  std::map<std::string, double> largest;
  const auto size = [&](std::size_t c) { return std::max(std::abs(high[c]), std::abs(low[c])); };
  for (std::size_t c = 0; c < columns.size(); ++c) {
    double& most = largest[signals[c].unit];
    if (std::isfinite(size(c))) most = std::max(most, size(c));
  }
  double worst = 0;
  for (std::size_t c = 0; c < columns.size(); ++c) {
    const double range = high[c] - low[c];
    if (range > noise * largest[signals[c].unit]) worst = std::max(worst, error[c] / range);
  }
  return worst;
}

/// Rows before and after the beginning and the end of each impact, within [first, first + times.size()).
std::vector<std::size_t> rows_of_impacts(const std::vector<Impact>& impacts, std::span<const double> table,
                                         std::size_t width) {
  std::vector<std::size_t> out;
  const std::size_t rows = table.size() / width;
  const auto row_after = [&](double t) {
    std::size_t low = 0, high = rows;
    while (low < high) {
      const std::size_t middle = (low + high) / 2;
      table[middle * width] < t ? low = middle + 1 : high = middle;
    }
    return low;
  };
  for (const Impact& impact : impacts) {
    for (const double t : {impact.start, impact.end}) {
      const std::size_t after = row_after(t);
      if (after == 0 || after >= rows) continue;
      out.push_back(after - 1);
      out.push_back(after);
    }
  }
  std::sort(out.begin(), out.end());
  out.erase(std::unique(out.begin(), out.end()), out.end());
  return out;
}

/// For each column a millionth of the largest number of its unit: the residual of an energy ledger or the
/// sideways speed of a slider is rounding noise, and must not take the rows that the others need.
std::vector<double> smallest_that_matters(std::span<const double> table, const std::vector<Signal>& columns) {
  std::map<std::string, double> largest;
  std::vector<double> most(columns.size(), 0.0), out;
  for (std::size_t i = 0; i < table.size(); ++i)
    if (std::isfinite(table[i])) most[i % most.size()] = std::max(most[i % most.size()], std::abs(table[i]));
  for (std::size_t c = 0; c < columns.size(); ++c)
    largest[columns[c].unit] = std::max(largest[columns[c].unit], most[c]);
  for (const Signal& column : columns) out.push_back(noise * largest[column.unit]);
  return out;
}

/// All columns of so many rows that they take about `bytes` bytes. A long result is taken block by block.
Samples read_samples(const ResultFile& result, std::size_t bytes, const std::vector<Impact>& impacts) {
  const std::size_t width = result.columns().size();
  // Four characters of base64 hold three bytes; time is kept as a double.
  const std::size_t row_bytes = (4 * (width - 1) + 8) * 4 / 3;
  const std::size_t wanted = std::max<std::size_t>(200, bytes / row_bytes);
  std::vector<std::size_t> all(width);
  for (std::size_t c = 0; c < width; ++c) all[c] = c;

  Samples samples(width - 1);
  const std::size_t total = result.rows(), block = std::max<std::size_t>(1000, block_numbers / width);
  for (std::size_t first = 0; first < total; first += block) {
    const std::size_t count = std::min(block, total - first);
    // Peaks and short impacts between samples are drawn too.
    const std::vector<double> table = result.read_all(first, count, all);
    const std::size_t share = std::max<std::size_t>(3, wanted * count / total);
    std::vector<std::size_t> keep = rows_of_impacts(impacts, table, width);
    if (keep.size() > share / 2) keep.clear();  // so many that their peaks decide
    samples.note(table, width,
                 thin(table, width, share, keep, smallest_that_matters(table, result.columns())));
  }
  return samples;
}

// ---- tables

/// Column by column. Of very many impacts the hardest are kept, in order of time.
Json impacts_json(std::vector<Impact> impacts) {
  const std::size_t total = impacts.size();
  if (total > most_impacts) {
    const auto harder = [](const Impact& a, const Impact& b) {  // rigid impacts have impulses alone
      return std::pair(a.peak_force, a.impulse) > std::pair(b.peak_force, b.impulse);
    };
    std::nth_element(impacts.begin(), impacts.begin() + most_impacts, impacts.end(), harder);
    impacts.resize(most_impacts);
    std::sort(impacts.begin(), impacts.end(),
              [](const Impact& a, const Impact& b) { return a.start < b.start; });
  }
  std::vector<std::vector<double>> columns(layout::impact_width);
  for (const Impact& impact : impacts) {
    const auto row = layout::pack(impact);
    for (std::size_t c = 0; c < row.size(); ++c) columns[c].push_back(row[c]);
  }
  Json data = Json::array();
  for (const auto& column : columns) data.push_back(base64(column));
  return {{"total", total}, {"columns", layout::impact_columns()}, {"data", data}};
}

Json events_json(const ResultFile& result) {
  Json out = Json::array();
  for (const EventRecord& event : result.events()) {
    if (out.size() >= most_events) break;
    out.push_back({event.event, event.time});
  }
  return out;
}

/// As the run left it; null before its end, or if it is none. Where the file lay is nobody's business who is shown the page.
Json run_summary(const ResultFile& result) {
  Json summary = Json::parse(result.summary(), nullptr, false);
  if (!summary.is_object()) return {};
  summary.erase("result");
  return summary;
}

/// The model's geometry, or why it cannot be had: a result of another version may hold a model that this one
/// does not read.
Json model_json(const ResultHeader& header, std::string& problem) {
  try {
    const Spec spec = spec_from_text(header.model_text, header.model_file);
    Json out = Json::parse(spec_json(spec));
    add_triangles(spec, out);
    return out;
  } catch (const InputError& error) {
    problem = "The model stored in the result cannot be read by this version, so there is no animation: " +
              error.diagnostics().front().text();
    return {};
  }
}

}  // namespace

std::string report_data(const ResultFile& result, std::size_t bytes) {
  const ResultHeader& header = result.header();
  const std::vector<Impact> impacts = result.impacts();
  // Structures take up to two fifths of the room.
  const std::size_t for_structures = result.field_count() > 0 ? 2 * bytes / 5 : 0;
  const Samples samples = read_samples(result, bytes - for_structures, impacts);
  std::string problem;
  Json columns = Json::array();
  for (std::size_t c = 1; c < result.columns().size(); ++c) {
    const Signal& signal = result.columns()[c];
    columns.push_back(
        {{"name", signal.name}, {"unit", signal.unit}, {"data", base64(samples.columns[c - 1])}});
  }
  Json json{{"title", header.title},
            {"model_file", header.model_file},
            {"result_file", std::filesystem::path(result.path()).filename().string()},
            {"created", header.created},
            {"version", header.program_version},
            {"status", result.status()},
            {"summary", run_summary(result)},
            {"samples", result.rows()},
            {"deviation", samples.deviation(header.signals)},
            {"time", base64(samples.time)},
            {"columns", std::move(columns)},
            {"contacts", header.contacts},
            {"impacts", impacts_json(impacts)},
            {"event_names", header.events},
            {"events", events_json(result)},
            {"model_text", header.model_text}};
  json["structures"] = deformation_json(result, for_structures);
  json["model"] = model_json(header, problem);
  json["problem"] = problem;
  return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

void require_viewer() {
  if (viewer_page().empty())
    refuse("report",
           "this Tappet was built without its viewer, because its libraries could not be fetched from npm's "
           "registry; "
           "scripts/install_packages viewer installs what that needs, and after touch viewer/package.json "
           "the next "
           "build tries again");
}

namespace {

std::string page_with(const std::string& json) {
  require_viewer();
  const std::string_view page = viewer_page();
  static constexpr std::string_view mark = "__TAPPET_DATA__";
  const auto at = page.find(mark);
  std::string out(page.substr(0, at));
  // Inside a script element the letters "</script" would end it; in JSON "<" occurs only in texts.
  for (const char c : json) c == '<' ? out += "\\u003c" : out += c;
  out += page.substr(at + mark.size());
  return out;
}

}  // namespace

std::string report_page(const std::vector<std::string>& data, bool live) {
  std::string json = live ? "{\"live\":true,\"runs\":[" : "{\"live\":false,\"runs\":[";
  for (std::size_t i = 0; i < data.size(); ++i) {
    if (i > 0) json += ',';
    json += data[i];
  }
  json += "]}";
  return page_with(json);
}

void write_page(const std::string& json, const std::string& file) {
  write_output(file, OutputKind::page, page_with(json));
}

void write_report(const std::string& result, const ReportOptions& options, const std::string& file) {
  require_viewer();
  std::vector<std::string> names = {result};
  names.insert(names.end(), options.compared.begin(), options.compared.end());
  check_output(file, OutputKind::page, names);
  std::vector<std::string> data;
  for (const std::string& name : names) {
    const ResultFile opened(name);
    if (opened.rows() == 0) refuse(name, "holds no samples yet: there is nothing to show");
    data.push_back(report_data(opened, options.bytes / names.size()));
  }
  write_output(file, OutputKind::page, report_page(data), names);
}

}  // namespace tappet
