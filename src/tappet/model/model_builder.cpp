#include "tappet/model/model_builder.hpp"

#include <stdexcept>

#include <fmt/format.h>

#include "tappet/model/compile.hpp"
#include "tappet/model/model.hpp"
#include "tappet/spec/spec.hpp"

namespace tappet {
namespace {

constexpr const char* model_name = "the model";

/// "joints.pin": what stands in messages where a line would for a file.
WriteContext written_at(const std::string& path, Dimension dimension) {
  return {dimension, {std::make_shared<const std::string>(path), 0, 0}};
}

/// The section that takes these parameters: one of many elements, or one mapping.
const Parameter& section_of(const AnyParameters& parameters, Kind kind) {
  for (const Parameter& row : model_table().parameters)
    if (row.kind == kind &&
        (row.family ? maps_onto(*row.family, parameters) : row.table && maps_onto(*row.table, parameters)))
      return row;
  throw std::logic_error(
      fmt::format("no section of a model takes parameters of type {}", parameters.type().name()));
}

Value scalar(const std::string& text, const SourcePos& pos) {
  Value out;
  out.kind = Value::Kind::scalar;
  out.text = text;
  out.pos = pos;
  return out;
}

void put(Value& mapping, const std::string& key, Value value) {
  mapping.map.emplace_back(key, std::move(value));
  mapping.key_pos.push_back(mapping.map.back().second.pos);
}

Value empty_mapping(const SourcePos& pos) {
  Value out;
  out.kind = Value::Kind::mapping;
  out.pos = pos;
  return out;
}

Value element(const AnyParameters& p, const Parameter& row, const WriteContext& context) {
  return row.family ? value_of(p, *row.family, context) : value_of(p, *row.table, context);
}

}  // namespace

ModelBuilder::ModelBuilder(Dimension dimension) : dimension_(dimension) {}

ModelBuilder& ModelBuilder::title(std::string title) {
  title_ = std::move(title);
  return *this;
}

ModelBuilder& ModelBuilder::gravity(const Vec3& acceleration) {
  gravity_ = acceleration;
  return *this;
}

ModelBuilder& ModelBuilder::define(std::string head, std::string expression) {
  definitions_.emplace_back(std::move(head), std::move(expression));
  return *this;
}

ModelBuilder& ModelBuilder::add(const std::string& name, AnyParameters parameters) {
  const Parameter& section = section_of(parameters, Kind::objects);
  sections_[section.name].emplace_back(name, std::move(parameters));
  return *this;
}

ModelBuilder& ModelBuilder::set(AnyParameters parameters) {
  const Parameter& section = section_of(parameters, Kind::object);
  single_[section.name] = std::move(parameters);
  return *this;
}

Value ModelBuilder::value() const {
  const SourcePos pos = written_at(model_name, dimension_).pos;
  Value root = empty_mapping(pos);
  put(root, "tappet", scalar("1", pos));
  if (!title_.empty()) put(root, "title", scalar(title_, pos));
  const bool planar = dimension_ == Dimension::planar;
  put(root, "dimension", scalar(planar ? "planar" : "spatial", pos));
  if (!gravity_.isZero(0)) {
    Value list;
    list.kind = Value::Kind::sequence;
    list.pos = written_at("gravity", dimension_).pos;
    for (int i = 0; i < (planar && gravity_.z() == 0 ? 2 : 3); ++i)
      list.items.push_back(scalar(fmt::format("{}", gravity_[i]), list.pos));
    put(root, "gravity", std::move(list));
  }
  if (!definitions_.empty()) {
    Value defined = empty_mapping(pos);
    for (const auto& [head, expression] : definitions_)
      put(defined, head, scalar(expression, written_at("define." + head, dimension_).pos));
    put(root, "define", std::move(defined));
  }
  // In the order of the file's sections.
  for (const Parameter& row : model_table().parameters) {
    if (const auto one = single_.find(row.name); one != single_.end())
      put(root, row.name, element(one->second, row, written_at(row.name, dimension_)));
    const auto many = sections_.find(row.name);
    if (many == sections_.end()) continue;
    Value section = empty_mapping(written_at(row.name, dimension_).pos);
    for (const auto& [name, parameters] : many->second)
      put(section, name, element(parameters, row, written_at(row.name + "." + name, dimension_)));
    put(root, row.name, std::move(section));
  }
  return root;
}

std::string ModelBuilder::text() const {
  return to_yaml(value());
}

Spec ModelBuilder::spec() const {
  return spec_from_value(value(), model_name);
}

std::shared_ptr<const Model> ModelBuilder::build(Diagnostics& diagnostics) const {
  return compile(spec(), diagnostics);
}

}  // namespace tappet
