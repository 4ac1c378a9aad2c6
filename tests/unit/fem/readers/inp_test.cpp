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
  EXPECT_NE(message("*ELEMENT, TYPE=C3D20\n").find("elements of type 'C3D20' are not known"),
            std::string::npos);
  EXPECT_NE(
      message("*NODE\n1, 0, 0, 0\n*ELEMENT, TYPE=S4\n1, 1, 1, 1\n*NSET, NSET=a\n1\n").find("has 3 nodes"),
      std::string::npos);
  EXPECT_EQ(message(""), "t.inp: error: the mesh file has no *NODE lines");
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
