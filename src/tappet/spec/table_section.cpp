#include "tappet/spec/table_section.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <sstream>

#include <fmt/format.h>

#include "tappet/base/input_file.hpp"
#include "tappet/base/sections.hpp"
#include "tappet/base/unit_error.hpp"
#include "tappet/base/units.hpp"

namespace tappet {
namespace {

constexpr std::uint64_t most_bytes = 256 << 20;

const Table& table_table() {
  using P = TableParameters;
  static const Table table = table_of<P>(
      "a table", "A function given by points; expressions call it by its name",
      {{&P::file,
        {.name = "file",
         .kind = Kind::text,
         .help = "file of columns with their names in its first line, relative to the model file"}},
       {&P::grid,
        {.name = "grid",
         .kind = Kind::text,
         .help = "instead: file of a function of two variables, the second's values in its first row and the "
                 "first's in its first column"}},
       {&P::points,
        {.name = "points",
         .kind = Kind::matrix,
         .help = "instead: the points, [x, y] each",
         .length = 2,
         .count = 0}},
       {&P::x, {.name = "x", .kind = Kind::text, .help = "column of the variable; absent: the first"}},
       {&P::y, {.name = "y", .kind = Kind::text, .help = "column of the value; absent: the second"}},
       {&P::x_unit,
        {.name = "x_unit", .kind = Kind::text, .help = "unit of the variable there; absent: of the SI"}},
       {&P::y_unit,
        {.name = "y_unit",
         .kind = Kind::text,
         .help = "unit of the value there, of a grid that of its second variable; absent: of the SI"}},
       {&P::value_unit,
        {.name = "value_unit", .kind = Kind::text, .help = "grid: unit of the values; absent: of the SI"}},
       {&P::interpolate,
        {.name = "interpolate",
         .kind = Kind::choice,
         .help = "between points: straight lines, a spline with continuous curvature, or Akima's, which "
                 "stays straight beside a kink",
         .fallback = "cubic",
         .choices = {"linear", "cubic", "akima"}}},
       {&P::outside,
        {.name = "outside",
         .kind = Kind::choice,
         .help = "beyond the points: the straight line with the slope at the end, the value at the end, or "
                 "the end of the run",
         .fallback = "linear",
         .choices = {"linear", "hold", "stop"}}},
       {&P::periodic,
        {.name = "periodic",
         .kind = Kind::boolean,
         .help = "the last point is the first of the next period; of a grid in its first variable",
         .fallback = "false"}}});
  return table;
}

const bool registered = (register_table("tables", &table_table()), true);

/// What a table was read from: rows of numbers and where each stands.
struct Rows {
  std::vector<std::vector<double>> values;
  std::vector<SourcePos> at;
};

class TableReader {
 public:
  TableReader(const Object& object, Diagnostics& diagnostics)
      : object_(object), p_(parameters_.as<TableParameters>()), diagnostics_(diagnostics) {}

  std::shared_ptr<const LookupTable> read() {
    const int given = int(object_.given("file")) + int(object_.given("grid")) + int(object_.given("points"));
    if (given != 1)
      return wrong(object_.pos,
                   fmt::format("gives {} of `file`, `grid` and `points`; exactly one is needed", given));
    if (object_.given("value_unit") && p_.grid.empty())
      return wrong(object_.where("value_unit"), "has no grid: the unit of its values is `y_unit`");
    if (!p_.file.empty()) return of_columns();
    if (!p_.grid.empty()) return of_grid();
    Rows rows;
    for (const auto& row : p_.points) {
      rows.values.push_back(row);
      rows.at.push_back(object_.where("points"));
    }
    return of_points(rows);
  }

 private:
  std::nullptr_t wrong(const SourcePos& pos, const std::string& what) {
    diagnostics_.error(pos, fmt::format("the table '{}' {}", object_.name, what));
    return nullptr;
  }

  double factor(const char* key, const std::string& unit) {
    if (unit.empty()) return 1;
    try {
      return si_factor(unit);
    } catch (const UnitError& fault) {
      wrong(object_.where(key), fmt::format("has a unit that is none: {}", fault.what()));
      return 1;
    }
  }

  /// Lines of a file as words, without those that begin with #. False: it cannot be read.
  bool read_file(const char* key, const std::string& name) {
    const SourcePos pos = object_.where(key);
    const std::filesystem::path model(pos.file ? *pos.file : std::string());
    path_ = std::make_shared<const std::string>((model.parent_path() / name).string());
    std::string why;
    const auto text = read_input_file(*path_, why, most_bytes);
    if (!text) return wrong(pos, fmt::format("names the file '{}', which {}", name, why)), false;
    std::istringstream file(*text);
    int number = 0;
    for (std::string line; std::getline(file, line);) {
      ++number;
      for (char& c : line)
        if (c == ',' || c == ';' || c == '\r' || c == '\t') c = ' ';
      std::istringstream words(line);
      std::vector<std::string> fields;
      for (std::string word; words >> word;) fields.push_back(word);
      if (fields.empty() || fields[0][0] == '#') continue;
      lines_.push_back(std::move(fields));
      numbers_.push_back({path_, number, 1});
    }
    if (lines_.size() < 3)
      return wrong(pos, fmt::format("has {} lines in '{}'; its names and two points are the least",
                                    lines_.size(), name)),
             false;
    return true;
  }

  bool number(const std::string& word, const SourcePos& at, double& out) {
    char* end = nullptr;
    out = std::strtod(word.c_str(), &end);
    if (*end == 0 && std::isfinite(out)) return true;
    return wrong(at, fmt::format("has {}, which is not a number", quote(word))), false;
  }

  std::shared_ptr<const LookupTable> of_columns() {
    if (!read_file("file", p_.file)) return nullptr;
    const std::vector<std::string>& names = lines_[0];
    int column[2] = {0, 1};
    for (int n = 0; n < 2; ++n) {
      const std::string& wanted = n == 0 ? p_.x : p_.y;
      const char* key = n == 0 ? "x" : "y";
      if (!wanted.empty()) {
        const auto at = std::find(names.begin(), names.end(), wanted);
        if (at == names.end()) {
          const std::string near = nearest_name(wanted, names);
          return wrong(
              object_.where(key),
              fmt::format("takes the column '{}' of '{}', which has no such one{}; columns: {}", wanted,
                          p_.file, near.empty() ? "" : fmt::format(" (did you mean '{}'?)", near),
                          join_names(names)));
        }
        column[n] = static_cast<int>(at - names.begin());
      } else if (n >= static_cast<int>(names.size())) {
        return wrong(object_.where("file"), fmt::format("has a single column in '{}'", p_.file));
      }
    }
    Rows rows;
    for (std::size_t i = 1; i < lines_.size(); ++i) {
      if (lines_[i].size() != names.size())
        return wrong(numbers_[i],
                     fmt::format("has {} numbers in this line, but its first line names {} columns",
                                 lines_[i].size(), names.size()));
      std::vector<double> row(2);
      for (int n = 0; n < 2; ++n)
        if (!number(lines_[i][column[n]], numbers_[i], row[n])) return nullptr;
      rows.values.push_back(std::move(row));
      rows.at.push_back(numbers_[i]);
    }
    return of_points(rows);
  }

  LookupOptions options() const {
    return {p_.interpolate == "linear"  ? Interpolation::linear
            : p_.interpolate == "akima" ? Interpolation::akima
                                        : Interpolation::cubic,
            p_.outside == "hold"   ? Outside::hold
            : p_.outside == "stop" ? Outside::stop
                                   : Outside::linear,
            p_.periodic};
  }

  bool ascend(double before, double now, const SourcePos& at) {
    if (now > before) return true;
    return wrong(at, now == before
                         ? fmt::format("has two points at {:g}; each needs a place of its own", now)
                         : fmt::format("has the point {:g} after {:g}; they must be in ascending order", now,
                                       before)),
           false;
  }

  bool closes(double first, double last, const SourcePos& at) {
    if (!p_.periodic || first == last) return true;
    return wrong(at, fmt::format("is `periodic`, but ends with the value {:g} where it began with {:g}: its "
                                 "last point is the first of the next period",
                                 last, first)),
           false;
  }

  std::shared_ptr<const LookupTable> of_points(const Rows& rows) {
    const double fx = factor("x_unit", p_.x_unit), fy = factor("y_unit", p_.y_unit);
    std::vector<double> x, y;
    for (std::size_t i = 0; i < rows.values.size(); ++i) {
      if (i > 0 && !ascend(rows.values[i - 1][0], rows.values[i][0], rows.at[i])) return nullptr;
      x.push_back(fx * rows.values[i][0]);
      y.push_back(fy * rows.values[i][1]);
    }
    if (x.size() < 2)
      return wrong(object_.where("points"), fmt::format("has {} point; two are the least", x.size()));
    if (!closes(rows.values.front()[1], rows.values.back()[1], rows.at.back())) return nullptr;
    return std::make_shared<const LookupTable>(object_.name, std::move(x), std::move(y), options());
  }

  std::shared_ptr<const LookupTable> of_grid() {
    if (!p_.x.empty() || !p_.y.empty())
      return wrong(object_.where(p_.x.empty() ? "y" : "x"), "is a grid, which has no columns by name");
    if (!read_file("grid", p_.grid)) return nullptr;
    const double fx = factor("x_unit", p_.x_unit), fy = factor("y_unit", p_.y_unit),
                 ff = factor("value_unit", p_.value_unit);
    // The corner is left out, or holds a word that nobody reads.
    const std::size_t columns = lines_[1].size() - 1;
    const std::size_t skipped = lines_[0].size() == columns + 1 ? 1 : 0;
    if (lines_[0].size() != columns + skipped || columns < 2)
      return wrong(numbers_[0],
                   fmt::format("has {} values in its first row, but {} in the next, whose first is that of "
                               "the first variable; two of each are the least",
                               lines_[0].size(), lines_[1].size()));
    std::vector<double> x, y, f;
    for (std::size_t j = 0; j < columns; ++j) {
      double value = 0;
      if (!number(lines_[0][j + skipped], numbers_[0], value)) return nullptr;
      if (j > 0 && !ascend(y.back() / fy, value, numbers_[0])) return nullptr;
      y.push_back(fy * value);
    }
    for (std::size_t i = 1; i < lines_.size(); ++i) {
      if (lines_[i].size() != columns + 1)
        return wrong(numbers_[i],
                     fmt::format("has {} numbers in this row, not {}", lines_[i].size(), columns + 1));
      double value = 0;
      for (std::size_t j = 0; j <= columns; ++j) {
        if (!number(lines_[i][j], numbers_[i], value)) return nullptr;
        if (j > 0) {
          f.push_back(ff * value);
          continue;
        }
        if (i > 1 && !ascend(x.back() / fx, value, numbers_[i])) return nullptr;
        x.push_back(fx * value);
      }
    }
    for (std::size_t j = 0; j < columns; ++j)
      if (!closes(f[j], f[f.size() - columns + j], numbers_.back())) return nullptr;
    return std::make_shared<const LookupTable>(object_.name, std::move(x), std::move(y), std::move(f),
                                               options());
  }

  const Object& object_;
  const AnyParameters parameters_ = object_.parameters();
  const TableParameters& p_;
  Diagnostics& diagnostics_;
  std::shared_ptr<const std::string> path_;
  std::vector<std::vector<std::string>> lines_;
  std::vector<SourcePos> numbers_;
};

}  // namespace

void read_tables(const Value& root, const ReadContext& context, Definitions& definitions) {
  const Value* section = root.find("tables");
  if (!section || section->kind != Value::Kind::mapping) return;
  for (std::size_t i = 0; i < section->map.size(); ++i) {
    const auto& [name, value] = section->map[i];
    Object object = read_object(value, table_table(), context);
    object.name = name;
    object.name_pos = section->key_pos[i];
    context.diagnostics->throw_if_errors();
    try {
      if (auto table = TableReader(object, *context.diagnostics).read())
        definitions.add_table(std::move(table));
    } catch (const ExpressionError& fault) {
      context.diagnostics->error(section->key_pos[i], fault.what());
    }
  }
}

}  // namespace tappet
