// One tetrahedron of ten nodes, a triangle of its surface and a point, in every variant of the format.
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <map>

#include <gtest/gtest.h>

#include "support/paths.hpp"
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

// A brick and a wedge beside it, with their feet, as Gmsh 4.8.4 wrote them in November 2026 (gmsh/part.geo; `gmsh part.geo -3
// -order 2 -format msh41 -bin`): all its versions, and its .inp. With -part in
// their names: cut in two by `-part 2`, so that elements belong to entities that the cut has made.
TEST(Gmsh, FilesThatItWroteAreRead) {
  const std::filesystem::path folder =
      std::filesystem::path(testing::source_dir()) / "tests" / "unit" / "fem" / "readers" / "gmsh";
  int read = 0;
  for (const auto& file : std::filesystem::directory_iterator(folder)) {
    const std::string name = file.path().filename().string();
    if (name.ends_with(".geo") || name.starts_with("tets")) continue;
    ++read;
    Diagnostics diagnostics;
    const Mesh mesh = read_mesh(file.path().string(), {}, diagnostics);
    EXPECT_FALSE(diagnostics.has_errors())
        << name << (diagnostics.all().empty() ? "" : diagnostics.all()[0].text());
    const bool quadratic = name.find("-2") != std::string::npos, first = name.starts_with("msh1-");
    EXPECT_EQ(mesh.nodes.size(), quadratic ? 36u : 10u) << name;
    int solids = 0;
    for (int c = 0; c < static_cast<int>(mesh.cells.size()); ++c) {
      const CellShape shape = mesh.cells[c].shape;
      if (dimension(shape) < 3) continue;
      ++solids;
      const bool brick = shape == CellShape::hexahedron || shape == CellShape::hexahedron20;
      EXPECT_EQ(shape, brick ? (quadratic ? CellShape::hexahedron20 : CellShape::hexahedron)
                             : (quadratic ? CellShape::wedge15 : CellShape::wedge))
          << name;
      // The first nodes are the foot's, and those on edges are in the middle of theirs, up to Gmsh's own 2e-12.
      const auto own = mesh.nodes_of(c);
      const int corners = brick ? 8 : 6, half = corners / 2;
      for (int k = 0; k < half; ++k) {
        EXPECT_NEAR(std::abs(mesh.nodes[own[k]].z() - mesh.nodes[own[k + half]].z()), 0.5, 1e-12) << name;
        if (!quadratic) continue;
        const Vec3 middle = 0.5 * (mesh.nodes[own[k]] + mesh.nodes[own[(k + 1) % half]]),
                   upright = 0.5 * (mesh.nodes[own[k]] + mesh.nodes[own[k + half]]);
        EXPECT_LT((mesh.nodes[own[corners + k]] - middle).norm(), 1e-11) << name;
        EXPECT_LT((mesh.nodes[own[corners + corners + k]] - upright).norm(), 1e-11) << name;
      }
    }
    EXPECT_EQ(solids, 2) << name;
    if (first) continue;  // knows numbers of groups only, the same for faces and solids
    for (const char* group : {"foot", "brick", "wedge", "corner"})
      EXPECT_TRUE(mesh.find_group(group)) << name << ' ' << group;
    EXPECT_EQ(mesh.find_group("corner")->nodes.size(), 1u) << name;
    EXPECT_EQ(mesh.find_group("brick")->cells.size(), 1u) << name;
  }
  EXPECT_EQ(read, 17);
}

// A tetrahedron with a foot and an edge of its own, quadratic, in Gmsh's .inp: C3D10, CPS6 and T3D3.
TEST(Gmsh, ItsInpFilesAreRead) {
  const std::string path = testing::source_dir() + "/tests/unit/fem/readers/gmsh/tets-2.inp";
  Diagnostics diagnostics;
  const Mesh mesh = read_mesh(path, {}, diagnostics);
  EXPECT_FALSE(diagnostics.has_errors());
  std::map<CellShape, int> shapes;
  double volume = 0;
  for (int c = 0; c < static_cast<int>(mesh.cells.size()); ++c) {
    ++shapes[mesh.cells[c].shape];
    const auto own = mesh.nodes_of(c);
    const auto x = [&](int k) { return mesh.nodes[own[k]]; };
    if (mesh.cells[c].shape == CellShape::line3) {
      EXPECT_LT((x(2) - 0.5 * (x(0) + x(1))).norm(), 1e-11);
    }
    if (mesh.cells[c].shape != CellShape::tetrahedron10) continue;
    volume += (x(1) - x(0)).cross(x(2) - x(0)).dot(x(3) - x(0)) / 6;
    const int edges[6][2] = {{0, 1}, {1, 2}, {2, 0}, {0, 3}, {1, 3}, {2, 3}};
    for (int e = 0; e < 6; ++e)
      EXPECT_LT((x(4 + e) - 0.5 * (x(edges[e][0]) + x(edges[e][1]))).norm(), 1e-11) << e;
  }
  EXPECT_NEAR(volume, 1.0 / 6, 1e-12);
  EXPECT_GT(shapes[CellShape::tetrahedron10], 0);
  EXPECT_GT(shapes[CellShape::triangle6], 0);
  EXPECT_GT(shapes[CellShape::line3], 0);
  // Its faces are called CPS6, and stand upright.
  for (const Cell& cell : mesh.cells) EXPECT_NE(cell.use, CellUse::plane_stress);
  for (const char* group : {"foot", "edge", "body"}) EXPECT_TRUE(mesh.find_group(group)) << group;
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
