#include "tappet/geometry/shapes/mesh.hpp"

#include <optional>

#include <fmt/format.h>

#include "tappet/geometry/convex_mesh.hpp"
#include "tappet/geometry/mesh_faults.hpp"
#include "tappet/geometry/mesh_file.hpp"

namespace tappet {
Mesh::Mesh(TriangleMesh given, const MeshOptions& options)
    : Shape("mesh"),
      mesh(std::move(given)),
      surface(mesh),
      features(
          find_features(mesh, options.crease, options.spacing > 0 ? options.spacing : diagonal(mesh) / 40)),
      facets(mesh),
      vertices(mesh.vertices),
      convex(ConvexMesh::of(mesh, surface)),
      solid_(solid_properties(mesh)) {
  Bounds box;
  for (const Vec3& v : mesh.vertices) box.include(v);
  size_ = 0.5 * (box.high - box.low).minCoeff();
  for (int i = 0; i < 8; ++i)
    hull_.push_back(Vec3(i & 1 ? box.low.x() : box.high.x(), i & 2 ? box.low.y() : box.high.y(),
                         i & 4 ? box.low.z() : box.high.z()));
}

Mesh::Mesh(TriangleMesh given, const MeshOptions& options, const SolidProperties& known)
    : Mesh(std::move(given), options) {
  solid_ = known;
}

Mesh::~Mesh() = default;

Bounds Mesh::bounds(const Pose& pose) const {
  Bounds out;
  for (const Vec3& corner : hull_) out.include(pose.point(corner));
  return out;
}

}  // namespace tappet

namespace tappet::shapes::mesh {
namespace {

/// Looks outward and encloses a volume, or null after an error was reported.
std::unique_ptr<Shape> checked_mesh(TriangleMesh mesh, const MeshParameters& p, const Origin& origin,
                                    const std::string& file, Diagnostics& diagnostics) {
  const MeshFaults faults = find_faults(mesh);
  if (!faults.closed() || ((faults.flipped > 0 || faults.inside_out) && !p.repair)) {
    const char* remedy = faults.closed() ? "; `repair: true` turns them round"
                                         : "; a surface that encloses no volume has no inside to touch";
    diagnostics.error(origin.where("file"),
                      fmt::format("mesh {} has {}{}", quote(file), faults.text(), remedy));
    return nullptr;
  }
  if (faults.intersecting > 0)
    diagnostics.warning(origin.where("file"),
                        fmt::format("mesh {} has {}: what they enclose twice counts twice in volume and mass",
                                    quote(file), faults.text()));
  if (p.repair) mesh = oriented(mesh);
  if (!(solid_properties(mesh).volume > 0)) {
    diagnostics.error(origin.where("file"), fmt::format("mesh {} encloses no volume", quote(file)));
    return nullptr;
  }
  MeshOptions options{.crease = p.crease};
  if (!std::isnan(p.spacing)) options.spacing = p.spacing;
  return std::make_unique<Mesh>(std::move(mesh), options);
}

std::unique_ptr<Shape> make(const MeshParameters& p, const Origin& origin, Dimension,
                            Diagnostics& diagnostics) {
  const std::string file = beside(origin.where("file"), p.file);
  std::optional<TriangleMesh> read = read_mesh_file(file, origin.where("file"), diagnostics);
  if (!read) return nullptr;
  for (Vec3& v : read->vertices) v = p.scale * v + p.position;
  if (!(diagonal(*read) >= 1e-9 && diagonal(*read) <= 1e9)) {
    diagnostics.error(origin.where("file"),
                      fmt::format("mesh {} is {:.3g} m across; 1e-9 m to 1e9 m can be computed with",
                                  quote(file), diagonal(*read)));
    return nullptr;
  }
  const double weld = !std::isnan(p.weld) ? p.weld : 1e-6 * diagonal(*read);
  TriangleMesh mesh = welded(*read, weld);
  if (mesh.triangles.empty()) {
    diagnostics.error(origin.where("file"), fmt::format("mesh {} has no triangle with an area", quote(file)));
    return nullptr;
  }
  return checked_mesh(std::move(mesh), p, origin, file, diagnostics);
}

const Registration<ShapeType> registered{
    {.name = "mesh",
     .help = "A closed surface of triangles from an STL or OBJ file",
     .table = spatial_only(table_of<MeshParameters>(
         "a mesh", "A closed surface of triangles from a file",
         {{&MeshParameters::file,
           {.name = "file",
            .kind = Kind::text,
            .help = "STL (text or binary) or OBJ file, relative to the model file",
            .required = true}},
          {&MeshParameters::scale,
           {.name = "scale",
            .unit = "m",
            .help = "length of the file's unit, such as 1 mm",
            .fallback = "1 m",
            .range = positive()}},
          {&MeshParameters::position,
           {.name = "position",
            .kind = Kind::vector,
            .unit = "m",
            .help = "where the file's origin is, body coordinates",
            .fallback = "0"}},
          {&MeshParameters::crease,
           {.name = "crease",
            .unit = "rad",
            .help = "angle between neighbouring triangles above which their edge is sharp",
            .fallback = "40 deg",
            .range = {.low = 0.01, .high = 3.1}}},
          {&MeshParameters::spacing,
           {.name = "spacing",
            .unit = "m",
            .help = "distance of contact points on long edges and large faces; else a "
                    "fortieth of the diagonal",
            .range = positive()}},
          {&MeshParameters::weld,
           {.name = "weld",
            .unit = "m",
            .help = "vertices nearer than this are one; else a millionth of the diagonal",
            .range = not_negative()}},
          {&MeshParameters::repair,
           {.name = "repair",
            .kind = Kind::boolean,
            .help = "turn triangles round that look the wrong way",
            .fallback = "false"}}})),
     .make = made_from<make>}};

}  // namespace
}  // namespace tappet::shapes::mesh
