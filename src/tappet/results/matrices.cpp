#include "tappet/results/matrices.hpp"

#include <algorithm>
#include <cctype>
#include <cstdint>
#include <cstring>
#include <map>
#include <set>

#include <fmt/format.h>

#include "tappet/base/version.hpp"
#include "tappet/fmi/archive.hpp"
#include "tappet/results/layout.hpp"
#include "tappet/results/output_file.hpp"
#include "tappet/results/refuse.hpp"

namespace tappet {
namespace matrices {
namespace {

/// What a result consists of, column by column.
struct Columns {
  std::vector<Signal> names;
  std::vector<std::vector<double>> values;
  std::vector<std::pair<std::string, std::vector<double>>> impacts, events;
};

Columns columns_of(const ResultFile& result, const std::vector<std::string>& signals, bool between) {
  std::vector<std::string> patterns = {"time"};
  patterns.insert(patterns.end(), signals.begin(), signals.end());
  if (signals.empty()) patterns.push_back("*");
  const auto chosen = result.select(patterns);
  const auto table =
      between ? result.read_all(0, result.rows(), chosen) : result.read(0, result.rows(), chosen);
  Columns out;
  const std::size_t width = chosen.size(), rows = table.size() / width;
  for (std::size_t c = 0; c < width; ++c) {
    out.names.push_back(result.columns()[chosen[c]]);
    std::vector<double>& column = out.values.emplace_back(rows);
    for (std::size_t r = 0; r < rows; ++r) column[r] = table[r * width + c];
  }
  const auto units = layout::impact_units();
  for (const auto& [name, unit] : units) out.impacts.emplace_back(name, std::vector<double>{});
  for (const Impact& impact : result.impacts()) {
    const auto packed = layout::pack(impact);
    for (std::size_t i = 0; i < out.impacts.size(); ++i) out.impacts[i].second.push_back(packed[i]);
  }
  out.events = {{"event", {}}, {"time", {}}};
  for (const EventRecord& event : result.events()) {
    out.events[0].second.push_back(event.event);
    out.events[1].second.push_back(event.time);
  }
  return out;
}

// ---- level 5: elements of a tag (type, bytes) and data, padded to 8 bytes

enum MatType : std::uint32_t {
  mat_int8 = 1,
  mat_uint16 = 4,
  mat_int32 = 5,
  mat_uint32 = 6,
  mat_double = 9,
  mat_matrix = 14
};
enum MatClass : std::uint32_t {
  mat_cell_class = 1,
  mat_struct_class = 2,
  mat_char_class = 4,
  mat_double_class = 6
};

template <class Number>
void put(std::string& out, Number value) {
  out.append(reinterpret_cast<const char*>(&value), sizeof value);
}

std::string element(std::uint32_t type, const std::string& data) {
  std::string out;
  put(out, type);
  put(out, static_cast<std::uint32_t>(data.size()));
  out += data;
  out.resize((out.size() + 7) / 8 * 8);
  return out;
}

std::string matrix(std::uint32_t kind, std::int32_t rows, std::int32_t columns, const std::string& name,
                   const std::string& contents) {
  std::string flags, size;
  put(flags, kind);
  put(flags, std::uint32_t{0});
  put(size, rows);
  put(size, columns);
  return element(mat_matrix,
                 element(mat_uint32, flags) + element(mat_int32, size) + element(mat_int8, name) + contents);
}

std::string column_matrix(const std::string& name, const std::vector<double>& values) {
  std::string data(values.size() * sizeof(double), '\0');
  if (!values.empty()) std::memcpy(data.data(), values.data(), data.size());
  return matrix(mat_double_class, static_cast<std::int32_t>(values.size()), 1, name,
                element(mat_double, data));
}

std::string text_matrix(const std::string& name, const std::string& text) {
  std::string data;
  for (const char c : text) put(data, static_cast<std::uint16_t>(static_cast<unsigned char>(c)));
  return matrix(mat_char_class, 1, static_cast<std::int32_t>(text.size()), name, element(mat_uint16, data));
}

constexpr std::size_t longest_name = 63;

/// A struct of one; values are matrices without a name.
std::string struct_matrix(const std::string& name,
                          const std::vector<std::pair<std::string, std::string>>& fields) {
  std::string length, names, values;
  put(length, static_cast<std::int32_t>(longest_name + 1));
  for (const auto& [field, value] : fields) {
    std::string padded = field;
    padded.resize(longest_name + 1);
    names += padded;
    values += value;
  }
  // The length of names is a small element: its data stand in the tag.
  std::string small;
  put(small, static_cast<std::uint32_t>(sizeof(std::int32_t) << 16 | mat_int32));
  small += length;
  return matrix(mat_struct_class, 1, 1, name, small + element(mat_int8, names) + values);
}

/// A name that MATLAB takes and that is not there yet.
std::string mat_name(const std::string& name, std::set<std::string>& taken) {
  std::string out = name;
  for (char& c : out)
    if (!std::isalnum(static_cast<unsigned char>(c))) c = '_';
  if (out.empty() || !std::isalpha(static_cast<unsigned char>(out[0]))) out.insert(0, "x_");
  out.resize(std::min(out.size(), longest_name));
  const std::string base = out.substr(0, longest_name - 4);
  for (int n = 2; !taken.insert(out).second; ++n) out = fmt::format("{}_{}", base, n);
  return out;
}

/// NumPy's header is a dictionary of Python, filled up so that numbers begin at a multiple of 64 bytes.
std::string npy(const std::vector<double>& values) {
  std::string head =
      fmt::format("{{'descr': '<f8', 'fortran_order': False, 'shape': ({},), }}", values.size());
  head.resize((10 + head.size() + 1 + 63) / 64 * 64 - 10 - 1, ' ');
  head += '\n';
  std::string out("\x93NUMPY\x01\x00", 8);
  put(out, static_cast<std::uint16_t>(head.size()));
  out += head;
  const std::size_t begin = out.size();
  out.resize(begin + values.size() * sizeof(double));
  if (!values.empty()) std::memcpy(out.data() + begin, values.data(), values.size() * sizeof(double));
  return out;
}

}  // namespace
}  // namespace matrices

std::string mat_of(const ResultFile& result, const std::vector<std::string>& signals, bool between) {
  using namespace matrices;
  const Columns columns = columns_of(result, signals, between);
  // 124 bytes of text, by which the file is known, no subsystem, version and byte order.
  std::string out = fmt::format("MATLAB 5.0 MAT-file, written by Tappet {}", version());
  out.resize(116, ' ');
  out.resize(124, '\0');
  put(out, std::uint16_t{0x0100});
  put(out, static_cast<std::uint16_t>('M' << 8 | 'I'));

  struct Owner {
    std::string name;
    std::vector<std::pair<std::string, std::string>> values, units;
    std::set<std::string> taken;
  };
  std::vector<Owner> owners;
  std::vector<std::pair<std::string, std::string>> units;
  std::set<std::string> taken = {"impacts", "events", "units", "title"};
  for (std::size_t c = 0; c < columns.names.size(); ++c) {
    const Signal& signal = columns.names[c];
    const std::size_t dot = signal.name.rfind('.');
    if (dot == std::string::npos) {
      const std::string name = mat_name(signal.name, taken);
      out += column_matrix(name, columns.values[c]);
      units.emplace_back(name, text_matrix("", signal.unit));
      continue;
    }
    const std::string owner = signal.name.substr(0, dot);
    auto at = std::find_if(owners.begin(), owners.end(), [&](const Owner& o) { return o.name == owner; });
    if (at == owners.end()) at = owners.insert(owners.end(), Owner{owner, {}, {}, {}});
    const std::string field = mat_name(signal.name.substr(dot + 1), at->taken);
    at->values.emplace_back(field, column_matrix("", columns.values[c]));
    at->units.emplace_back(field, text_matrix("", signal.unit));
  }
  for (const Owner& owner : owners) {
    const std::string name = mat_name(owner.name, taken);
    out += struct_matrix(name, owner.values);
    units.emplace_back(name, struct_matrix("", owner.units));
  }
  const auto tables = {std::pair("impacts", &columns.impacts), std::pair("events", &columns.events)};
  for (const auto& [name, table] : tables) {
    std::vector<std::pair<std::string, std::string>> fields;
    for (const auto& [field, values] : *table) {
      // Numbers of contacts and events count from 1 there.
      std::vector<double> shown = values;
      if (field == "contact" || field == "event")
        for (double& value : shown) value += 1;
      fields.emplace_back(field, column_matrix("", shown));
    }
    std::string names;
    const auto& words = std::string(name) == "impacts" ? result.header().contacts : result.header().events;
    for (const std::string& word : words) names += text_matrix("", word);
    fields.emplace_back("names",
                        matrix(mat_cell_class, static_cast<std::int32_t>(words.size()), 1, "", names));
    out += struct_matrix(name, fields);
  }
  out += struct_matrix("units", units);
  out += text_matrix("title", result.header().title);
  return out;
}

std::string npz_of(const ResultFile& result, const std::vector<std::string>& signals, bool between) {
  using namespace matrices;
  if (!fmi::archives_available())
    refuse("npz", fmt::format("archives cannot be written: {}", fmi::archives_missing));
  const Columns columns = columns_of(result, signals, between);
  fmi::ArchiveWriter archive;
  archive.add("time.npy", npy(columns.values[0]), true);
  for (std::size_t c = 1; c < columns.names.size(); ++c)
    archive.add(columns.names[c].name + ".npy", npy(columns.values[c]));
  for (const auto& [name, values] : columns.impacts) archive.add("impacts/" + name + ".npy", npy(values));
  for (const auto& [name, values] : columns.events) archive.add("events/" + name + ".npy", npy(values));
  return marked_archive(archive.finish());
}

}  // namespace tappet
