#include "names.hpp"

#include <algorithm>
#include <set>

#include "random.hpp"
#include "tappet/base/diagnostics.hpp"
#include "tappet/base/table.hpp"
#include "tappet/spec/spec.hpp"
#include "tappet/spec/value.hpp"
#include "tappet/studies/study.hpp"

namespace tappet::fuzz {

namespace {

template <class T>
T& pick_of(Random& random, std::vector<T>& from) {
  return from[pick(random, from.size())];
}

void collect(const Table& table, std::set<const Table*>& seen, std::set<std::string>& words) {
  if (!seen.insert(&table).second) return;
  for (const Parameter& parameter : table.parameters) {
    words.insert(parameter.name);
    if (!parameter.unit.empty()) words.insert("1 " + parameter.unit);
    words.insert(parameter.choices.begin(), parameter.choices.end());
    if (parameter.table) collect(*parameter.table, seen, words);
    if (!parameter.family) continue;
    collect(parameter.family->common, seen, words);
    if (!parameter.family->key.empty()) words.insert(parameter.family->key);
    if (!parameter.family->members) continue;
    for (const auto& [name, member] : parameter.family->members()) {
      words.insert(name);
      if (member) collect(*member, seen, words);
    }
  }
}

/// All values of a tree, and the mappings among them that have entries.
struct Places {
  std::vector<Value*> scalars, mappings, sequences, all;
  explicit Places(Value& root) { add(root); }
  void add(Value& value) {
    all.push_back(&value);
    if (value.kind == Value::Kind::scalar) scalars.push_back(&value);
    if (value.kind == Value::Kind::mapping && !value.map.empty()) mappings.push_back(&value);
    if (value.kind == Value::Kind::sequence && !value.items.empty()) sequences.push_back(&value);
    for (Value& item : value.items) add(item);
    for (auto& [key, item] : value.map) add(item);
  }
};

Value scalar(std::string text) {
  Value out;
  out.kind = Value::Kind::scalar;
  out.text = std::move(text);
  return out;
}

std::string with_typo(Random& random, std::string text) {
  if (text.empty()) return "x";
  const std::size_t at = pick(random, text.size());
  switch (pick(random, 5)) {
    case 0:
      text.erase(at, 1);
      break;
    case 1:
      text.insert(at, 1, text[at]);
      break;
    case 2:
      std::swap(text[at], text[text.size() - 1 - at]);
      break;
    case 3:
      text[at] = static_cast<char>('a' + pick(random, 26));
      break;
    default:
      text += pick(random, 2) ? "s" : ".";
      break;
  }
  return text;
}

Value of_wrong_kind(Random& random, const Value& value) {
  Value out;
  switch (pick(random, 5)) {
    case 0:  // a list of it
      out.kind = Value::Kind::sequence;
      out.items.assign(1 + pick(random, 3), value);
      return out;
    case 1:  // a mapping to it
      out.kind = Value::Kind::mapping;
      out.map.emplace_back("x", value);
      out.key_pos.emplace_back();
      return out;
    case 2:
      return out;  // nothing
    case 3:
      return scalar("");
    default:
      return value.items.empty() ? scalar("true") : value.items.front();
  }
}

Value odd_value(Random& random) {
  static const std::vector<std::string> odd = {
      "0",      "-1",     "1e-300", "1e300",    "1",    "2",    "1e-9",   "1e9",    "0 mm",
      "-0",     "3.5",    "nan",    "inf",      ".nan", "t",    "1/0",    "0/t",    "sqrt(-1)",
      "1e6*t",  "true",   "ground", "ground.x", "*",    "*.*",  "~",      "5 kg",   "5 m",
      "90 deg", "[0, 0]", "a",      "..",       "/",    "auto", "moreau", "smooth", "event-driven"};
  const std::string& text = odd[pick(random, odd.size())];
  if (text != "[0, 0]") return scalar(text);
  Value list;
  list.kind = Value::Kind::sequence;
  list.items.assign(2 + pick(random, 2), scalar("0"));
  return list;
}

void erase_entry(Value& mapping, std::size_t at) {
  mapping.map.erase(mapping.map.begin() + static_cast<std::ptrdiff_t>(at));
  if (at < mapping.key_pos.size())
    mapping.key_pos.erase(mapping.key_pos.begin() + static_cast<std::ptrdiff_t>(at));
}

void add_entry(Value& mapping, const std::string& key, Value value) {
  if (mapping.find(key)) return;
  mapping.map.emplace_back(key, std::move(value));
  mapping.key_pos.emplace_back();
}

void rename_key(Value& mapping, std::size_t at, const std::string& name) {
  if (!mapping.find(name)) mapping.map[at].first = name;
}

void mutate_mapping(Random& random, Places& places) {
  if (places.mappings.empty()) return;
  Value& mapping = *pick_of(random, places.mappings);
  const std::size_t at = pick(random, mapping.map.size());
  const auto& words = known_words();
  switch (pick(random, 7)) {
    case 0:
      rename_key(mapping, at, with_typo(random, mapping.map[at].first));
      break;
    case 1:
      rename_key(mapping, at, words[pick(random, words.size())]);
      break;
    case 2:
      erase_entry(mapping, at);
      break;
    case 3:  // the entry again, by another name
      add_entry(mapping, mapping.map[at].first + "2", Value(mapping.map[at].second));
      break;
    case 4:
      add_entry(mapping, words[pick(random, words.size())], odd_value(random));
      break;
    case 5: {  // two entries change places
      Value& other = *pick_of(random, places.mappings);
      if (&other != &mapping) break;
      std::swap(mapping.map[at].second, mapping.map[pick(random, mapping.map.size())].second);
      break;
    }
    default: {  // what stands elsewhere, here too
      const Value copy = *pick_of(random, places.all);
      if (places.all.size() < 3000) add_entry(mapping, words[pick(random, words.size())], copy);
    }
  }
}

void mutate_scalar(Random& random, Places& places) {
  if (places.scalars.empty()) return;
  Value& value = *pick_of(random, places.scalars);
  const auto& words = known_words();
  switch (pick(random, 6)) {
    case 0:
      value = scalar(with_typo(random, value.text));
      break;
    case 1:
      value = Value(*pick_of(random, places.scalars));
      break;
    case 2:
      value = odd_value(random);
      break;
    case 3:
      value = scalar(words[pick(random, words.size())]);
      break;
    case 4:
      value = of_wrong_kind(random, Value(value));
      break;
    default: {  // a name that stands somewhere as a key
      if (places.mappings.empty()) break;
      const Value& mapping = *pick_of(random, places.mappings);
      value = scalar(mapping.map[pick(random, mapping.map.size())].first);
    }
  }
}

void mutate_sequence(Random& random, Places& places) {
  if (places.sequences.empty()) return;
  Value& list = *pick_of(random, places.sequences);
  const std::size_t at = pick(random, list.items.size());
  switch (pick(random, 4)) {
    case 0:
      list.items.erase(list.items.begin() + static_cast<std::ptrdiff_t>(at));
      break;
    case 1:
      list.items.push_back(Value(list.items[at]));
      break;
    case 2:
      std::swap(list.items[at], list.items[pick(random, list.items.size())]);
      break;
    default:
      list.items[at] = of_wrong_kind(random, Value(list.items[at]));
  }
}

void mutate(Random& random, Value& root) {
  Places places(root);
  switch (pick(random, 8)) {
    case 0:
    case 1:
    case 2:
      return mutate_mapping(random, places);
    case 3:
    case 4:
    case 5:
      return mutate_scalar(random, places);
    case 6:
      return mutate_sequence(random, places);
    default: {  // any value, of another kind
      Value& value = *pick_of(random, places.all);
      value = of_wrong_kind(random, Value(value));
    }
  }
}

}  // namespace

std::string_view folder_line(std::string_view text) {
  return text.starts_with("#@ ") ? text.substr(0, text.find('\n') + 1) : std::string_view();
}

std::string name_of_text(std::string_view text, const char* name) {
  std::string_view line = folder_line(text);
  if (line.empty() || line.find("..") != std::string_view::npos) return name;
  line = line.substr(3, line.size() - 4);
  // A folder that a mutation made absolute is not looked into.
  while (line.starts_with('/')) line.remove_prefix(1);
  return std::string(TAPPET_SOURCE_DIR) + "/" + std::string(line) + "/" + name;
}

const std::vector<std::string>& known_words() {
  static const std::vector<std::string> words = [] {
    std::set<const Table*> seen;
    std::set<std::string> found;
    collect(model_table(), seen, found);
    collect(study_table(), seen, found);
    return std::vector<std::string>(found.begin(), found.end());
  }();
  return words;
}

std::string name_neighbour(std::string_view text, unsigned seed) {
  Random random(seed);
  try {
    Value root = read_yaml_text(std::string(text), "fuzz.yaml");
    const std::size_t times = 1 + pick(random, 3);
    for (std::size_t i = 0; i < times; ++i) mutate(random, root);
    return std::string(folder_line(text)) + to_yaml(root);
  } catch (const InputError&) {
    return {};
  }
}

}  // namespace tappet::fuzz
