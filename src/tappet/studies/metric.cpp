#include "tappet/studies/metric.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include <fmt/format.h>

#include "tappet/base/diagnostics.hpp"
#include "tappet/model/method.hpp"
#include "tappet/model/model.hpp"
#include "tappet/model/signals.hpp"
#include "tappet/results/layout.hpp"
#include "tappet/studies/expression_text.hpp"

namespace tappet {

namespace {

using expression_text::closing;
using expression_text::is_letter;
using expression_text::is_name;
using expression_text::parse_all;

// ---- names

struct ImpactColumn {
  const char* name;
  const char* unit;
};
/// As in layout::impact_columns(), which see.
constexpr ImpactColumn impact_units[] = {{"contact", ""},     {"start", "s"},           {"end", "s"},
                                         {"speed_in", "m/s"}, {"speed_out", "m/s"},     {"restitution", ""},
                                         {"requested", ""},   {"max_penetration", "m"}, {"peak_force", "N"},
                                         {"impulse", "N s"}};

using RunNumber = double (*)(const RunSummary&);
constexpr std::pair<const char*, RunNumber> run_numbers[] = {
    {"run.steps", [](const RunSummary& s) { return static_cast<double>(s.steps); }},
    {"run.rejected", [](const RunSummary& s) { return static_cast<double>(s.rejected); }},
    {"run.evaluations", [](const RunSummary& s) { return static_cast<double>(s.evaluations); }},
    {"run.energy_residual", [](const RunSummary& s) { return s.energy_residual; }},
    {"run.max_first_penetration", [](const RunSummary& s) { return s.max_first_penetration; }},
    {"run.constraint_violation", [](const RunSummary& s) { return s.constraint_violation; }},
    {"run.t_end", [](const RunSummary& s) { return s.t_end; }},
};

/// The longest of the names that stands at `at` and ends there. Names may hold dashes and dots, which
/// expressions would read as something else.
std::string longest_name(const std::string& text, std::size_t at, const std::vector<std::string>& names) {
  std::string found;
  for (const std::string& name : names) {
    if (name.size() <= found.size() || text.compare(at, name.size(), name) != 0) continue;
    const char next = at + name.size() < text.size() ? text[at + name.size()] : ' ';
    if (!is_name(next) && next != '.') found = name;
  }
  return found;
}

/// Calls `found(name, place)` for each of the names in the text, and puts what it returns in its place.
template <class Found>
std::string replace_names(const std::string& text, const std::vector<std::string>& names, Found found) {
  std::string out;
  for (std::size_t i = 0; i < text.size();) {
    if (is_name(text[i]) || text[i] == '.') {
      const std::string name = is_letter(text[i]) ? longest_name(text, i, names) : "";
      if (!name.empty()) {
        out += found(name, i);
        i += name.size();
        continue;
      }
      // The rest of a word or number is not looked at.
      while (i < text.size() && (is_name(text[i]) || text[i] == '.')) out += text[i++];
      continue;
    }
    out += text[i++];
  }
  return out;
}

/// Words with a dot that no table knows would be reported badly by the expression's own reader.
void check_dotted(const std::string& text, const std::vector<std::string>& known) {
  for (std::size_t i = 0; i < text.size();) {
    if (!is_name(text[i])) {
      ++i;
      continue;
    }
    const std::size_t begin = i;
    bool dotted = false;
    while (i < text.size() && (is_name(text[i]) || text[i] == '.' || (text[i] == '-' && dotted))) {
      dotted = dotted || text[i] == '.';
      ++i;
    }
    const std::string word = text.substr(begin, i - begin);
    if (!is_letter(word[0]) || !dotted) continue;
    const std::string near = nearest_name(word, known);
    throw ExpressionError(
        fmt::format("there is no signal {}{}; known: {}", quote(word),
                    near.empty() ? "" : fmt::format(" (did you mean '{}'?)", near), join_names(known, 12)),
        static_cast<int>(begin));
  }
}

// ---- reductions

const std::vector<std::string> reduction_names = {"max",   "min",  "mean",  "rms", "std",      "range",
                                                  "first", "last", "count", "sum", "integral", "peaks"};

/// Values with weights, taken in one by one.
class Accumulator {
 public:
  void add(double value, double weight) {
    if (count_ == 0) first_ = low_ = high_ = value;
    last_ = value;
    low_ = std::min(low_, value);
    high_ = std::max(high_, value);
    weight_ += weight;
    sum_ += weight * value;
    squares_ += weight * value * value;
    true_ += value != 0;
    ++count_;
  }

  double result(const std::string& reduction) const {
    if (reduction == "count") return static_cast<double>(true_);
    if (reduction == "sum" || reduction == "integral") return sum_;
    if (count_ == 0) return nothing;
    if (reduction == "max") return high_;
    if (reduction == "min") return low_;
    if (reduction == "range") return high_ - low_;
    if (reduction == "first") return first_;
    if (reduction == "last") return last_;
    if (!(weight_ > 0)) return nothing;
    if (reduction == "mean") return sum_ / weight_;
    if (reduction == "rms") return std::sqrt(squares_ / weight_);
    const double mean = sum_ / weight_;
    return std::sqrt(std::max(0.0, squares_ / weight_ - mean * mean));  // std
  }

 private:
  double first_ = 0, last_ = 0, low_ = 0, high_ = 0, weight_ = 0, sum_ = 0, squares_ = 0;
  long count_ = 0, true_ = 0;
};

// ---- windows

/// Angle in revolutions, as a function of the recording's rows.
class Turns {
 public:
  Turns(const Recording& recording, const Revolution& revolution)
      : recording_(recording),
        column_(revolution.signal.empty() ? 0 : recording.index(revolution.signal)),
        unit_(revolution.signal.empty() ? revolution.period : 2 * std::numbers::pi) {}
  double operator()(std::size_t row) const { return (*this)(recording_.row(row)); }
  double operator()(const double* row) const { return row[column_] / unit_; }

 private:
  const Recording& recording_;
  std::size_t column_;
  double unit_;
};

struct Interval {
  double from = 0, to = 0;         ///< s
  std::size_t first = 0, end = 0;  ///< rows inside
};

Interval find_interval(const Recording& r, const Window& window, const Revolution& revolution) {
  if (r.rows() == 0) throw SimulationError(0, "the run recorded nothing");
  const double t_end = r.time(r.rows() - 1);
  Interval out{.from = window.from.value_or(0), .to = window.to.value_or(t_end)};
  // Sample times are multiples of the output step up to rounding.
  const double slack = 1e-9 * t_end / static_cast<double>(r.rows());
  if (out.to > t_end + slack || out.from > out.to)
    throw SimulationError(
        t_end, fmt::format("the window from {} s to {} s is not inside the run, which ends at {} s", out.from,
                           out.to, t_end));
  const auto row_at = [&](double t) {
    std::size_t low = 0, high = r.rows();
    while (low < high) {
      const std::size_t middle = (low + high) / 2;
      r.time(middle) < t ? low = middle + 1 : high = middle;
    }
    return low;
  };
  out.end = row_at(out.to + slack);
  while (out.end < r.rows() && r.time(out.end) <= out.to + slack) ++out.end;
  if (window.last) {
    const Turns turns(r, revolution);
    const double end = turns(out.end - 1);
    std::size_t i = out.end - 1;
    while (i > 0 && std::abs(turns(i) - end) < *window.last * (1 - 1e-12)) --i;
    const double made = std::abs(turns(i) - end);
    if (made < *window.last * (1 - 1e-9))
      throw SimulationError(
          t_end, fmt::format("the last {} revolutions are asked for, but only {:.4g} were made", *window.last,
                             made));
    // Between rows i and i + 1, unless it is row i itself.
    const double before = std::abs(turns(i) - end), after = std::abs(turns(i + 1) - end);
    const double part = before > after ? std::clamp((before - *window.last) / (before - after), 0.0, 1.0) : 0;
    out.from = std::max(out.from, r.time(i) + part * (r.time(i + 1) - r.time(i)));
  }
  out.first = row_at(out.from - slack);
  if (out.first >= out.end) throw SimulationError(t_end, "no sample lies in the window");
  return out;
}

/// Mean of the largest values of the revolutions, counted back from the window's end; one that the window cuts off
/// does not count.
double mean_of_peaks(RowExpression of, const Recording& r, const Interval& interval,
                     const Revolution& revolution) {
  const Turns turns(r, revolution);
  of.bind(r);
  const double end = turns(interval.end - 1);
  const double whole = std::floor(std::abs(end - turns(interval.first)) + 1e-6);
  std::vector<double> peaks(static_cast<std::size_t>(whole), -std::numeric_limits<double>::infinity());
  for (const double* row : r.all_rows(interval.first, interval.end)) {
    const auto back = static_cast<std::size_t>(std::abs(end - turns(row)));
    if (back < peaks.size()) peaks[back] = std::max(peaks[back], of.at(row));
  }
  double sum = 0;
  for (const double peak : peaks) sum += peak;
  return peaks.empty() ? nothing : sum / whole;
}

double reduce(const std::string& name, RowExpression of, const Recording& r, const Interval& interval,
              const Revolution& revolution) {
  if (name == "peaks") return mean_of_peaks(std::move(of), r, interval, revolution);
  Accumulator all;
  if (of.over_impacts()) {
    for (const Impact& impact : r.impacts)
      if (of.concerns(impact) && impact.start >= interval.from && impact.start <= interval.to)
        if (const double value = of.at(impact); !std::isnan(value))
          all.add(value, 1);  // a hit that has not ended lacks some
    return all.result(name);
  }
  of.bind(r);
  const std::vector<const double*> rows = r.all_rows(interval.first, interval.end);
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const double before = i > 0 ? rows[i][0] - rows[i - 1][0] : 0;
    const double after = i + 1 < rows.size() ? rows[i + 1][0] - rows[i][0] : 0;
    all.add(of.at(rows[i]), 0.5 * (before + after));
  }
  return all.result(name);
}

// The first word that looks like BODY.SIGNAL, hyphens included; "" when there is none.
std::string first_dotted(const std::string& text) {
  const auto letter = [](char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; };
  const auto inner = [&](char c) { return letter(c) || (c >= '0' && c <= '9'); };
  for (std::size_t dot = text.find('.'); dot != std::string::npos; dot = text.find('.', dot + 1)) {
    if (dot + 1 == text.size() || !letter(text[dot + 1])) continue;
    // Back over the word before the dot, which begins with a letter: the earliest there is.
    std::size_t begin = dot, first = dot;
    while (begin > 0 && (inner(text[begin - 1]) || text[begin - 1] == '-'))
      if (letter(text[--begin])) first = begin;
    if (first == dot) continue;
    std::size_t end = dot + 1;
    while (end < text.size() && inner(text[end])) ++end;
    return text.substr(first, end - first);
  }
  return "";
}

}  // namespace

MetricNames metric_names(const Model& model) {
  MetricNames out;
  out.signals = {{"time", "s"}};
  for (const SignalDefinition& signal : all_signals(model)) out.signals.push_back({signal.name, signal.unit});
  for (const auto& contact : model.mechanism.contacts) out.contacts.push_back(contact->name);
  for (const ContactGroup& group : model.mechanism.groups) out.contacts.push_back(group.name);
  if (method_type(model.settings).rigid()) out.rigid = out.contacts.size();
  for (const auto& contact : model.structure_contacts) out.contacts.push_back(contact.name);
  return out;
}

std::pair<std::size_t, std::size_t> rows_inside(const Recording& recording, const Window& window,
                                                const Revolution& revolution) {
  const Interval interval = find_interval(recording, window, revolution);
  return {interval.first, interval.end};
}

// ---- an expression of rows

RowExpression::RowExpression(const std::string& text, const MetricNames& names) {
  // Everything that may be named here, and what it is.
  std::vector<std::string> known;
  for (const Signal& signal : names.signals) known.push_back(signal.name);
  const std::size_t signal_count = known.size();
  std::vector<std::string> tables = {"impacts"};
  for (const std::string& contact : names.contacts) tables.push_back(contact + ".impacts");
  for (const std::string& table : tables) {
    known.push_back(table);
    for (const ImpactColumn& column : impact_units) known.push_back(table + "." + column.name);
  }
  constexpr std::size_t per_table = 1 + std::size(impact_units);

  std::vector<std::string> variables, meanings;
  bool over_samples = false;
  std::optional<std::size_t> table;
  const std::string plain = replace_names(text, known, [&](const std::string& name, std::size_t place) {
    const std::size_t at =
        static_cast<std::size_t>(std::find(known.begin(), known.end(), name) - known.begin());
    std::size_t column = at;
    if (at >= signal_count) {
      const std::size_t from = (at - signal_count) / per_table, item = (at - signal_count) % per_table;
      if (table && *table != from)
        throw ExpressionError("impacts of different contacts cannot be mixed in one reduction",
                              static_cast<int>(place));
      table = from;
      // The table's own name is true in each of its rows.
      if (item == 0) return std::string("1");
      column = item - 1;
      unit_ = impact_units[column].unit;
    } else {
      over_samples = true;
      unit_ = names.signals[at].unit;
    }
    if (table && over_samples)
      throw ExpressionError("signals and impacts cannot be mixed in one reduction", static_cast<int>(place));
    variables.push_back(fmt::format("x{}_", variables.size()));
    meanings.push_back(name);
    if (at < signal_count) signals_.push_back(name);
    columns_.push_back(column);
    return variables.back();
  });
  check_dotted(plain, known);
  if (!table && !over_samples) {
    if (const std::string meant = first_dotted(text); !meant.empty()) {
      const std::string near = nearest_name(meant, known);
      throw ExpressionError(fmt::format("there is no signal '{}'{}", meant,
                                        near.empty() ? "" : fmt::format(" (did you mean '{}'?)", near)),
                            0);
    }
    throw ExpressionError("names no signal and not the impact table; it needs at least one", 0);
  }
  expression_ = parse_all(plain, variables, meanings);
  over_impacts_ = table.has_value();
  contact_ = table ? static_cast<int>(*table) - 1 : -1;
  arguments_.resize(columns_.size());
  if (unit_ == "1" || variables.size() != 1 ||
      (plain != variables[0] && plain != fmt::format("abs({})", variables[0]) &&
       plain != fmt::format("-{}", variables[0])))
    unit_.clear();
}

void RowExpression::bind(const Recording& recording) {
  for (std::size_t i = 0; i < signals_.size(); ++i) columns_[i] = recording.index(signals_[i]);
}

double RowExpression::at(const double* row) {
  for (std::size_t i = 0; i < columns_.size(); ++i) arguments_[i] = row[columns_[i]];
  return expression_(arguments_);
}

double RowExpression::at(const Impact& impact) {
  const auto row = layout::pack(impact);
  for (std::size_t i = 0; i < columns_.size(); ++i) arguments_[i] = row[columns_[i]];
  return expression_(arguments_);
}

// ---- metrics

Metric Metric::parse(const std::string& name, Kind kind, const std::string& text, const MetricNames& names) {
  Metric out;
  out.name = name;
  out.text = text;
  out.kind = kind;
  if (kind != Kind::value) {
    RowExpression of(text, names);
    if (kind == Kind::each && !of.over_impacts())
      throw ExpressionError("`each` lists impacts, as in impacts.speed_in; for signals use `section`", 0);
    if (kind == Kind::section && of.over_impacts())
      throw ExpressionError("a section is taken of signals; for impacts use `each`", 0);
    out.unit = of.unit();
    out.reductions_.push_back({"", std::move(of)});
    return out;
  }

  // Calls of reductions become variables r0_, r1_, … of the outer expression.
  std::vector<std::string> variables, meanings;
  std::string outer;
  for (std::size_t i = 0; i < text.size();) {
    std::size_t end = i;
    while (end < text.size() && (is_name(text[end]) || text[end] == '.')) ++end;
    if (end == i) {
      outer += text[i++];
      continue;
    }
    const std::string word = text.substr(i, end - i);
    const std::size_t open = std::min(text.find_first_not_of(' ', end), text.size());
    const bool call = open < text.size() && text[open] == '(';
    int commas = 0;
    const std::size_t close = call ? closing(text, open, commas) : std::string::npos;
    const bool reduction =
        std::find(reduction_names.begin(), reduction_names.end(), word) != reduction_names.end();
    if (!reduction || !call || close == std::string::npos || commas > 0) {
      outer += word;
      i = end;
      continue;
    }
    try {
      RowExpression of(text.substr(open + 1, close - open - 1), names);
      if (!of.over_impacts() && (word == "count" || word == "sum"))
        throw ExpressionError(
            fmt::format("{}() is of impacts; of signals there are mean() and integral()", word), 0);
      if (of.over_impacts() && word == "peaks")
        throw ExpressionError("peaks() is of signals; of impacts there are max() and mean()", 0);
      if (of.over_impacts() && word == "integral")
        throw ExpressionError("integral() is over time; of impacts there is sum()", 0);
      if (word == "integral")
        out.unit = of.unit().empty() ? "" : of.unit() + " s";
      else if (word != "count")
        out.unit = of.unit();
      out.reductions_.push_back({word, std::move(of)});
    } catch (const ExpressionError& fault) {
      throw ExpressionError(fault.what(), fault.column() + static_cast<int>(open) + 1);
    }
    variables.push_back(fmt::format("r{}_", variables.size()));
    meanings.push_back(text.substr(i, close + 1 - i));
    outer += variables.back();
    i = close + 1;
  }
  if (outer != (variables.empty() ? "" : variables[0])) out.unit.clear();

  std::vector<std::string> run_names;
  for (const auto& [run_name, number] : run_numbers) run_names.push_back(run_name);
  outer = replace_names(outer, run_names, [&](const std::string& run_name, std::size_t) {
    out.run_names_.push_back(run_name);
    variables.push_back(fmt::format("n{}_", variables.size()));
    meanings.push_back(run_name);
    return variables.back();
  });
  std::vector<std::string> signals = run_names;
  for (const Signal& signal : names.signals) {
    // A signal is a curve, not a number.
    if (longest_name(outer, std::min(outer.find(signal.name), outer.size()), {signal.name}).empty()) continue;
    throw ExpressionError(fmt::format("'{}' varies in time: say which figure of it is meant, as in max({})",
                                      signal.name, signal.name),
                          0);
  }
  check_dotted(outer, signals);
  out.outer_ = parse_all(outer, variables, meanings);
  return out;
}

bool Metric::needs_revolution() const {
  return window.last.has_value() || kind == Kind::section ||
         std::any_of(reductions_.begin(), reductions_.end(),
                     [](const Reduction& r) { return r.name == "peaks"; });
}

std::vector<std::string> Metric::signals() const {
  std::vector<std::string> out;
  for (const Reduction& reduction : reductions_)
    out.insert(out.end(), reduction.of.signals().begin(), reduction.of.signals().end());
  std::erase(out, "time");
  return out;
}

std::string Metric::without_impulses(const MetricNames& names) const {
  static const std::vector<std::string> forces = {"normal", "tangential", "fx", "fy", "fz"};
  if (names.rigid == 0 || kind != Kind::value) return "";
  for (const Reduction& reduction : reductions_) {
    if (reduction.name == "first" || reduction.name == "last") continue;
    for (const std::string& signal : reduction.of.signals()) {
      const std::size_t dot = signal.rfind('.');
      const std::string contact = signal.substr(0, dot);
      const auto rigid_end = names.contacts.begin() + static_cast<std::ptrdiff_t>(names.rigid);
      if (dot == std::string::npos ||
          std::find(forces.begin(), forces.end(), signal.substr(dot + 1)) == forces.end() ||
          std::find(names.contacts.begin(), rigid_end, contact) == rigid_end)
        continue;
      return fmt::format(
          "{}: impacts of rigid bodies are impulses, without a force; "
          "max({}.impacts.impulse) is the largest of them",
          text, contact);
    }
  }
  return "";
}

double Metric::value(const Recording& recording, const Revolution& revolution) const {
  std::vector<double> arguments;
  if (!reductions_.empty()) {
    const Interval interval = find_interval(recording, window, revolution);
    for (const Reduction& reduction : reductions_)
      arguments.push_back(reduce(reduction.name, reduction.of, recording, interval, revolution));
  }
  for (const std::string& name : run_names_)
    for (const auto& [run_name, number] : run_numbers)
      if (name == run_name) arguments.push_back(number(recording.summary));
  return outer_(arguments);
}

std::vector<std::pair<double, double>> Metric::list(const Recording& r, const Revolution& revolution) const {
  const Interval interval = find_interval(r, window, revolution);
  RowExpression of = reductions_[0].of;
  std::vector<std::pair<double, double>> out;
  if (kind == Kind::each) {
    for (const Impact& impact : r.impacts)
      if (of.concerns(impact) && impact.start >= interval.from && impact.start <= interval.to)
        if (const double value = of.at(impact); !std::isnan(value)) out.emplace_back(impact.start, value);
    return out;
  }
  of.bind(r);
  const Turns turns(r, revolution);
  const double offset = phase / (2 * std::numbers::pi);
  // The last n revolutions hold n points, not n + 1: the one at their beginning is left out.
  const double after = window.last ? interval.from + 1e-9 * (interval.to - interval.from) : -1;
  const auto take = [&](double time, double value) {
    if (time > after) out.emplace_back(time, value);
  };
  for (std::size_t i = interval.first; i < interval.end; ++i) {
    const double a = turns(i) - offset;
    const double nearest = std::round(a);
    if (std::abs(a - nearest) < 1e-9) {
      take(r.time(i), of.at(r.row(i)));
      continue;
    }
    if (i + 1 >= interval.end) break;
    const double b = turns(i + 1) - offset;
    if (std::floor(a) == std::floor(b) || std::abs(b - std::round(b)) < 1e-9) continue;
    const double level = b > a ? std::floor(b) : std::floor(a);
    const double part = (level - a) / (b - a);
    const double va = of.at(r.row(i)), vb = of.at(r.row(i + 1));
    take(r.time(i) + part * (r.time(i + 1) - r.time(i)), va + part * (vb - va));
  }
  return out;
}

}  // namespace tappet
