#include "tappet/geometry/collada.hpp"

#include <gtest/gtest.h>

namespace tappet::collada_test {
namespace {

std::string file(const std::string& faces, const std::string& node, const std::string& asset = "") {
  return "<COLLADA><asset>" + asset + R"(</asset><library_geometries><geometry id="g"><mesh>
    <source id="p"><float_array count="12">0 0 0 1 0 0 0 1 0 0 0 1</float_array></source>
    <vertices id="v"><input semantic="POSITION" source="#p"/></vertices>)" +
         faces + R"(</mesh></geometry></library_geometries><library_visual_scenes><visual_scene id="s">)" +
         node +
         R"(</visual_scene></library_visual_scenes><scene><instance_visual_scene url="#s"/></scene></COLLADA>)";
}
const std::string input = R"(<input semantic="VERTEX" source="#v" offset="0"/>)";
const std::string triangles =
    "<triangles count=\"4\">" + input + "<p>0 2 1 0 1 3 0 3 2 1 2 3</p></triangles>";
const std::string shown = R"(<node><instance_geometry url="#g"/></node>)";

TriangleMesh read(const std::string& text) {
  std::string fault;
  const auto mesh = read_collada(text, fault);
  EXPECT_TRUE(mesh) << fault;
  return mesh.value_or(TriangleMesh());
}

TEST(Collada, EveryWayToWriteATetrahedron) {
  for (const std::string& faces :
       {triangles, "<polylist>" + input + "<vcount>3 3 3 3</vcount><p>0 2 1 0 1 3 0 3 2 1 2 3</p></polylist>",
        "<polygons>" + input + "<p>0 2 1</p><p>0 1 3</p><p>0 3 2</p><p>1 2 3</p></polygons>",
        "<tristrips>" + input + "<p>0 2 1 3 0 2</p></tristrips>"}) {
    EXPECT_NEAR(solid_properties(read(file(faces, shown))).volume, 1.0 / 6, 1e-15) << faces;
  }
}

TEST(Collada, NodesPlaceAndTheUnitScales) {
  const TriangleMesh placed = read(file(
      triangles, R"(<node><translate>1 2 3</translate><rotate>0 0 1 90</rotate><node><scale>2 2 -2</scale>
        <instance_geometry url="#g"/></node></node>)",
      R"(<unit meter="0.5"/>)"));
  const SolidProperties solid = solid_properties(placed);
  EXPECT_NEAR(solid.volume, 1.0 / 6, 1e-15);  // mirrored, and still outward
  EXPECT_NEAR((solid.centre - Vec3(0.5 - 0.25, 1 + 0.25, 1.5 - 0.25)).norm(), 0, 1e-15);
  const TriangleMesh by_matrix =
      read(file(triangles, R"(<node><matrix>1 0 0 5 0 1 0 0 0 0 1 0 0 0 0 1</matrix>
        <instance_geometry url="#g"/></node>)"));
  EXPECT_NEAR(solid_properties(by_matrix).centre.x(), 5.25, 1e-15);
}

TEST(Collada, FaultsAreSentences) {
  const auto fault_of = [](const std::string& text) {
    std::string fault;
    EXPECT_FALSE(read_collada(text, fault));
    return fault;
  };
  EXPECT_EQ(fault_of("<robot/>"), "its outermost element is <robot>, not <COLLADA>");
  EXPECT_NE(fault_of(file("<triangles>" + input + "<p>0 1 9</p></triangles>", shown))
                .find("a corner names position 9; there are 4"),
            std::string::npos);
  EXPECT_NE(fault_of(file(triangles, R"(<node><instance_geometry url="#h"/></node>)"))
                .find("names '#h', which is not there"),
            std::string::npos);
  EXPECT_NE(fault_of(file("<triangles>" + input + "<p>0 1 x</p></triangles>", shown)).find("no number"),
            std::string::npos);
  EXPECT_NE(fault_of(file(triangles, R"(<node><scale>1e200 1 1</scale><node><scale>1e200 1 1</scale>
        <instance_geometry url="#g"/></node></node>)"))
                .find("a vertex is not finite"),
            std::string::npos);
  EXPECT_NE(fault_of(file(triangles, R"(<node id="n"><instance_node url="#n"/></node>)")).find("without end"),
            std::string::npos);
}

// Each line of this names the one before twice: sixty lines would be 2⁶⁰ meshes.
TEST(Collada, WhatIsNamedOftenIsNotPutInForEver) {
  std::string nodes = "<node id=\"n0\"><instance_geometry url=\"#g\"/></node>", fault;
  for (int i = 1; i <= 60; ++i)
    nodes += "<node id=\"n" + std::to_string(i) + "\"><instance_node url=\"#n" + std::to_string(i - 1) +
             "\"/><instance_node url=\"#n" + std::to_string(i - 1) + "\"/></node>";
  EXPECT_FALSE(read_collada(file(triangles, nodes), fault));
  EXPECT_NE(fault.find("larger than 100000000 numbers when all is put in as often as it is named"),
            std::string::npos)
      << fault;
}

TEST(Collada, OffsetsOfCornersArePossibleOnes) {
  for (const char* offset : {"-1", "2147483647", "1000"}) {
    std::string faces = "<triangles>" + input + "<p>0 1 2</p></triangles>", fault;
    const std::size_t at = faces.find("offset=\"");
    ASSERT_NE(at, std::string::npos);
    faces.replace(at, faces.find('"', at + 8) + 1 - at, std::string("offset=\"") + offset + "\"");
    EXPECT_FALSE(read_collada(file(faces, shown), fault));
    EXPECT_NE(fault.find("is not one from 0 to 999"), std::string::npos) << fault;
  }
}

}  // namespace
}  // namespace tappet::collada_test
