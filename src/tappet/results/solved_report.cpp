#include "tappet/results/solved_report.hpp"

#include <algorithm>

#include <nlohmann/json.hpp>

#include "tappet/base/version.hpp"
#include "tappet/results/deformation.hpp"
#include "tappet/results/report.hpp"
#include "tappet/results/result_writer.hpp"
#include "tappet/results/shape_triangles.hpp"
#include "tappet/spec/spec_json.hpp"

namespace tappet {
namespace {

using Json = nlohmann::ordered_json;

Json list(const Vec3& v) {
  return Json{v.x(), v.y(), v.z()};
}

Json facts_json(const std::vector<SolvedFact>& facts) {
  Json out = Json::array();
  for (const SolvedFact& fact : facts) out.push_back(Json::array({fact.label, fact.value, fact.unit}));
  return out;
}

/// Diagonal of the box around everything.
double size_of(const SolvedReport& report) {
  Vec3 low = Vec3::Constant(1e300), high = -low;
  if (report.meshes.empty())
    for (const SolvedReport::Body& body : report.bodies)
      low = low.cwiseMin(body.place.cwiseMin(0)), high = high.cwiseMax(body.place.cwiseMax(0));
  for (const fem::FieldMesh& mesh : report.meshes)
    for (std::size_t n = 0; n < mesh.node_count(); ++n) {
      const Vec3 x(mesh.nodes[3 * n], mesh.nodes[3 * n + 1], mesh.nodes[3 * n + 2]);
      low = low.cwiseMin(x), high = high.cwiseMax(x);
    }
  return std::max((high - low).norm(), 1e-12);
}

std::string solved_data(const SolvedReport& report, const Spec& spec) {
  Json model = Json::parse(spec_json(spec));
  add_triangles(spec, model);
  Json meshes = Json::array(), bodies = Json::array(), cases = Json::array();
  for (const fem::FieldMesh& mesh : report.meshes) meshes.push_back(drawn_mesh_json(mesh));
  for (const SolvedReport::Body& b : report.bodies)
    bodies.push_back(
        {{"name", b.name}, {"place", list(b.place)}, {"turn", {b.turn[0], b.turn[1], b.turn[2], b.turn[3]}}});
  for (const SolvedCase& one : report.cases) {
    Json structures = Json::array(), moved = Json::array();
    for (std::size_t s = 0; s < report.meshes.size(); ++s)
      structures.push_back(drawn_fields_json(report.meshes[s], one.structures[s]));
    for (std::size_t b = 0; b < one.moved.size(); ++b)
      moved.push_back({{"moved", list(one.moved[b])}, {"turned", list(one.turned[b])}});
    cases.push_back({{"name", one.name},
                     {"frequency", one.frequency < 0 ? Json() : Json(one.frequency)},
                     {"structures", std::move(structures)},
                     {"bodies", std::move(moved)},
                     {"facts", facts_json(one.facts)}});
  }
  const Json json{
      {"title", spec.title},         {"model_file", spec.file},     {"created", utc_now()},
      {"version", version()},        {"model", std::move(model)},   {"model_text", spec.model_text},
      {"warnings", report.warnings}, {"size", size_of(report)},     {"facts", facts_json(report.facts)},
      {"meshes", std::move(meshes)}, {"bodies", std::move(bodies)}, {"cases", std::move(cases)}};
  return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

}  // namespace

void write_solved_report(const SolvedReport& report, const Spec& spec, const std::string& file) {
  write_page("{\"live\":false,\"runs\":[],\"solved\":" + solved_data(report, spec) + "}", file);
}

}  // namespace tappet
