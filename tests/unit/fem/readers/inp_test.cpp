#include <filesystem>
#include <fstream>

#include <gtest/gtest.h>

#include "tappet/fem/mesh_reader.hpp"

namespace tappet::fem::inp_test {
namespace {

const char* text = R"(** a comment
*HEADING
two bricks
*NODE, NSET=Nall
1, 0., 0., 0.
2, 1., 0., 0.
3, 1., 1., 0.
4, 0., 1., 0.
5, 0., 0., 1.
6, 1., 0., 1.
7, 1., 1., 1.
8, 0., 1., 1.
9, 2., 0., 0.
*Element, type=C3D8R, elset=brick
1, 1, 2, 3, 4,
5, 6, 7, 8
*ELEMENT, TYPE=B31, ELSET=pole
20, 2, 9
*NSET, NSET=fixed, GENERATE
1, 7, 2
*NSET, NSET=more
fixed, 8
*ELSET, ELSET=both
brick, 20
*MATERIAL, NAME=steel
*ELASTIC
2e11, 0.3
)";

Mesh read_text(const std::string& content, Diagnostics& diagnostics) {
  Mesh mesh = MeshFormatRegistry::instance().find(".inp")->read("t.inp", content, diagnostics);
  mesh.finish_groups();
  return mesh;
}

TEST(Inp, NodesElementsAndSets) {
  Diagnostics diagnostics;
  const Mesh mesh = read_text(text, diagnostics);
  ASSERT_EQ(mesh.nodes.size(), 9u);
  ASSERT_EQ(mesh.cells.size(), 2u);
  EXPECT_EQ(mesh.cells[0].shape, CellShape::hexahedron);
  EXPECT_EQ(mesh.cells[1].label, 20);
  EXPECT_EQ(mesh.find_group("fixed")->nodes, (std::vector<int>{0, 2, 4, 6}));
  EXPECT_EQ(mesh.find_group("more")->nodes, (std::vector<int>{0, 2, 4, 6, 7}));
  EXPECT_EQ(mesh.find_group("both")->cells, (std::vector<int>{0, 1}));
  EXPECT_EQ(mesh.find_group("pole")->nodes, (std::vector<int>{1, 8}));
  ASSERT_EQ(diagnostics.all().size(), 1u);
  EXPECT_EQ(diagnostics.all()[0].message,
            "only the mesh is read: *ELASTIC and *MATERIAL of the file have no effect");
}

TEST(Inp, FaultsNameTheLine) {
  const auto message = [](const std::string& content) -> std::string {
    Diagnostics diagnostics;
    try {
      read_text(content, diagnostics);
    } catch (const InputError& e) {
      return e.diagnostics()[0].text();
    }
    return "";
  };
  EXPECT_EQ(message("*NODE\n1, 0, zero, 0\n"), "t.inp:2: error: 'zero' stands where a number should be");
  EXPECT_EQ(message("*NODE\n1, 0, 0, 0\n*ELEMENT, TYPE=B31\n1, 1, 2\n"),
            "t.inp:4: error: element 1 refers to node 2, which the file does not have");
  EXPECT_NE(message("*ELEMENT, TYPE=F3D8\n").find("elements of type 'F3D8' are not known"),
            std::string::npos);
  EXPECT_NE(message("*NODE\n1, 0, 0, 0\n*INCLUDE, INPUT=none.inp\n")
                .find("t.inp:3: error: *INCLUDE names the file 'none.inp'"),
            std::string::npos);
  EXPECT_NE(message("*NODE\n1\n2, 1\n3, 0, 1\n*ELEMENT, TYPE=CPS3\n1, 1, 2, 3\n")
                .find("plane, axisymmetric or rigid model"),
            std::string::npos);
  EXPECT_NE(message("*NODE\n1\n*ELEMENT, TYPE=SPRING1\n1, 1\n").find("no elements but SPRING1"),
            std::string::npos);
  EXPECT_NE(message("*NODE\n1\n*NSET, NSET=a\nb\n*NSET, NSET=b\na\n").find("which names it in turn"),
            std::string::npos);
  EXPECT_NE(
      message("*NODE\n1, 0, 0, 0\n*ELEMENT, TYPE=S4\n1, 1, 1, 1\n*NSET, NSET=a\n1\n").find("has 3 nodes"),
      std::string::npos);
  EXPECT_EQ(message(""), "t.inp: error: the mesh file has no *NODE lines");
}

// Every family, with its nodes in Abaqus' order.
TEST(Inp, ElementFamilies) {
  const std::pair<const char*, CellShape> families[] = {
      {"C3D20R", CellShape::hexahedron20}, {"C3D20", CellShape::hexahedron20},
      {"C3D15", CellShape::wedge15},       {"C3D6", CellShape::wedge},
      {"S8R", CellShape::quadrangle8},     {"S8", CellShape::quadrangle8},
      {"S6", CellShape::triangle6},        {"STRI65", CellShape::triangle6},
      {"B32", CellShape::line3},           {"C3D10MS", CellShape::tetrahedron10}};
  for (const auto& [type, shape] : families) {
    std::string content = "*ELEMENT, TYPE=" + std::string(type) + "\n7";
    const int count = node_count(shape);
    for (int k = 1; k <= count; ++k) content += (k % 12 == 0 ? ",\n" : ", ") + std::to_string(k);
    content += "\n*NODE\n";  // after the elements that name them
    for (int k = 1; k <= count; ++k)
      content += std::to_string(k) + ", " + std::to_string(k) + "\n";  // y and z left out
    Diagnostics diagnostics;
    const Mesh mesh = read_text(content, diagnostics);
    ASSERT_EQ(mesh.cells.size(), 1u) << type;
    EXPECT_EQ(mesh.cells[0].shape, shape) << type;
    EXPECT_EQ(mesh.nodes[0], Vec3(1, 0, 0));
    // The middle of a beam comes second there, and last here.
    if (shape == CellShape::line3)
      EXPECT_EQ(mesh.nodes_of(0)[2], 1);
    else
      EXPECT_EQ(mesh.nodes_of(0)[2], 2);
  }
}

TEST(Inp, IncludedFilesAreRead) {
  const std::filesystem::path folder = std::filesystem::path(::testing::TempDir()) / "tappet_inp";
  std::filesystem::create_directories(folder / "parts");
  std::ofstream(folder / "parts" / "nodes.inp") << "1, 0, 0, 0\n2, 1, 0, 0\n*INCLUDE, INPUT=more.inp\n";
  std::ofstream(folder / "parts" / "more.inp") << "*NODE\n3, 2, oh, 0\n";
  std::ofstream(folder / "main.inp")
      << "*NODE\n*INCLUDE, INPUT=parts/nodes.inp\n*ELEMENT, TYPE=B31\n1, 1, 2\n";
  Diagnostics diagnostics;
  read_mesh((folder / "main.inp").string(), {}, diagnostics);
  ASSERT_EQ(diagnostics.all().size(), 1u);  // with the included file's own line
  EXPECT_NE(diagnostics.all()[0].text().find("more.inp:2: error: 'oh' stands where a number"),
            std::string::npos);
  std::ofstream(folder / "parts" / "more.inp") << "*NODE\n3, 2, 0, 0\n";
  Diagnostics good;
  const Mesh mesh = read_mesh((folder / "main.inp").string(), {}, good);
  EXPECT_TRUE(good.all().empty());
  EXPECT_EQ(mesh.nodes.size(), 3u);
  EXPECT_EQ(mesh.cells.size(), 1u);
  std::filesystem::remove_all(folder);
}

TEST(Inp, MarksAndSetsInAnyOrder) {
  Diagnostics diagnostics;
  const Mesh mesh = read_text(R"(*NODE
1
2, 1
3, 0, 1
4, 0, 0, 1
*ELEMENT, TYPE=CPS3, ELSET=side
1, 1, 3, 2
*ELEMENT, TYPE=C3D4, ELSET="the body"
2, 1, 2, 3, 4
*ELEMENT, TYPE=SPRING1, ELSET=feet
3, 1
*NSET, NSET=all
LATER, 1
*NSET, NSET=later
2, 3
*ELSET, ELSET=both
The Body, side, 3
)",
                              diagnostics);
  EXPECT_EQ(mesh.dimension(), 3);
  EXPECT_EQ(mesh.find_group("side")->cells, (std::vector<int>{0}));
  EXPECT_EQ(mesh.find_group("all")->nodes, (std::vector<int>{0, 1, 2}));
  EXPECT_EQ(mesh.find_group("both")->cells, (std::vector<int>{0, 1}));
  ASSERT_EQ(diagnostics.all().size(), 2u);
  EXPECT_NE(diagnostics.all()[0].message.find("SPRING1 are left out"), std::string::npos);
  EXPECT_NE(diagnostics.all()[1].message.find("1 members of element sets"), std::string::npos);
}

TEST(Inp, DamagedFilesAreReadOrRefused) {
  const std::string whole = text;
  int refused = 0, read = 0;
  const auto attempt = [&](const std::string& content) {
    Diagnostics diagnostics;
    try {
      read_text(content, diagnostics);
      ++read;
    } catch (const InputError& e) {
      EXPECT_FALSE(e.diagnostics().empty());
      ++refused;
    }
  };
  for (std::size_t cut = 0; cut < whole.size(); ++cut) attempt(whole.substr(0, cut));
  for (std::size_t at = 0; at < whole.size(); ++at)
    for (const char put : {'\0', '\xff', '9', '-', ' ', '\n', ',', '*'}) {
      std::string damaged = whole;
      damaged[at] = put;
      attempt(damaged);
    }
  EXPECT_GT(refused, 500);
  EXPECT_GT(read, 500);
}

}  // namespace
}  // namespace tappet::fem::inp_test
