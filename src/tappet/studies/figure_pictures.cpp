#include "tappet/studies/figure_pictures.hpp"

#include <algorithm>
#include <cmath>

#include <Eigen/Dense>
#include <Eigen/Geometry>

#include "tappet/base/diagnostics.hpp"
#include "tappet/geometry/shapes/plane.hpp"
#include "tappet/geometry/shapes/profile.hpp"
#include "tappet/geometry/tessellation.hpp"
#include "tappet/model/model.hpp"
#include "tappet/results/deformation.hpp"
#include "tappet/results/output_file.hpp"
#include "tappet/results/rigid_fit.hpp"
#include "tappet/results/scene_picture.hpp"

namespace tappet {
namespace {

const Vec3 ground_colour(0.87, 0.85, 0.80), body_colour(0.50, 0.60, 0.72), feature_colour(0.85, 0.55, 0.25);

/// How far a drawn shape may be from the true one, of its size, and of the mechanism's: a picture of some hundred pixels shows no more.
constexpr double drawn_accuracy = 0.03, drawn_accuracy_of_all = 2e-3;

Pose pose_of(const std::string& body, const Recording& recording, const double* row) {
  const std::vector<std::string> names = place_signals(body);
  const auto value = [&](std::size_t i) { return row[recording.index(names[i])]; };
  Pose out;
  out.r = Vec3(value(0), value(1), value(2));
  out.R = Eigen::Quaterniond(value(3), value(4), value(5), value(6)).normalized().toRotationMatrix();
  return out;
}

void add_mesh(const TriangleMesh& mesh, const Pose& pose, const Vec3& colour, Scene& scene) {
  for (const Triangle& triangle : mesh.triangles) {
    SceneFace face;
    face.colour = colour;
    face.outside_only = true;
    for (const int vertex : triangle) face.corners.push_back(pose.point(mesh.vertices[vertex]));
    scene.faces.push_back(std::move(face));
  }
}

/// From one end of the bodies to the other, about.
double extent(const Model& model, const Recording& recording, const double* row) {
  Bounds all;
  for (const Surface& surface : model.mechanism.surfaces)
    if (surface.body != model.mechanism.ground())
      all.include(pose_of(model.mechanism.bodies[surface.body].name, recording, row).r);
  return (all.high - all.low).cwiseMax(0).norm();
}

/// Shapes of bodies, and of the ground as far as these have an end.
void add_bodies(const Model& model, const Recording& recording, const double* row, Scene& scene) {
  const double common = drawn_accuracy_of_all * extent(model, recording, row);
  for (const Surface& surface : model.mechanism.surfaces) {
    if (surface.shape->kind() == "plane" || surface.shape->kind() == "profile") continue;
    const bool ground = surface.body == model.mechanism.ground();
    const Pose pose = ground ? Pose{} : pose_of(model.mechanism.bodies[surface.body].name, recording, row);
    const Vec3& colour = ground                              ? ground_colour
                         : surface.shape->kind() == "sphere" ? feature_colour
                                                             : body_colour;
    if (surface.shape->kind() == "mesh")
      add_mesh(static_cast<const Mesh&>(*surface.shape).mesh, pose, colour, scene);
    else if (const auto mesh =
                 tessellate(*surface.shape, std::max(drawn_accuracy * surface.shape->size(), common)))
      add_mesh(mesh->mesh, pose, colour, scene);
    else
      throw SimulationError(
          0, fmt::format("'{}' is a {}, which pictures do not show", surface.name, surface.shape->kind()));
  }
}

/// Structures as they are deformed, coloured by von Mises stress; returns the largest.
double add_structures(const Recording& recording, const Recording::Snapshot& snapshot, double scale,
                      double most, Scene& scene) {
  double largest = 0;
  for (std::size_t s = 0; s < snapshot.fields.size() && s < recording.meshes.size(); ++s) {
    const fem::FieldMesh& mesh = recording.meshes[s];
    const fem::Fields& fields = snapshot.fields[s];
    const DrawnPart part = drawn_part(mesh);
    const std::vector<double> stress = node_stress(mesh, fields.stress);
    const auto displaced = [&](int node) -> Vec3 {
      return Eigen::Map<const Vec3>(fields.displacement.data() + 3 * node);
    };
    const RigidFit rigid = rigid_fit(mesh.nodes, fields.displacement);
    const auto place = [&](std::uint32_t drawn) -> Vec3 {
      const int node = part.nodes[drawn];
      const Vec3 x = Eigen::Map<const Vec3>(mesh.nodes.data() + 3 * node);
      return x + rigid.at(x) + scale * (displaced(node) - rigid.at(x));
    };
    const auto colour = [&](std::initializer_list<std::uint32_t> drawn) {
      double sum = 0;
      for (const std::uint32_t one : drawn)
        sum += stress[part.nodes[one]] / static_cast<double>(drawn.size());
      largest = std::max(largest, sum);
      return scale_colour(most > 0 ? sum / most : 0);
    };
    for (std::size_t f = 0; f + 3 < part.faces.size(); f += 4) {
      const std::uint32_t* at = part.faces.data() + f;
      SceneFace face{.corners = {}, .colour = colour({at[0], at[1], at[2], at[3]})};
      for (int k = 0; k < (at[2] == at[3] ? 3 : 4); ++k) face.corners.push_back(place(at[k]));
      scene.faces.push_back(std::move(face));
    }
    for (std::size_t l = 0; l + 1 < part.lines.size(); l += 2)
      scene.lines.push_back({.from = place(part.lines[l]),
                             .to = place(part.lines[l + 1]),
                             .colour = colour({part.lines[l], part.lines[l + 1]})});
  }
  return largest;
}

Bounds bounds_of(const Scene& scene) {
  Bounds out;
  for (const SceneFace& face : scene.faces)
    for (const Vec3& corner : face.corners) out.include(corner);
  for (const SceneLine& line : scene.lines) out.include(line.from), out.include(line.to);
  return out;
}

void add_quad(const Vec3& a, const Vec3& b, const Vec3& c, const Vec3& d, Scene& scene) {
  scene.faces.push_back({.corners = {a, b, c, d}, .colour = ground_colour, .background = true});
}

/// Planes and stairs, as far as the rest of the scene reaches.
void add_ground(const Model& model, const Bounds& scene_bounds, Scene& scene) {
  const Vec3 room = Vec3::Constant(0.15 * (scene_bounds.high - scene_bounds.low).norm());
  const Vec3 low = scene_bounds.low - room, high = scene_bounds.high + room;
  for (const Surface& surface : model.mechanism.surfaces) {
    if (surface.body != model.mechanism.ground()) continue;
    if (surface.shape->kind() == "plane") {
      const auto& plane = static_cast<const Plane&>(*surface.shape);
      if (plane.normal.z() < 0.5) continue;  // a wall would hide what is behind it
      const auto at = [&](double x, double y) -> Vec3 {
        const Vec3 p(x, y, plane.point.z());
        return p - Vec3::UnitZ() * (plane.normal.dot(p - plane.point) / plane.normal.z());
      };
      add_quad(at(low.x(), low.y()), at(high.x(), low.y()), at(high.x(), high.y()), at(low.x(), high.y()),
               scene);
    } else if (surface.shape->kind() == "profile") {
      const auto& profile = static_cast<const Profile&>(*surface.shape);
      for (const Profile::Piece& piece : profile.pieces()) {
        // Level ground beyond the ends goes as far as the scene.
        const double from = std::max(piece.low, -1e6), to = std::min(piece.high, 1e6);
        Vec2 a = piece.anchor + from * piece.along, b = piece.anchor + to * piece.along;
        if (std::max(a.x(), b.x()) < low.x() || std::min(a.x(), b.x()) > high.x()) continue;
        a.x() = std::clamp(a.x(), low.x(), high.x()), b.x() = std::clamp(b.x(), low.x(), high.x());
        const auto at = [&](const Vec2& p, double y) { return profile.place.point(profile.unflatten(p, y)); };
        add_quad(at(a, low.y()), at(b, low.y()), at(b, high.y()), at(a, high.y()), scene);
      }
    }
  }
}

std::string time_text(double t) {
  return t < 0.1 ? fmt::format("t = {:.4g} ms", 1e3 * t) : fmt::format("t = {:.4g} s", t);
}

}  // namespace

void make_picture(std::size_t number, const PreparedFigure& prepared,
                  const std::vector<Recording>& recordings, const FigureFiles& files, Reproduction& out) {
  const CatalogueFigure& figure = files.figure;
  const FigurePicture& picture = figure.pictures[number];
  std::size_t run = 0;
  while (!picture.run.empty() && figure.runs[run].name != picture.run) ++run;
  if (!out.run_reasons[run].empty()) return;
  const Recording& recording = recordings[run];
  const auto model =
      compile_with(*figure.runs[run].model, figure.runs[run].model_file, prepared.runs[run].settings, {});
  std::vector<const Recording::Snapshot*> taken;
  for (const double at : picture.at) {
    const auto asked = static_cast<std::size_t>(
        std::lower_bound(recording.asked.begin(), recording.asked.end(), at) - recording.asked.begin());
    if (asked >= recording.snapshots.size())
      throw SimulationError(
          recording.summary.t_end,
          fmt::format("picture '{}': the run recorded nothing from {:g} s on", picture.name, at));
    taken.push_back(&recording.snapshots[asked]);
  }
  // One scale of colours for all of them.
  double most = 0;
  for (const Recording::Snapshot* snapshot : taken) {
    Scene unseen;
    most = std::max(most, add_structures(recording, *snapshot, 1, 0, unseen));
  }
  for (std::size_t i = 0; i < taken.size(); ++i) {
    Scene scene;
    scene.title = picture.title;
    scene.from = picture.from;
    std::size_t k = 0;
    while (k + 1 < recording.rows() && recording.time(k) < taken[i]->time) ++k;
    add_bodies(*model, recording, recording.row(k), scene);
    add_structures(recording, *taken[i], picture.scale, most, scene);
    scene.most = most / 1e6;
    scene.quantity = "von Mises stress [MPa]";
    scene.caption = time_text(taken[i]->time);
    if (picture.scale != 1) scene.caption += fmt::format(", deformation × {:g}", picture.scale);
    add_ground(*model, bounds_of(scene), scene);
    const std::string name = files.inside(fmt::format("{}_{}", picture.name, i + 1), ".svg");
    write_output(files.path(name), OutputKind::picture, marked_picture(svg_of(scene)));
    out.pictures.push_back({name, fmt::format("{}, {}", picture.title, time_text(taken[i]->time)), true});
  }
}

}  // namespace tappet
