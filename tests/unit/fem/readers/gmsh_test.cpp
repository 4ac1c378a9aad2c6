// One tetrahedron of ten nodes, a triangle of its surface and a point, in every variant of the format.
#include <cstdint>
#include <fstream>

#include <gtest/gtest.h>

#include "tappet/fem/mesh_reader.hpp"

namespace tappet::fem::gmsh_test {
namespace {

/// Numbers as text or as bytes.
class Writer {
 public:
  explicit Writer(bool binary) : binary_(binary) {}
  Writer& text(const std::string& s) { return out += s, *this; }
  Writer& i(int v) { return put(static_cast<std::int32_t>(v), v); }
  Writer& n(long v) { return put(static_cast<std::uint64_t>(v), v); }
  Writer& d(double v) { return put(v, v); }
  Writer& end() { return out += "\n", *this; }
  std::string out;

 private:
  template <class T, class V>
  Writer& put(T raw, V shown) {
    if (binary_)
      out.append(reinterpret_cast<const char*>(&raw), sizeof raw);
    else
      out += std::to_string(shown) + " ";
    return *this;
  }
  bool binary_;
};

const double xyz[10][3] = {{0, 0, 0}, {2, 0, 0}, {0, 2, 0}, {0, 0, 2}, {1, 0, 0},
                           {1, 1, 0}, {0, 1, 0}, {0, 0, 1}, {0, 1, 1}, {1, 0, 1}};
// Gmsh: edges 12 23 13 14 34 24.

std::string names() {
  return "$PhysicalNames\n3\n0 7 \"tip\"\n2 1 \"base side\"\n3 2 \"body\"\n$EndPhysicalNames\n";
}

std::string version_2(bool binary) {
  Writer w(binary);
  w.text(binary ? "$MeshFormat\n2.2 1 8\n" : "$MeshFormat\n2.2 0 8\n");
  if (binary) w.i(1).end();
  w.text("$EndMeshFormat\n" + names() + "$Nodes\n10\n");
  for (int k = 0; k < 10; ++k) {
    w.i(11 + k).d(xyz[k][0]).d(xyz[k][1]).d(xyz[k][2]);
    if (!binary) w.end();
  }
  w.text("\n$EndNodes\n$Elements\n3\n");
  const auto head = [&](int label, int type, int group) {
    binary ? w.i(type).i(1).i(2).i(label) : w.i(label).i(type).i(2);
    w.i(group).i(1);
  };
  head(1, 15, 7), w.i(14);
  if (!binary) w.end();
  head(2, 9, 1);
  for (int k : {0, 2, 1, 6, 5, 4}) w.i(11 + k);
  if (!binary) w.end();
  head(3, 11, 2);
  for (int k = 0; k < 10; ++k) w.i(11 + k);
  w.text("\n$EndElements\n");
  return w.out;
}

std::string version_4(bool binary) {
  Writer w(binary);
  w.text(binary ? "$MeshFormat\n4.1 1 8\n" : "$MeshFormat\n4.1 0 8\n");
  if (binary) w.i(1).end();
  w.text("$EndMeshFormat\n" + names() + "$Entities\n");
  w.n(1).n(0).n(1).n(1);
  w.i(5).d(0).d(0).d(2).n(1).i(7);                           // a point, physical 7
  w.i(3).d(0).d(0).d(0).d(2).d(2).d(0).n(1).i(1).n(0);       // a surface, physical 1
  w.i(4).d(0).d(0).d(0).d(2).d(2).d(2).n(1).i(2).n(1).i(3);  // a volume, physical 2, bounded by 3
  w.text("\n$EndEntities\n$Nodes\n");
  w.n(2).n(10).n(11).n(20);
  w.i(0).i(5).i(0).n(1).n(14).d(0).d(0).d(2);
  w.i(3).i(4).i(0).n(9);
  for (int k = 0; k < 10; ++k)
    if (k != 3) w.n(11 + k);
  for (int k = 0; k < 10; ++k)
    if (k != 3) w.d(xyz[k][0]).d(xyz[k][1]).d(xyz[k][2]);
  w.text("\n$EndNodes\n$Elements\n");
  w.n(3).n(3).n(1).n(3);
  w.i(0).i(5).i(15).n(1).n(1).n(14);
  w.i(2).i(3).i(9).n(1).n(2);
  for (int k : {0, 2, 1, 6, 5, 4}) w.n(11 + k);
  w.i(3).i(4).i(11).n(1).n(3);
  for (int k = 0; k < 10; ++k) w.n(11 + k);
  w.text("\n$EndElements\n");
  return w.out;
}

std::string version_40(bool binary) {
  Writer w(binary);
  w.text(binary ? "$MeshFormat\n4.0 1 8\n" : "$MeshFormat\n4.0 0 8\n");
  if (binary) w.i(1).end();
  w.text("$EndMeshFormat\n" + names() + "$Entities\n");
  w.n(1).n(0).n(1).n(1);
  w.i(5).d(0).d(0).d(2).d(0).d(0).d(2).n(1).i(7);  // a point has a box here too
  w.i(3).d(0).d(0).d(0).d(2).d(2).d(0).n(1).i(1).n(0);
  w.i(4).d(0).d(0).d(0).d(2).d(2).d(2).n(1).i(2).n(1).i(3);
  w.text("\n$EndEntities\n$Nodes\n");
  w.n(2).n(10);
  w.i(5).i(0).i(0).n(1).i(14).d(0).d(0).d(2);
  w.i(4).i(3).i(0).n(9);
  for (int k = 0; k < 10; ++k)
    if (k != 3) w.i(11 + k).d(xyz[k][0]).d(xyz[k][1]).d(xyz[k][2]);
  w.text("\n$EndNodes\n$Elements\n");
  w.n(3).n(3);
  w.i(5).i(0).i(15).n(1).i(1).i(14);
  w.i(3).i(2).i(9).n(1).i(2);
  for (int k : {0, 2, 1, 6, 5, 4}) w.i(11 + k);
  w.i(4).i(3).i(11).n(1).i(3);
  for (int k = 0; k < 10; ++k) w.i(11 + k);
  w.text("\n$EndElements\n");
  return w.out;
}

/// Groups have no names there.
std::string version_1() {
  Writer w(false);
  w.text("$NOD\n10\n");
  for (int k = 0; k < 10; ++k) w.i(11 + k).d(xyz[k][0]).d(xyz[k][1]).d(xyz[k][2]).end();
  w.text("$ENDNOD\n$ELM\n3\n1 15 7 1 1 14\n2 9 1 1 6 ");
  for (int k : {0, 2, 1, 6, 5, 4}) w.i(11 + k);
  w.text("\n3 11 2 1 10 ");
  for (int k = 0; k < 10; ++k) w.i(11 + k);
  w.text("\n$ENDELM\n");
  return w.out;
}

Mesh read_text(const std::string& text) {
  Diagnostics diagnostics;
  Mesh mesh = MeshFormatRegistry::instance().find(".msh")->read("t.msh", text, diagnostics);
  mesh.finish_groups();
  return mesh;
}

TEST(Gmsh, EveryVariantGivesTheSameMesh) {
  for (const std::string& text : {version_2(false), version_2(true), version_4(false), version_4(true),
                                  version_40(false), version_40(true)}) {
    const Mesh mesh = read_text(text);
    ASSERT_EQ(mesh.nodes.size(), 10u);
    ASSERT_EQ(mesh.cells.size(), 3u);
    EXPECT_EQ(mesh.cells[2].shape, CellShape::tetrahedron10);
    // Mid-edge nodes are where our order has them.
    const auto own = mesh.nodes_of(2);
    const int edges[6][2] = {{0, 1}, {1, 2}, {2, 0}, {0, 3}, {1, 3}, {2, 3}};
    for (int e = 0; e < 6; ++e)
      EXPECT_LT((mesh.nodes[own[4 + e]] - 0.5 * (mesh.nodes[own[edges[e][0]]] + mesh.nodes[own[edges[e][1]]]))
                    .norm(),
                1e-15);
    ASSERT_TRUE(mesh.find_group("base side"));
    EXPECT_EQ(mesh.find_group("base side")->nodes.size(), 6u);
    ASSERT_TRUE(mesh.find_group("tip"));
    EXPECT_EQ(mesh.label_of_node(mesh.find_group("tip")->nodes[0]), 14);
    EXPECT_EQ(mesh.find_group("body")->cells.size(), 1u);
  }
}

TEST(Gmsh, TheFirstVersionIsRead) {
  const Mesh mesh = read_text(version_1());
  ASSERT_EQ(mesh.nodes.size(), 10u);
  ASSERT_EQ(mesh.cells.size(), 3u);
  EXPECT_EQ(mesh.find_group("1")->nodes.size(), 6u);
  EXPECT_EQ(mesh.label_of_node(mesh.find_group("7")->nodes[0]), 14);
}

// Bricks and wedges with nodes on their edges, in Gmsh's order: every such node is between the two corners that it belongs to
// here. With and without nodes inside faces and cells.
TEST(Gmsh, NodesOnEdgesAreBroughtIntoOrder) {
  struct Kind {
    int type, corners, more;
    CellShape shape;
    std::vector<std::pair<int, int>> gmsh, here;
  };
  const std::vector<std::pair<int, int>> brick_gmsh = {{0, 1}, {0, 3}, {0, 4}, {1, 2}, {1, 5}, {2, 3},
                                                       {2, 6}, {3, 7}, {4, 5}, {4, 7}, {5, 6}, {6, 7}},
                                         brick = {{0, 1}, {1, 2}, {2, 3}, {3, 0}, {4, 5}, {5, 6},
                                                  {6, 7}, {7, 4}, {0, 4}, {1, 5}, {2, 6}, {3, 7}},
                                         wedge_gmsh = {{0, 1}, {0, 2}, {0, 3}, {1, 2}, {1, 4},
                                                       {2, 5}, {3, 4}, {3, 5}, {4, 5}},
                                         wedge = {{0, 1}, {1, 2}, {2, 0}, {3, 4}, {4, 5},
                                                  {5, 3}, {0, 3}, {1, 4}, {2, 5}},
                                         face = {{0, 1}, {1, 2}, {2, 3}, {3, 0}};
  for (const Kind& kind : {Kind{17, 8, 0, CellShape::hexahedron20, brick_gmsh, brick},
                           Kind{12, 8, 7, CellShape::hexahedron20, brick_gmsh, brick},
                           Kind{18, 6, 0, CellShape::wedge15, wedge_gmsh, wedge},
                           Kind{13, 6, 3, CellShape::wedge15, wedge_gmsh, wedge},
                           Kind{16, 4, 0, CellShape::quadrangle8, face, face},
                           Kind{10, 4, 1, CellShape::quadrangle8, face, face}}) {
    std::vector<Vec3> x;
    for (int k = 0; k < kind.corners; ++k) x.push_back(Vec3(k, k * k, 1.0 / (1 + k)));
    for (const auto& [a, b] : kind.gmsh) x.push_back(0.5 * (x[a] + x[b]));
    for (int k = 0; k < kind.more; ++k) x.push_back(Vec3(-k, -1, -1));
    Writer w(false);
    w.text("$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$Nodes\n").i(static_cast<int>(x.size())).end();
    for (std::size_t k = 0; k < x.size(); ++k)
      w.i(static_cast<int>(k) + 1).d(x[k].x()).d(x[k].y()).d(x[k].z()).end();
    w.text("$EndNodes\n$Elements\n1\n1 ").i(kind.type).text("2 0 1 ");
    for (std::size_t k = 0; k < x.size(); ++k) w.i(static_cast<int>(k) + 1);
    w.text("\n$EndElements\n");
    const Mesh mesh = read_text(w.out);
    ASSERT_EQ(mesh.cells.size(), 1u) << kind.type;
    EXPECT_EQ(mesh.cells[0].shape, kind.shape);
    const auto own = mesh.nodes_of(0);
    for (std::size_t e = 0; e < kind.here.size(); ++e) {
      const Vec3 expected =
          0.5 * (mesh.nodes[own[kind.here[e].first]] + mesh.nodes[own[kind.here[e].second]]);
      EXPECT_LT((mesh.nodes[own[kind.corners + e]] - expected).norm(), 1e-5) << kind.type << ", edge " << e;
    }
  }
}

TEST(Gmsh, FaultsNameFileAndLine) {
  const auto message = [](const std::string& text) -> std::string {
    try {
      read_text(text);
    } catch (const InputError& e) {
      return e.diagnostics()[0].text();
    }
    return "";
  };
  EXPECT_EQ(message("hello"), "t.msh:1: error: 'hello' stands where a section such as $Nodes should begin");
  EXPECT_EQ(message("$MeshFormat\n3.0 0 8\n$EndMeshFormat\n"),
            "t.msh:3: error: version 3 of Gmsh's format is not read; 1, 2.2, 4.0 and 4.1 are");
  std::string broken = version_2(false);
  broken.replace(broken.find("$Nodes\n10") + 7, 2, "9\n");
  EXPECT_NE(message(broken).find("refers to node 20, which the file does not have"), std::string::npos)
      << message(broken);
  // Cut anywhere, a file is refused and never crashes.
  for (bool binary : {false, true})
    for (const std::string& whole : {version_2(binary), version_4(binary), version_40(binary)})
      for (std::size_t cut = 0; cut + 14 < whole.size(); cut += 7)
        EXPECT_FALSE(message(whole.substr(0, cut)).empty()) << cut;
}

// Damaged anywhere, a file is read or refused with a sentence; it never ends the program, or takes all memory.
TEST(Gmsh, DamagedFilesAreReadOrRefused) {
  int refused = 0, read = 0;
  for (bool binary : {false, true})
    for (const std::string& whole : {version_2(binary), version_4(binary), version_40(binary), version_1()})
      for (std::size_t at = 0; at < whole.size(); ++at)
        for (const char put : {'\0', '\xff', '9', '-', ' ', '\n'}) {
          std::string damaged = whole;
          damaged[at] = put;
          try {
            read_text(damaged);
            ++read;
          } catch (const InputError& e) {
            EXPECT_FALSE(e.diagnostics().empty());
            ++refused;
          }
        }
  EXPECT_GT(refused, 1000);
  EXPECT_GT(read, 1000);
}

}  // namespace
}  // namespace tappet::fem::gmsh_test
