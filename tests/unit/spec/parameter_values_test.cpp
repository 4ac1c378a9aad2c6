// Every table of the model file that maps onto a struct says the same as the struct.
#include "tappet/spec/parameter_values.hpp"

#include <functional>
#include <set>

#include <gtest/gtest.h>

#include "tappet/base/parameters.hpp"
#include "tappet/spec/spec.hpp"

namespace tappet::test::parameter_values_test {
namespace {

/// Calls `visit` once for every table below the model's, with the path that leads there.
void walk(const Table& table, const std::string& path, std::set<const Table*>& seen,
          const std::function<void(const std::string&, const Table&)>& visit) {
  if (!seen.insert(&table).second) return;
  visit(path, table);
  for (const Parameter& row : table.parameters) {
    if (row.table) walk(*row.table, path + "." + row.name, seen, visit);
    if (row.family)
      for (const auto& [name, member] : row.family->members())
        walk(*member, path + "." + row.name + "." + name, seen, visit);
  }
}

void for_every_table(const std::function<void(const std::string&, const Table&)>& visit) {
  std::set<const Table*> seen;
  walk(model_table(), "", seen, visit);
}

/// Structures are read by the finite-element room, which has no structs yet; nor has what flexible bodies take over from it.
bool is_structure(const std::string& path) {
  return path.starts_with(".bodies.structure") || path.starts_with(".bodies.flexible");
}

/// Friction of a joint: a law's parameters by name, with what the bearing adds to them.
bool is_bearing(const std::string& path) {
  return path.starts_with(".joints.") && path.find(".friction.") != std::string::npos;
}

Dimension fitting(const Table& table) {
  return table.planar ? Dimension::planar : Dimension::spatial;
}

std::string yaml(const AnyParameters& p, const Table& table) {
  return to_yaml(value_of(p, table, {.dimension = fitting(table), .pos = {}}));
}

TEST(ParameterTables, EveryRowIsAMemberOfAStruct) {
  int tables = 0;
  for_every_table([&](const std::string& path, const Table& table) {
    if (path.empty() || is_structure(path)) return;
    SCOPED_TRACE(path);
    ASSERT_TRUE(table.maps) << "maps onto no struct";
    ASSERT_EQ(table.maps->members.size(), table.parameters.size());
    for (std::size_t i = 0; i < table.parameters.size(); ++i)
      EXPECT_EQ(table.maps->members[i].name, table.parameters[i].name);
    ++tables;
  });
  EXPECT_GT(tables, 60);  // laws, shapes, joints, forces, clearances, sections
}

// The defaults of the struct are those of the file, and what a file must give the struct does not have.
TEST(ParameterTables, DefaultsOfStructAndFileAgree) {
  for_every_table([&](const std::string& path, const Table& table) {
    if (path.empty() || !table.maps || is_bearing(path)) return;
    SCOPED_TRACE(path);
    Diagnostics unheard;  // of what is required
    Value empty;
    empty.kind = Value::Kind::mapping;
    const Object object = read_object(empty, table, {fitting(table), &unheard, nullptr});
    const AnyParameters read = object.parameters(), standard(table.maps, table.maps->copy(nullptr), {});
    EXPECT_EQ(yaml(read, table), yaml(standard, table));
    for (const Parameter& row : table.parameters) {
      EXPECT_FALSE(row.required && standard.has(row.name)) << row.name;
      EXPECT_TRUE(row.fallback.empty() || standard.has(row.name)) << row.name;
    }
  });
}

}  // namespace
}  // namespace tappet::test::parameter_values_test
