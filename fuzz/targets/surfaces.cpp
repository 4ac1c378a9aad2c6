// Surfaces: STL, OBJ and COLLADA, from bytes. What was read has finite vertices and triangles that name them.
#include <cmath>
#include <string>

#include "tappet/geometry/collada.hpp"
#include "tappet/geometry/mesh_file.hpp"
#include "target.hpp"

namespace tappet::fuzz::surface_targets {
namespace {

void check(const std::optional<TriangleMesh>& mesh, bool refused) {
  if (!mesh) {
    if (!refused) throw Contradiction("neither a mesh nor an error");
    return;
  }
  for (const auto& vertex : mesh->vertices)
    if (!vertex.allFinite()) throw Contradiction("a vertex that is not finite was accepted");
  for (const auto& triangle : mesh->triangles)
    for (const auto corner : triangle)
      if (corner < 0 || static_cast<std::size_t>(corner) >= mesh->vertices.size())
        throw Contradiction("a triangle names a vertex that does not exist");
}

void run_stl(std::string_view input) {
  Diagnostics diagnostics;
  const auto mesh = read_stl(std::string(input), "fuzz.stl", {}, diagnostics);
  check(mesh, diagnostics.has_errors());
}

void run_obj(std::string_view input) {
  Diagnostics diagnostics;
  const auto mesh = read_obj(std::string(input), "fuzz.obj", {}, diagnostics);
  check(mesh, diagnostics.has_errors());
}

void run_dae(std::string_view input) {
  std::string fault;
  const auto mesh = read_collada(std::string(input), fault);
  check(mesh, !fault.empty());
}

const Registration<FuzzTarget> stl{
    {.name = "stl",
     .help = "triangles of STL files, text and binary",
     .examples = {},
     .run = run_stl,
     .words = {"solid ", "facet normal ", "outer loop\n", "vertex ", "endloop\n", "endfacet\n", "endsolid\n",
               "nan", "inf", "1e39", "-0"}}};
const Registration<FuzzTarget> obj{
    {.name = "obj",
     .help = "triangles of OBJ files",
     .examples = {".obj"},
     .run = run_obj,
     .words = {"v ", "vn ", "vt ", "f ", "1/1/1", "-1", "2//2", "g x\n", "o x\n", "usemtl m\n", "\\\n", "#",
               "999999999999", "nan", "1e999"}}};
const Registration<FuzzTarget> dae{{.name = "dae",
                                    .help = "triangles of COLLADA files",
                                    .examples = {},
                                    .run = run_dae,
                                    .words = {"<polylist",
                                              "<triangles",
                                              "<p>",
                                              "</p>",
                                              "<vcount>",
                                              "<node>",
                                              "</node>",
                                              "<matrix>",
                                              "<input ",
                                              "semantic=\"VERTEX\"",
                                              "source=\"#p\"",
                                              "offset=\"0\"",
                                              "<float_array",
                                              "count=\"",
                                              "stride=\"",
                                              "<instance_geometry url=\"#g\"/>",
                                              "<instance_node url=\"#n\"/>",
                                              "<unit meter=\"",
                                              "&amp;",
                                              "<!--",
                                              "-->",
                                              "<![CDATA[",
                                              "]]>",
                                              "<scale>",
                                              "<rotate>",
                                              "<lookat>",
                                              "id=\"n\""}}};

}  // namespace
}  // namespace tappet::fuzz::surface_targets
