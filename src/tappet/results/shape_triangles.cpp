#include "tappet/results/shape_triangles.hpp"

#include <cmath>

#include <nlohmann/json.hpp>

#include "tappet/geometry/shapes/mesh.hpp"
#include "tappet/geometry/shapes/solid.hpp"

namespace tappet {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::size_t most_triangles = 20000;

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

void add(const Object& carrier, Dimension dimension, Json& shapes) {
  if (!carrier.has("shapes") || !shapes.is_array()) return;
  std::size_t i = 0;
  for (const Object& o : carrier.objects("shapes")) {
    Json& json = shapes.at(i++);
    if (o.type != "mesh" && o.type != "solid") continue;
    Diagnostics unheard;
    const std::unique_ptr<Shape> shape = make_shape(o, dimension, unheard);
    if (!shape) continue;
    const TriangleMesh mesh = coarse(shape->kind() == "mesh" ? static_cast<const Mesh&>(*shape).mesh
                                                             : static_cast<const Solid&>(*shape).mesh().mesh);
    Json vertices = Json::array(), triangles = Json::array();
    for (const Vec3& v : mesh.vertices) vertices.push_back({rounded(v.x()), rounded(v.y()), rounded(v.z())});
    for (const Triangle& t : mesh.triangles) triangles.push_back(t);
    json["type"] = "mesh";
    json.erase("position");  // the vertices are where they belong
    json["vertices"] = std::move(vertices);
    json["triangles"] = std::move(triangles);
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
