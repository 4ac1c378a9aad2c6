#include "tappet/base/expression_library.hpp"

#include <map>

#include <fmt/format.h>

namespace tappet {
namespace {

namespace ops = expression_ops;
using Entry = DefinedNames::Entry;

struct Written {
  const char* name;
  std::vector<std::string> parameters;
  const char* text;
};

const std::vector<Written>& written() {
  static const std::vector<Written> all = {
      {"quintic", {"s"}, "s^3*(10 - 15*s + 6*s^2)"},
      {"step5",
       {"x", "x0", "h0", "x1", "h1"},
       "if(x <= x0, h0, if(x >= x1, h1, h0 + (h1 - h0)*quintic((x - x0)/(x1 - x0))))"},
      {"havsin",
       {"x", "x0", "h0", "x1", "h1"},
       "if(x <= x0, h0, if(x >= x1, h1, (h0 + h1)/2 + (h1 - h0)/2*sin(pi*((x - x0)/(x1 - x0) - 0.5))))"},
      {"impact",
       {"x", "v", "x1", "k", "e", "c", "d"},
       "if(x < x1, max(0, k*(x1 - x)^e - c*v*step(x, x1 - d, 1, x1, 0)), 0)"},
      {"bistop",
       {"x", "v", "x1", "x2", "k", "e", "c", "d"},
       "if(x < x1, max(0, k*(x1 - x)^e - c*v*step(x, x1 - d, 1, x1, 0)), "
       "if(x > x2, min(0, -k*(x - x2)^e - c*v*step(x, x2, 0, x2 + d, 1)), 0))"},
      {"shf", {"x", "x0", "a", "b", "phi"}, "a*sin(b*(x - x0) - phi)"},
      {"shf", {"x", "x0", "a", "b", "phi", "c"}, "a*sin(b*(x - x0) - phi) + c"},
      {"sign", {"a", "b"}, "if(b < 0, -abs(a), abs(a))"},
      {"aint", {"x"}, "sign(x)*floor(abs(x))"},
      {"anint", {"x"}, "sign(x)*floor(abs(x) + 0.5)"},
      {"dim", {"a", "b"}, "max(a - b, 0)"},
      {"rem", {"a", "b"}, "a - b*aint(a/b)"}};
  return all;
}

/// Those before a text may stand in it.
class Library : public DefinedNames {
 public:
  explicit Library(BodyParser parse) {
    for (const Written& each : written()) {
      const auto count = static_cast<int>(each.parameters.size());
      Entry entry{count, parse(each.text, each.parameters, *this)};
      all[{each.name, count}] = entry;
      if (each.name != std::string("sign")) entries_[each.name] = std::move(entry);
    }
  }
  std::map<std::pair<std::string, int>, Entry> all;
};

const Library& fixed(BodyParser parse) {
  static const Library library(parse);
  return library;
}

ExpressionOp parameter(int n) {
  return {ops::parameter, static_cast<std::uint16_t>(n)};
}
ExpressionOp number(double x) {
  return {ops::number, 0, x};
}

/// Horner's scheme of coefficients, each with its own instructions, in x − x0: the first two parameters.
Entry polynomial(int arguments, const std::vector<std::vector<ExpressionOp>>& coefficients) {
  Entry out{arguments, {}};
  const auto add = [&](const std::vector<ExpressionOp>& part) {
    out.ops.insert(out.ops.end(), part.begin(), part.end());
  };
  add(coefficients.back());
  for (std::size_t j = coefficients.size() - 1; j-- > 0;) {
    add({parameter(0), parameter(1), {ops::subtract}, {ops::multiply}});
    add(coefficients[j]);
    add({{ops::add}});
  }
  return out;
}

Entry poly(int arguments) {
  std::vector<std::vector<ExpressionOp>> coefficients;
  for (int n = 2; n < arguments; ++n) coefficients.push_back({parameter(n)});
  return polynomial(arguments, coefficients);
}

Entry cheby(int arguments) {
  const int n = arguments - 2;
  std::vector<std::vector<double>> T = {{1}, {0, 1}};
  while (static_cast<int>(T.size()) < n) {
    std::vector<double> next(T.back().size() + 1, 0.0);
    for (std::size_t k = 0; k < T.back().size(); ++k) next[k + 1] += 2 * T.back()[k];
    for (std::size_t k = 0; k < T[T.size() - 2].size(); ++k) next[k] -= T[T.size() - 2][k];
    T.push_back(std::move(next));
  }
  std::vector<std::vector<ExpressionOp>> coefficients(static_cast<std::size_t>(n));
  for (int j = 0; j < n; ++j)
    for (std::size_t k = 0; k < T[j].size(); ++k) {
      if (T[j][k] == 0) continue;
      auto& at = coefficients[k];
      const bool first = at.empty();
      at.insert(at.end(), {parameter(j + 2), number(T[j][k]), {ops::multiply}});
      if (!first) at.push_back({ops::add});
    }
  return polynomial(arguments, coefficients);
}

Entry waves(int arguments, ops::Code wave) {
  Entry out{arguments, {parameter(3)}};
  for (int n = 4; n < arguments; ++n) {
    const std::vector<ExpressionOp> part = {parameter(n), number(n - 3),   parameter(2),    {ops::multiply},
                                            parameter(0), parameter(1),    {ops::subtract}, {ops::multiply},
                                            {wave},       {ops::multiply}, {ops::add}};
    out.ops.insert(out.ops.end(), part.begin(), part.end());
  }
  return out;
}

struct Open {
  const char* name;
  int least;
  Entry (*make)(int);
};
constexpr Open open[] = {{"poly", 3, poly},
                         {"cheby", 3, cheby},
                         {"forcos", 4, [](int n) { return waves(n, ops::cos); }},
                         {"forsin", 4, [](int n) { return waves(n, ops::sin); }}};
/// The stack has no room for more.
constexpr int most_arguments = 40;

const Open* find_open(const std::string& name) {
  for (const Open& each : open)
    if (name == each.name) return &each;
  return nullptr;
}

}  // namespace

bool in_library(const std::string& name) {
  if (find_open(name)) return true;
  for (const Written& each : written())
    if (name == each.name) return true;
  return false;
}

std::vector<std::string> library_names() {
  std::vector<std::string> out;
  for (const Written& each : written())
    if (each.name != std::string("quintic") && each.name != std::string("sign") &&
        (out.empty() || out.back() != each.name))
      out.emplace_back(each.name);
  for (const Open& each : open) out.emplace_back(each.name);
  return out;
}

std::optional<Entry> library_entry(const std::string& name, int arguments, BodyParser parse) {
  if (const Open* found = find_open(name)) {
    if (arguments < found->least || arguments > most_arguments) return {};
    return found->make(arguments);
  }
  if (!in_library(name)) return {};
  const Library& library = fixed(parse);
  const auto found = library.all.find({name, arguments});
  return found == library.all.end() ? std::optional<Entry>() : found->second;
}

std::string library_arguments(const std::string& name) {
  if (const Open* found = find_open(name))
    return fmt::format("{} to {} arguments", found->least, most_arguments);
  std::string out;
  int last = 0;
  for (const Written& each : written())
    if (name == each.name) {
      last = static_cast<int>(each.parameters.size());
      out += fmt::format("{}{}", out.empty() ? "" : " or ", last);
    }
  return fmt::format("{} argument{}", out, last == 1 ? "" : "s");
}

}  // namespace tappet
