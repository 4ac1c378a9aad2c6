#include "tappet/base/definitions.hpp"

#include <algorithm>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "tappet/base/diagnostics.hpp"
#include "tappet/base/expression_ops.hpp"
#include "tappet/base/expression_parser.hpp"
#include "tappet/base/units.hpp"

namespace tappet {

namespace {

namespace ops = expression_ops;

std::string_view trimmed(std::string_view text) {
  const auto first = text.find_first_not_of(" \t\n\r");
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(" \t\n\r") - first + 1);
}

bool is_identifier(std::string_view name) {
  const auto letter = [](char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; };
  return !name.empty() && letter(name.front()) &&
         std::all_of(name.begin(), name.end(), [&](char c) { return letter(c) || (c >= '0' && c <= '9'); });
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
    return refuse("a name consists of letters, digits and '_' and begins with a letter");
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
  if (entries_.contains(head.name)) throw ExpressionError(fmt::format("'{}' is defined twice", head.name), 0);
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

}  // namespace tappet
