#include "tappet/contact/viscosity.hpp"

#include <algorithm>
#include <cmath>
#include <sstream>

#include <fmt/format.h>

#include "tappet/base/input_file.hpp"
#include "tappet/geometry/mesh_file.hpp"

namespace tappet {
namespace {

const Table& viscosity_table_table() {
  using P = ViscosityTable;
  static const Table table =
      table_of<P>("a table of viscosity", "Viscosity over temperature",
                  {{&P::temperature,
                    {.name = "temperature",
                     .kind = Kind::vector,
                     .unit = "K",
                     .help = "rising; 20 degC is a temperature as well",
                     .range = positive(),
                     .length = any_length}},
                   {&P::viscosity,
                    {.name = "viscosity",
                     .kind = Kind::vector,
                     .unit = "Pa s",
                     .help = "at each of them",
                     .range = positive(),
                     .length = any_length}},
                   {&P::file,
                    {.name = "file",
                     .kind = Kind::text,
                     .help = "in place of both: a temperature in K and a viscosity in Pa s in each line"}}});
  return table;
}

const Table& viscosity_table() {
  using P = Viscosity;
  static const Table table = table_of<P>("a viscosity", "A number, or a table over temperature",
                                         {{&P::value,
                                           {.name = "value",
                                            .unit = "Pa s",
                                            .help = "dynamic viscosity μ of the oil as warm as it runs",
                                            .range = positive()}},
                                          {&P::table,
                                           {.name = "table",
                                            .kind = Kind::object,
                                            .help = "in place of it: over the temperature of the lubricant",
                                            .table = &viscosity_table_table()}}});
  return table;
}

// Two numbers in each line; what stands behind '#' is not read, and the first line may be a heading.
bool read_rows(const std::string& text, ViscosityTable& out, std::string& why) {
  std::istringstream lines(text);
  std::string line;
  for (int number = 1; std::getline(lines, line); ++number) {
    line.resize(std::min(line.find('#'), line.size()));
    std::replace_if(
        line.begin(), line.end(), [](char c) { return c == ',' || c == ';' || c == '\t' || c == '\r'; }, ' ');
    if (line.find_first_not_of(' ') == std::string::npos) continue;
    std::istringstream row(line);
    double temperature = 0, viscosity = 0;
    std::string more;
    if (!(row >> temperature >> viscosity) || row >> more) {
      if (number == 1) continue;
      why = fmt::format("line {} is not a temperature in K and a viscosity in Pa s", number);
      return false;
    }
    out.temperature.push_back(temperature), out.viscosity.push_back(viscosity);
  }
  return true;
}

}  // namespace

Parameter viscosity_parameter() {
  return {.name = "viscosity",
          .kind = Kind::object,
          .unit = "Pa s",
          .help = "dynamic viscosity μ of the oil as warm as it runs, or {table: ...} over temperature",
          .required = true,
          .range = positive(),
          .table = &viscosity_table()};
}

Parameter temperature_parameter() {
  return {.name = "temperature",
          .unit = "K",
          .help = "of the oil, where `viscosity` is a table over it",
          .range = positive()};
}

double interpolated_viscosity(const ViscosityTable& t, double temperature) {
  const auto after = std::upper_bound(t.temperature.begin() + 1, t.temperature.end() - 1, temperature);
  const std::size_t i = static_cast<std::size_t>(after - t.temperature.begin()) - 1;
  const double part = (temperature - t.temperature[i]) / (t.temperature[i + 1] - t.temperature[i]);
  return t.viscosity[i] * std::pow(t.viscosity[i + 1] / t.viscosity[i], part);
}

double viscosity_of(const Viscosity& viscosity, double temperature, const Origin& lubricant,
                    Diagnostics& diagnostics) {
  const auto refuse = [&](const char* key, const std::string& sentence) {
    diagnostics.error(lubricant.where(key), sentence);
    return not_given;
  };
  const bool number = !std::isnan(viscosity.value), warm = !std::isnan(temperature);
  if (number == static_cast<bool>(viscosity.table))
    return refuse(
        "viscosity",
        "`viscosity` is a number, 40 mPa s, or has a `table` over temperature; one of them is needed");
  if (number) {
    if (!(viscosity.value > 0))
      return refuse("viscosity", fmt::format("`viscosity` is {:g} Pa s; it must be > 0", viscosity.value));
    if (warm)
      return refuse(
          "temperature",
          "`temperature` of a lubricant has no effect, since its `viscosity` is a number; give that a "
          "`table`, or leave `temperature` out");
    return viscosity.value;
  }
  ViscosityTable table = viscosity.table.as<ViscosityTable>();
  if (!table.file.empty()) {
    if (!table.temperature.empty() || !table.viscosity.empty())
      return refuse(
          "viscosity",
          "the table of `viscosity` is a `file`, or has `temperature` and `viscosity`, and not both");
    const std::string path = beside(viscosity.table.origin.where("file"), table.file);
    std::string why;
    const auto text = read_input_file(path, why);
    if (!text) return refuse("viscosity", fmt::format("the table of viscosity '{}' {}", path, why));
    if (!read_rows(*text, table, why))
      return refuse("viscosity", fmt::format("the table of viscosity '{}' cannot be used: {}", path, why));
  }
  const std::size_t rows = table.temperature.size();
  if (rows < 2 || table.viscosity.size() != rows)
    return refuse(
        "viscosity",
        fmt::format(
            "the table of `viscosity` has {} temperatures and {} viscosities; it needs as many of one "
            "as of the other, and two at least",
            rows, table.viscosity.size()));
  for (std::size_t i = 0; i < rows; ++i)
    if (!(table.viscosity[i] > 0) || (i > 0 && !(table.temperature[i] > table.temperature[i - 1])))
      return refuse(
          "viscosity",
          fmt::format("row {} of the table of `viscosity` is {:g} K, {:g} Pa s; temperatures must rise, and "
                      "viscosities be > 0",
                      i + 1, table.temperature[i], table.viscosity[i]));
  if (!warm)
    return refuse(
        "viscosity",
        fmt::format("`viscosity` is a table from {:g} to {:g} K, and the lubricant has no `temperature`",
                    table.temperature.front(), table.temperature.back()));
  if (!(temperature >= table.temperature.front() && temperature <= table.temperature.back()))
    return refuse("temperature",
                  fmt::format("`temperature` of the lubricant is {:g} K, and its table of viscosity goes "
                              "from {:g} to {:g} K",
                              temperature, table.temperature.front(), table.temperature.back()));
  return interpolated_viscosity(table, temperature);
}

}  // namespace tappet
