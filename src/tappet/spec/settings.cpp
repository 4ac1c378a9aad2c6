// "joints.wrist.clearance.journal_radius=9.8mm": one value of the model replaced from outside the file.
#include <charconv>
#include <optional>

#include <fmt/format.h>

#include "tappet/spec/value.hpp"
#include "tappet/spec/yaml_builder.hpp"
#include "tappet/spec/yaml_reader.hpp"

namespace tappet {

namespace {

std::vector<std::string> split_path(const std::string& path) {
  std::vector<std::string> parts;
  std::size_t begin = 0;
  for (;;) {
    const std::size_t dot = path.find('.', begin);
    parts.push_back(path.substr(begin, dot == std::string::npos ? dot : dot - begin));
    if (dot == std::string::npos) return parts;
    begin = dot + 1;
  }
}

std::optional<std::size_t> item_number(const std::string& text) {
  std::size_t number = 0;
  const auto [end, fault] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (fault != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return number;
}

Value& list_item(Value& list, const std::string& part, const std::string& so_far, const SourcePos& pos) {
  const auto number = item_number(part);
  if (!number || *number >= list.items.size())
    throw_input_error(pos, fmt::format("'{}' is a list of {} items, numbered from 0; it has no item {}",
                                       so_far, list.items.size(), quote(part)));
  return list.items[*number];
}

Value& mapping_value(Value& mapping, const std::string& key, const SourcePos& pos) {
  if (Value* found = mapping.find(key)) return *found;
  mapping.map.emplace_back(key, Value{});
  mapping.map.back().second.pos = pos;
  mapping.key_pos.push_back(pos);
  return mapping.map.back().second;
}

}  // namespace

void apply_setting(Value& root, const std::string& setting) {
  const SourcePos pos{std::make_shared<const std::string>("--set " + setting), 0, 0};
  const std::size_t equals = setting.find('=');
  if (equals == std::string::npos || equals == 0)
    throw_input_error(pos, "a setting is written path.to.key=value");
  const std::string path = setting.substr(0, equals);
  const std::vector<std::string> parts = split_path(path);
  if (parts.size() > 20) throw_input_error(pos, "the path is too long");
  Value value = read_yaml_fragment(setting.substr(equals + 1), pos);

  // Walk down, making the mappings that are not there yet.
  Value* at = &root;
  std::string so_far;
  for (const std::string& part : parts) {
    if (part.empty()) throw_input_error(pos, "a part of the path is empty; it is written path.to.key=value");
    if (at->kind == Value::Kind::null) at->kind = Value::Kind::mapping;
    if (at->kind == Value::Kind::scalar)
      throw_input_error(pos, fmt::format("'{}' is a single value and has no {}", so_far, quote(part)));
    at = at->kind == Value::Kind::sequence ? &list_item(*at, part, so_far, pos)
                                           : &mapping_value(*at, part, pos);
    so_far += (so_far.empty() ? "" : ".") + part;
  }
  *at = std::move(value);
}

}  // namespace tappet
