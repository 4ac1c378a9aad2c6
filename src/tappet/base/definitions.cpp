#include "tappet/base/definitions.hpp"

#include <algorithm>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "tappet/base/diagnostics.hpp"
#include "tappet/base/expression_ops.hpp"
#include "tappet/base/expression_parser.hpp"
#include "tappet/base/text.hpp"
#include "tappet/base/units.hpp"

namespace tappet {

namespace {

namespace ops = expression_ops;

bool is_identifier(std::string_view name) {
  return !name.empty() && is_letter(name.front()) &&
         std::all_of(name.begin(), name.end(), [](char c) { return is_letter(c) || is_digit(c); });
}

struct Head {
  std::string name;
  std::vector<std::string> parameters;
};

/// A name and, in parentheses, those of its parameters.
Head read_head(std::string_view head) {
  const auto refuse = [&](const std::string& why) -> Head {
    throw ExpressionError(fmt::format("{} cannot be defined: {}", quote(std::string(head)), why), 0);
  };
  Head out;
  const auto open = head.find('(');
  out.name = trimmed(head.substr(0, open));
  if (!is_identifier(out.name))
    return refuse("a name consists of the letters a–z and A–Z, digits and '_' and begins with a letter");
  if (is_builtin_name(out.name)) return refuse(fmt::format("'{}' has a meaning already", out.name));
  if (open == std::string_view::npos) return out;

  const std::string_view list = trimmed(head.substr(open + 1));
  if (list.empty() || list.back() != ')') return refuse("')' is missing");
  for (std::size_t begin = 0; begin < list.size();) {
    const std::size_t end = std::min(list.find(',', begin), list.size() - 1);
    const std::string name(trimmed(list.substr(begin, end - begin)));
    if (!is_identifier(name)) return refuse(fmt::format("{} cannot be the name of a parameter", quote(name)));
    if (is_builtin_name(name)) return refuse(fmt::format("the parameter '{}' has a meaning already", name));
    if (std::count(out.parameters.begin(), out.parameters.end(), name))
      return refuse(fmt::format("the parameter '{}' is there twice", name));
    out.parameters.push_back(name);
    begin = end + 1;
  }
  return out;
}

}  // namespace

void Definitions::add(std::string_view text_of_head, std::string_view text) {
  const Head head = read_head(text_of_head);
  if (find_input(head.name))
    throw ExpressionError(fmt::format("'{}' is an input of the model already", head.name), 0);
  if (entries_.contains(head.name))
    throw ExpressionError(
        fmt::format("'{}' is defined twice, here or as a table or a state of the model", head.name), 0);
  ParsedExpression parsed = parse_definition(text, head.parameters, *this);
  const std::string unit(trimmed(text.substr(parsed.end)));
  Entry entry{static_cast<int>(head.parameters.size()), std::move(parsed.ops)};
  if (const double factor = si_factor(unit); factor != 1) {
    if (entry.ops.size() == 1 && entry.ops[0].code == ops::number) {
      entry.ops[0].number *= factor;
    } else {
      entry.ops.push_back({ops::number, 0, factor});
      entry.ops.push_back({ops::multiply});
    }
  }
  entries_.emplace(head.name, std::move(entry));
}

void Definitions::add_input(const std::string& name, const std::string& unit, double default_value) {
  const auto refuse = [&](const std::string& why) {
    throw ExpressionError(fmt::format("{} cannot be the name of an input: {}", quote(name), why), 0);
  };
  if (!is_identifier(name))
    refuse("it consists of the letters a–z and A–Z, digits and '_' and begins with a letter");
  if (name == "t") refuse("'t' is the time");
  if (is_builtin_name(name)) refuse(fmt::format("'{}' has a meaning already", name));
  if (find_input(name)) refuse("there are two of it");
  if (si_factor(unit) != 1)
    throw UnitError(fmt::format(
        "{} is not a unit of the SI itself; write one such as N, N m, m/s or rad/s: numbers without a unit, "
        "as programs give them, are in it",
        quote(unit)));
  entries_.emplace(name, Entry{0, {{ops::input, static_cast<std::uint16_t>(inputs_.size()), default_value}}});
  inputs_.push_back({name, unit, default_value});
}

void Definitions::check_unit(std::span<const ExpressionOp> code, const std::string& unit,
                             const std::string& si_unit) const {
  if (code.size() != 1 || code[0].code != ops::input || code[0].argument >= inputs_.size()) return;
  const Input& input = inputs_[code[0].argument];
  if (input.unit.empty()) return;
  if (!unit.empty())
    throw ExpressionError(
        fmt::format("the input '{}' is in {} already; leave {} out", input.name, input.unit, quote(unit)), 0);
  try {
    si_factor(input.unit, si_unit);
  } catch (const UnitError&) {
    throw UnitError(fmt::format("the input '{}' is in {}, but {} is needed", input.name, input.unit,
                                si_unit.empty() ? "a plain number" : si_unit));
  }
}

void Definitions::note_use(std::span<const ExpressionOp> code) const {
  for (const ExpressionOp& op : code)
    if (op.code == ops::input && op.argument < inputs_.size()) *inputs_[op.argument].used = true;
}

void Definitions::add_owner(const std::string& name, bool body) {
  owners_.insert(name);
  if (body) bodies_.insert(name);
}

void Definitions::check_new(const std::string& name, const char* what) const {
  const auto refuse = [&](const std::string& why) {
    throw ExpressionError(fmt::format("{} cannot be the name of a {}: {}", quote(name), what, why), 0);
  };
  if (!is_identifier(name))
    refuse("it consists of the letters a–z and A–Z, digits and '_' and begins with a letter");
  if (name == "t") refuse("'t' is the time");
  if (is_builtin_name(name)) refuse(fmt::format("'{}' has a meaning already", name));
  if (find_input(name)) refuse("an input has it already");
  if (entries_.contains(name)) refuse("there are two of it");
}

void Definitions::add_state(const std::string& name) {
  check_new(name, "state");
  entries_.emplace(name, Entry{0, {{ops::input, static_cast<std::uint16_t>(signal("states." + name))}}});
}

void Definitions::add_table(std::shared_ptr<const LookupTable> table) {
  check_new(table->name(), "table");
  Entry entry{table->variables(), {{ops::parameter, 0}}};
  if (entry.parameters == 2) entry.ops.push_back({ops::parameter, 1});
  entry.ops.push_back(
      {static_cast<std::uint16_t>(entry.parameters == 2 ? ops::lookup2 : ops::lookup), 0, 0, table.get()});
  entries_.emplace(table->name(), std::move(entry));
  tables_->push_back(std::move(table));
}

bool Definitions::uses_signals(std::span<const ExpressionOp> code) const {
  return std::any_of(code.begin(), code.end(), [&](const ExpressionOp& op) {
    return op.code == ops::input && op.argument >= inputs_.size();
  });
}

void Definitions::note_signals(std::span<const ExpressionOp> code, const SourcePos& pos,
                               const std::string& words, Inputs where,
                               const std::optional<std::string>& alone_as) const {
  std::set<int> seen;
  for (const ExpressionOp& op : code) {
    const int number = op.argument - static_cast<int>(inputs_.size());
    if (op.code != ops::input || number < 0 || !seen.insert(number).second) continue;
    signals_->note(number, {pos, words, where, alone_as.value_or(""), alone_as && code.size() == 1});
  }
}

}  // namespace tappet
