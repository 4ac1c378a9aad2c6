// The whole model file: version and dimension first, then every section by its table, then the names
// together.
#include "tappet/spec/spec.hpp"

#include <algorithm>
#include <cctype>
#include <map>
#include <set>

#include <fmt/format.h>

#include "tappet/base/definitions.hpp"
#include "tappet/base/sections.hpp"
#include "tappet/base/unit_error.hpp"
#include "tappet/spec/model_source.hpp"
#include "tappet/spec/read_values.hpp"
#include "tappet/spec/table_section.hpp"

namespace tappet {

namespace {

constexpr int language_version = 1;

const Parameter& model_row(const std::string& name) {
  for (const Parameter& row : model_table().parameters)
    if (row.name == name) return row;
  throw std::logic_error("no row '" + name + "' in the model's table");
}

/// A file of another version follows other rules: complaining about its keys would only mislead.
void check_version(const Value& root, const ReadContext& context) {
  const Value* version = root.find("tappet");
  if (!version) {
    context.diagnostics->error(
        root.pos, fmt::format("missing key 'tappet': a model begins with 'tappet: {}', the version of "
                              "its language",
                              language_version));
  } else {
    Parameter row = model_row("tappet");
    row.range = any_number();
    Object::Entry entry;
    if (version->kind == Value::Kind::null)
      context.diagnostics->error(version->pos,
                                 fmt::format("'tappet' has no value; it must be {}", language_version));
    else if (read_entry(*version, row, context, entry) && entry.number != language_version)
      context.diagnostics->error(
          version->pos, fmt::format("'tappet' is {}, but this program reads version {}", shown(*version),
                                    language_version));
  }
  context.diagnostics->throw_if_errors();
}

/// The number of coordinates of every point in the file follows from the dimension, so it is settled before
/// them.
Dimension read_dimension(const Value& root, const ReadContext& context) {
  const Value* value = root.find("dimension");
  if (!value) return Dimension::planar;
  Object::Entry entry;
  if (value->kind == Value::Kind::null)
    context.diagnostics->error(value->pos, "'dimension' has no value; allowed: planar and spatial");
  else
    read_entry(*value, model_row("dimension"), context, entry);
  context.diagnostics->throw_if_errors();
  return entry.text == "spatial" ? Dimension::spatial : Dimension::planar;
}

/// Numbers that are set from outside, before the definitions that may use them.
void read_inputs(const Value& root, const ReadContext& context, Definitions& definitions) {
  const Value* section = root.find("inputs");
  const Table* table = find_table("inputs");
  if (!section || !table || section->kind != Value::Kind::mapping) return;
  for (std::size_t i = 0; i < section->map.size(); ++i) {
    const auto& [name, value] = section->map[i];
    const Object input = read_object(value, *table, context);
    context.diagnostics->throw_if_errors();
    try {
      definitions.add_input(name, input.has("unit") ? input.text("unit") : "", input.number("default"));
    } catch (const UnitError& fault) {
      context.diagnostics->error(input.where("unit"),
                                 fmt::format("'unit' of the input {}: {}", quote(name), fault.what()));
    } catch (const ExpressionError& fault) {
      context.diagnostics->error(section->key_pos[i], fault.what());
    }
  }
  context.diagnostics->throw_if_errors();
}

/// What has signals, so that `crank.angle` is known for one wherever it stands.
void read_owners(const Value& root, Definitions& definitions) {
  for (const char* section : {"bodies", "joints", "motions", "forces", "contacts", "states", "inputs"}) {
    const Value* value = root.find(section);
    if (!value || value->kind != Value::Kind::mapping) continue;
    const std::string name = section;
    if (name == "states" || name == "inputs") {
      definitions.add_owner(name, false);
      continue;
    }
    for (const auto& [owner, rest] : value->map) definitions.add_owner(owner, name == "bodies");
  }
  definitions.add_owner("energy", false);
  definitions.add_owner("ground", true);
}

/// Names of the states, before the definitions that may use them.
void read_state_names(const Value& root, const ReadContext& context, Definitions& definitions) {
  const Value* section = root.find("states");
  if (!section || section->kind != Value::Kind::mapping) return;
  for (std::size_t i = 0; i < section->map.size(); ++i) try {
      definitions.add_state(section->map[i].first);
    } catch (const ExpressionError& fault) {
      context.diagnostics->error(section->key_pos[i], fault.what());
    }
}

/// The words of an expression.
std::set<std::string> words_of(const std::string& text) {
  std::set<std::string> out;
  const auto letter = [](char c) { return std::isalpha(static_cast<unsigned char>(c)) || c == '_'; };
  for (std::size_t i = 0; i < text.size();) {
    std::size_t end = i;
    while (end < text.size() &&
           (letter(text[end]) || (end > i && std::isdigit(static_cast<unsigned char>(text[end])))))
      ++end;
    if (end > i && (i == 0 || !std::isdigit(static_cast<unsigned char>(text[i - 1]))))
      out.insert(text.substr(i, end - i));
    i = std::max(end, i + 1);
  }
  return out;
}

std::string name_of_head(const std::string& head) {
  return head.substr(0, std::min(head.find('('), head.find(' ')));
}

/// Places of definitions in the section, each behind those that it uses; one that leads back to itself is an error.
class DefinitionOrder {
 public:
  DefinitionOrder(const Value& section, Diagnostics& diagnostics)
      : section_(section), diagnostics_(diagnostics) {
    for (std::size_t i = 0; i < section.map.size(); ++i) at_.emplace(name_of_head(section.map[i].first), i);
    state_.assign(section.map.size(), State::open);
    for (std::size_t i = 0; i < section.map.size(); ++i) visit(i);
  }
  std::vector<std::size_t> order;

 private:
  enum class State { open, under_way, done };

  void visit(std::size_t i) {
    if (state_[i] == State::done) return;
    way_.push_back(name_of_head(section_.map[i].first));
    if (state_[i] == State::under_way) {
      const auto begin = std::find(way_.begin(), way_.end(), way_.back());
      diagnostics_.error(section_.map[i].second.pos,
                         fmt::format("'{}' of 'define' is defined by itself: {}", section_.map[i].first,
                                     fmt::join(begin, way_.end(), " needs ")));
    } else {
      state_[i] = State::under_way;
      const std::set<std::string> own = words_of(section_.map[i].first);  // its name and parameters
      for (const std::string& word : words_of(section_.map[i].second.text))
        if (const auto used = at_.find(word); used != at_.end() && (!own.contains(word) || used->second == i))
          visit(used->second);
      state_[i] = State::done;
      order.push_back(i);
    }
    way_.pop_back();
  }

  const Value& section_;
  Diagnostics& diagnostics_;
  std::map<std::string, std::size_t> at_;
  std::vector<State> state_;
  std::vector<std::string> way_;
};

/// The model's own constants and functions, each behind those that it uses.
std::shared_ptr<const Definitions> read_definitions(const Value& root, const ReadContext& context) {
  auto definitions = std::make_shared<Definitions>();
  read_inputs(root, context, *definitions);
  read_owners(root, *definitions);
  read_state_names(root, context, *definitions);
  read_tables(root, context, *definitions);
  context.diagnostics->throw_if_errors();
  const Value* section = root.find("define");
  if (!section || section->kind == Value::Kind::null) return definitions;
  if (section->kind != Value::Kind::mapping) {
    context.diagnostics->error(
        section->pos,
        fmt::format("'define' must be a mapping of names to expressions, not {}", shown(*section)));
    context.diagnostics->throw_if_errors();
  }
  const DefinitionOrder sorted(*section, *context.diagnostics);
  context.diagnostics->throw_if_errors();
  for (const std::size_t i : sorted.order) {
    const auto& [head, value] = section->map[i];
    try {
      if (value.kind != Value::Kind::scalar)
        throw ExpressionError(fmt::format("an expression is expected, not {}", shown(value)), 0);
      definitions->add(head, value.text);
    } catch (const std::runtime_error& fault) {
      context.diagnostics->error(value.pos, fmt::format("'{}' of 'define': {}", head, fault.what()));
    }
  }
  // What is missing here would be missed everywhere.
  context.diagnostics->throw_if_errors();
  return definitions;
}

/// Sections that hold defaults and required values are read even when they are not written.
void add_missing_sections(Value& root) {
  for (const char* section : {"ground", "simulation", "output"}) {
    if (root.find(section) || (!find_table(section) && !find_family(section))) continue;
    Value empty;
    empty.kind = Value::Kind::mapping;
    empty.pos = root.pos;
    root.map.emplace_back(section, std::move(empty));
    root.key_pos.push_back(root.pos);
  }
}

/// Signals are called NAME.x: one name, one thing, in all sections that have signals.
class NameCheck {
 public:
  explicit NameCheck(Diagnostics& diagnostics) : diagnostics_(diagnostics) {}

  void add(const std::vector<Object>& objects, const char* noun) {
    for (const Object& object : objects) {
      if (object.name == "ground" || object.name == "energy" || object.name == "time" ||
          object.name == "inputs" || object.name == "states") {
        diagnostics_.error(object.name_pos, fmt::format("the name '{}' is reserved; give the {} another one",
                                                        object.name, noun));
        continue;
      }
      const auto [first, is_new] = places_.emplace(object.name, Definition{noun, object.name_pos});
      if (!is_new)
        diagnostics_.error(
            object.name_pos,
            fmt::format(
                "the {} {} has the same name as the {}{}; names must differ", noun, quote(object.name),
                first->second.noun,
                first->second.pos.line > 0 ? fmt::format(" at line {}", first->second.pos.line) : ""));
    }
  }

 private:
  struct Definition {
    const char* noun;
    SourcePos pos;
  };
  Diagnostics& diagnostics_;
  std::map<std::string, Definition> places_;
};

std::vector<Object> section(const Object& model, const char* name) {
  return model.has(name) ? model.objects(name) : std::vector<Object>{};
}

Object single(const Object& model, const char* name) {
  return model.has(name) ? model.object(name) : Object{};
}

}  // namespace

Spec spec_from_value(Value root, const std::string& name_in_messages) {
  const FilesRead read;
  Spec spec;
  spec.file = name_in_messages;
  spec.pos = root.pos;
  spec.model_text = to_yaml(root);

  Diagnostics diagnostics;
  ReadContext context{Dimension::planar, &diagnostics, nullptr};
  check_version(root, context);
  context.dimension = spec.dimension = read_dimension(root, context);
  context.definitions = spec.definitions = read_definitions(root, context);

  add_missing_sections(root);
  const Object model = read_object(root, model_table(), context);
  spec.inputs = section(model, "inputs");
  spec.tables = section(model, "tables");
  spec.states = section(model, "states");
  spec.bodies = section(model, "bodies");
  spec.joints = section(model, "joints");
  spec.motions = section(model, "motions");
  spec.forces = section(model, "forces");
  spec.contacts = section(model, "contacts");
  spec.events = section(model, "events");
  spec.controllers = section(model, "controllers");
  spec.materials = section(model, "materials");
  spec.material_pairs = section(model, "material_pairs");
  spec.ground = single(model, "ground");
  spec.simulation = single(model, "simulation");
  spec.output = single(model, "output");

  NameCheck names(diagnostics);
  names.add(spec.bodies, "body");
  names.add(spec.joints, "joint");
  names.add(spec.motions, "motion");
  names.add(spec.forces, "force");
  names.add(spec.contacts, "contact");
  names.add(spec.controllers, "controller");

  diagnostics.throw_if_errors();
  if (model.has("title")) spec.title = model.text("title");
  spec.gravity = model.vector("gravity");
  spec.files = read.files();
  return spec;
}

namespace {

Spec with_settings(Value root, const std::string& name_in_messages,
                   const std::vector<std::string>& settings) {
  std::vector<Diagnostic> faults;
  for (const std::string& setting : settings) {
    try {
      apply_setting(root, setting);
    } catch (const InputError& fault) {
      faults.insert(faults.end(), fault.diagnostics().begin(), fault.diagnostics().end());
    }
  }
  if (!faults.empty()) throw InputError(std::move(faults));
  return spec_from_value(std::move(root), name_in_messages);
}

}  // namespace

Spec load_spec(const std::string& path, const std::vector<std::string>& settings) {
  std::vector<std::string> notes;
  Spec out = with_settings(read_model_file(path, &notes), path, settings);
  out.notes = std::move(notes);
  return out;
}

Spec spec_from_text(const std::string& text, const std::string& name_in_messages,
                    const std::vector<std::string>& settings) {
  return with_settings(read_yaml_text(text, name_in_messages), name_in_messages, settings);
}

}  // namespace tappet
