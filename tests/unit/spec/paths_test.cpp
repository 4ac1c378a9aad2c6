#include "tappet/spec/paths.hpp"

#include <gtest/gtest.h>

#include "tappet/spec/spec.hpp"

namespace tappet::paths_test {
namespace {

constexpr const char* text =
    "a: {b: 1, c: [x, y]}\n"
    "d:\n"
    "  e: 2\n"
    "  f: 3\n";

Diagnostic fault_at(const Value& root, int line, int column, const std::string& message) {
  return {Severity::error, {root.pos.file, line, column}, message};
}

TEST(Paths, FindValuesAndItems) {
  const Value root = read_yaml_text(text, "t");
  EXPECT_EQ(find_value(root, "a.b")->text, "1");
  EXPECT_EQ(find_value(root, "a.c.1")->text, "y");
  EXPECT_EQ(find_value(root, ""), &root);
  for (const char* nowhere : {"x", "a.x", "a.c.2", "a.c.z", "a.b.c", "a."})
    EXPECT_EQ(find_value(root, nowhere), nullptr);
}

TEST(Paths, SetMakesWhatIsMissing) {
  Value root = read_yaml_text(text, "t");
  Value one;
  one.kind = Value::Kind::scalar;
  one.text = "one";
  set_value(root, "new.deep.key", one, {});
  set_value(root, "a.c.0", one, {});
  EXPECT_EQ(to_yaml(root), "a:\n  b: 1\n  c: [one, y]\nd:\n  e: 2\n  f: 3\nnew:\n  deep:\n    key: one\n");
  EXPECT_THROW(set_value(root, "a.b.c", one, {}), InputError);
  EXPECT_THROW(set_value(root, "a.c.2", one, {}), InputError);
}

TEST(Paths, RemoveTakesKeysOfMappings) {
  Value root = read_yaml_text(text, "t");
  EXPECT_TRUE(remove_value(root, "a"));
  EXPECT_TRUE(remove_value(root, "d.e"));
  EXPECT_EQ(to_yaml(root), "d:\n  f: 3\n");
  EXPECT_FALSE(remove_value(root, "d.e"));
  EXPECT_FALSE(remove_value(root, "x.y"));
}

TEST(Paths, FaultsHaveAPath) {
  const Value root = read_yaml_text(text, "t");
  EXPECT_EQ(path_of(root, fault_at(root, 1, 8, "'b' is '1'")), "a.b");
  EXPECT_EQ(path_of(root, fault_at(root, 1, 15, "something")), "a.c.0");
  EXPECT_EQ(path_of(root, fault_at(root, 4, 3, "unknown key 'f'")), "d.f");
  EXPECT_EQ(path_of(root, fault_at(root, 9, 1, "")), "");
  EXPECT_EQ(path_of(root, {Severity::error, {}, "no place"}), "");
}

// The mapping `d` begins where its first key stands.
TEST(Paths, TheMessageDecidesBetweenAMappingAndItsFirstKey) {
  const Value root = read_yaml_text(text, "t");
  EXPECT_EQ(path_of(root, fault_at(root, 3, 3, "unknown key 'e'")), "d.e");
  EXPECT_EQ(path_of(root, fault_at(root, 3, 3, "missing key 'z' in 'd'")), "d");
}

// Two changes of a model in one line of a program have the same name and line.
TEST(Paths, PlacesAreToldApartByTheirFile) {
  Value root = read_yaml_text(text, "t");
  const SourcePos first{std::make_shared<const std::string>("p.py"), 7, 0};
  const SourcePos second{std::make_shared<const std::string>("p.py"), 7, 0};
  Value value;
  value.pos = first;
  set_value(root, "d.e", value, first);
  value.pos = second;
  set_value(root, "d.f", value, second);
  EXPECT_EQ(path_of(root, {Severity::error, first, ""}), "d.e");
  EXPECT_EQ(path_of(root, {Severity::error, second, ""}), "d.f");
}

// The row of the tables that a number stands under, by the kind of its element.
TEST(Paths, LeadToRows) {
  const Value root = read_yaml_text(R"(tappet: 1
bodies: {a: {mass: 1, position: [1, 2], shapes: {skin: {circle: {radius: 1}}}}}
joints: {pin: {type: revolute, bodies: [ground, a], points: [[0, 0], [1, 0]]}}
contacts: {c: {between: [ground.x, a.skin], normal: {law: hertz, stiffness: 1e6}}}
define: {rise: 1 mm}
simulation: {duration: 1, stabilisation: {alpha: 5}}
)",
                                    "p.yaml");
  const auto unit = [&](const std::string& path) {
    const Parameter* row = row_at(root, path);
    return row ? row->name + " in " + row->unit : "none";
  };
  EXPECT_EQ(unit("bodies.a.mass"), "mass in kg");
  EXPECT_EQ(unit("bodies.a.position.1"), "position in m");
  EXPECT_EQ(unit("bodies.a.shapes.skin.circle.radius"), "radius in m");
  EXPECT_EQ(unit("joints.pin.points.1.0"), "points in m");
  EXPECT_EQ(unit("simulation.duration"), "duration in s");
  EXPECT_EQ(unit("simulation.stabilisation.alpha"), "alpha in 1/s");
  EXPECT_EQ(unit("contacts.c.normal.stiffness").substr(0, 9), "stiffness");
  EXPECT_EQ(unit("bodies.a.weight"), "none");
  EXPECT_EQ(unit("define.rise"), "define in ");
}

}  // namespace
}  // namespace tappet::paths_test
