#include "tappet/results/vtk_scene.hpp"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <numbers>
#include <optional>

#include <Eigen/Geometry>
#include <fmt/format.h>

#include "tappet/geometry/convex.hpp"
#include "tappet/geometry/shapes/mesh.hpp"
#include "tappet/geometry/shapes/plane.hpp"
#include "tappet/geometry/shapes/profile.hpp"
#include "tappet/geometry/shapes/solid.hpp"
#include "tappet/geometry/tessellation.hpp"
#include "tappet/results/output_file.hpp"
#include "tappet/results/refuse.hpp"
#include "tappet/results/vtk_array.hpp"
#include "tappet/spec/spec.hpp"

namespace tappet {
namespace vtk_scene {
namespace {

constexpr int outline_points = 64;
constexpr double drawn_gap = 0.01;  ///< triangles stay so near a curved surface, in parts of the shape's size

/// A body in its own coordinates.
struct Drawn {
  std::string name;
  std::vector<Vec3> points;
  std::vector<std::vector<int>> lines, faces;
  bool moves = true;

  int add(const Vec3& point) {
    points.push_back(point);
    return static_cast<int>(points.size()) - 1;
  }
  void add(const TriangleMesh& mesh) {
    const int first = static_cast<int>(points.size());
    points.insert(points.end(), mesh.vertices.begin(), mesh.vertices.end());
    for (const Triangle& t : mesh.triangles) faces.push_back({first + t[0], first + t[1], first + t[2]});
  }
  void add_line(const std::vector<Vec3>& along, bool closed) {
    std::vector<int> line;
    for (const Vec3& point : along) line.push_back(add(point));
    if (closed && !line.empty()) line.push_back(line.front());
    if (line.size() > 1) lines.push_back(std::move(line));
  }
};

/// Where the outward normal turns around once.
std::vector<Vec3> outline(const ConvexShape& shape) {
  std::vector<Vec3> out;
  for (int i = 0; i < outline_points; ++i) {
    const double angle = 2 * std::numbers::pi * i / outline_points;
    const Vec3 d(std::cos(angle), std::sin(angle), 0);
    const Vec3 point = shape.place.point(shape.support(d) + shape.margin() * d);
    if (out.empty() || (point - out.back()).norm() > 1e-9 * shape.reach()) out.push_back(point);
  }
  return out;
}

void add_plane(const Plane& plane, bool planar, double reach, Drawn& body) {
  const Vec3 n = plane.normal;
  const Vec3 at = plane.point;
  if (planar) {
    const Vec3 along(-n.y(), n.x(), 0);
    return body.add_line({at - reach * along, at + reach * along}, false);
  }
  const Vec3 a = n.unitOrthogonal(), b = n.cross(a);
  body.faces.push_back({body.add(at - reach * (a + b)), body.add(at + reach * (a - b)),
                        body.add(at + reach * (a + b)), body.add(at - reach * (a - b))});
}

void add_shape(const Shape& shape, bool planar, double reach, Drawn& body) {
  if (const auto* plane = dynamic_cast<const Plane*>(&shape)) return add_plane(*plane, planar, reach, body);
  if (const auto* mesh = dynamic_cast<const Mesh*>(&shape)) return body.add(mesh->mesh);
  if (const auto* solid = dynamic_cast<const Solid*>(&shape)) return body.add(solid->mesh().mesh);
  if (const auto* profile = dynamic_cast<const Profile*>(&shape)) {
    std::vector<Vec3> points;
    for (const Profile::Piece& piece : profile->pieces())
      for (const double u : {piece.low, piece.high})
        if (std::isfinite(u))
          points.push_back(profile->place.point(profile->unflatten(piece.anchor + u * piece.along)));
    return body.add_line(points, false);
  }
  const auto* convex = dynamic_cast<const ConvexShape*>(&shape);
  if (!convex) return;
  if (planar) return body.add_line(outline(*convex), true);
  if (const auto mesh = tessellate(shape, drawn_gap * shape.size())) body.add(mesh->mesh);
}

void add_shapes(const Object& carrier, const Spec& spec, double reach, Drawn& body) {
  if (!carrier.has("shapes")) return;
  for (const Object& o : carrier.objects("shapes")) {
    Diagnostics unheard;  // a file that is gone: the shape is not drawn
    if (const auto shape = make_shape(o.parameters(), spec.dimension, unheard))
      add_shape(*shape, spec.dimension == Dimension::planar, reach, body);
  }
}

Vec3 vec3(const std::vector<double>& v) {
  return {v.at(0), v.at(1), v.size() > 2 ? v[2] : 0.0};
}

/// The joint's points that lie on a body.
std::vector<Vec3> joint_points(const Spec& spec, const std::string& body) {
  std::vector<Vec3> out;
  for (const Object& joint : spec.joints) {
    if (!joint.has("bodies") || !joint.has("points")) continue;
    const auto& names = joint.names("bodies");
    const auto& points = joint.points("points");
    for (std::size_t i = 0; i < names.size() && i < points.size(); ++i)
      if (names[i].text == body) out.push_back(vec3(points[i]));
  }
  return out;
}

/// How far from the origin anything begins, for planes, which have no end.
double extent(const Spec& spec) {
  double out = 0;
  for (const Object& body : spec.bodies) {
    if (body.has("position")) out = std::max(out, vec3(body.vector("position")).norm());
    for (const Vec3& point : joint_points(spec, body.name)) out = std::max(out, point.norm());
  }
  return out > 0 ? 1.5 * out : 1;
}

std::vector<Drawn> drawn_bodies(const Spec& spec) {
  const double reach = extent(spec);
  std::vector<Drawn> out;
  for (const Object& o : spec.bodies) {
    if (o.has("structure")) continue;
    Drawn body{.name = o.name, .points = {}, .lines = {}, .faces = {}};
    add_shapes(o, spec, reach, body);
    if (body.points.empty())
      for (const Vec3& point : joint_points(spec, o.name)) body.add_line({Vec3::Zero(), point}, false);
    if (body.points.empty()) body.add(Vec3::Zero());
    out.push_back(std::move(body));
  }
  Drawn ground{.name = "ground", .points = {}, .lines = {}, .faces = {}, .moves = false};
  add_shapes(spec.ground, spec, reach, ground);
  if (!ground.points.empty()) out.push_back(std::move(ground));
  return out;
}

/// Columns of a result by what they are; a missing one is a fault.
class Columns {
 public:
  Columns(const ResultFile& result, bool planar) : result_(result), planar_(planar) {}

  std::optional<std::size_t> find(const std::string& name) const {
    const auto& all = result_.columns();
    const auto at = std::find_if(all.begin(), all.end(), [&](const Signal& s) { return s.name == name; });
    if (at == all.end()) return std::nullopt;
    return static_cast<std::size_t>(at - all.begin());
  }
  std::size_t need(const std::string& name) const {
    const auto found = find(name);
    if (!found)
      refuse(result_.path(),
             fmt::format(
                 "does not hold '{}': where bodies are is not recorded, since `output.signals` leaves it out",
                 name));
    return *found;
  }
  /// NAME.fx, NAME.fy, NAME.fz, or nothing.
  std::vector<std::size_t> vector(const std::string& name, const std::string& prefix) const {
    std::vector<std::size_t> out;
    for (const char* axis : {"x", "y", "z"}) {
      if (planar_ && *axis == 'z') continue;
      const auto found = find(name + "." + prefix + axis);
      if (!found) return {};
      out.push_back(*found);
    }
    return out;
  }

  const ResultFile& result_;
  const bool planar_;
};

struct MotionNow {
  Pose pose;
  Vec3 v = Vec3::Zero(), w = Vec3::Zero();
};

Vec3 take(const std::vector<double>& row, const std::vector<std::size_t>& columns) {
  Vec3 out = Vec3::Zero();
  for (std::size_t i = 0; i < columns.size(); ++i) out[static_cast<int>(i)] = row[columns[i]];
  return out;
}

MotionNow motion_of(const std::string& name, const std::vector<double>& row, const Columns& columns) {
  const auto value = [&](const char* signal) { return row[columns.need(name + "." + signal)]; };
  const auto perhaps = [&](const std::string& signal) {
    const auto at = columns.find(name + "." + signal);
    return at ? row[*at] : 0.0;
  };
  MotionNow out;
  out.pose.r = Vec3(value("x"), value("y"), columns.planar_ ? 0 : value("z"));
  out.v = Vec3(perhaps("vx"), perhaps("vy"), perhaps("vz"));
  if (columns.planar_) {
    out.pose.R = Eigen::AngleAxisd(value("angle"), Vec3::UnitZ()).toRotationMatrix();
    out.w = Vec3(0, 0, perhaps("omega"));
  } else {
    out.pose.R = Eigen::Quaterniond(value("qw"), value("qx"), value("qy"), value("qz"))
                     .normalized()
                     .toRotationMatrix();
    out.w = Vec3(perhaps("wx"), perhaps("wy"), perhaps("wz"));
  }
  return out;
}

std::string cells(const char* kind, const std::vector<std::vector<int>>& all) {
  std::vector<std::int32_t> connectivity, offsets;
  for (const auto& cell : all) {
    connectivity.insert(connectivity.end(), cell.begin(), cell.end());
    offsets.push_back(static_cast<std::int32_t>(connectivity.size()));
  }
  return fmt::format("<{0}>\n{1}{2}</{0}>\n", kind, vtk_array("connectivity", 1, connectivity),
                     vtk_array("offsets", 1, offsets));
}

void push(std::vector<float>& to, const Vec3& v) {
  for (int i = 0; i < 3; ++i) to.push_back(static_cast<float>(v[i]));
}

void write_polydata(const std::string& path, const std::vector<float>& points,
                    const std::vector<std::vector<int>>& verts, const std::vector<std::vector<int>>& lines,
                    const std::vector<std::vector<int>>& faces, const std::string& point_data,
                    const std::string& cell_data) {
  const std::string text = fmt::format(
      "<?xml version=\"1.0\"?>\n<!-- Tappet -->\n<VTKFile type=\"PolyData\" version=\"1.0\" "
      "byte_order=\"LittleEndian\" "
      "header_type=\"UInt64\">\n<PolyData>\n<Piece NumberOfPoints=\"{}\" NumberOfVerts=\"{}\" "
      "NumberOfLines=\"{}\" "
      "NumberOfStrips=\"0\" "
      "NumberOfPolys=\"{}\">\n<PointData>\n{}</PointData>\n<CellData>\n{}</CellData>\n<Points>\n{}</Points>\n"
      "{}{}{}</Piece>\n</PolyData>\n</VTKFile>\n",
      points.size() / 3, verts.size(), lines.size(), faces.size(), point_data, cell_data,
      vtk_array("points", 3, points), cells("Verts", verts), cells("Lines", lines), cells("Polys", faces));
  write_output(path, OutputKind::vtk, text);
}

void write_bodies(const std::string& path, const std::vector<Drawn>& bodies, const std::vector<double>& row,
                  const Columns& columns) {
  std::vector<float> points, velocity;
  std::vector<std::vector<int>> verts, lines, faces;
  std::vector<std::int32_t> of_verts, of_lines, of_faces;
  for (std::size_t b = 0; b < bodies.size(); ++b) {
    const Drawn& body = bodies[b];
    const MotionNow motion = body.moves ? motion_of(body.name, row, columns) : MotionNow{};
    const int first = static_cast<int>(points.size() / 3), number = static_cast<int>(b);
    for (const Vec3& point : body.points) {
      const Vec3 arm = motion.pose.direction(point);
      push(points, motion.pose.r + arm);
      push(velocity, motion.v + motion.w.cross(arm));
    }
    const auto add = [&](std::vector<std::vector<int>>& to, std::vector<std::int32_t>& of,
                         std::vector<int> cell) {
      for (int& point : cell) point += first;
      to.push_back(std::move(cell));
      of.push_back(number);
    };
    for (const auto& line : body.lines) add(lines, of_lines, line);
    for (const auto& face : body.faces) add(faces, of_faces, face);
    if (body.lines.empty() && body.faces.empty())
      for (int i = 0; i < static_cast<int>(body.points.size()); ++i) add(verts, of_verts, {i});
  }
  std::vector<std::int32_t> body = of_verts;
  body.insert(body.end(), of_lines.begin(), of_lines.end());
  body.insert(body.end(), of_faces.begin(), of_faces.end());
  write_polydata(path, points, verts, lines, faces, vtk_array("velocity", 3, velocity),
                 vtk_array("body", 1, body));
}

// ---- contacts

struct Acting {
  std::vector<std::size_t> force, place;  // columns
  std::string body;                       // where no column says the place: a point of this body
  Vec3 point = Vec3::Zero();
};

std::optional<Acting> acting(const std::string& name, const Spec& spec, const Columns& columns) {
  Acting out{columns.vector(name, "f"), columns.vector(name, ""), "", Vec3::Zero()};
  if (out.force.empty()) return std::nullopt;
  if (!out.place.empty()) return out;
  for (const Object& joint : spec.joints) {
    if (joint.name != name || !joint.has("bodies") || !joint.has("points")) continue;
    out.body = joint.names("bodies").at(1).text;
    out.point = vec3(joint.points("points").at(1));
    return out;
  }
  return std::nullopt;
}

void write_contacts(const std::string& path, const std::vector<Acting>& contacts,
                    const std::vector<double>& row, const Columns& columns) {
  std::vector<float> points, forces;
  std::vector<std::vector<int>> verts;
  std::vector<std::int32_t> numbers;
  for (std::size_t c = 0; c < contacts.size(); ++c) {
    const Acting& a = contacts[c];
    const bool on_ground = a.body == "ground";
    push(points, !a.place.empty() ? take(row, a.place)
                 : on_ground      ? a.point
                                  : motion_of(a.body, row, columns).pose.point(a.point));
    push(forces, take(row, a.force));
    numbers.push_back(static_cast<std::int32_t>(c));
    verts.push_back({static_cast<int>(c)});
  }
  write_polydata(path, points, verts, {}, {},
                 vtk_array("force", 3, forces) + vtk_array("contact", 1, numbers), "");
}

Spec spec_of(const ResultFile& result) {
  return spec_from_text(result.header().model_text, result.header().model_file);
}

}  // namespace
}  // namespace vtk_scene

bool has_bodies(const ResultFile& result) {
  using namespace vtk_scene;
  const Spec spec = spec_of(result);
  return std::any_of(spec.bodies.begin(), spec.bodies.end(),
                     [](const Object& o) { return !o.has("structure"); });
}

VtkScene write_vtk_scene(const ResultFile& result, const std::string& prefix,
                         const std::vector<std::size_t>& rows, int part) {
  using namespace vtk_scene;
  const Spec spec = spec_of(result);
  const Columns columns(result, spec.dimension == Dimension::planar);
  const std::vector<Drawn> bodies = drawn_bodies(spec);
  VtkScene out;
  for (const Drawn& body : bodies) out.bodies.push_back(body.name);
  std::vector<Acting> contacts;
  for (const std::string& name : result.header().contacts) {
    if (auto found = acting(name, spec, columns)) {
      contacts.push_back(std::move(*found));
      out.contacts.push_back(name);
    } else {
      out.placeless.push_back(name);
    }
  }
  std::vector<std::size_t> all(result.columns().size());
  for (std::size_t i = 0; i < all.size(); ++i) all[i] = i;
  const auto add = [&](const std::string& file, double time, int number) {
    out.moments.push_back({time, number, std::filesystem::path(file).filename().string()});
  };
  for (std::size_t k = 0; k < rows.size(); ++k) {
    const std::vector<double> row = result.read(rows[k], 1, all);
    const std::string surfaces = fmt::format("{}_bodies_{:04}.vtp", prefix, k);
    write_bodies(surfaces, bodies, row, columns);
    add(surfaces, row[0], part);
    if (contacts.empty()) continue;
    const std::string arrows = fmt::format("{}_contacts_{:04}.vtp", prefix, k);
    write_contacts(arrows, contacts, row, columns);
    add(arrows, row[0], part + 1);
  }
  return out;
}

}  // namespace tappet
