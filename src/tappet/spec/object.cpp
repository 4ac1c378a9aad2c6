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

}  // namespace tappet
