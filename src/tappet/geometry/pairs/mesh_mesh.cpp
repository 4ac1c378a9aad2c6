// Two meshes.
//
// Convex ones touch by the corners and rings of each against the surface of the other (own_places.hpp), and by the nearest place
// when it is none of them (mesh_place.hpp). The gap is the signed distance of the triangles.
//
// Where one of them is not convex the shortest way out may lead anywhere. Apart the gap is the distance of the triangles; overlapping,
// each place where they do (mesh_overlap.hpp) is one candidate for force laws: its depth, and the force that is the depth's
// derivative. Rigid bodies are held at points: of each place up to four corners of its patch, those that are at least a quarter as
// deep as the deepest and farthest apart. They have the direction of the place, never that of a corner's nearest side. Apart they have
// none: method moreau sees what overlaps half-way through a step.
//
// Method event-driven never lets them overlap, and must see them touch: corners on facets and edges on edges (mesh_touch.hpp), each with the
// candidate that its numbers lead to.
//
// Places are numbered in the order of the faces that meet in them: as long as there is one, it is the first candidate, whatever faces it
// passes; where one comes before others these move on by one, still closed. Points have the candidates that the faces' numbers lead to, and
// where two lead to the same the later takes the next that is free, so that the impulses of the last step are mostly found again.
#include <algorithm>
#include <array>
#include <cmath>

#include "tappet/geometry/mesh_overlap.hpp"
#include "tappet/geometry/mesh_place.hpp"
#include "tappet/geometry/mesh_touch.hpp"

namespace tappet::pairs::mesh_mesh {
namespace {

constexpr const char* by_distance = "mesh|mesh by distance";
constexpr const char* by_overlap = "mesh|mesh by overlap";
constexpr const char* by_points = "mesh|mesh by points";
constexpr const char* by_touch = "mesh|mesh by touch";

int distance_candidates(const Shape& first, const Shape& second) {
  const Pose any;
  return own_places(MeshSide{static_cast<const Mesh&>(first), any}) +
         own_places(MeshSide{static_cast<const Mesh&>(second), any}) + 1;
}

Proximity distance(const Shape& first, const Pose& p, const Shape& second, const Pose& q, int i) {
  const MeshSide a{static_cast<const Mesh&>(first), p}, b{static_cast<const Mesh&>(second), q};
  return place_of_both(a, b, i, std::min(a.mesh.size(), b.mesh.size()),
                       [&] { return nearest_place(a.mesh, p, b.mesh, q); });
}

constexpr int most_places = Overlaps::most;
constexpr int points_per_place = 4;

/// Which slot each of several has, in their order, that two numbers tell apart.
template <int size>
class Slots {
 public:
  int of(int first, int second) {
    int slot = static_cast<int>((31L * first + 17L * second) % size);
    while (taken_[slot]) slot = (slot + 1) % size;
    taken_[slot] = true;
    return slot;
  }

 private:
  std::array<bool, size> taken_{};
};

/// Two meshes where they are, the second in the first's coordinates too.
struct Placed {
  const Mesh &first, &second;
  const Pose& p;
  Pose between;

  Placed(const Shape& a, const Pose& pose_a, const Shape& b, const Pose& pose_b)
      : first(static_cast<const Mesh&>(a)),
        second(static_cast<const Mesh&>(b)),
        p(pose_a),
        between{pose_a.R.transpose() * pose_b.R, pose_a.local(pose_b.r)} {}
  bool finite() const { return between.R.allFinite() && between.r.allFinite(); }

  /// A touch half-way between the surfaces; `at` and `normal` in the first's coordinates.
  Proximity touch(const Overlap& place, const Vec3& at, const Vec3& normal, double depth) const {
    Proximity out;
    out.gap = -depth;
    out.normal = p.direction(normal);
    out.on_first = p.point(at) + 0.5 * depth * out.normal;
    out.on_second = p.point(at) - 0.5 * depth * out.normal;
    out.radius[0] = first.features.face_radius[place.triangle[0]];
    out.radius[1] = second.features.face_radius[place.triangle[1]];
    return out;
  }
};

/// Two surfaces that do not cross; one may be wholly inside the other.
void apart(const Placed& at, std::span<Proximity> out) {
  const SurfaceGap gap = surface_gap(at.first.surface, at.second.surface, at.between);
  if (gap.first < 0) return;
  const Vec3 way = gap.on_second - gap.on_first;
  const bool inside = at.first.surface.nearest(at.between.point(at.second.mesh.vertices[0])).distance < 0 ||
                      at.second.surface.nearest(at.between.local(at.first.mesh.vertices[0])).distance < 0;
  // The others face nothing, but no place of theirs can begin before the surfaces meet.
  if (!inside)
    for (Proximity& other : out) {
      other.gap = gap.distance;
      other.on_first = at.p.point(gap.on_first);
      other.on_second = at.p.point(gap.on_second);
    }
  Proximity& x = out[0];
  const Vec3 direction =
      gap.distance > 0 ? Vec3(way / gap.distance) : at.first.surface.face_normal(gap.first);
  x.gap = inside ? -gap.distance : gap.distance;
  x.normal = at.p.direction(inside ? Vec3(-direction) : direction);
  x.on_first = at.p.point(gap.on_first);
  x.on_second = x.on_first + x.gap * x.normal;
  x.radius[0] = at.first.features.face_radius[gap.first];
  x.radius[1] = at.second.features.face_radius[gap.second];
}

void overlap(const Shape& first, const Pose& p, const Shape& second, const Pose& q,
             std::span<Proximity> out) {
  std::fill(out.begin(), out.end(), Proximity{});
  const Placed at(first, p, second, q);
  if (!at.finite()) return;
  const Overlaps& found = find_overlaps(at.first, at.second, at.between);
  if (found.all.empty()) {
    // Too deep for a direction: out by the nearest way.
    if (found.crossing)
      if (const Proximity way = nearest_place(at.first, p, at.second, q);
          way.gap < -1e-3 * std::min(at.first.size(), at.second.size())) {
        out[0] = way;
        return;
      }
    return apart(at, out);
  }
  std::size_t slot = 0;
  for (const Overlap& place : found.all) {
    Proximity& x = out[slot++];
    x = at.touch(place, place.at(), place.normal(), place.depth);
    x.slope = place.g.norm();
  }
}

/// The corners that hold a place: the farthest one way and the other, and across.
void hold(const Placed& at, const Overlap& place, std::span<const PatchCorner> corners,
          std::span<Proximity> out) {
  constexpr double deep = 0.25, same = 1e-6;
  double deepest = 0;
  for (const PatchCorner& c : corners) deepest = std::max(deepest, c.depth);
  const auto farthest = [&](const auto& measure) {
    const PatchCorner* best = nullptr;
    for (const PatchCorner& c : corners)
      if (c.depth >= deep * deepest && (!best || measure(c.at) > measure(best->at))) best = &c;
    return best;
  };
  const Vec3& n = place.direction;
  const auto across = [&](const Vec3& x) { return Vec3(x - n.dot(x) * n); };
  const PatchCorner* one = farthest([&](const Vec3& x) { return across(x - place.centre).squaredNorm(); });
  const PatchCorner* two = farthest([&](const Vec3& x) { return across(x - one->at).squaredNorm(); });
  const Vec3 side = n.cross(two->at - one->at);
  const PatchCorner* chosen[points_per_place] = {one, two,
                                                 farthest([&](const Vec3& x) { return side.dot(x); }),
                                                 farthest([&](const Vec3& x) { return -side.dot(x); })};
  const double size = same * std::min(at.first.size(), at.second.size());
  for (int i = 0; i < points_per_place; ++i) {
    bool again = false;
    for (int j = 0; j < i; ++j) again = again || (chosen[j]->at - chosen[i]->at).norm() < size;
    if (!again) out[i] = at.touch(place, chosen[i]->at, n, chosen[i]->depth);
  }
}

void points(const Shape& first, const Pose& p, const Shape& second, const Pose& q, std::span<Proximity> out) {
  std::fill(out.begin(), out.end(), Proximity{});
  const Placed at(first, p, second, q);
  if (!at.finite() || !first.bounds(p).overlaps(second.bounds(q))) return;
  const Overlaps& found = find_overlaps(at.first, at.second, at.between, Grooves::two_places);
  Slots<most_places> slots;
  for (const Overlap& place : found.all)
    hold(at, place,
         std::span(found.corners).subspan(place.first_corner, place.last_corner - place.first_corner),
         out.subspan(points_per_place * slots.of(place.face[0], place.face[1]), points_per_place));
}

// Of the smaller size: what is nearer has a candidate of its own.
constexpr double near_by = 1e-3;
constexpr int most_touches = 256;

void touches(const Shape& first, const Pose& p, const Shape& second, const Pose& q,
             std::span<Proximity> out) {
  std::fill(out.begin(), out.end(), Proximity{});
  const Placed at(first, p, second, q);
  if (!at.finite()) return;
  const double margin = near_by * std::min(first.size(), second.size());
  // What is not found is farther away than that.
  for (Proximity& each : out) each.gap = margin;
  std::span<MeshTouch> found = find_touches(at.first, at.second, at.between, margin);
  // The nearest, if there are too many.
  if (found.size() > most_touches) {
    std::nth_element(found.begin(), found.begin() + most_touches, found.end(),
                     [](const MeshTouch& a, const MeshTouch& b) { return a.gap < b.gap; });
    found = found.first(most_touches);
    std::sort(found.begin(), found.end(),
              [](const MeshTouch& a, const MeshTouch& b) { return a.name() < b.name(); });
  }
  Slots<most_touches> slots;
  for (const MeshTouch& touch : found) {
    Proximity& x = out[slots.of(3 * touch.first + static_cast<int>(touch.type), touch.second)];
    x.gap = touch.gap;
    x.normal = p.direction(touch.normal);
    x.on_first = p.point(touch.on_first);
    x.on_second = p.point(touch.on_second);
    x.radius[0] = at.first.features.face_radius[touch.triangle[0]];
    x.radius[1] = at.second.features.face_radius[touch.triangle[1]];
  }
}

const char* variant(const Shape& first, const Shape& second, PairUse use) {
  if (static_cast<const Mesh&>(first).convex && static_cast<const Mesh&>(second).convex) return by_distance;
  if (use == PairUse::instants) return by_touch;
  return use == PairUse::forces ? by_overlap : by_points;
}

const Registration<PairType> any_two{{.name = "mesh|mesh", .variant = variant}};
const Registration<PairType> convex_ones{
    {.name = by_distance, .candidates = distance_candidates, .evaluate = distance}};
const Registration<PairType> places{{.name = by_overlap,
                                     .candidates = [](const Shape&, const Shape&) { return most_places; },
                                     .evaluate_all = overlap}};
const Registration<PairType> held_places{
    {.name = by_points,
     .candidates = [](const Shape&, const Shape&) { return most_places * points_per_place; },
     .evaluate_all = points}};
const Registration<PairType> touching_features{
    {.name = by_touch,
     .candidates = [](const Shape&, const Shape&) { return most_touches; },
     .evaluate_all = touches,
     .leaves_out = true}};

}  // namespace
}  // namespace tappet::pairs::mesh_mesh
