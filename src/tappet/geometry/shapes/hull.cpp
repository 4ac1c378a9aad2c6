#include "tappet/geometry/shapes/hull.hpp"

#include <fmt/format.h>

#include "tappet/geometry/face_contact.hpp"
#include "tappet/geometry/placement.hpp"

namespace tappet {

Hull::Hull(Polyhedron shape)
    : PolyhedralShape("hull", std::move(shape), {}), centre_(polyhedron.solid().centre) {
  for (const Vec3& corner : polyhedron.corners) reach_ = std::max(reach_, (corner - centre_).norm());
  size_ = reach_;  // the nearest face
  for (const auto& face : polyhedron.faces) size_ = std::min(size_, face.offset - face.normal.dot(centre_));
}

}  // namespace tappet

namespace tappet::shapes::hull {
namespace {

constexpr std::size_t most_points = 2000;

std::unique_ptr<Shape> make(const HullParameters& p, const Origin& origin, Dimension dimension,
                            Diagnostics& diagnostics) {
  const Pose place = placement_of(p, origin, dimension, diagnostics);
  std::vector<Vec3> points = p.points;
  const auto refuse = [&](const std::string& what) {
    diagnostics.error(origin.where("points"), fmt::format("the `points` of hull '{}' {}", origin.name, what));
    return nullptr;
  };
  if (points.size() < 4) return refuse(fmt::format("are {}; a hull needs at least 4", points.size()));
  if (points.size() > most_points)
    return refuse(fmt::format("are {}; at most {} are allowed, a finer surface is a `mesh`", points.size(),
                              most_points));
  for (Vec3& point : points) point = place.point(point);
  std::optional<Polyhedron> hull = Polyhedron::hull_of(points);
  if (!hull) return refuse("lie in one plane, on one line or at one place; a hull needs a volume");
  if (hull->corners.size() > PolyhedralShape::most_corners)
    return refuse(
        fmt::format("make a hull of {} corners; at most {} are allowed, a finer surface is a `mesh`",
                    hull->corners.size(), PolyhedralShape::most_corners));
  for (const auto& face : hull->faces)
    if (face.loop.size() > Facet::most)
      return refuse(
          fmt::format("make a face of {} corners; at most {} are allowed", face.loop.size(), Facet::most));
  return std::make_unique<Hull>(std::move(*hull));
}

const Registration<ShapeType> registered{
    {.name = "hull",
     .help = "The convex hull of points",
     .table = spatial_only(table_of<HullParameters>(
         "a hull", "The convex hull of points",
         with_placement<HullParameters>({{&HullParameters::points,
                                          {.name = "points",
                                           .kind = Kind::points,
                                           .unit = "m",
                                           .help = "at least four, not in one plane; those inside do no harm",
                                           .required = true,
                                           .range = shape_coordinate(),
                                           .count = 0}}}))),
     .make = made_from<make>}};

}  // namespace
}  // namespace tappet::shapes::hull
