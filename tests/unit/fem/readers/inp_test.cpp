#include <cmath>
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
  EXPECT_NE(message("*ELEMENT, TYPE=F3D8\n")
                .find("elements of type 'F3D8' are those of a flow, which is not computed here"),
            std::string::npos);
  EXPECT_NE(message("*NODE\n1, 0, 0, 0\n*INCLUDE, INPUT=none.inp\n")
                .find("t.inp:3: error: *INCLUDE names the file 'none.inp'"),
            std::string::npos);
  EXPECT_NE(message("*ELEMENT, TYPE=X9\n").find("elements of type 'X9' are not known; C3D4"),
            std::string::npos);
  EXPECT_NE(message("*SYSTEM\n1\n").find("*SYSTEM"), std::string::npos);
  EXPECT_NE(message("*NGEN\n1, 5\n").find("t.inp:1: error: there is no node 1 so far"), std::string::npos);
  EXPECT_NE(
      message("*INSTANCE, NAME=A, PART=B\n").find("instance 'A' is one of part 'B', which is not there"),
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

std::string said(const Diagnostics& diagnostics) {
  std::string out;
  for (const Diagnostic& d : diagnostics.all()) out += d.message + "\n";
  return out;
}

// As CalculiX does: nodes beyond those of the type are none of the element's; networks of pipes are no part of the structure; cells
// of heat and sound are cells.
TEST(Inp, WhatIsNoneOfAStructuresIsLeftOutAndSaid) {
  std::string nodes = "*NODE\n";
  for (int k = 1; k <= 10; ++k) nodes += std::to_string(k) + ", " + std::to_string(k * k) + "\n";
  Diagnostics diagnostics;
  const Mesh mesh = read_text(nodes + R"(*ELEMENT, TYPE=C3D8I
1, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10,
2, 3, 4, 5, 6, 7, 8, 9, 10
*ELEMENT, TYPE=D
3, 0, 9, 10
*ELEMENT, TYPE=RAX2
4, 1, 2
*ELEMENT, TYPE=DCAX8
5, 1, 2, 3, 4, 5, 6, 7, 8
*ELEMENT, TYPE=AC3D4
6, 1, 2, 3, 4
)",
                              diagnostics);
  ASSERT_EQ(mesh.cells.size(), 5u);
  EXPECT_EQ(mesh.nodes_of(0)[7], 7);
  EXPECT_EQ(mesh.cells[1].label, 2);
  EXPECT_EQ(mesh.cells[2].use, CellUse::marks);
  EXPECT_EQ(mesh.cells[3].use, CellUse::axisymmetric);
  EXPECT_EQ(mesh.cells[4].shape, CellShape::tetrahedron);
  EXPECT_NE(said(diagnostics).find("1 elements list more nodes than their type has"), std::string::npos);
  EXPECT_NE(said(diagnostics).find("elements of type D are left out"), std::string::npos);
  EXPECT_NE(said(diagnostics).find("elements of type AC3D4 and DCAX8 are of heat or sound"),
            std::string::npos)
      << said(diagnostics);
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
  EXPECT_NE(diagnostics.all()[0].message.find("1 members of element sets"), std::string::npos);
  EXPECT_NE(diagnostics.all()[1].message.find("SPRING1 are left out"), std::string::npos);
}

// A part with two instances, one moved and turned, as Abaqus/CAE writes: numbers begin anew in each part.
TEST(Inp, PartsAreInstancedInAnAssembly) {
  Diagnostics diagnostics;
  const Mesh mesh = read_text(R"(*Heading
*Part, name=Bar
*Node
      1,           0.,           0.,           0.
      2,           1.D0,         0.,           0.
      3,           0.,           1.,           0.
      4,           0.,           0.,           1.
*Element, type=C3D4
1, 1, 2, 3, 4
*Nset, nset=tip
 2,
*Elset, elset=_S_S1, internal, generate
 1, 1, 1
*Surface, type=ELEMENT, name=S
_S_S1, S1
*Solid Section, elset=_S_S1, material=Steel
,
*End Part
*Part, name=Point
*Node
1, 9., 9., 9.
*End Part
*Assembly, name=Assembly
*Instance, name=Bar-1, part=Bar
*End Instance
*Instance, name=Bar-2, part=Bar
         10.,           0.,           0.
         10.,           0.,           0.,          10.,           0.,           1.,          90.
*End Instance
*Node
1, 5., 5., 5.
*Nset, nset=both, instance=Bar-1
 1, 3
*Nset, nset=both, instance=Bar-2
 2
*Nset, nset=by_name
 Bar-2.tip, Bar-1.4
*Nset, nset=RP
 1
*End Assembly
)",
                              diagnostics);
  ASSERT_EQ(mesh.nodes.size(), 9u);  // of the assembly first
  EXPECT_EQ(mesh.cells.size(), 2u);
  EXPECT_EQ(mesh.find_group("both")->nodes, (std::vector<int>{1, 3, 6}));
  EXPECT_EQ(mesh.find_group("by_name")->nodes, (std::vector<int>{4, 6}));
  EXPECT_EQ(mesh.find_group("RP")->nodes, (std::vector<int>{0}));
  // Both instances have the part's set and surface.
  EXPECT_EQ(mesh.find_group("Bar-1_tip")->nodes, (std::vector<int>{2}));
  EXPECT_EQ(mesh.find_group("Bar-2_tip")->nodes, (std::vector<int>{6}));
  EXPECT_EQ(mesh.find_group("Bar-2_S")->nodes, (std::vector<int>{5, 6, 7}));
  // Along x, then a quarter turn about z through (10, 0, 0).
  EXPECT_NEAR((mesh.nodes[6] - Vec3(10, 1, 0)).norm(), 0, 1e-15);
}

// Options over two lines, words in small letters, blanks, a byte order mark, sets of elements' nodes and surfaces.
TEST(Inp, FilesAreReadAsPeopleWriteThem) {
  Diagnostics diagnostics;
  const Mesh mesh = read_text(
      "\xef\xbb\xbf"
      R"(** by hand
*node , nset = all nodes
 1 , 0 , 0 , 0 ,
2,1,,
3,1.0E+00,1
4,0,1.
11,0,0,1
12,1,0,1
13,1,1,1
14,0,1,1
* ELEMENT ,
type = c3d8i ,
elset=block
1,1,2,3,4,11,
12,13,14
*elset,elset=copy,
block
*nset, nset=corners, elset=block
*nset, nset=top, generate
11,20,1
*surface, name=lid
block, S2
*surface, type=node, name=feet
all nodes, 1.
*boundary
corners, 1, 3
*step
*static
*cload
2, 1, 5.
*end step
)",
      diagnostics);
  ASSERT_EQ(mesh.cells.size(), 1u);
  EXPECT_EQ(mesh.cells[0].shape, CellShape::hexahedron);
  EXPECT_EQ(mesh.find_group("all nodes")->nodes.size(), 8u);
  EXPECT_EQ(mesh.find_group("corners")->nodes.size(), 8u);
  EXPECT_EQ(mesh.find_group("copy")->cells, (std::vector<int>{0}));
  EXPECT_EQ(mesh.find_group("lid")->nodes, (std::vector<int>{4, 5, 6, 7}));
  EXPECT_EQ(mesh.find_group("top")->nodes, (std::vector<int>{4, 5, 6, 7}));
  EXPECT_EQ(mesh.find_group("feet")->nodes.size(), 8u);
  EXPECT_EQ(diagnostics.all()[0].message, "6 members of node sets are nodes which the file does not have");
}

// 3 × 2 × 1 bricks from two nodes and one brick; an arc, a parabola and a turned copy beside them.
TEST(Inp, GeneratedNodesAndElements) {
  Diagnostics diagnostics;
  const Mesh mesh = read_text(R"(*NODE
1, 0, 0, 0
4, 3, 0, 0
201, 0, 2, 0
204, 3, 2, 0
*NGEN, NSET=front
1, 4
*NGEN, NSET=back
201, 204
*NFILL, NSET=low
front, back, 2, 100
*NCOPY, CHANGE NUMBER=1000, OLD SET=low, SHIFT, NEW SET=high
0, 0, 1
*ELEMENT, TYPE=C3D8
1, 1, 2, 102, 101, 1001, 1002, 1102, 1101
*ELGEN, ELSET=all
1, 3, 1, 1, 2, 100, 10
*NODE, SYSTEM=C
5001, 2, 0, 7
5005, 2, 90, 7
5000, 0, 0, 7
*NODE
6001, -1
6003, 1
6000, 0, 1
*NGEN, LINE=C, NSET=arc
5001, 5005, 2, 5000
*NGEN, LINE=P
6001, 6003, 1, 6000
)",
                              diagnostics);
  EXPECT_EQ(mesh.cells.size(), 6u);
  EXPECT_EQ(mesh.find_group("low")->nodes.size(), 12u);
  EXPECT_EQ(mesh.find_group("high")->nodes.size(), 12u);
  EXPECT_EQ(mesh.find_group("all")->cells.size(), 6u);
  const auto at = [&](long label) {
    for (std::size_t n = 0; n < mesh.nodes.size(); ++n)
      if (mesh.node_labels[n] == label) return mesh.nodes[n];
    return Vec3(1e9, 0, 0);
  };
  EXPECT_EQ(at(1103), Vec3(2, 1, 1));
  EXPECT_NEAR((at(5003) - Vec3(std::sqrt(2.0), std::sqrt(2.0), 7)).norm(), 0, 1e-14);
  EXPECT_NEAR((at(6002) - Vec3(0, 1, 0)).norm(), 0, 1e-15);
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

// Two thousand million members in a line of forty letters; sets that double each other; a long chain of sets.
TEST(Inp, SetsAreNoLargerThanTheirFile) {
  const std::string nodes = "*NODE\n1, 0, 0, 0\n2, 1, 0, 0\n3, 2, 0, 0\n";
  const std::string line = "*ELEMENT, TYPE=B31\n1, 1, 2\n";
  const auto message = [&](const std::string& more) -> std::string {
    Diagnostics diagnostics;
    try {
      read_text(nodes + line + more, diagnostics);
    } catch (const InputError& e) {
      return e.diagnostics()[0].message;
    }
    return "";
  };
  // What the file does not have is counted, however far the numbers go.
  Diagnostics told;
  read_text(nodes + line + "*NSET, NSET=all, GENERATE\n1, 2000000000\n", told);
  ASSERT_EQ(told.all().size(), 1u);
  EXPECT_EQ(told.all()[0].message, "1999999997 members of node sets are nodes which the file does not have");
  EXPECT_EQ(message("*NSET, NSET=all, GENERATE\n-9223372036854775807, 9223372036854775807, 1\n"),
            "a set from -9223372036854775807 to 9223372036854775807 by 1 is not possible");
  EXPECT_EQ(message("*NSET, NSET=all, GENERATE\n1, 3, 2\n"), "");
  EXPECT_EQ(message("*NSET, NSET=all, GENERATE\n3, 1\n"), "");
  std::string doubling = "*NSET, NSET=s0\n1, 2\n";
  for (int k = 1; k < 60; ++k)
    doubling += "*NSET, NSET=s" + std::to_string(k) + "\ns" + std::to_string(k - 1) + ", s" +
                std::to_string(k - 1) + "\n";
  EXPECT_EQ(message(doubling), "the sets have more than 20000000 members together");
  std::string chain;
  for (int k = 0; k < 3000; ++k)
    chain += "*NSET, NSET=s" + std::to_string(k) + "\ns" + std::to_string(k + 1) + "\n";
  EXPECT_EQ(message(chain + "*NSET, NSET=s3000\n1\n"), "sets name each other more than 1000 deep");
  // Elements that are left out may be named: only those that are there count.
  Diagnostics diagnostics;
  const Mesh mesh = read_text(
      nodes + line + "*ELEMENT, TYPE=GAPUNI\n7, 1, 2\n*ELSET, ELSET=all, GENERATE\n1, 1000000000000\n",
      diagnostics);
  EXPECT_EQ(mesh.find_group("all")->cells, std::vector<int>{0});
}

}  // namespace
}  // namespace tappet::fem::inp_test
