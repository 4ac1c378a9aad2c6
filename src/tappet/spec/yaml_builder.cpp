#include "tappet/spec/yaml_builder.hpp"

#include <algorithm>
#include <set>

#include <fmt/format.h>

namespace tappet {

void throw_input_error(const SourcePos& pos, const std::string& message) {
  throw InputError({{Severity::error, pos, message}});
}

SourcePos YamlBuilder::place(const YAML::Mark& mark) const {
  if (mark.is_null()) return {file_, 0, 0};
  return {file_, mark.line + 1, mark.column + 1};
}

Value YamlBuilder::take_root() {
  faults_.throw_if_errors();
  return std::move(root_);
}

void YamlBuilder::OnDocumentStart(const YAML::Mark& mark) {
  if (has_root_) second_document_ = place(mark);
}

void YamlBuilder::OnNull(const YAML::Mark& mark, YAML::anchor_t anchor) {
  const SourcePos pos = place(mark);
  if (key_expected()) throw_input_error(pos, "a key is missing before ':'");
  spend(1, 0, pos);
  Built built;
  // yaml-cpp notices that a value is missing at the next token, often a line further: its key is the better
  // place.
  built.value.pos = !open_.empty() && open_.back().has_key ? open_.back().key_pos : pos;
  add(std::move(built), anchor);
}

void YamlBuilder::OnAlias(const YAML::Mark& mark, YAML::anchor_t anchor) {
  const SourcePos pos = place(mark);
  if (key_expected()) throw_input_error(pos, "an alias cannot be a key");
  const auto found = anchors_.find(anchor);
  if (found == anchors_.end()) throw_input_error(pos, "the alias stands inside the value that it repeats");
  spend(found->second.size, found->second.text, pos);
  if (static_cast<int>(open_.size()) + found->second.depth > max_nesting)
    throw_input_error(pos, fmt::format("lists and mappings are nested deeper than {} levels", max_nesting));
  add(found->second, 0);
}

void YamlBuilder::OnScalar(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                           const std::string& value) {
  const SourcePos pos = place(mark);
  check_tag(tag, pos);
  // yaml-cpp gives the tag "!" to a quoted scalar and "?" to a plain one.
  const bool quoted = tag == "!" || tag == "tag:yaml.org,2002:str";
  if (tag == "!") last_quoted_ = pos;
  spend(1, value.size(), pos);
  Built built;
  built.text = value.size();
  built.value.kind = Value::Kind::scalar;
  built.value.pos = pos;
  built.value.text = value;
  built.value.quoted = quoted;
  if (key_expected()) {
    if (anchor) anchors_[anchor] = built;
    add_key(mark, quoted, value);
  } else {
    add(std::move(built), anchor);
  }
}

void YamlBuilder::OnSequenceStart(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                                  YAML::EmitterStyle::value) {
  begin_collection(Value::Kind::sequence, mark, tag, anchor);
}

void YamlBuilder::OnMapStart(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                             YAML::EmitterStyle::value) {
  begin_collection(Value::Kind::mapping, mark, tag, anchor);
}

void YamlBuilder::begin_collection(Value::Kind kind, const YAML::Mark& mark, const std::string& tag,
                                   YAML::anchor_t anchor) {
  const SourcePos pos = place(mark);
  check_tag(tag, pos);
  if (key_expected())
    throw_input_error(pos, "a key must be a name, not a list or a mapping; is a bracket left open?");
  if (static_cast<int>(open_.size()) >= max_nesting)
    throw_input_error(pos, fmt::format("lists and mappings are nested deeper than {} levels", max_nesting));
  spend(1, 0, pos);
  Open open;
  open.built.value.kind = kind;
  open.built.value.pos = pos;
  open.built.depth = 1;
  open.anchor = anchor;
  open_.push_back(std::move(open));
}

void YamlBuilder::end_collection() {
  Open open = std::move(open_.back());
  open_.pop_back();
  apply_merges(open);
  add(std::move(open.built), open.anchor);
}

bool YamlBuilder::key_expected() const {
  return !open_.empty() && open_.back().built.value.kind == Value::Kind::mapping && !open_.back().has_key;
}

void YamlBuilder::add_key(const YAML::Mark& mark, bool quoted, const std::string& key) {
  Open& open = open_.back();
  open.has_key = true;
  open.key = key;
  open.key_pos = place(mark);
  open.merge = !quoted && key == "<<";
  const auto [first, is_new] = open.lines.emplace(key, open.key_pos.line);
  if (is_new) return;
  // {speed: step(t, 0, 0, 1)}: keys that are numbers are what commas have left of a value.
  const bool number =
      !quoted && !key.empty() && key.find_first_not_of("0123456789.+-eE ") == std::string::npos;
  faults_.error(
      open.key_pos,
      fmt::format("duplicate key {} (first at line {}){}", quote(key), first->second,
                  number ? "; a comma ends a value, so a text with commas is written in quotes" : ""));
}

/// Puts a finished value where it belongs: into the collection that is open, or at the root.
void YamlBuilder::add(Built built, YAML::anchor_t anchor) {
  if (anchor) {
    // The copy kept for aliases costs memory as well.
    spend(built.size, built.text, built.value.pos);
    anchors_[anchor] = built;
  }
  if (open_.empty()) {
    has_root_ = true;
    root_ = std::move(built.value);
    return;
  }
  Open& open = open_.back();
  open.built.size += built.size;
  open.built.text += built.text + (open.built.value.kind == Value::Kind::mapping ? open.key.size() : 0);
  open.built.depth = std::max(open.built.depth, built.depth + 1);
  if (open.built.value.kind == Value::Kind::sequence) {
    open.built.value.items.push_back(std::move(built.value));
    return;
  }
  open.has_key = false;
  if (open.merge) return add_merge(std::move(built.value));
  open.built.value.map.emplace_back(std::move(open.key), std::move(built.value));
  open.built.value.key_pos.push_back(std::move(open.key_pos));
}

/// `<<: *base` or `<<: [*a, *b]`: the keys of other mappings, each used unless it is written here.
void YamlBuilder::add_merge(Value value) {
  std::vector<Value>& merged = open_.back().merged;
  const SourcePos pos = open_.back().key_pos;
  if (value.kind == Value::Kind::mapping) {
    merged.push_back(std::move(value));
    return;
  }
  bool mappings = value.kind == Value::Kind::sequence;
  for (const Value& item : value.items) mappings = mappings && item.kind == Value::Kind::mapping;
  if (!mappings) throw_input_error(pos, "'<<' needs a mapping or a list of mappings");
  for (Value& item : value.items) merged.push_back(std::move(item));
}

void YamlBuilder::apply_merges(Open& open) {
  if (open.merged.empty()) return;
  Value& value = open.built.value;
  std::set<std::string> present;
  for (const auto& [key, unused] : value.map) present.insert(key);
  for (Value& base : open.merged)
    for (std::size_t i = 0; i < base.map.size(); ++i)
      if (present.insert(base.map[i].first).second) {
        value.map.push_back(std::move(base.map[i]));
        value.key_pos.push_back(std::move(base.key_pos[i]));
      }
}

void YamlBuilder::spend(std::size_t values, std::size_t text, const SourcePos& pos) {
  spent_ += values;
  spent_text_ += text;
  if (spent_ > max_values)
    throw_input_error(pos, fmt::format("the file holds more than {} values, aliases expanded", max_values));
  if (spent_text_ > max_text_bytes)
    throw_input_error(
        pos, fmt::format("the file holds more than {} MB of text, aliases expanded", max_text_bytes >> 20));
}

/// Only the tags of plain YAML: anything else asks for objects that a model file does not have.
void YamlBuilder::check_tag(const std::string& tag, const SourcePos& pos) const {
  static const std::set<std::string> plain = {"",
                                              "?",
                                              "!",
                                              "tag:yaml.org,2002:str",
                                              "tag:yaml.org,2002:int",
                                              "tag:yaml.org,2002:float",
                                              "tag:yaml.org,2002:bool",
                                              "tag:yaml.org,2002:null",
                                              "tag:yaml.org,2002:seq",
                                              "tag:yaml.org,2002:map"};
  if (!plain.contains(tag)) throw_input_error(pos, fmt::format("the tag {} is not supported", quote(tag)));
}

}  // namespace tappet
