#include "tappet/results/csv.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>

#include <fmt/format.h>

namespace tappet {

namespace {

bool put(std::FILE* out, const fmt::memory_buffer& text) {
  return std::fwrite(text.data(), 1, text.size(), out) == text.size();
}

/// The shortest digits that read back as the same double.
void append(fmt::memory_buffer& text, double value) {
  fmt::format_to(std::back_inserter(text), "{}", value);
}

void append(fmt::memory_buffer& text, const std::string& name) {
  text.append(csv_field(name));
}

std::string name_at(const std::vector<std::string>& names, int index) {
  const bool known = index >= 0 && static_cast<std::size_t>(index) < names.size();
  return known ? names[static_cast<std::size_t>(index)] : fmt::format("{}", index);
}

}  // namespace

std::string csv_field(const std::string& text) {
  if (text.find_first_of(",\"\n\r") == std::string::npos) return text;
  std::string out = "\"";
  for (const char c : text) {
    if (c == '"') out += '"';
    out += c;
  }
  return out + '"';
}

std::string csv_field(double value) {
  return std::isfinite(value) ? fmt::format("{}", value) : "";
}

std::string csv_heading(const std::string& name, const std::string& unit) {
  return csv_field(unit.empty() ? name : fmt::format("{} [{}]", name, unit));
}

bool export_samples(const ResultFile& result, const std::vector<std::string>& signals, std::FILE* out,
                    bool between) {
  // Time comes first whether it was asked for or not.
  std::vector<std::string> patterns = {"time"};
  patterns.insert(patterns.end(), signals.begin(), signals.end());
  if (signals.empty()) patterns.push_back("*");
  const auto columns = result.select(patterns);

  fmt::memory_buffer text;
  for (const std::size_t column : columns) {
    if (column != columns.front()) text.push_back(',');
    const Signal& signal = result.columns()[column];
    text.append(csv_heading(signal.name, signal.unit == "1" ? "" : signal.unit));
  }
  text.push_back('\n');

  // Rows in blocks of a few megabytes, so that a long result needs no more memory than a short one.
  const std::size_t block = std::clamp<std::size_t>((4 << 20) / (8 * columns.size()), 1, 65536);
  for (std::size_t first = 0; first < result.rows(); first += block) {
    const std::size_t count = std::min(block, result.rows() - first);
    const auto values = between ? result.read_all(first, count, columns) : result.read(first, count, columns);
    for (std::size_t row = 0; row < values.size() / columns.size(); ++row) {
      for (std::size_t i = 0; i < columns.size(); ++i) {
        if (i > 0) text.push_back(',');
        append(text, values[row * columns.size() + i]);
      }
      text.push_back('\n');
      if (text.size() < (1 << 16)) continue;
      if (!put(out, text)) return false;
      text.clear();
    }
  }
  return put(out, text) && std::fflush(out) == 0;
}

bool export_impacts(const ResultFile& result, std::FILE* out) {
  fmt::memory_buffer text;
  for (const auto& [name, unit] : layout::impact_units()) {
    if (text.size() > 0) text.push_back(',');
    text.append(csv_heading(name, unit));
  }
  text.push_back('\n');
  for (const Impact& impact : result.impacts()) {
    append(text, name_at(result.header().contacts, impact.contact));
    const auto row = layout::pack(impact);
    for (std::size_t i = 1; i < layout::impact_width; ++i) {
      text.push_back(',');
      // A hit that has not ended has no end.
      if (!std::isnan(row[i])) append(text, row[i]);
    }
    text.push_back('\n');
  }
  return put(out, text) && std::fflush(out) == 0;
}

bool export_events(const ResultFile& result, std::FILE* out) {
  fmt::memory_buffer text;
  fmt::format_to(std::back_inserter(text), "event,time [s]\n");
  for (const EventRecord& event : result.events()) {
    append(text, name_at(result.header().events, event.event));
    text.push_back(',');
    append(text, event.time);
    text.push_back('\n');
  }
  return put(out, text) && std::fflush(out) == 0;
}

}  // namespace tappet
