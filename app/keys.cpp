// tappet keys: what may stand where in a model file, from the tables that read it.

#include <algorithm>
#include <memory>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "command.hpp"
#include "tappet/base/table.hpp"
#include "tappet/spec/spec.hpp"
#include "tappet/studies/study.hpp"

namespace tappet::app::keys_command {
namespace {

using Json = nlohmann::ordered_json;
using Members = std::vector<std::pair<std::string, const Table*>>;

Members members_of(const Parameter& row) {
  return row.family && row.family->members ? row.family->members() : Members{};
}

/// A key, and the members of the family that have it; none: all do.
struct Key {
  Parameter row;
  std::vector<std::string> members;
};

void add(std::vector<Key>& keys, const Parameter& row, const std::string& member) {
  const auto same = std::find_if(keys.begin(), keys.end(), [&](const Key& key) {
    return key.row.name == row.name && key.row.kind == row.kind && key.row.help == row.help &&
           !key.members.empty();
  });
  if (same != keys.end() && !member.empty())
    same->members.push_back(member);
  else
    keys.push_back({row, member.empty() ? std::vector<std::string>{} : std::vector{member}});
}

/// All keys that may stand in this place.
std::vector<Key> keys_of(const Parameter& place) {
  std::vector<Key> out;
  if (place.table)
    for (const Parameter& row : place.table->parameters) add(out, row, "");
  if (!place.family) return out;
  for (const Parameter& row : place.family->common.parameters) add(out, row, "");
  for (const auto& [name, table] : members_of(place))
    for (const Parameter& row : table->parameters) add(out, row, name);
  return out;
}

bool holds_names(const Parameter& row) {
  return row.kind == Kind::objects || row.kind == Kind::definitions || row.kind == Kind::numbers;
}

[[noreturn]] void no_such_key(const std::string& so_far, const std::string& part,
                              const std::vector<std::string>& known) {
  const std::string near = nearest_name(part, known);
  refuse("keys",
         fmt::format("{} has no key {}; {}it has {}", so_far.empty() ? "the model" : "'" + so_far + "'",
                     quote(part), near.empty() ? "" : fmt::format("did you mean '{}'? ", near),
                     known.empty() ? "none" : join_names(known)));
}

/// Follows a path. A part may be a key, or a member of a family (`joints.revolute`); names of one's own may be left out.
Parameter find(const std::string& path, std::vector<std::string>& through) {
  Parameter at{.name = "", .kind = Kind::object, .help = model_table().help, .table = &model_table()};
  std::string so_far;
  for (std::size_t begin = 0; begin < path.size();) {
    const std::size_t dot = std::min(path.find('.', begin), path.size());
    const std::string part = path.substr(begin, dot - begin);
    begin = dot + 1;
    std::vector<std::string> known;
    const Parameter* next = nullptr;
    std::vector<Key> keys = keys_of(at);
    for (const Key& key : keys) {
      known.push_back(key.row.name);
      if (!next && key.row.name == part) next = &key.row;
    }
    const Table* member = nullptr;
    for (const auto& [name, table] : members_of(at)) {
      known.push_back(name);
      if (name == part) member = table;
    }
    if (next) {
      at = Parameter(*next);
    } else if (member) {
      // The member's own keys with those that all have.
      static std::vector<std::unique_ptr<Table>> made;
      made.push_back(std::make_unique<Table>(*member));
      if (at.family)
        for (const Parameter& row : at.family->common.parameters) made.back()->parameters.push_back(row);
      at = {.name = part, .kind = Kind::object, .help = member->help, .table = made.back().get()};
    } else if (holds_names(at) && begin <= path.size()) {
      // A name of the user's own, followed by more.
    } else {
      no_such_key(so_far, part, known);
    }
    so_far += so_far.empty() ? part : "." + part;
    through.push_back(part);
  }
  return at;
}

std::string kind_of(const Parameter& p) {
  switch (p.kind) {
    case Kind::number:
      return "number";
    case Kind::integer:
      return "whole number";
    case Kind::boolean:
      return "true or false";
    case Kind::text:
      return "text";
    case Kind::choice:
      return join_names(p.choices);
    case Kind::name:
      return "a name";
    case Kind::names:
      return p.count > 0 ? fmt::format("{} names", p.count) : "names";
    case Kind::expression:
      return "expression";
    case Kind::vector:
      return "numbers";
    case Kind::expressions:
      return "expressions";
    case Kind::numbers:
      return "names: numbers";
    case Kind::definitions:
      return "names: expressions";
    case Kind::points:
      return p.count > 0 ? fmt::format("{} points", p.count) : "points";
    case Kind::matrix:
      return "matrix";
    case Kind::inertia:
      return "inertia";
    case Kind::orientation:
      return "orientation";
    case Kind::spin:
      return "number, in space three";
    case Kind::object:
      return "mapping";
    case Kind::objects:
      return "mapping of names";
  }
  return "";
}

std::string allowed(const Parameter& p) {
  const bool numeric = p.kind == Kind::number || p.kind == Kind::integer || p.kind == Kind::vector ||
                       p.kind == Kind::expression;
  const std::string range = numeric ? p.range.text() : "";
  return range.empty() || range == "any finite number" ? kind_of(p) : fmt::format("{} {}", kind_of(p), range);
}

std::string standard(const Parameter& p) {
  if (!p.fallback.empty()) return p.fallback;
  if (!p.supplied_by.empty()) return "from materials";
  return p.required ? "required" : "–";
}

std::string padded(const std::string& text, std::size_t width) {
  const auto letters = static_cast<std::size_t>(
      std::count_if(text.begin(), text.end(), [](char c) { return (c & 0xC0) != 0x80; }));
  return text + std::string(width > letters ? width - letters : 0, ' ');
}

void print_text(const std::string& path, const Parameter& at) {
  fmt::print("{}{}{}\n", path.empty() ? "a model file" : path, at.help.empty() ? "" : ": ", at.help);
  const std::vector<Key> keys = keys_of(at);
  if (keys.empty()) {
    fmt::print("  {}, {}{}default {}\n", allowed(at), at.unit.empty() ? "" : "in " + at.unit,
               at.unit.empty() ? "" : ", ", standard(at));
    return;
  }
  if (at.kind == Kind::objects) fmt::print("holds names of your own; each has\n");
  if (const Members members = members_of(at); !members.empty()) {
    std::vector<std::string> names;
    for (const auto& [name, table] : members) names.push_back(name);
    fmt::print("{}: {}\n", at.family->key.empty() ? "one of" : fmt::format("`{}` is one of", at.family->key),
               join_names(names, 100));
  }
  fmt::print("\n");
  std::array<std::size_t, 4> width = {3, 4, 7, 7};
  const auto cells = [](const Key& key) {
    return std::array<std::string, 4>{key.row.name, key.row.unit.empty() ? "–" : key.row.unit,
                                      standard(key.row), allowed(key.row)};
  };
  for (const Key& key : keys)
    for (std::size_t k = 0; k < 4; ++k)
      width[k] = std::max(width[k], std::min<std::size_t>(cells(key)[k].size(), 34));
  fmt::print("  {}{}{}{}\n", padded("key", width[0] + 2), padded("unit", width[1] + 2),
             padded("default", width[2] + 2), padded("allowed", width[3] + 2));
  for (const Key& key : keys) {
    std::string line = "  ";
    for (std::size_t k = 0; k < 4; ++k) line += padded(cells(key)[k], width[k] + 2);
    fmt::print("{}{}{}\n", line, key.row.help,
               key.members.empty() ? "" : fmt::format(" ({})", join_names(key.members, 8)));
  }
}

void print_json(const std::string& path, const Parameter& at) {
  Json keys = Json::array();
  for (const Key& key : keys_of(at))
    keys.push_back({{"name", key.row.name},
                    {"kind", kind_of(key.row)},
                    {"unit", key.row.unit},
                    {"default", key.row.fallback},
                    {"required", key.row.required},
                    {"allowed", allowed(key.row)},
                    {"help", key.row.help},
                    {"of", key.members}});
  fmt::print("{}\n", Json{{"path", path},
                          {"kind", kind_of(at)},
                          {"unit", at.unit},
                          {"default", at.fallback},
                          {"allowed", allowed(at)},
                          {"help", at.help},
                          {"keys", keys}}
                         .dump(2));
}

std::function<int()> set_up(CLI::App& command) {
  struct Options {
    std::string path;
    bool json = false;
  };
  auto options = std::make_shared<Options>();
  command.add_option("PATH", options->path,
                     "a place, such as joints.clearance or contacts.normal.hertz; default: the sections");
  add_json(command, options->json);
  return [options] {
    std::vector<std::string> through;
    const Parameter at = find(options->path, through);
    options->json ? print_json(options->path, at) : print_text(options->path, at);
    return Exit::done;
  };
}

const Registration<Command> registered{
    {.name = "keys", .help = "say what may stand where in a model file", .place = 58, .set_up = set_up}};

}  // namespace
}  // namespace tappet::app::keys_command
