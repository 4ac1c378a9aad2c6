// A solid from a CAD file. Its mass properties are those of its exact surfaces; it touches by a mesh of them.
#include <cmath>

#include <fmt/format.h>

#include "tappet/geometry/exact_body.hpp"
#include "tappet/geometry/mesh_file.hpp"
#include "tappet/geometry/shapes/mesh.hpp"

namespace tappet {
namespace {

/// Of the file's unit and axes, in metres and body coordinates.
SolidProperties placed(const SolidProperties& s, double scale, const Vec3& at) {
  return {std::pow(scale, 3) * s.volume, scale * s.centre + at, std::pow(scale, 5) * s.inertia};
}

std::unique_ptr<Shape> make(const Object& object, Dimension, Diagnostics& diagnostics) {
  const std::string file = beside(object.where("file"), object.text("file"));
  const std::unique_ptr<ExactBody> body = read_exact_body(file, object.where("file"), diagnostics);
  if (!body) return nullptr;
  const double scale = object.number("scale");
  const auto& position = object.vector("position");
  const Vec3 at(position[0], position[1], position[2]);
  const double tolerance =
      object.has("tolerance") ? object.number("tolerance") / scale : 1e-3 * body->diagonal();

  TriangleMesh mesh = body->mesh(tolerance);
  if (mesh.triangles.empty()) {
    diagnostics.error(object.where("file"), fmt::format("solid {} cannot be meshed", quote(file)));
    return nullptr;
  }
  const MeshFaults faults = find_faults(mesh);
  if (!faults.closed() || faults.flipped > 0 || faults.inside_out) {
    diagnostics.error(object.where("file"),
                      fmt::format("the mesh of solid {} has {}; its faces do not fit together", quote(file),
                                  faults.text()));
    return nullptr;
  }
  for (Vec3& v : mesh.vertices) v = scale * v + at;
  return std::make_unique<Mesh>(std::move(mesh), MeshOptions{}, placed(body->properties(), scale, at));
}

const Registration<ShapeType> registered{
    {.name = "solid",
     .help = "A solid from a STEP or BREP file",
     .table =
         {.name = "a solid",
          .help = "A solid from a CAD file; needs OpenCASCADE when Tappet is built",
          .parameters =
              {{.name = "file",
                .kind = Kind::text,
                .help = "STEP or BREP file, relative to the model file",
                .required = true},
               {.name = "scale",
                .unit = "m",
                .help = "length of the file's unit; STEP files are read in millimetres whatever theirs is",
                .fallback = "1 mm",
                .range = positive()},
               {.name = "position",
                .kind = Kind::vector,
                .unit = "m",
                .help = "where the file's origin is, body coordinates",
                .fallback = "0"},
               {.name = "tolerance",
                .unit = "m",
                .help =
                    "how far the mesh that touches may be from the solid; else a thousandth of the diagonal",
                .range = positive()}},
          .planar = false},
     .make = make}};

}  // namespace
}  // namespace tappet
