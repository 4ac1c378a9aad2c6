#include "tappet/multibody/surface_contact.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>

#include <fmt/format.h>

#include "tappet/base/sections.hpp"
#include "tappet/geometry/curvature.hpp"
#include "tappet/geometry/engine.hpp"
#include "tappet/multibody/contact_laws.hpp"
#include "tappet/multibody/rows.hpp"

namespace tappet {
namespace {

const Table& contact_table() {
  using P = ContactParameters;
  static const Table table = [] {
    std::vector<TableRow<P>> rows = {
        {&P::between,
         {.name = "between",
          .kind = Kind::names,
          .help = "two surfaces, BODY.SHAPE; `*` stands for any part of a name",
          .required = true,
          .count = 2}},
        {&P::lift,
         {.name = "lift",
          .kind = Kind::expression,
          .unit = "m",
          .help = "structures on the ground: how far the ground's surface is moved along "
                  "its normal, an expression of t",
          .variables = {"t"},
          .no_inputs = "inputs jump, and a surface cannot"}},
        {&P::engine,
         {.name = "engine",
          .kind = Kind::choice,
          .help = "geometry to compute with; else closed forms, and the triangles or surfaces of "
                  "shapes from files",
          .choices = engine_names()}},
        {&P::mesh_tolerance,
         {.name = "mesh_tolerance",
          .unit = "m",
          .help = "polygon: how far gaps may be from those of the shapes that meshes stand for; else "
                  "a thousandth of each shape's size",
          .range = positive()}}};
    for (TableRow<P>& row : contact_law_rows<P>()) rows.push_back(std::move(row));
    rows.push_back({&P::rolling_resistance,
                    {.name = "rolling_resistance",
                     .unit = "m",
                     .help = "δ_r: the couple that resists rolling is δ_r F_N",
                     .fallback = "0",
                     .range = not_negative()}});
    rows.push_back({&P::spinning_resistance,
                    {.name = "spinning_resistance",
                     .unit = "m",
                     .help = "δ_s: the couple that resists turning about the normal is δ_s F_N; space",
                     .fallback = "0",
                     .range = not_negative()}});
    rows.push_back(
        {&P::rolling_velocity,
         {.name = "rolling_velocity",
          .unit = "rad/s",
          .help = "ω₀ of method smooth, from which on these couples are whole; below, a body creeps",
          .fallback = "0.01",
          .range = positive()}});
    rows.push_back({&P::group,
                    {.name = "group",
                     .kind = Kind::boolean,
                     .help = "true: the places are not followed one by one, only their sums are recorded; "
                             "absent: where there are more than 2000 of them"}});
    return table_of<P>("a contact", "Surfaces that may touch, and the laws that hold between them", rows);
  }();
  return table;
}

const Table& ground_table() {
  static const Table table = table_of<GroundParameters>("the ground", "What is fixed",
                                                        {{&GroundParameters::shapes,
                                                          {.name = "shapes",
                                                           .kind = Kind::objects,
                                                           .help = "its surfaces, by name",
                                                           .family = &shape_family()}}});
  return table;
}

const bool contacts_registered =
    (register_table("contacts", &contact_table()), register_table("ground", &ground_table()), true);

// The surfaces that a name or pattern stands for; an error when there are none.
std::vector<int> find_surfaces(const SurfaceContactInput& in, int side) {
  const std::string& name = in.contact.as<ContactParameters>().between[side];
  std::vector<int> out;
  std::vector<std::string> known;
  for (int s = 0; s < static_cast<int>(in.surfaces.size()); ++s) {
    const Surface& surface = in.surfaces[s];
    if (surface.group.empty() ? matches(name, surface.name) : name == surface.group) out.push_back(s);
    if (surface.group.empty()) known.push_back(surface.name);
  }
  if (!out.empty()) return out;
  const std::string near = nearest_name(name, known);
  in.diagnostics.error(
      in.contact.origin.where("between", side),
      fmt::format("contact '{}' is between '{}', which is no surface of this model{}; surfaces: {}",
                  in.contact.origin.name, name,
                  near.empty() ? "" : fmt::format(" (did you mean '{}'?)", near),
                  known.empty() ? "none (give a body `shapes`)" : join_names(known, 12)));
  return out;
}

/// The surfaces of an entry: each of the first may touch each of the second.
struct Sides {
  std::vector<int> first, second;
  std::vector<char> in_first, in_second;  // one per surface of the model

  explicit Sides(const SurfaceContactInput& in)
      : first(find_surfaces(in, 0)),
        second(find_surfaces(in, 1)),
        in_first(in.surfaces.size(), 0),
        in_second(in.surfaces.size(), 0) {
    for (int s : first) in_first[s] = 1;
    for (int s : second) in_second[s] = 1;
  }
  bool any_flexible(const SurfaceContactInput& in) const {
    const auto bends = [&](int s) { return in.surfaces[s].owner >= 0; };
    return std::any_of(first.begin(), first.end(), bends) || std::any_of(second.begin(), second.end(), bends);
  }
  /// May a of the first touch b of the second? Not if they are one body's; where both are on both sides, once.
  bool meet(const SurfaceContactInput& in, int a, int b) const {
    if (in.surfaces[a].body_behind() == in.surfaces[b].body_behind()) return false;
    return a < b || !(in_first[b] && in_second[a]);
  }
};

/// Two surfaces that may touch.
struct Meeting {
  int first = 0, second = 0;
  Pair geometry;
};

/// All surfaces of one kind on one side of an entry.
struct KindOfSurface {
  const Shape* like;
  int body;              // behind the first
  bool on_many = false;  // others belong to other bodies
};

std::vector<KindOfSurface> kinds_of(const SurfaceContactInput& in, const std::vector<int>& surfaces) {
  std::vector<KindOfSurface> out;
  for (int s : surfaces) {
    const Surface& surface = in.surfaces[s];
    const auto known = std::find_if(out.begin(), out.end(), [&](const KindOfSurface& k) {
      return k.like->kind() == surface.shape->kind();
    });
    if (known == out.end())
      out.push_back({surface.shape.get(), surface.body_behind()});
    else
      known->on_many = known->on_many || known->body != surface.body_behind();
  }
  return out;
}

// Does every kind of surface on one side know how to touch every kind on the other that it can meet, as it is? Those of one
// body, such as the ground's planes, never meet.
bool kinds_can_touch(const SurfaceContactInput& in, const Sides& sides) {
  for (const KindOfSurface& a : kinds_of(in, sides.first))
    for (const KindOfSurface& b : kinds_of(in, sides.second)) {
      const bool meet = a.on_many || b.on_many || a.body != b.body;
      if (meet && !Pair(*a.like, *b.like)) return false;
    }
  return true;
}

// Pairs of surfaces that may touch, or of a group as many as it takes to see that it is one. Empty after an error.
std::vector<Meeting> find_pairs(const SurfaceContactInput& in, const EngineOptions& engine,
                                const Sides& sides, bool& group) {
  const auto& p = in.contact.as<ContactParameters>();
  const bool given = p.group.has_value(), asked = p.group.value_or(false);
  const bool bends = sides.any_flexible(in);
  const bool possible =
      !bends && (!engine.engine || *engine.engine == Engine::analytic) && kinds_can_touch(in, sides);
  if (asked && bends) {
    in.diagnostics.error(
        in.contact.origin.where("group"),
        fmt::format("contact '{}' cannot be a group: surfaces of flexible bodies are followed "
                    "place by place",
                    in.contact.origin.name));
    return {};
  }
  if (asked && !possible) {
    in.diagnostics.error(
        in.contact.origin.where("group"),
        fmt::format(
            "contact '{}' cannot be a group: groups touch by closed forms, which are not known for all "
            "of its surfaces or not what its `engine` uses",
            in.contact.origin.name));
    return {};
  }
  group = asked;
  PairMaker maker(engine);
  const SourcePos where = in.contact.origin.where(engine.engine ? "engine" : "between");
  const std::string who = fmt::format("contact '{}'", in.contact.origin.name);
  std::vector<Meeting> out;
  int places = 0;
  for (int a : sides.first)
    for (int b : sides.second) {
      if (!sides.meet(in, a, b)) continue;
      if (!in.surfaces[a].group.empty() && !in.surfaces[b].group.empty()) {
        in.diagnostics.error(
            in.contact.origin.where("between"),
            fmt::format("{} is between nodes of two flexible bodies, which do not meet; give one "
                        "of them shapes at its interfaces",
                        who));
        return {};
      }
      const Pair geometry =
          maker.make(*in.surfaces[a].shape, *in.surfaces[b].shape, who, where, in.diagnostics);
      if (!geometry) return {};
      out.push_back({a, b, geometry});
      places += geometry.candidates();
      if (bends && places > most_followed) {
        in.diagnostics.error(
            in.contact.origin.where("between"),
            fmt::format("contact '{}' stands for more than {} places on flexible bodies, each of which is "
                        "followed by itself; name a smaller group of nodes",
                        in.contact.origin.name, most_followed));
        return {};
      }
      if (!given && possible && places > most_followed) group = true;
      if (group && !in.follow) return out;
      if (group && places > most_followed_of_groups) {
        in.diagnostics.error(
            in.contact.origin.where("between"),
            fmt::format("contact '{}' stands for more than {} places, each of which method event-driven "
                        "follows by itself; use moreau",
                        in.contact.origin.name, most_followed_of_groups));
        return {};
      }
    }
  if (out.empty() && !sides.first.empty() && !sides.second.empty())
    in.diagnostics.error(in.contact.origin.where("between"),
                         fmt::format("{} is between surfaces of one body, which never touch", who));
  return out;
}

// BODY of BODY.SHAPE.
std::string carrier_of(const Surface& surface) {
  if (!surface.carrier.empty()) return surface.carrier;
  return surface.name.substr(0, surface.name.find('.'));
}

/// How many pairs of shapes two bodies meet in, by the numbers of these.
using PairCounts = std::map<std::pair<int, int>, int>;

// BODY-BODY, or with the shapes where these bodies meet in several pairs.
std::string name_of_pair(const PairCounts& counts, const Surface& first, const Surface& second) {
  if (counts.at({first.body, second.body}) > 1) return fmt::format("{}-{}", first.name, second.name);
  return fmt::format("{}-{}", carrier_of(first), carrier_of(second));
}

// Which engine the entry asks for; nothing after an error was reported.
std::optional<EngineOptions> read_engine(const SurfaceContactInput& in) {
  EngineOptions out;
  out.use = in.follow ? PairUse::instants : in.rigid ? PairUse::impacts : PairUse::forces;
  const auto& p = in.contact.as<ContactParameters>();
  if (!p.engine.empty()) out.engine = engine_from(p.engine);
  if (!std::isnan(p.mesh_tolerance)) out.tolerance = p.mesh_tolerance;
  const bool planar = in.start.dimension == Dimension::planar;
  if (planar && out.engine && *out.engine != Engine::analytic) {
    in.diagnostics.error(
        in.contact.origin.where("engine"),
        fmt::format("contact '{}': `engine: {}` computes in space; a planar model has closed forms alone",
                    in.contact.origin.name, p.engine));
    return std::nullopt;
  }
  return out;
}

// Rolling and spinning resistance.
RollingResistance read_resistance(const SurfaceContactInput& in) {
  const auto& p = in.contact.as<ContactParameters>();
  const RollingResistance out{p.rolling_resistance, p.spinning_resistance, p.rolling_velocity};
  if (out.spinning > 0 && in.start.dimension == Dimension::planar)
    in.diagnostics.error(
        in.contact.origin.where("spinning_resistance"),
        fmt::format("`spinning_resistance` of contact '{}' has no meaning in a planar model, where "
                    "nothing turns about the normal",
                    in.contact.origin.name));
  return out;
}

}  // namespace

// Half of the smaller extent.
double contact_length(const Surface& first, const Surface& second) {
  const auto size_of = [](const Surface& s) { return s.spacing > 0 ? s.spacing : s.shape->size(); };
  const double size = std::min(size_of(first), size_of(second));
  return std::isfinite(size) ? size : 1.0;
}

std::vector<Surface> make_surfaces(const NamedParameters& shapes, const std::string& body_name, int body,
                                   Dimension dimension, Diagnostics& diagnostics) {
  std::vector<Surface> out;
  for (const auto& [name, parameters] : shapes)
    if (std::shared_ptr<const Shape> shape = make_shape(parameters, dimension, diagnostics))
      out.push_back({fmt::format("{}.{}", body_name, name), body, shape});
  return out;
}

SurfaceContact::SurfaceContact(const Surface& first, const Surface& second, const Pair& geometry,
                               int candidate)
    : geometry_(geometry),
      candidate_(candidate),
      shapes_{first.shape, second.shape},
      bends_(first.owner >= 0 || second.owner >= 0) {
  bodies[0] = first.body;
  bodies[1] = second.body;
  for (int side = 0; side < 2; ++side) {
    const Bounds box = shapes_[side]->bounds({});
    reach_[side] = box.low.cwiseAbs().cwiseMax(box.high.cwiseAbs()).norm();
  }
  length_scale = contact_length(first, second);
}

Touch touch_at(const Proximity& place, int first, int second, const Kinematics& k) {
  Touch out;
  out.gap = place.gap;
  out.normal = place.normal;
  out.at = out.offset = place.common_point();
  // Material points of both bodies at the common point. Along the normal they move as the witness points do.
  Vec3 v;
  if (k.dimension == Dimension::planar) {
    const PlanarFrame &fi = k.planar[first], &fj = k.planar[second];
    const Vec2 at = out.at.head<2>();
    v << fj.v + fj.w * perpendicular(at - fj.r) - fi.v - fi.w * perpendicular(at - fi.r), 0;
  } else {
    const SpatialFrame &fi = k.spatial[first], &fj = k.spatial[second];
    v = fj.v + fj.w.cross(out.at - fj.r) - fi.v - fi.w.cross(out.at - fi.r);
  }
  const double opening = v.dot(out.normal);
  out.slope = place.slope;
  out.rate = place.slope * opening;
  out.slip = v - opening * out.normal;
  return out;
}

Touch SurfaceContact::find_touch(const Kinematics& k) const {
  const Proximity p = geometry_.evaluate(pose_of(k, bodies[0]), pose_of(k, bodies[1]), candidate_);
  Touch out = touch_at(p, bodies[0], bodies[1], k);
  // A candidate that faces nothing is far away.
  if (!std::isfinite(out.gap)) out.gap = length_scale;
  return out;
}

// A place of two faces exists while they face each other: it may come, be passed through and go within one long step. So
// bodies go at most half their size farther than what is free between them. The first place speaks for all of a pair.
double SurfaceContact::clear_time(const Kinematics& k) const {
  if (candidate_ > 0 || geometry_.candidates() == 1 || !std::isfinite(reach_[0] + reach_[1])) return HUGE_VAL;
  double speed = 0;
  if (k.dimension == Dimension::planar) {
    const PlanarFrame &fi = k.planar[bodies[0]], &fj = k.planar[bodies[1]];
    speed = (fj.v - fi.v).norm() + std::abs(fi.w) * reach_[0] + std::abs(fj.w) * reach_[1];
  } else {
    const SpatialFrame &fi = k.spatial[bodies[0]], &fj = k.spatial[bodies[1]];
    speed = (fj.v - fi.v).norm() + fi.w.norm() * reach_[0] + fj.w.norm() * reach_[1];
  }
  const Bounds a = shapes_[0]->bounds(pose_of(k, bodies[0])), b = shapes_[1]->bounds(pose_of(k, bodies[1]));
  const double free = (a.low - b.high).cwiseMax(b.low - a.high).cwiseMax(0.0).norm();
  return speed > 0 ? (free + 0.5 * length_scale) / speed : HUGE_VAL;
}

// Seen from one body the other moves as a rigid one: no point of its shape is faster than its origin and its turning at the
// shape's reach. Planes and profiles reach everywhere, what they meet does not. A half-space has no other side to come out at:
// only turning brings a corner into it and out again.
double SurfaceContact::fastest_approach(const Kinematics& k) const {
  const int finite = reach_[0] < reach_[1] ? 0 : 1, i = bodies[1 - finite], j = bodies[finite];
  const bool half_space = shapes_[1 - finite]->kind() == "plane" && !bends_;
  if (k.dimension == Dimension::planar) {
    const PlanarFrame &fi = k.planar[i], &fj = k.planar[j];
    const double way = half_space ? 0 : (fj.v - fi.v - fi.w * perpendicular(fj.r - fi.r)).norm();
    return way + std::abs(fj.w - fi.w) * reach_[finite];
  }
  const SpatialFrame &fi = k.spatial[i], &fj = k.spatial[j];
  const double way = half_space ? 0 : (fj.v - fi.v - fi.w.cross(fj.r - fi.r)).norm();
  return way + (fj.w - fi.w).norm() * reach_[finite];
}

// A pair of shapes says where it touches, not how that place moves: differences over a short while of the motion tell.
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
  return {(next.normal - before.normal) / (2 * h), (next.common_point() - before.common_point()) / (2 * h)};
}

namespace {

// Two radii of the gap, unless they are one that both surfaces' own radii give.
void note_ellipse(const std::optional<std::array<double, 2>>& radii, ContactPair& pair) {
  constexpr double same = 1e-9;
  if (!radii || (std::isinf((*radii)[0]) && std::isinf((*radii)[1]))) return;
  const double mean = 1 / relative_curvature(pair);
  const auto is_mean = [&](double radius) {
    return std::isfinite(mean) && std::abs(radius - mean) <= same * mean;
  };
  if (is_mean((*radii)[0]) && is_mean((*radii)[1])) return;
  pair.relative_radius = *radii;
}

}  // namespace

SurfaceContacts make_surface_contacts(const SurfaceContactInput& in, std::vector<std::string>& notes) {
  SurfaceContacts out;
  const std::optional<EngineOptions> engine = read_engine(in);
  if (!engine) return out;
  const RollingResistance resists = read_resistance(in);
  const Sides sides(in);
  bool group = false;
  std::vector<Meeting> pairs = find_pairs(in, *engine, sides, group);
  if (pairs.empty()) return out;
  if (group && in.follow) {
    group = false;
    notes.push_back(
        fmt::format("contact '{}' is a group, whose places method event-driven follows one by one",
                    in.contact.origin.name));
  }
  // A group takes its laws from the first of its pairs.
  const bool several = pairs.size() > 1;
  if (group) pairs.resize(1);
  PairCounts counts;
  for (const Meeting& m : pairs) ++counts[{in.surfaces[m.first].body, in.surfaces[m.second].body}];
  NormalLawSource normal_source;
  for (const auto& [a, b, geometry] : pairs) {
    const Surface &first = in.surfaces[a], &second = in.surfaces[b];
    // NAME for one place, otherwise NAME.1, NAME.2, ...; with patterns NAME.BODY-BODY, or NAME.BODY.SHAPE-BODY.SHAPE
    // where the two bodies have more than one pair of shapes.
    std::vector<std::unique_ptr<ContactPoint>> points;
    std::string name = in.contact.origin.name;
    if (several && !group) name = fmt::format("{}.{}", name, name_of_pair(counts, first, second));
    for (int c = 0; c < geometry.candidates(); ++c) {
      auto point = std::make_unique<SurfaceContact>(first, second, geometry, c);
      point->name = geometry.candidates() > 1 ? fmt::format("{}.{}", name, c + 1) : name;
      const Proximity p = geometry.evaluate(pose_of(in.start, first.body), pose_of(in.start, second.body), c);
      for (int side = 0; side < 2; ++side)
        if (p.radius[side] != 0) point->pair.radius[side] = p.radius[side];
      if (in.start.dimension == Dimension::spatial)
        note_ellipse(relative_radii(*first.shape, pose_of(in.start, first.body), *second.shape,
                                    pose_of(in.start, second.body), p),
                     point->pair);
      points.push_back(std::move(point));
    }
    std::vector<std::string> own_notes;
    const ContactLawsInput laws{contact_laws_of(in.contact), fmt::format("contact '{}'", name), in.materials,
                                in.diagnostics, in.rigid};
    const std::optional<NormalLawSource> source = give_laws(laws, points, own_notes);
    if (!source) return {};
    if (group) normal_source = *source;
    if (out.points.empty()) notes.insert(notes.end(), own_notes.begin(), own_notes.end());
    for (auto& point : points) {
      point->resists = resists;
      out.points.push_back(std::move(point));
    }
  }
  if (!group) return out;
  const ContactPoint& like = *out.points.front();
  out.group = ContactGroup{.name = in.contact.origin.name,
                           .first = sides.first,
                           .second = sides.second,
                           .rigid = like.rigid,
                           .friction_law = like.friction_law,
                           .resists = resists,
                           .normal_source = std::move(normal_source)};
  if (!in.rigid && like.friction_law->traits().kind != FrictionKind::regularised)
    in.diagnostics.error(
        in.contact.origin.where("friction"),
        fmt::format("contact '{}' is a group of places that are not followed one by one: "
                    "method smooth then needs a friction "
                    "law of the sliding velocity alone, which '{}' is not; use such a law, "
                    "method moreau, or `group: false`",
                    in.contact.origin.name, in.contact.as<ContactParameters>().friction.origin.type));
  out.points.clear();
  return out;
}

}  // namespace tappet
