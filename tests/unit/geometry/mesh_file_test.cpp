#include "tappet/geometry/mesh_file.hpp"

#include <bit>
#include <cstdint>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/folder_test.hpp"
#include "tappet/geometry/mesh_builders.hpp"
#include "tappet/geometry/mesh_faults.hpp"

namespace tappet::mesh_file_test {
namespace {

using ::testing::HasSubstr;

void append(std::string& out, std::uint32_t bits) {
  for (int k = 0; k < 4; ++k) out += static_cast<char>(bits >> (8 * k));
}

std::string binary_stl(const TriangleMesh& mesh) {
  std::string out(80, ' ');
  out.replace(0, 5, "solid");  // some writers begin binary files like text files
  append(out, static_cast<std::uint32_t>(mesh.triangles.size()));
  for (const Triangle& t : mesh.triangles) {
    for (int k = 0; k < 3; ++k) append(out, 0);
    for (const int v : t)
      for (int k = 0; k < 3; ++k)
        append(out, std::bit_cast<std::uint32_t>(static_cast<float>(mesh.vertices[v][k])));
    out += std::string(2, '\0');
  }
  return out;
}

std::string text_stl(const TriangleMesh& mesh, const char* newline) {
  std::string out = std::string("solid part") + newline;
  for (const Triangle& t : mesh.triangles) {
    out += std::string(" facet normal 0 0 0") + newline + "  outer loop" + newline;
    for (const int v : t) {
      out += "   vertex";
      for (int k = 0; k < 3; ++k) (out += " ") += std::to_string(mesh.vertices[v][k]);
      out += newline;
    }
    out += std::string("  endloop") + newline + " endfacet" + newline;
  }
  return out + "endsolid part" + newline;
}

/// What a reader says about bad bytes; "" when it takes them.
template <class Reader>
std::string complaint(const Reader& reader, const std::string& bytes) {
  Diagnostics diagnostics;
  const auto mesh = reader(bytes, "part", {}, diagnostics);
  EXPECT_EQ(mesh.has_value(), !diagnostics.has_errors());
  return diagnostics.all().empty() ? "" : diagnostics.all()[0].message;
}

TEST(MeshFile, StlOfBothKindsGivesTheSameBox) {
  const TriangleMesh box = box_mesh(Vec3(1, 2, 0.5));
  for (const std::string& bytes : {binary_stl(box), text_stl(box, "\n"), text_stl(box, "\r\n")}) {
    Diagnostics diagnostics;
    const auto read = read_stl(bytes, "box.stl", {}, diagnostics);
    ASSERT_TRUE(read);
    const TriangleMesh mesh = welded(*read, 1e-6);
    EXPECT_EQ(mesh.vertices.size(), 8u);
    EXPECT_NEAR(solid_properties(mesh).volume, 8, 1e-12);
  }
}

TEST(MeshFile, ObjWithPolygonsTexturesAndCountingBackwards) {
  Diagnostics diagnostics;
  const auto read = read_obj(
      "# a pyramid\nv 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0 1.0\nvt 0 0\n\nf 4/1 3/1 2/1 1/1\nv .5 .5 +1\nf 1 2 "
      "-1\nf 2//1 3//1 5//1\n"
      "f 3 4 5\nf 4 1 5\n",
      "pyramid.obj", {}, diagnostics);
  ASSERT_TRUE(read);
  EXPECT_EQ(read->triangles.size(), 6u);
  EXPECT_FALSE(find_faults(*read).any()) << find_faults(*read).text();
  EXPECT_NEAR(solid_properties(*read).volume, 1.0 / 3, 1e-15);
}

TEST(MeshFile, BadStlIsASentence) {
  const TriangleMesh box = box_mesh(Vec3(1, 1, 1));
  const std::string good = binary_stl(box), text = text_stl(box, "\n");
  EXPECT_THAT(complaint(read_stl, good.substr(0, 84 + 50 * 7 + 13)),
              HasSubstr("announces 12 triangles and ends after 7"));
  EXPECT_THAT(complaint(read_stl, good.substr(5, 40)), HasSubstr("40 bytes are too few"));
  EXPECT_THAT(complaint(read_stl, binary_stl({})), HasSubstr("holds no triangles"));
  EXPECT_THAT(complaint(read_stl, text.substr(0, text.size() / 2)), HasSubstr("without `endsolid`"));
  EXPECT_THAT(complaint(read_stl, "solid a\nendsolid a\n"), HasSubstr("holds no triangles"));
  EXPECT_THAT(complaint(read_stl, "solid a\nfacet\nouter loop\nvertex 1 nan 2\n"),
              HasSubstr("line 4: 'vertex 1 nan 2'"));
  EXPECT_THAT(complaint(read_stl, "solid a\nvertex 1 2\n"), HasSubstr("three finite numbers"));
  EXPECT_THAT(complaint(read_stl, "solid a\nvertex 1 2 3\nvertex 1 2 4\nendloop\n"),
              HasSubstr("a facet of 2 vertices"));

  std::string infinite = good;
  infinite.replace(84 + 50 * 2 + 12, 4, std::string("\x00\x00\x80\x7f", 4));
  EXPECT_THAT(complaint(read_stl, infinite), HasSubstr("triangle 3 has a coordinate that is not finite"));
  // A count that would need more memory than there is.
  std::string huge = good;
  huge.replace(80, 4, "\xff\xff\xff\xff");
  EXPECT_THAT(complaint(read_stl, huge), HasSubstr("announces 4294967295 triangles and ends after 12"));
}

TEST(MeshFile, BadObjIsASentence) {
  const std::string points = "v 0 0 0\nv 1 0 0\nv 0 1 0\n";
  EXPECT_THAT(complaint(read_obj, points + "f 1 2 4\n"),
              HasSubstr("line 4: face corner '4' names none of the 3 vertices"));
  EXPECT_THAT(complaint(read_obj, points + "f 0 1 2\n"), HasSubstr("'0'"));
  EXPECT_THAT(complaint(read_obj, points + "f -4 1 2\n"), HasSubstr("'-4'"));
  EXPECT_THAT(complaint(read_obj, points + "f 1 2 99999999999999999999\n"), HasSubstr("names none"));
  EXPECT_THAT(complaint(read_obj, points + "f 1 x 2\n"), HasSubstr("'x'"));
  EXPECT_THAT(complaint(read_obj, points + "f 1 2\n"), HasSubstr("a face of 2 vertices"));
  EXPECT_THAT(complaint(read_obj, "v 0 inf 0\n"), HasSubstr("line 1: 'v 0 inf 0'"));
  EXPECT_THAT(complaint(read_obj, "v 1e999 0 0\n"), HasSubstr("three finite numbers"));
  EXPECT_THAT(complaint(read_obj, points), HasSubstr("holds no triangles"));
}

// Any cut and any changed byte of a good file gives a mesh or a sentence, never a crash.
TEST(MeshFile, DamagedFilesNeverCrash) {
  const TriangleMesh box = box_mesh(Vec3(1, 1, 1));
  const std::string obj = "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n";
  for (const std::string& good : {binary_stl(box), text_stl(box, "\n"), obj})
    for (std::size_t i = 0; i < good.size(); ++i) {
      std::string changed = good;
      changed[i] = static_cast<char>(changed[i] ^ (1 << (i % 8)));
      for (const std::string& bytes : {good.substr(0, i), changed}) {
        complaint(read_stl, bytes);
        complaint(read_obj, bytes);
      }
    }
}

TEST(MeshFile, FilesAreFoundBesideTheModel) {
  const SourcePos pos{std::make_shared<const std::string>("models/arm/model.yaml"), 3, 1};
  EXPECT_EQ(beside(pos, "part.stl"), "models/arm/part.stl");
  EXPECT_EQ(beside(pos, "/part.stl"), "/part.stl");
  EXPECT_EQ(beside({}, "part.stl"), "part.stl");
}

class MeshFiles : public FolderTest {};

TEST_F(MeshFiles, ThatCannotBeRead) {
  write("empty.stl", "");
  write("part.ply", "ply\n");
  const auto said = [&](const std::string& name) {
    Diagnostics diagnostics;
    EXPECT_FALSE(read_mesh_file(path(name), {}, diagnostics));
    return diagnostics.all().at(0).message;
  };
  EXPECT_THAT(said("none.stl"), HasSubstr("there is no such file"));
  EXPECT_THAT(said(""), HasSubstr("it is a directory"));
  EXPECT_THAT(said("empty.stl"), HasSubstr("it is empty"));
  EXPECT_THAT(said("part.ply"), HasSubstr("'.ply' is not one of .stl, .obj and .dae"));
}

}  // namespace
}  // namespace tappet::mesh_file_test
