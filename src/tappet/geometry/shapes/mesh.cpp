#include "tappet/geometry/shapes/mesh.hpp"

#include <optional>

#include <fmt/format.h>

#include "tappet/geometry/convex_hull.hpp"
#include "tappet/geometry/convex_mesh.hpp"
#include "tappet/geometry/mesh_faults.hpp"
#include "tappet/geometry/mesh_file.hpp"
#include "tappet/geometry/placement.hpp"

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

namespace {

/// To where it is in its body. A mirrored mesh looks outward again.
void place(TriangleMesh& mesh, const MeshParameters& p, const Origin& origin, Diagnostics& diagnostics) {
  if (p.centred && origin.given("position"))
    diagnostics.error(
        origin.where("position"),
        fmt::format("mesh '{}' is `centred` and has a `position`; give one of them", origin.name));
  const Pose pose =
      place_in_body({p.position, not_given, p.orientation}, origin, Dimension::spatial, diagnostics);
  for (Vec3& v : mesh.vertices) v = pose.point(p.scale * p.stretch.cwiseProduct(v));
  if (p.stretch.prod() < 0)
    for (Triangle& t : mesh.triangles) std::swap(t[1], t[2]);
}

/// Looks outward and encloses a volume, or nothing after an error was reported.
std::optional<TriangleMesh> checked_mesh(TriangleMesh mesh, const MeshParameters& p, const Origin& origin,
                                         const std::string& file, Diagnostics& diagnostics) {
  const MeshFaults faults = find_faults(mesh);
  if (!faults.closed() || ((faults.flipped > 0 || faults.inside_out) && !p.repair)) {
    const char* remedy = faults.closed()
                             ? "; `repair: true` turns them round"
                             : "; a surface that encloses no volume has no inside to touch; `convex: "
                               "true` takes the hull of its vertices instead";
    diagnostics.error(origin.where("file"),
                      fmt::format("mesh {} has {}{}", quote(file), faults.text(), remedy));
    return std::nullopt;
  }
  if (faults.intersecting > 0)
    diagnostics.warning(origin.where("file"),
                        fmt::format("mesh {} has {}: what they enclose twice counts twice in volume and mass",
                                    quote(file), faults.text()));
  if (p.repair) mesh = oriented(mesh);
  const SolidProperties solid = solid_properties(mesh);
  if (!(solid.volume > 0)) {
    diagnostics.error(origin.where("file"), fmt::format("mesh {} encloses no volume", quote(file)));
    return std::nullopt;
  }
  if (p.centred)
    for (Vec3& v : mesh.vertices) v -= solid.centre;
  return mesh;
}

}  // namespace

std::optional<TriangleMesh> read_closed_mesh(const MeshParameters& p, const Origin& origin,
                                             Diagnostics& diagnostics) {
  const std::string file = beside(origin.where("file"), p.file);
  std::optional<TriangleMesh> read = read_mesh_file(file, origin.where("file"), diagnostics);
  if (!read) return std::nullopt;
  const auto refuse = [&](const std::string& key, const std::string& what) {
    diagnostics.error(origin.where(key), what);
    return std::nullopt;
  };
  if (p.stretch.cwiseAbs().minCoeff() == 0)
    return refuse("stretch",
                  fmt::format("`stretch` of mesh '{}' has a factor 0, which leaves no volume", origin.name));
  place(*read, p, origin, diagnostics);
  if (!(diagonal(*read) >= 1e-9 && diagonal(*read) <= 1e9))
    return refuse("file", fmt::format("mesh {} is {:.3g} m across; 1e-9 m to 1e9 m can be computed with",
                                      quote(file), diagonal(*read)));
  TriangleMesh mesh = welded(*read, !std::isnan(p.weld) ? p.weld : 1e-6 * diagonal(*read));
  if (mesh.triangles.empty())
    return refuse("file", fmt::format("mesh {} has no triangle with an area", quote(file)));
  if (p.convex) mesh = hull_mesh(mesh.vertices);
  if (mesh.triangles.empty())
    return refuse("convex", fmt::format("the vertices of mesh {} lie in one plane: their hull has no volume",
                                        quote(file)));
  return checked_mesh(std::move(mesh), p, origin, file, diagnostics);
}

}  // namespace tappet

namespace tappet::shapes::mesh {
namespace {

std::unique_ptr<Shape> make(const MeshParameters& p, const Origin& origin, Dimension,
                            Diagnostics& diagnostics) {
  std::optional<TriangleMesh> mesh = read_closed_mesh(p, origin, diagnostics);
  if (!mesh) return nullptr;
  MeshOptions options{.crease = p.crease};
  if (!std::isnan(p.spacing)) options.spacing = p.spacing;
  return std::make_unique<Mesh>(std::move(*mesh), options);
}

const Registration<ShapeType> registered{
    {.name = "mesh",
     .help = "A closed surface of triangles from an STL, OBJ or COLLADA file",
     .table = spatial_only(table_of<MeshParameters>(
         "a mesh", "A closed surface of triangles from a file",
         {{&MeshParameters::file,
           {.name = "file",
            .kind = Kind::text,
            .help = "STL (text or binary), OBJ or COLLADA (.dae) file, relative to the model file",
            .required = true}},
          {&MeshParameters::scale,
           {.name = "scale",
            .unit = "m",
            .help = "length of the file's unit, such as 1 mm",
            .fallback = "1 m",
            .range = positive()}},
          {&MeshParameters::stretch,
           {.name = "stretch",
            .kind = Kind::vector,
            .help = "factors along the file's axes, besides `scale`; a negative one mirrors",
            .fallback = "1"}},
          {&MeshParameters::orientation, orientation_row()},
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
            .fallback = "false"}},
          {&MeshParameters::convex,
           {.name = "convex",
            .kind = Kind::boolean,
            .help = "take the convex hull of the vertices: of a surface that is open too",
            .fallback = "false"}},
          {&MeshParameters::centred,
           {.name = "centred",
            .kind = Kind::boolean,
            .help = "move it so that the centre of mass of what it encloses is the body's origin",
            .fallback = "false"}}})),
     .make = made_from<make>}};

}  // namespace
}  // namespace tappet::shapes::mesh
