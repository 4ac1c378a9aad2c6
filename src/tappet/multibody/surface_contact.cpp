#include "tappet/multibody/surface_contact.hpp"

#include <algorithm>
#include <cmath>
#include <optional>

#include <fmt/format.h>

#include "tappet/geometry/engine.hpp"
#include "tappet/multibody/contact_laws.hpp"
#include "tappet/multibody/rows.hpp"
#include "tappet/spec/spec.hpp"

namespace tappet {
namespace {

const Table& contact_table() {
  static const Table table = [] {
    Table out{.name = "a contact",
              .help = "Surfaces that may touch, and the laws that hold between them",
              .parameters = {{.name = "between",
                              .kind = Kind::names,
                              .help = "two surfaces, BODY.SHAPE; `*` stands for any part of a name",
                              .required = true,
                              .count = 2},
                             {.name = "lift",
                              .kind = Kind::expression,
                              .unit = "m",
                              .help = "structures on the ground: how far the ground's surface is moved along "
                                      "its normal, an expression of t",
                              .variables = {"t"}},
                             {.name = "engine",
                              .kind = Kind::choice,
                              .help = "geometry to compute with; else closed forms, and the triangles or surfaces of "
                                      "shapes from files",
                              .choices = engine_names()},
                             {.name = "mesh_tolerance",
                              .unit = "m",
                              .help = "polygon: how far gaps may be from those of the shapes that meshes stand for; else "
                                      "a thousandth of each shape's size",
                              .range = positive()}}};
    for (Parameter& parameter : contact_law_parameters()) out.parameters.push_back(std::move(parameter));
    return out;
  }();
  return table;
}

const Table& ground_table() {
  static const Table table{.name = "the ground",
                           .help = "What is fixed",
                           .parameters = {{.name = "shapes",
                                           .kind = Kind::objects,
                                           .help = "its surfaces, by name",
                                           .family = &shape_family()}}};
  return table;
}

const bool registered =
    (register_table("contacts", &contact_table()), register_table("ground", &ground_table()), true);

// The surfaces that a name or pattern stands for; an error when there are none.
std::vector<int> find_surfaces(const SurfaceContactInput& in, const Name& name) {
  std::vector<int> out;
  std::vector<std::string> known;
  for (int s = 0; s < static_cast<int>(in.surfaces.size()); ++s) {
    if (matches(name.text, in.surfaces[s].name)) out.push_back(s);
    known.push_back(in.surfaces[s].name);
  }
  if (!out.empty()) return out;
  const std::string near = nearest_name(name.text, known);
  in.diagnostics.error(
      name.pos,
      fmt::format("contact '{}' is between '{}', which is no surface of this model{}; surfaces: {}",
                  in.object.name, name.text, near.empty() ? "" : fmt::format(" (did you mean '{}'?)", near),
                  known.empty() ? "none (give a body `shapes`)" : join_names(known, 12)));
  return out;
}

// Pairs of surfaces of different bodies, each pair once.
std::vector<std::pair<int, int>> find_pairs(const SurfaceContactInput& in) {
  const std::vector<Name>& names = in.object.names("between");
  const std::vector<int> first = find_surfaces(in, names[0]), second = find_surfaces(in, names[1]);
  std::vector<std::pair<int, int>> out;
  for (int a : first)
    for (int b : second) {
      if (in.surfaces[a].body == in.surfaces[b].body) continue;
      const bool twice = std::find(first.begin(), first.end(), b) != first.end() &&
                         std::find(second.begin(), second.end(), a) != second.end();
      if (!twice || a < b) out.emplace_back(a, b);
    }
  if (out.empty() && !first.empty() && !second.empty())
    in.diagnostics.error(
        in.object.where("between"),
        fmt::format("contact '{}' is between surfaces of one body, which never touch", in.object.name));
  return out;
}

// BODY of BODY.SHAPE.
std::string carrier_of(const Surface& surface) {
  return surface.name.substr(0, surface.name.find('.'));
}

// Half of the smaller extent: what penetrations are compared with.
double smaller_size(const Surface& a, const Surface& b) {
  const double size = std::min(a.shape->size(), b.shape->size());
  return std::isfinite(size) ? size : 1.0;
}

// Which engine the entry asks for; nothing after an error was reported.
std::optional<EngineOptions> read_engine(const SurfaceContactInput& in) {
  EngineOptions out;
  if (in.object.has("engine")) out.engine = engine_from(in.object.text("engine"));
  if (in.object.has("mesh_tolerance")) out.tolerance = in.object.number("mesh_tolerance");
  const bool planar = in.start.dimension == Dimension::planar;
  if (planar && out.engine && *out.engine != Engine::analytic) {
    in.diagnostics.error(in.object.where("engine"),
                         fmt::format("contact '{}': `engine: {}` computes in space; a planar model has closed forms alone",
                                     in.object.name, in.object.text("engine")));
    return std::nullopt;
  }
  return out;
}

}  // namespace

std::vector<Surface> read_surfaces(const Object& carrier, const std::string& body_name, int body,
                                   Dimension dimension, Diagnostics& diagnostics) {
  std::vector<Surface> out;
  if (!carrier.has("shapes")) return out;
  for (const Object& o : carrier.objects("shapes"))
    if (std::shared_ptr<const Shape> shape = make_shape(o, dimension, diagnostics))
      out.push_back({fmt::format("{}.{}", body_name, o.name), body, shape});
  return out;
}

SurfaceContact::SurfaceContact(const Surface& first, const Surface& second, const Pair& geometry,
                               int candidate)
    : geometry_(geometry), candidate_(candidate) {
  bodies[0] = first.body;
  bodies[1] = second.body;
  length_scale = smaller_size(first, second);
}

Touch SurfaceContact::touch(const Kinematics& k) const {
  const Proximity p = geometry_.evaluate(pose_of(k, bodies[0]), pose_of(k, bodies[1]), candidate_);
  Touch out;
  // A candidate that faces nothing is far away.
  out.gap = std::isfinite(p.gap) ? p.gap : length_scale;
  out.normal = p.normal;
  out.at = out.offset = 0.5 * (p.on_first + p.on_second);
  // Material points of both bodies at the common point. Along the normal they move as the witness points do.
  Vec3 v;
  if (k.dimension == Dimension::planar) {
    const PlanarFrame &fi = k.planar[bodies[0]], &fj = k.planar[bodies[1]];
    const Vec2 at = out.at.head<2>();
    v << fj.v + fj.w * perpendicular(at - fj.r) - fi.v - fi.w * perpendicular(at - fi.r), 0;
  } else {
    const SpatialFrame &fi = k.spatial[bodies[0]], &fj = k.spatial[bodies[1]];
    v = fj.v + fj.w.cross(out.at - fj.r) - fi.v - fi.w.cross(out.at - fi.r);
  }
  out.rate = v.dot(out.normal);
  out.slip = v - out.rate * out.normal;
  return out;
}

// A pair of shapes says where it touches, not how that place moves: differences over a short while of the
// motion tell.
TouchMotion SurfaceContact::motion(const Kinematics& k) const {
  Vec3 v[2], w[2];
  double speed = 0;
  for (int side = 0; side < 2; ++side) {
    if (k.dimension == Dimension::planar) {
      const PlanarFrame& f = k.planar[bodies[side]];
      v[side] << f.v, 0;
      w[side] << 0, 0, f.w;
    } else {
      v[side] = k.spatial[bodies[side]].v;
      w[side] = k.spatial[bodies[side]].w;
    }
    speed += v[side].norm() + length_scale * w[side].norm();
  }
  if (!(speed > 0)) return {};
  const double h = 1e-5 * length_scale / speed;
  const auto after = [&](double time) {
    Pose pose[2];
    for (int side = 0; side < 2; ++side) {
      pose[side] = pose_of(k, bodies[side]);
      pose[side].r += time * v[side];
      const double turn = time * w[side].norm();
      if (turn != 0) pose[side].R = Eigen::AngleAxisd(turn, w[side].normalized()) * pose[side].R;
    }
    return geometry_.evaluate(pose[0], pose[1], candidate_);
  };
  const Proximity next = after(h), before = after(-h);
  if (!std::isfinite(next.gap) || !std::isfinite(before.gap)) return {};
  return {(next.normal - before.normal) / (2 * h),
          (next.on_first + next.on_second - before.on_first - before.on_second) / (4 * h)};
}

std::vector<std::unique_ptr<ContactPoint>> make_surface_contacts(const SurfaceContactInput& in,
                                                                 std::vector<std::string>& notes) {
  std::vector<std::unique_ptr<ContactPoint>> out;
  const std::optional<EngineOptions> engine = read_engine(in);
  if (!engine) return out;
  PairMaker maker(*engine);
  const SourcePos where = in.object.where(engine->engine ? "engine" : "between");
  const auto pairs = find_pairs(in);
  for (const auto& [a, b] : pairs) {
    const Surface &first = in.surfaces[a], &second = in.surfaces[b];
    const Pair geometry = maker.make(*first.shape, *second.shape, fmt::format("contact '{}'", in.object.name), where,
                                     in.diagnostics);
    if (!geometry) return {};
    // NAME for one place, otherwise NAME.1, NAME.2, ...; with patterns NAME.BODY-BODY.
    std::vector<std::unique_ptr<ContactPoint>> points;
    std::string name = in.object.name;
    if (pairs.size() > 1) name = fmt::format("{}.{}-{}", name, carrier_of(first), carrier_of(second));
    for (int c = 0; c < geometry.candidates(); ++c) {
      auto point = std::make_unique<SurfaceContact>(first, second, geometry, c);
      point->name = geometry.candidates() > 1 ? fmt::format("{}.{}", name, c + 1) : name;
      const Proximity p = geometry.evaluate(pose_of(in.start, first.body), pose_of(in.start, second.body), c);
      for (int side = 0; side < 2; ++side)
        if (p.radius[side] != 0) point->pair.radius[side] = p.radius[side];
      points.push_back(std::move(point));
    }
    std::vector<std::string> own_notes;
    const ContactLawsInput laws{in.object, fmt::format("contact '{}'", name), in.materials, in.diagnostics,
                                in.rigid};
    if (!give_laws(laws, points, own_notes)) return {};
    if (out.empty()) notes.insert(notes.end(), own_notes.begin(), own_notes.end());
    for (auto& point : points) out.push_back(std::move(point));
  }
  return out;
}

}  // namespace tappet
