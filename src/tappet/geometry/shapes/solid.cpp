#include "tappet/geometry/shapes/solid.hpp"

#include <cmath>

#include <fmt/format.h>

#include "tappet/geometry/mesh_faults.hpp"
#include "tappet/geometry/mesh_file.hpp"
#include "tappet/geometry/shapes/box.hpp"
#include "tappet/geometry/shapes/capsule.hpp"
#include "tappet/geometry/shapes/cylinder.hpp"
#include "tappet/geometry/shapes/sphere.hpp"
#include "tappet/geometry/tessellation.hpp"

namespace tappet {
Solid::Solid(const ExactBody& body, TriangleMesh mesh, double tolerance)
    : Shape("solid"),
      surface(body, tolerance),
      mesh_(std::move(mesh)),
      tolerance_(tolerance),
      properties_(body.properties()) {}

// The surface is nowhere farther from the mesh than the tolerance.
Bounds Solid::bounds(const Pose& pose) const {
  const Bounds out = mesh_.bounds(pose);
  return {out.low.array() - tolerance_, out.high.array() + tolerance_};
}

const std::vector<std::string>& solid_kinds() {
  static const std::vector<std::string> kinds{"box", "capsule", "cylinder", "sphere"};
  return kinds;
}

std::unique_ptr<Solid> solidified(const Shape& shape) {
  std::unique_ptr<ExactBody> body;
  Pose place;
  if (shape.kind() == "sphere") {
    const auto& s = static_cast<const Sphere&>(shape);
    body = exact_ball(s.R);
    place.r = s.centre;
  } else if (shape.kind() == "box") {
    const auto& s = static_cast<const Box&>(shape);
    body = exact_box(s.half);
    place = s.place;
  } else if (shape.kind() == "cylinder") {
    const auto& s = static_cast<const Cylinder&>(shape);
    body = exact_cylinder(s.R, s.half);
    place = s.place;
  } else if (shape.kind() == "capsule") {
    const auto& s = static_cast<const Capsule&>(shape);
    body = exact_capsule(s.R, (s.b - s.a).norm() / 2);
    place = {Eigen::Quaterniond::FromTwoVectors(Vec3::UnitZ(), s.direction).toRotationMatrix(),
             (s.a + s.b) / 2};
  }
  if (!body) return nullptr;
  body = body->placed(1, place);
  // Searches begin with our own mesh, which is as convex as the shape.
  const double tolerance = 1e-2 * shape.size();
  return std::make_unique<Solid>(*body, TriangleMesh(tessellate(shape, tolerance)->mesh), tolerance);
}

}  // namespace tappet

namespace tappet::shapes::solid {
namespace {

std::unique_ptr<Shape> make(const SolidParameters& p, const Origin& origin, Dimension,
                            Diagnostics& diagnostics) {
  const std::string file = beside(origin.where("file"), p.file);
  const std::unique_ptr<ExactBody> read = read_exact_body(file, origin.where("file"), diagnostics);
  if (!read) return nullptr;
  const auto refuse = [&](const std::string& what) {
    diagnostics.error(origin.where("file"), what);
    return nullptr;
  };
  const double scale = p.scale, across = scale * read->diagonal();
  if (!(across >= 1e-9 && across <= 1e9))
    return refuse(fmt::format("solid {} is {:.3g} m across; 1e-9 m to 1e9 m can be computed with",
                              quote(file), across));
  const std::unique_ptr<ExactBody> body = read->placed(scale, {Mat3::Identity(), p.position});
  const double tolerance = !std::isnan(p.tolerance) ? p.tolerance : 1e-3 * across;
  TriangleMesh mesh = body->mesh(tolerance);
  if (mesh.triangles.empty()) return refuse(fmt::format("solid {} cannot be meshed", quote(file)));
  const MeshFaults faults = find_faults(mesh);
  if (!faults.closed() || faults.flipped > 0 || faults.inside_out)
    return refuse(fmt::format("the mesh of solid {} has {}; its faces do not fit together", quote(file),
                              faults.text()));
  return std::make_unique<Solid>(*body, std::move(mesh), tolerance);
}

const Registration<ShapeType> registered{
    {.name = "solid",
     .help = "A solid from a STEP or BREP file",
     .table = spatial_only(table_of<SolidParameters>(
         "a solid", "A solid from a CAD file; needs OpenCASCADE when Tappet is built",
         {{&SolidParameters::file,
           {.name = "file",
            .kind = Kind::text,
            .help = "STEP or BREP file, relative to the model file",
            .required = true}},
          {&SolidParameters::scale,
           {.name = "scale",
            .unit = "m",
            .help = "length of the file's unit; STEP files are read in millimetres whatever theirs is",
            .fallback = "1 mm",
            .range = positive()}},
          {&SolidParameters::position,
           {.name = "position",
            .kind = Kind::vector,
            .unit = "m",
            .help = "where the file's origin is, body coordinates",
            .fallback = "0"}},
          {&SolidParameters::tolerance,
           {.name = "tolerance",
            .unit = "m",
            .help = "how far its mesh, for `engine: polygon` and for pictures, may be from it; else a "
                    "thousandth of the diagonal",
            .range = positive()}}})),
     .make = made_from<make>}};

}  // namespace
}  // namespace tappet::shapes::solid
