#include "tappet/spec/paths.hpp"

#include <charconv>
#include <optional>

#include <fmt/format.h>

#include "tappet/spec/yaml_builder.hpp"

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

std::string joined(const std::string& path, const std::string& part) {
  return path.empty() ? part : fmt::format("{}.{}", path, part);
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

/// The same place: the file by identity, since two changes of a model may have the same name and line.
bool same(const SourcePos& a, const SourcePos& b) {
  return a.file == b.file && a.line == b.line && a.column == b.column;
}

/// Paths of everything that stands at a place, the outermost first.
void collect(const Value& value, const std::string& path, const SourcePos& pos,
             std::vector<std::string>& out) {
  if (same(value.pos, pos) && (out.empty() || out.back() != path)) out.push_back(path);
  for (std::size_t i = 0; i < value.items.size(); ++i)
    collect(value.items[i], joined(path, std::to_string(i)), pos, out);
  for (std::size_t i = 0; i < value.map.size(); ++i) {
    const std::string inner = joined(path, value.map[i].first);
    if (same(value.key_pos[i], pos)) out.push_back(inner);
    collect(value.map[i].second, inner, pos, out);
  }
}

}  // namespace

const Value* find_value(const Value& root, const std::string& path) {
  const Value* at = &root;
  if (path.empty()) return at;
  for (const std::string& part : split_path(path)) {
    if (at->kind == Value::Kind::sequence) {
      const auto number = item_number(part);
      if (!number || *number >= at->items.size()) return nullptr;
      at = &at->items[*number];
    } else {
      at = at->find(part);
    }
    if (!at) return nullptr;
  }
  return at;
}

void set_value(Value& root, const std::string& path, Value value, const SourcePos& pos) {
  const std::vector<std::string> parts = split_path(path);
  if (parts.size() > 20) throw_input_error(pos, "the path is too long");
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
    so_far = joined(so_far, part);
  }
  *at = std::move(value);
}

bool remove_value(Value& root, const std::string& path) {
  const std::size_t dot = path.rfind('.');
  const std::string owner = dot == std::string::npos ? "" : path.substr(0, dot);
  const std::string key = dot == std::string::npos ? path : path.substr(dot + 1);
  auto* mapping = const_cast<Value*>(find_value(root, owner));
  if (!mapping) return false;
  for (std::size_t i = 0; i < mapping->map.size(); ++i) {
    if (mapping->map[i].first != key) continue;
    mapping->map.erase(mapping->map.begin() + static_cast<std::ptrdiff_t>(i));
    mapping->key_pos.erase(mapping->key_pos.begin() + static_cast<std::ptrdiff_t>(i));
    return true;
  }
  return false;
}

std::string path_of(const Value& root, const Diagnostic& diagnostic) {
  if (!diagnostic.pos.file) return "";
  std::vector<std::string> found;
  collect(root, "", diagnostic.pos, found);
  if (found.empty()) return "";
  const auto named = [&](const std::string& path) {
    const std::string key = path.substr(path.rfind('.') + 1);
    return diagnostic.message.find(fmt::format("'{}'", key)) != std::string::npos ||
           diagnostic.message.find(fmt::format("`{}`", key)) != std::string::npos;
  };
  for (auto path = found.rbegin(); path != found.rend(); ++path)
    if (named(*path)) return *path;
  return found.front();
}

}  // namespace tappet
