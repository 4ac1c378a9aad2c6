#include "tappet/spec/parameter_values.hpp"

#include <algorithm>
#include <stdexcept>

#include <fmt/format.h>

#include "tappet/spec/yaml_reader.hpp"

namespace tappet {
namespace {

Value scalar(std::string text, const WriteContext& context) {
  Value out;
  out.kind = Value::Kind::scalar;
  out.pos = context.pos;
  out.text = std::move(text);
  return out;
}

/// The shortest text that is read as the same number.
Value scalar(double number, const WriteContext& context) {
  return scalar(fmt::format("{}", number), context);
}

template <class Items, class Write>
Value sequence(const Items& items, const WriteContext& context, Write write) {
  Value out;
  out.kind = Value::Kind::sequence;
  out.pos = context.pos;
  for (const auto& item : items) out.items.push_back(write(item));
  return out;
}

Value mapping(const WriteContext& context) {
  Value out;
  out.kind = Value::Kind::mapping;
  out.pos = context.pos;
  return out;
}

void put(Value& mapping, const std::string& key, Value value, const WriteContext& context) {
  mapping.map.emplace_back(key, std::move(value));
  mapping.key_pos.push_back(context.pos);
}

/// A vector; one that leads nowhere out of the plane has as many numbers as the row asks for.
Value numbers(std::vector<double> v, int length, const WriteContext& context) {
  const int wanted = length != by_dimension ? length : context.dimension == Dimension::planar ? 2 : 3;
  if (wanted == 2 && v.size() == 3 && v[2] == 0) v.pop_back();
  return sequence(v, context, [&](double x) { return scalar(x, context); });
}

/// Plane: what turns about z alone is one number.
Value about_z(const std::vector<double>& v, const WriteContext& context) {
  return std::all_of(v.begin(), v.end() - 1, [](double x) { return x == 0; }) ? scalar(v.back(), context)
                                                                              : numbers(v, 3, context);
}

Value inertia(const std::vector<double>& v, const WriteContext& context) {
  if (context.dimension == Dimension::planar) return about_z(v, context);
  const std::vector<int> rows = {0, 1, 2};
  return sequence(rows, context, [&](int row) {
    return numbers({v[3 * row], v[3 * row + 1], v[3 * row + 2]}, 3, context);
  });
}

Value part(const AnyParameters& p, const Parameter& row, const WriteContext& context) {
  return row.family ? value_of(p, *row.family, context) : value_of(p, *row.table, context);
}

Value value_of_row(const ParameterValue& v, const Parameter& row, const WriteContext& context) {
  switch (row.kind) {
    case Kind::number:
    case Kind::integer:
      return scalar(v.number, context);
    case Kind::boolean:
      return scalar(v.number != 0 ? "true" : "false", context);
    case Kind::text:
    case Kind::choice:
    case Kind::name:
      return scalar(v.text, context);
    case Kind::names:
      return sequence(v.names, context, [&](const std::string& name) { return scalar(name, context); });
    case Kind::expression:
      return scalar(v.formulas.at(0).text, context);
    case Kind::expressions:
      return sequence(v.formulas, context, [&](const Formula& f) { return scalar(f.text, context); });
    case Kind::vector:
      return numbers(v.vector, row.length, context);
    case Kind::spin:
      return context.dimension == Dimension::planar ? about_z(v.vector, context)
                                                    : numbers(v.vector, 3, context);
    case Kind::points:
    case Kind::matrix:
      return sequence(v.points, context,
                      [&](const std::vector<double>& p) { return numbers(p, row.length, context); });
    case Kind::inertia:
      return inertia(v.vector, context);
    case Kind::orientation:
      return numbers(v.vector, 4, context);
    case Kind::object:
      return part(v.parts.at(0).second, row, context);
    case Kind::numbers:
    case Kind::objects:
    case Kind::definitions:
      break;
  }
  Value out = mapping(context);
  if (row.kind == Kind::numbers)
    for (std::size_t i = 0; i < v.names.size(); ++i)
      put(out, v.names[i], scalar(v.vector[i], context), context);
  if (row.kind == Kind::definitions)  // names and texts in turn
    for (std::size_t i = 0; i + 1 < v.names.size(); i += 2)
      put(out, v.names[i], scalar(v.names[i + 1], context), context);
  for (const auto& [name, p] : v.parts) put(out, name, part(p, row, context), context);
  return out;
}

bool same(const ParameterValue& a, const ParameterValue& b) {
  return a.number == b.number && a.text == b.text && a.names == b.names && a.vector == b.vector &&
         a.points == b.points && a.parts.empty() && b.parts.empty() &&
         std::equal(a.formulas.begin(), a.formulas.end(), b.formulas.begin(), b.formulas.end(),
                    [](const Formula& x, const Formula& y) { return x.text == y.text; });
}

void write_rows(const AnyParameters& p, const Table& table, const WriteContext& context, Value& out) {
  const AnyParameters untouched(table.maps, table.maps->copy(nullptr), {});
  for (const Parameter& row : table.parameters) {
    const auto value = p.get(row.name), standard = untouched.get(row.name);
    if (!value || (standard && same(*value, *standard))) continue;
    Value written = value_of_row(*value, row, context);
    // A struct within the struct that has nothing but defaults.
    if (standard && written.kind == Value::Kind::mapping && written.map.empty()) continue;
    put(out, row.name, std::move(written), context);
  }
}

/// As the program wrote it; null: it is of a struct.
const WrittenParameters* as_written(const AnyParameters& p) {
  return p && p.type() == typeid(WrittenParameters) ? &p.as<WrittenParameters>() : nullptr;
}

[[noreturn]] void refuse(const AnyParameters& p, const std::string& words) {
  throw std::logic_error(fmt::format("parameters of type {} are given for {}", p.type().name(), words));
}

}  // namespace

bool maps_onto(const Table& table, const AnyParameters& p) {
  return table.maps && p && *table.maps->type == p.type();
}

bool maps_onto(const Family& family, const AnyParameters& p) {
  const auto members = family.members();
  return std::any_of(members.begin(), members.end(),
                     [&](const auto& member) { return maps_onto(*member.second, p); });
}

Value value_of(const AnyParameters& p, const Table& table, const WriteContext& context) {
  if (const WrittenParameters* written = as_written(p)) return read_yaml_fragment(written->text, context.pos);
  if (!maps_onto(table, p)) refuse(p, table.name);
  Value out = mapping(context);
  write_rows(p, table, context, out);
  return out;
}

Value value_of(const AnyParameters& p, const Family& family, const WriteContext& context) {
  if (const WrittenParameters* written = as_written(p)) return read_yaml_fragment(written->text, context.pos);
  const auto members = family.members();
  // Values by name are of one type whatever the member: then its name, where they were written, tells.
  const bool named = std::any_of(members.begin(), members.end(), [&](const auto& member) {
    return member.first == p.origin.type && maps_onto(*member.second, p);
  });
  for (const auto& [name, table] : members) {
    if (!maps_onto(*table, p) || (named && name != p.origin.type)) continue;
    Value out = mapping(context);
    if (!family.key.empty()) put(out, family.key, scalar(name, context), context);
    write_rows(p, *table, context, out);
    if (!family.key.empty()) return out;
    Value outer = mapping(context);
    put(outer, name, std::move(out), context);
    return outer;
  }
  refuse(p, "a " + family.noun);
}

}  // namespace tappet
