#include "tappet/results/shape_triangles.hpp"

#include <cmath>
#include <numbers>

#include <nlohmann/json.hpp>

#include "tappet/geometry/shapes/curve.hpp"
#include "tappet/geometry/shapes/mesh.hpp"
#include "tappet/geometry/shapes/solid.hpp"

namespace tappet {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::size_t most_triangles = 20000;
constexpr int outline_points = 256;

/// Vertices that are near each other become one until few enough triangles are left.
TriangleMesh coarse(const TriangleMesh& mesh) {
  TriangleMesh out = mesh;
  for (double near = 1e-3 * diagonal(mesh); out.triangles.size() > most_triangles; near *= 1.5)
    out = welded(mesh, near);
  return out;
}

/// Seven digits: more than a screen shows.
double rounded(double x) {
  return static_cast<double>(static_cast<float>(x));
}

void add_mesh(const TriangleMesh& mesh, Json& json) {
  Json vertices = Json::array(), triangles = Json::array();
  for (const Vec3& v : mesh.vertices) vertices.push_back({rounded(v.x()), rounded(v.y()), rounded(v.z())});
  for (const Triangle& t : mesh.triangles) triangles.push_back(t);
  json["type"] = "mesh";
  json["vertices"] = std::move(vertices);
  json["triangles"] = std::move(triangles);
}

void add_outline(const Curve& curve, Json& json) {
  Json points = Json::array();
  for (int i = 0; i < outline_points; ++i) {
    const Vec2 p = curve.at(2 * std::numbers::pi * i / outline_points).at;
    const Vec3 placed = curve.place.point({p.x(), p.y(), 0});
    points.push_back({rounded(placed.x()), rounded(placed.y())});
  }
  json["type"] = "polygon";
  json["points"] = std::move(points);
}

void add(const Object& carrier, Dimension dimension, Json& shapes) {
  if (!carrier.has("shapes") || !shapes.is_array()) return;
  std::size_t i = 0;
  for (const Object& o : carrier.objects("shapes")) {
    Json& json = shapes.at(i++);
    if (o.type != "mesh" && o.type != "solid" && o.type != "curve") continue;
    Diagnostics unheard;
    const std::unique_ptr<Shape> shape = make_shape(o.parameters(), dimension, unheard);
    if (!shape) continue;
    if (shape->kind() == "curve")
      add_outline(static_cast<const Curve&>(*shape), json);
    else
      add_mesh(coarse(shape->kind() == "mesh" ? static_cast<const Mesh&>(*shape).mesh
                                              : static_cast<const Solid&>(*shape).mesh().mesh),
               json);
    for (const char* placement : {"position", "angle"})
      json.erase(placement);  // the points are where they belong
  }
}

}  // namespace

void add_triangles(const Spec& spec, Json& model) {
  std::size_t i = 0;
  for (const Object& body : spec.bodies) {
    Json& json = model["bodies"].at(i++);
    if (json.contains("shapes")) add(body, spec.dimension, json["shapes"]);
  }
  if (model.contains("ground") && model["ground"].contains("shapes"))
    add(spec.ground, spec.dimension, model["ground"]["shapes"]);
}

}  // namespace tappet
