#include "tappet/spec/object.hpp"

#include <cmath>
#include <stdexcept>

namespace tappet {

const Object::Entry& Object::entry(const std::string& key) const {
  const auto found = entries_.find(key);
  // A programmer asked for a parameter that is neither required nor defaulted; stop rather than invent a
  // value.
  if (found == entries_.end()) throw std::logic_error("no value '" + key + "' in '" + name + "'");
  return found->second;
}

bool Object::has(const std::string& key) const {
  return entries_.contains(key);
}

bool Object::given(const std::string& key) const {
  const auto found = entries_.find(key);
  return found != entries_.end() && found->second.given;
}

SourcePos Object::where(const std::string& key) const {
  const auto found = entries_.find(key);
  return found != entries_.end() && found->second.pos.file ? found->second.pos : pos;
}

double Object::number(const std::string& key) const {
  return entry(key).number;
}

double Object::number_or(const std::string& key, double otherwise) const {
  return has(key) ? number(key) : otherwise;
}

int Object::integer(const std::string& key) const {
  return static_cast<int>(std::lround(entry(key).number));
}

bool Object::boolean(const std::string& key) const {
  return entry(key).number != 0;
}

const std::string& Object::text(const std::string& key) const {
  return entry(key).text;
}

const std::vector<Name>& Object::names(const std::string& key) const {
  return entry(key).names;
}

const Expression& Object::expression(const std::string& key) const {
  return entry(key).expressions.at(0);
}

const std::vector<double>& Object::vector(const std::string& key) const {
  return entry(key).vector;
}

const std::vector<Expression>& Object::expressions(const std::string& key) const {
  return entry(key).expressions;
}

const std::vector<std::vector<double>>& Object::points(const std::string& key) const {
  return entry(key).points;
}

const Object& Object::object(const std::string& key) const {
  return entry(key).objects.at(0);
}

const std::vector<Object>& Object::objects(const std::string& key) const {
  return entry(key).objects;
}

namespace {

ParameterValue value_of(const Object::Entry& entry) {
  ParameterValue out;
  out.number = entry.number;
  out.text = entry.text;
  for (const Name& name : entry.names) out.names.push_back(name.text);
  out.vector = entry.vector;
  out.points = entry.points;
  for (const Expression& expression : entry.expressions) out.formulas.emplace_back(expression);
  for (const Object& object : entry.objects) out.parts.emplace_back(object.name, object.parameters());
  return out;
}

const Table* table_read_by(const Object& object) {
  if (!object.family) return object.table;
  for (const auto& [name, table] : object.family->members())
    if (name == object.type) return table;
  return nullptr;
}

}  // namespace

AnyParameters Object::parameters() const {
  const Table* read_by = table_read_by(*this);
  if (!read_by || !read_by->maps) {
    static const auto as_read = std::make_shared<const StructType>(
        StructType{.type = &typeid(Object),
                   .copy = [](const void* from) -> std::shared_ptr<void> {
                     return from ? std::make_shared<Object>(*static_cast<const Object*>(from))
                                 : std::make_shared<Object>();
                   },
                   .members = {}});
    return AnyParameters(as_read, std::make_shared<const Object>(*this),
                         {.name = name, .type = "", .pos = pos, .name_pos = name_pos});
  }
  Origin origin{
      .name = name, .type = family ? type : "", .pos = pos, .name_pos = name_pos, .definitions = definitions};
  const std::shared_ptr<void> value = read_by->maps->copy(nullptr);
  for (const StructType::Member& member : read_by->maps->members) {
    const auto found = entries_.find(member.name);
    if (found == entries_.end()) continue;
    member.set(value.get(), value_of(found->second));
    Origin::ValuePlace& place = origin.places[member.name];
    place.pos = found->second.pos;
    place.given = found->second.given;
    for (const Name& item : found->second.names) place.items.push_back(item.pos);
  }
  return AnyParameters(read_by->maps, value, std::move(origin));
}

std::vector<AnyParameters> parameters_of(const std::vector<Object>& objects) {
  std::vector<AnyParameters> out;
  for (const Object& object : objects) out.push_back(object.parameters());
  return out;
}

}  // namespace tappet
