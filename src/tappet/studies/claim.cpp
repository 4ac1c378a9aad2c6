#include "tappet/studies/claim.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <numbers>
#include <random>

#include <fmt/format.h>

#include "tappet/base/diagnostics.hpp"
#include "tappet/studies/expression_text.hpp"

namespace tappet {

namespace {

using namespace expression_text;

// ---- over the runs

bool in_order(const std::vector<double>& values, bool rising) {
  for (std::size_t i = 1; i < values.size(); ++i)
    if (rising ? !(values[i] > values[i - 1]) : !(values[i] < values[i - 1])) return false;
  return values.size() > 1;
}

double mean(const std::vector<double>& values) {
  double sum = 0;
  for (const double value : values) sum += value;
  return sum / static_cast<double>(values.size());
}

/// How far the values lie apart, over the largest of them.
double spread(const std::vector<double>& values) {
  const auto [low, high] = std::minmax_element(values.begin(), values.end());
  const double size = std::max(std::abs(*low), std::abs(*high));
  return size > 0 ? (*high - *low) / size : 0;
}

double how_many(const std::vector<double>& values) {
  return static_cast<double>(std::count_if(values.begin(), values.end(), [](double v) { return v != 0; }));
}

using Reduction = double (*)(const std::vector<double>&);
constexpr std::pair<const char*, Reduction> reductions[] = {
    {"all",
     [](const std::vector<double>& v) -> double { return how_many(v) == static_cast<double>(v.size()); }},
    {"any", [](const std::vector<double>& v) -> double { return how_many(v) > 0; }},
    {"count", how_many},
    {"max", [](const std::vector<double>& v) { return *std::max_element(v.begin(), v.end()); }},
    {"min", [](const std::vector<double>& v) { return *std::min_element(v.begin(), v.end()); }},
    {"mean", mean},
    {"spread", spread},
    {"rising", [](const std::vector<double>& v) -> double { return in_order(v, true); }},
    {"falling", [](const std::vector<double>& v) -> double { return in_order(v, false); }},
};

Reduction find_reduction(const std::string& word) {
  for (const auto& [name, function] : reductions)
    if (word == name) return function;
  return nullptr;
}

// ---- reading

std::size_t place(const std::string& name, const std::vector<std::string>& among, const char* what,
                  std::size_t column) {
  const auto at = std::find(among.begin(), among.end(), name);
  if (at != among.end()) return static_cast<std::size_t>(at - among.begin());
  const std::string near = nearest_name(name, among);
  throw ExpressionError(
      fmt::format("there is no {} {}; {}known: {}", what, quote(name),
                  near.empty() ? "" : fmt::format("did you mean '{}'? ", near), join_names(among)),
      static_cast<int>(column));
}

/// A text whose numbers have become variables: x0_, x1_, …
struct Numbered {
  std::string text;
  std::vector<std::string> variables, meanings;
  std::vector<std::function<double(std::size_t run)>> values;
  std::string group;  ///< of the runs that a reduction is over; "": all

  void add(const std::string& meaning, std::function<double(std::size_t)> value) {
    variables.push_back(fmt::format("x{}_", variables.size()));
    meanings.push_back(meaning);
    values.push_back(std::move(value));
    text += variables.back();
  }
};

Numbered numbered(const std::string& text, const NumberTable& table, bool inside);

bool is_group(const NumberTable& table, const std::string& name) {
  return !name.empty() && std::find(table.groups.begin(), table.groups.end(), name) != table.groups.end();
}

/// The reduction of what stands between the parentheses, over all runs that were made, or those of one group.
double reduced(Reduction reduction, const std::string& inner, const NumberTable& table) {
  const Numbered per_run = numbered(inner, table, true);
  const Expression expression = parse_all(per_run.text, per_run.variables, per_run.meanings);
  std::vector<double> all;
  for (std::size_t run = 0; run < table.runs.size(); ++run) {
    if (table.failed[run] || (!per_run.group.empty() && table.groups[run] != per_run.group)) continue;
    std::vector<double> arguments;
    for (const auto& value : per_run.values) arguments.push_back(value(run));
    // A comparison with a number that is not there would be false without a word.
    for (const double argument : arguments)
      if (std::isnan(argument)) return argument;
    all.push_back(expression(arguments));
  }
  return all.empty() ? std::numeric_limits<double>::quiet_NaN() : reduction(all);
}

/// peak[hertz]: of one run, or, inside a reduction, of the runs of a group in turn.
void add_of(const std::string& text, const std::string& name, const std::string& whose, std::size_t at,
            const NumberTable& table, bool inside, Numbered& out) {
  const std::size_t column = place(name, table.names, "number", at);
  const std::size_t bracket = at + name.size() + 1;
  if (!is_group(table, whose)) {
    const std::size_t run = place(whose, table.runs, "run", bracket);
    const double value =
        table.failed[run] ? std::numeric_limits<double>::quiet_NaN() : table.values[run][column];
    out.add(text, [value](std::size_t) { return value; });
    return;
  }
  if (!inside)
    throw ExpressionError(
        fmt::format("'{0}' is a group of runs: say of which of them, or what of all, as in max({1}[{0}])",
                    whose, name),
        static_cast<int>(bracket));
  if (!out.group.empty() && out.group != whose)
    throw ExpressionError(fmt::format("a reduction is over one group: '{}' or '{}'", out.group, whose),
                          static_cast<int>(bracket));
  out.group = whose;
  out.add(text, [&table, column](std::size_t run) { return table.values[run][column]; });
}

Numbered numbered(const std::string& text, const NumberTable& table, bool inside) {
  Numbered out;
  for (std::size_t i = 0; i < text.size();) {
    if (!is_name(text[i]) && text[i] != '.') {
      out.text += text[i++];
      continue;
    }
    std::size_t end = i;
    while (end < text.size() && (is_name(text[end]) || text[end] == '.')) ++end;
    const std::string word = text.substr(i, end - i);
    const char next = end < text.size() ? text[end] : ' ';

    // peak[hertz]
    if (next == '[') {
      const std::size_t close = text.find(']', end);
      if (close == std::string::npos)
        throw ExpressionError(fmt::format("the bracket behind {} does not close", quote(word)),
                              static_cast<int>(end));
      add_of(text.substr(i, close + 1 - i), word, text.substr(end + 1, close - end - 1), i, table, inside,
             out);
      i = close + 1;
      continue;
    }
    // falling(height); max of several arguments is the function of expressions.
    int commas = 0;
    const std::size_t close = next == '(' ? closing(text, end, commas) : std::string::npos;
    const Reduction reduction = find_reduction(word);
    if (reduction && close != std::string::npos && commas == 0) {
      if (inside)
        throw ExpressionError(fmt::format("{}() is over all runs already", word), static_cast<int>(i));
      const double value = reduced(reduction, text.substr(end + 1, close - end - 1), table);
      out.add(text.substr(i, close + 1 - i), [value](std::size_t) { return value; });
      i = close + 1;
      continue;
    }
    // A bare number of the run.
    const auto at = std::find(table.names.begin(), table.names.end(), word);
    if (at != table.names.end()) {
      if (!inside && table.runs.size() != 1)
        throw ExpressionError(
            fmt::format("'{0}' is a number of each run: say of which, as in {0}[{1}], or of all, as in "
                        "max({0})",
                        word, table.runs.empty() ? "RUN" : table.runs[0]),
            static_cast<int>(i));
      const auto column = static_cast<std::size_t>(at - table.names.begin());
      out.add(word, [&table, column](std::size_t run) {
        return table.failed[run] ? std::numeric_limits<double>::quiet_NaN() : table.values[run][column];
      });
      i = end;
      continue;
    }
    out.text += word;
    i = end;
  }
  return out;
}

}  // namespace

namespace {

Judgement judge_once(const std::string& condition, const NumberTable& table) {
  const Numbered whole = numbered(condition, table, false);
  if (whole.values.empty())
    throw ExpressionError(fmt::format("names no number of the runs; known: {}", join_names(table.names)), 0);
  const Expression expression = parse_all(whole.text, whole.variables, whole.meanings);
  Judgement out{.decided = true, .holds = false, .terms = {}};
  std::vector<double> arguments;
  for (std::size_t i = 0; i < whole.values.size(); ++i) {
    arguments.push_back(whole.values[i](0));
    const auto said = std::make_pair(whole.meanings[i], arguments.back());
    if (std::none_of(out.terms.begin(), out.terms.end(),
                     [&](const auto& term) { return term.first == said.first; }))
      out.terms.push_back(said);
    out.decided = out.decided && !std::isnan(arguments.back());
  }
  if (out.decided) out.holds = expression(arguments) != 0;
  return out;
}

/// The part of Student's distribution with ν degrees of freedom that lies within ±t [Abramowitz1964, 26.7.3 and 26.7.4], θ = atan(t/√ν):
///   ν even   sin θ (1 + 1/2 cos² θ + (1·3)/(2·4) cos⁴ θ + …),   to cos^(ν−2) θ
///   ν odd    2/π (θ + sin θ cos θ (1 + 2/3 cos² θ + (2·4)/(3·5) cos⁴ θ + …)),   to cos^(ν−3) θ in the last bracket
double within(double t, int nu) {
  const double theta = std::atan(t / std::sqrt(nu)), c = std::cos(theta);
  double term = 1, sum = 0;
  for (int k = nu % 2; k <= nu - 2; k += 2) {
    sum += term;
    term *= (k + 1.0) / (k + 2.0) * c * c;
  }
  if (nu % 2 == 0) return std::sin(theta) * sum;
  return 2 / std::numbers::pi * (theta + std::sin(theta) * c * sum);
}

/// The t within which this part of the distribution lies.
double students_t(int nu, double part) {
  double low = 0, high = 1;
  while (within(high, nu) < part) high *= 2;
  for (int i = 0; i < 60; ++i) (within(0.5 * (low + high), nu) < part ? low : high) = 0.5 * (low + high);
  return high;
}

bool is_ensemble(const NumberTable& table, std::size_t run) {
  return run < table.members.size() && !table.members[run].empty();
}

/// Members of each ensemble drawn anew, with repetition; the same members for all of a run's numbers. The means of n drawn members scatter
/// less than those of n new ones, by √((n − 1)/n).
void draw_anew(const NumberTable& from, std::mt19937& random, NumberTable& to) {
  for (std::size_t run = 0; run < from.runs.size(); ++run) {
    if (!is_ensemble(from, run)) continue;
    const auto& numbers = from.members[run];
    const std::size_t n = numbers.empty() ? 0 : numbers[0].size();
    std::vector<std::size_t> drawn(n);
    for (std::size_t& member : drawn) member = random() % n;
    for (std::size_t j = 0; j < numbers.size(); ++j) {
      double sum = 0;
      for (const std::size_t member : drawn) sum += numbers[j][member];
      const double count = static_cast<double>(n), mean = from.values[run][j];
      to.values[run][j] = mean + std::sqrt(count / (count - 1)) * (sum / count - mean);
    }
  }
}

}  // namespace

double NumberTable::half_width(std::size_t run, std::size_t name) const {
  if (!is_ensemble(*this, run)) return std::numeric_limits<double>::quiet_NaN();
  const std::vector<double>& all = members[run][name];
  const double n = static_cast<double>(all.size()), middle = mean(all);
  double squares = 0;
  for (const double value : all) squares += (value - middle) * (value - middle);
  return students_t(static_cast<int>(all.size()) - 1, enough_confidence) * std::sqrt(squares / (n - 1) / n);
}

Judgement judge(const std::string& condition, const NumberTable& table) {
  constexpr int draws = 1000;
  Judgement out = judge_once(condition, table);
  bool any = false;
  for (std::size_t run = 0; run < table.runs.size(); ++run) any = any || is_ensemble(table, run);
  if (!any || !out.decided) return out;
  std::mt19937 random(1);
  NumberTable drawn = table;
  int holding = 0;
  for (int i = 0; i < draws; ++i) {
    draw_anew(table, random, drawn);
    holding += judge_once(condition, drawn).holds;
  }
  out.confidence = static_cast<double>(holding) / draws;
  out.holds = out.confidence >= enough_confidence;
  return out;
}

}  // namespace tappet
