// A straight line of beams.
#include "tappet/fem/generator.hpp"

namespace tappet::fem {

Mesh generate_beam(const Vec3& from, const Vec3& to, int elements) {
  Mesh mesh;
  mesh.source = "beam";
  for (int i = 0; i <= elements; ++i) mesh.nodes.push_back(from + (to - from) * i / elements);
  for (int i = 0; i < elements; ++i) {
    const int c[2] = {i, i + 1};
    mesh.group("all").cells.push_back(mesh.add_cell(CellShape::line, c));
  }
  mesh.group("start").nodes = {0};
  mesh.group("end").nodes = {elements};
  mesh.finish_groups();
  return mesh;
}

}  // namespace tappet::fem

namespace tappet::fem::generators::beam {
namespace {

Mesh make(const Object& o, Diagnostics& diagnostics) {
  const auto &a = o.vector("from"), &b = o.vector("to");
  const Vec3 from(a[0], a[1], a[2]), to(b[0], b[1], b[2]);
  if ((to - from).norm() > 0) return generate_beam(from, to, o.integer("elements"));
  diagnostics.error(o.where("to"), "a beam has no length: `from` and `to` are the same place");
  return {};
}

Parameter end_parameter(const std::string& name, const std::string& help) {
  return {.name = name, .kind = Kind::vector, .unit = "m", .help = help, .required = true, .length = 3};
}

const Registration<Generator> registered{
    {.name = "beam",
     .help = "a straight line of beams",
     .table = {.name = "a beam",
               .help = "A straight line of beams; groups `start`, `end` and `all`",
               .parameters = {end_parameter("from", "its first node"),
                              end_parameter("to", "its last node"),
                              {.name = "elements",
                               .kind = Kind::integer,
                               .help = "how many",
                               .required = true,
                               .range = {.low = 1, .high = 100000}}}},
     .make = make}};

}  // namespace
}  // namespace tappet::fem::generators::beam
