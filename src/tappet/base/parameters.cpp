#include "tappet/base/parameters.hpp"

#include <algorithm>

#include <fmt/format.h>

namespace tappet {
namespace {

// Inside a function, because registrations in other files may run before this file's own variables exist.
std::map<std::type_index, std::shared_ptr<const StructType>>& structs() {
  static std::map<std::type_index, std::shared_ptr<const StructType>> all;
  return all;
}

Vec3 to_vec3(const std::vector<double>& numbers) {
  if (numbers.size() == 1) return {0, 0, numbers[0]};
  return {numbers.at(0), numbers.at(1), numbers.size() > 2 ? numbers[2] : 0};
}

std::vector<double> numbers_of(const Vec3& v) {
  return {v.x(), v.y(), v.z()};
}

}  // namespace

Formula::Formula(double number) : text(fmt::format("{}", number)), compiled(Expression::constant(number)) {}

bool Origin::given(const std::string& key) const {
  const auto found = places.find(key);
  return found != places.end() && found->second.given;
}

SourcePos Origin::where(const std::string& key) const {
  const auto found = places.find(key);
  return found != places.end() && found->second.pos.file ? found->second.pos : pos;
}

SourcePos Origin::where(const std::string& key, std::size_t item) const {
  const auto found = places.find(key);
  return found != places.end() && item < found->second.items.size() ? found->second.items[item] : where(key);
}

const StructType::Member* StructType::find(const std::string& name) const {
  const auto at =
      std::find_if(members.begin(), members.end(), [&](const Member& m) { return m.name == name; });
  return at == members.end() ? nullptr : &*at;
}

void register_struct(const std::shared_ptr<const StructType>& type) {
  if (!structs().emplace(*type->type, type).second)
    throw std::logic_error(fmt::format("two tables map onto the struct {}", type->type->name()));
}

std::shared_ptr<const StructType> find_struct(std::type_index type) {
  const auto found = structs().find(type);
  return found == structs().end() ? nullptr : found->second;
}

AnyParameters::AnyParameters(std::shared_ptr<const StructType> maps, std::shared_ptr<const void> value,
                             Origin from)
    : origin(std::move(from)), type_(maps->type), value_(std::move(value)), maps_(std::move(maps)) {}

void AnyParameters::refuse(const char* wanted) const {
  throw std::logic_error(
      fmt::format("parameters of '{}' are of type {}, not {}", origin.name, type_->name(), wanted));
}

std::shared_ptr<const StructType> AnyParameters::struct_type() const {
  if (maps_) return maps_;
  auto maps = find_struct(type());
  if (!maps) throw std::logic_error(fmt::format("no table maps onto the struct {}", type_->name()));
  return maps;
}

std::optional<ParameterValue> AnyParameters::get(const std::string& key) const {
  const auto maps = struct_type();
  const StructType::Member* member = maps->find(key);
  return member ? member->get(value_.get()) : std::nullopt;
}

bool AnyParameters::has(const std::string& key) const {
  return get(key).has_value();
}

double AnyParameters::number(const std::string& key) const {
  const auto value = get(key);
  return value ? value->number : not_given;
}

void AnyParameters::set(const std::string& key, const ParameterValue& value) {
  const auto maps = struct_type();
  const StructType::Member* member = maps->find(key);
  if (!member) throw std::logic_error("no parameter '" + key + "' in '" + origin.name + "'");
  // Others may hold the same struct.
  auto changed = maps->copy(value_.get());
  member->set(changed.get(), value);
  value_ = std::move(changed);
}

void AnyParameters::set(const std::string& key, double number) {
  ParameterValue value;
  value.number = number;
  set(key, value);
}

Table with_named_values(Table table) {
  auto maps = std::make_shared<StructType>();
  maps->type = &typeid(NamedValues);
  maps->copy = [](const void* from) -> std::shared_ptr<void> {
    return from ? std::make_shared<NamedValues>(*static_cast<const NamedValues*>(from))
                : std::make_shared<NamedValues>();
  };
  for (const Parameter& row : table.parameters)
    maps->members.push_back({row.name,
                             [name = row.name](void* p, const ParameterValue& v) {
                               static_cast<NamedValues*>(p)->values[name] = v;
                             },
                             [name = row.name](const void* p) -> std::optional<ParameterValue> {
                               const auto& values = static_cast<const NamedValues*>(p)->values;
                               const auto found = values.find(name);
                               return found == values.end() ? std::nullopt : std::optional(found->second);
                             }});
  table.maps = maps;
  return table;
}

namespace parameters {

void put(const ParameterValue& v, NamedNumbers& m) {
  m.clear();
  for (std::size_t i = 0; i < v.names.size(); ++i) m.emplace_back(v.names[i], v.vector[i]);
}

void put(const ParameterValue& v, Vec3& m) {
  m = to_vec3(v.vector);
}

void put(const ParameterValue& v, Mat3& m) {
  m.setZero();
  if (v.vector.size() == 1) {
    m(2, 2) = v.vector[0];
    return;
  }
  for (int i = 0; i < 9; ++i) m(i / 3, i % 3) = v.vector.at(i);
}

void put(const ParameterValue& v, std::array<double, 4>& m) {
  for (int i = 0; i < 4; ++i) m[i] = v.vector.at(i);
}

void put(const ParameterValue& v, std::array<std::string, 2>& m) {
  m = {v.names.at(0), v.names.at(1)};
}

void put(const ParameterValue& v, std::array<Vec3, 2>& m) {
  m = {to_vec3(v.points.at(0)), to_vec3(v.points.at(1))};
}

void put(const ParameterValue& v, std::vector<Vec3>& m) {
  m.clear();
  for (const auto& point : v.points) m.push_back(to_vec3(point));
}

namespace {

/// With one part filled in.
template <class T>
Taken with(T ParameterValue::*part, T value) {
  ParameterValue out;
  out.*part = std::move(value);
  return out;
}

}  // namespace

Taken take(double m) {
  return std::isnan(m) ? Taken() : with(&ParameterValue::number, m);
}
Taken take(int m) {
  return with(&ParameterValue::number, static_cast<double>(m));
}
Taken take(bool m) {
  return with(&ParameterValue::number, m ? 1.0 : 0.0);
}
Taken take(const std::string& m) {
  return m.empty() ? Taken() : with(&ParameterValue::text, m);
}
Taken take(const Formula& m) {
  return m.text.empty() ? Taken() : with(&ParameterValue::formulas, std::vector{m});
}
Taken take(const std::vector<Formula>& m) {
  return m.empty() ? Taken() : with(&ParameterValue::formulas, m);
}
Taken take(const std::vector<std::string>& m) {
  return m.empty() ? Taken() : with(&ParameterValue::names, m);
}
Taken take(const std::vector<double>& m) {
  return m.empty() ? Taken() : with(&ParameterValue::vector, m);
}
Taken take(const std::vector<std::vector<double>>& m) {
  return m.empty() ? Taken() : with(&ParameterValue::points, m);
}
Taken take(const NamedParameters& m) {
  return m.empty() ? Taken() : with(&ParameterValue::parts, m);
}
Taken take(const AnyParameters& m) {
  return m ? with(&ParameterValue::parts, NamedParameters{{m.origin.name, m}}) : Taken();
}
Taken take(const NamedNumbers& m) {
  if (m.empty()) return {};
  ParameterValue out;
  for (const auto& [name, number] : m) out.names.push_back(name), out.vector.push_back(number);
  return out;
}
Taken take(const Vec3& m) {
  return std::isnan(m.x()) ? Taken() : with(&ParameterValue::vector, numbers_of(m));
}
Taken take(const Mat3& m) {
  std::vector<double> numbers;
  for (int i = 0; i < 9; ++i) numbers.push_back(m(i / 3, i % 3));
  return with(&ParameterValue::vector, numbers);
}
Taken take(const std::array<double, 4>& m) {
  return with(&ParameterValue::vector, std::vector<double>(m.begin(), m.end()));
}
Taken take(const std::array<std::string, 2>& m) {
  return m[0].empty() && m[1].empty() ? Taken() : with(&ParameterValue::names, std::vector{m[0], m[1]});
}
Taken take(const std::array<Vec3, 2>& m) {
  return std::isnan(m[0].x())
             ? Taken()
             : with(&ParameterValue::points, std::vector{numbers_of(m[0]), numbers_of(m[1])});
}
Taken take(const std::vector<Vec3>& m) {
  if (m.empty()) return {};
  ParameterValue out;
  for (const Vec3& point : m) out.points.push_back(numbers_of(point));
  return out;
}

}  // namespace parameters

}  // namespace tappet
