#include "tappet/geometry/mesh_overlap.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include <Eigen/Geometry>

namespace tappet {
namespace {

constexpr double along_limit = 1e-6;  ///< |N·n| below which a triangle has no projection
constexpr double corner_ratio = 0.9;  ///< M₃²/(M₂M₄) of a corner on a face, β = 2; 1 of two flat faces
constexpr double face_limit = 0.05;   ///< |N·n| below which a face does not tell places apart

/// A piece of the crossing curve, from x to y along N_A × N_B.
struct Piece {
  Vec3 x, y;
  int a, b;  ///< triangles
};

/// Triangles of both meshes that are crossed or inside the other, with who belongs together.
struct Member {
  int side, triangle;
  int parent;  ///< of the union-find forest
};

/// A triangle seen along n: corners and height z = z₀ + z_u u + z_w w in the plane across n.
struct Seen {
  Vec2 corner[3], low, high;
  double z0, slope[2], lowest, highest;
  double sense;  ///< sign of N·n
  int triangle;
  Vec3 u;  ///< N/(N·n)

  double z(const Vec2& x) const { return z0 + slope[0] * x.x() + slope[1] * x.y(); }
};

/// Moments of T, measured from one of the two surfaces; index k − 2.
struct Moments {
  double M[3] = {0, 0, 0};
  Vec3 force[2][3], moment[2][3];  ///< k ∫ T^(k−1) u dA and x × u, of the first's surface and of the second's
  double projected = 0, area = 0;  ///< of the other's patch: along n, and true

  Moments() {
    for (auto* each : {force, moment})
      for (int side = 0; side < 2; ++side)
        for (int k = 0; k < 3; ++k) each[side][k].setZero();
  }
  void operator+=(const Moments& other) {
    for (int k = 0; k < 3; ++k) {
      M[k] += other.M[k];
      for (int side = 0; side < 2; ++side)
        force[side][k] += other.force[side][k], moment[side][k] += other.moment[side][k];
    }
    projected += other.projected;
    area += other.area;
  }
  bool any() const { return M[0] > 0 && M[1] > 0 && M[2] > 0; }
  /// β of the family between 0 and 2, where it lies between them; else its nearer end, with M₃ and M₄ alone.
  double ratio() const { return M[1] * M[1] / (M[0] * M[2]); }
  double depth() const {
    const double r = ratio();
    if (r < corner_ratio) return 1.5 * M[2] / M[1];
    if (r > 1) return M[2] / M[1];
    return 1 / (4 * M[1] / M[2] - 3 * M[0] / M[1]);
  }
  /// ∂δ/∂M_k.
  Vec3 derivatives() const {
    const double d = depth(), r = ratio();
    if (r < corner_ratio || r > 1) return {0, -d / M[1], d / M[2]};
    return {3 * d * d / M[1], -d * d * (4 / M[2] + 3 * M[0] / (M[1] * M[1])),
            4 * d * d * M[1] / (M[2] * M[2])};
  }
};

/// What one crossing curve bounds.
struct Island {
  int root = 0;
  std::vector<int> pieces;
  Vec3 centre = Vec3::Zero(), S = Vec3::Zero(), n = Vec3::Zero();
  Moments from[2];            ///< measured from the first's surface, from the second's
  std::vector<int> faces[2];  ///< ascending
  bool part = false;          ///< of another island, whose faces a concave edge separates
  /// Depth is measured from this side. Of a part only from the side whose faces are separated: there the patch ends at an edge of that
  /// side where T is not 0, and the derivative is whole only if the edge stands still.
  bool measured[2] = {true, true};
  int pool = 0;  ///< the first island that it shares its place with
  double deepest = 0;
  int triangle[2] = {0, 0};
  Vec3 weighted = Vec3::Zero();  ///< ∫ T² x dA of the cells
  double weight = 0;
  int first_corner = 0, last_corner = 0;

  /// As new, with the room that its lists had.
  void restart(int new_root) {
    Island fresh;
    fresh.root = new_root;
    std::swap(fresh.pieces, pieces);
    std::swap(fresh.faces, faces);
    fresh.pieces.clear();
    for (std::vector<int>& each : fresh.faces) each.clear();
    *this = std::move(fresh);
  }
};

double fade(double x, double from, double to) {
  const double s = std::clamp((x - from) / (to - from), 0.0, 1.0);
  return s * s * (3 - 2 * s);
}

/// A convex polygon in the plane, cut by half-planes.
struct Cell {
  int count = 3;
  Vec2 corner[12];

  double area() const {
    double twice = 0;
    for (int i = 1; i + 1 < count; ++i) twice += cross(corner[i] - corner[0], corner[i + 1] - corner[0]);
    return 0.5 * twice;
  }

  /// Keeps where f ≥ 0; f is linear.
  template <class F>
  void cut(const F& f) {
    if (count < 3) return;
    Vec2 kept[12];
    int n = 0;
    double before = f(corner[count - 1]);
    for (int i = 0; i < count; ++i) {
      const Vec2& from = corner[(i + count - 1) % count];
      const double here = f(corner[i]);
      if ((before >= 0) != (here >= 0)) kept[n++] = from + before / (before - here) * (corner[i] - from);
      if (here >= 0) kept[n++] = corner[i];
      before = here;
    }
    count = n;
    std::copy(kept, kept + n, corner);
  }
};

class Finder {
 public:
  const Overlaps& run(const Mesh& first, const Mesh& second, const Pose& second_in_first, Grooves grooves) {
    grooves_ = grooves;
    mesh_[0] = &first;
    mesh_[1] = &second;
    pose_ = second_in_first;
    out_.all.clear();
    out_.corners.clear();
    forget();
    cross();
    out_.crossing = !pieces_.empty();
    if (!out_.crossing) return out_;
    flood();
    close_open_curves();
    gather_islands();
    for (int i = 0, curves = islands_; i < curves; ++i) measure(i);
    pool();
    for (int i = 0; i < islands_; ++i)
      if (island_[i].pool == i) finish(i);
    if (out_.all.size() > Overlaps::most) {
      std::nth_element(out_.all.begin(), out_.all.begin() + Overlaps::most, out_.all.end(),
                       [](const Overlap& a, const Overlap& b) { return a.depth > b.depth; });
      out_.all.resize(Overlaps::most);
    }
    std::sort(out_.all.begin(), out_.all.end(), [](const Overlap& a, const Overlap& b) {
      return std::lexicographical_compare(a.face, a.face + 2, b.face, b.face + 2);
    });
    return out_;
  }

 private:
  Vec3 corner(int side, int t, int k) const {
    const Vec3& x = mesh_[side]->mesh.corner(t, k);
    return side == 0 ? x : pose_.point(x);
  }
  Vec3 normal(int side, int t) const {
    const Vec3& n = mesh_[side]->surface.face_normal(t);
    return side == 0 ? n : pose_.direction(n);
  }
  int face(int side, int t) const { return mesh_[side]->features.face[t]; }
  /// Is a point inside the mesh of that side?
  bool inside(int side, const Vec3& x) const {
    return mesh_[side]->surface.nearest(side == 0 ? x : pose_.local(x)).distance < 0;
  }

  void forget() {
    for (const Member& m : members_) number_[m.side][m.triangle] = -1;
    members_.clear();
    pieces_.clear();
    for (int side = 0; side < 2; ++side)
      if (number_[side].size() < mesh_[side]->mesh.triangles.size())
        number_[side].resize(mesh_[side]->mesh.triangles.size(), -1);
  }
  int member(int side, int t) {
    int& number = number_[side][t];
    if (number < 0) {
      number = static_cast<int>(members_.size());
      members_.push_back({side, t, number});
    }
    return number;
  }
  int root(int i) {
    while (members_[i].parent != i) i = members_[i].parent = members_[members_[i].parent].parent;
    return i;
  }
  void join(int i, int j) {
    i = root(i), j = root(j);
    members_[std::max(i, j)].parent = std::min(i, j);
  }

  void cross();
  void flood();
  void close_open_curves();
  void gather_islands();
  void measure(int i);
  void find_direction(Island& island) const;
  void set_axes(const Island& island);
  void group_faces(int side, const std::vector<int>& faces);
  int group_of(int side, int triangle) const;
  void split(int i);
  void find_cells(Island& island);
  Cell common(const Seen& a, const Seen& b) const;
  template <class Visit>
  void each_pair(const Visit& visit) const;
  void find_faces(Island& island);
  void see(int side, const Island& island, std::vector<Seen>& out) const;
  void add_cell(Island& island, const Seen& a, const Seen& b);
  void pool();
  void finish(int first);
  void turn(const Island& island, int from, const Moments& m, const Vec3& c, double part, Vec3& g,
            Vec3& moment) const;

  const Mesh* mesh_[2] = {nullptr, nullptr};
  Pose pose_;
  Grooves grooves_ = Grooves::one_place;
  Overlaps out_;
  std::vector<Piece> pieces_;
  std::vector<Member> members_;
  std::vector<int> number_[2];  ///< per triangle: its member, −1
  std::vector<Island> island_;  ///< the first `islands_` count
  int islands_ = 0;
  std::vector<Seen> seen_[2];
  struct Part {
    int group[2];
    Vec3 S;
  };
  std::vector<Part> parts_;                   ///< split()
  std::vector<std::array<int, 2>> group_[2];  ///< per face of an island: its group, the lowest of its faces
  int groups_[2] = {0, 0};
  std::vector<Vec3> sum_;  ///< per member that is a root: of the pieces of its curve
  std::vector<double> length_;
  std::vector<std::array<int, 3>> open_;  ///< faces of open curves, and a member
  Vec3 u_, w_;                            ///< across n, of the island that is measured
};

// Two triangles cross along N_A × N_B, between the points in which their edges pass the other's plane. A corner that lies in a
// plane counts as in front of it.
void Finder::cross() {
  meeting_triangles(mesh_[0]->surface, mesh_[1]->surface, pose_, [&](int a, int b) {
    const Vec3 na = normal(0, a), nb = normal(1, b), d = na.cross(nb);
    const double sine = d.norm();
    if (sine < 1e-9) return;
    Vec3 x[2][3];
    for (int k = 0; k < 3; ++k) x[0][k] = corner(0, a, k), x[1][k] = corner(1, b, k);
    const Vec3 along = d / sine, base = x[0][0];
    double low = -HUGE_VAL, high = HUGE_VAL;
    Vec3 on = base;
    for (int side = 0; side < 2; ++side) {
      const Vec3& plane = side == 0 ? nb : na;
      double s[3], least = HUGE_VAL, most = -HUGE_VAL;
      for (int k = 0; k < 3; ++k) s[k] = plane.dot(x[side][k] - x[1 - side][0]);
      for (int k = 0; k < 3; ++k) {
        const int l = (k + 1) % 3;
        if ((s[k] < 0) == (s[l] < 0)) continue;
        const Vec3 at = x[side][k] + s[k] / (s[k] - s[l]) * (x[side][l] - x[side][k]);
        if (side == 0) on = at;
        least = std::min(least, along.dot(at - base));
        most = std::max(most, along.dot(at - base));
      }
      low = std::max(low, least);
      high = std::min(high, most);
    }
    if (!(low < high) || !std::isfinite(low) || !std::isfinite(high)) return;
    const double at_on = along.dot(on - base);
    pieces_.push_back({on + (low - at_on) * along, on + (high - at_on) * along, a, b});
    join(member(0, a), member(1, b));
  });
}

// From the crossed triangles on, over edges whose middle is inside the other body.
void Finder::flood() {
  for (std::size_t i = 0; i < members_.size(); ++i) {
    const auto [side, t, parent] = members_[i];
    for (int k = 0; k < 3; ++k) {
      const int next = mesh_[side]->features.across[t][k];
      if (next < 0) continue;
      if (const int known = number_[side][next];
          known >= 0 && (static_cast<std::size_t>(known) < i || root(known) == root(static_cast<int>(i))))
        continue;
      if (inside(1 - side, 0.5 * (corner(side, t, k) + corner(side, t, (k + 1) % 3))))
        join(static_cast<int>(i), member(side, next));
    }
  }
}

// The ends of closed curves meet: their pieces add up to nothing.
void Finder::close_open_curves() {
  sum_.assign(members_.size(), Vec3::Zero());
  length_.assign(members_.size(), 0.0);
  for (const Piece& p : pieces_) {
    const int r = root(number_[0][p.a]);
    sum_[r] += p.y - p.x;
    length_[r] += (p.y - p.x).norm();
  }
  open_.clear();
  for (const Piece& p : pieces_)
    if (const int r = root(number_[0][p.a]); sum_[r].norm() > 1e-3 * length_[r])
      open_.push_back({face(0, p.a), face(1, p.b), r});
  std::sort(open_.begin(), open_.end());
  for (std::size_t i = 1; i < open_.size(); ++i)
    if (open_[i][0] == open_[i - 1][0] && open_[i][1] == open_[i - 1][1]) join(open_[i][2], open_[i - 1][2]);
}

void Finder::gather_islands() {
  for (int i = 0; i < static_cast<int>(members_.size()); ++i) members_[i].parent = root(i);
  islands_ = 0;
  for (int i = 0; i < static_cast<int>(pieces_.size()); ++i) {
    const int r = root(number_[0][pieces_[i].a]);
    int at = 0;
    while (at < islands_ && island_[at].root != r) ++at;
    if (at == islands_) {
      if (islands_ == static_cast<int>(island_.size())) island_.emplace_back();
      island_[at].restart(r);
      ++islands_;
    }
    island_[at].pieces.push_back(i);
  }
}

// The island's triangles of one side as seen along n.
void Finder::see(int side, const Island& island, std::vector<Seen>& out) const {
  out.clear();
  for (const Member& m : members_) {
    if (m.side != side || m.parent != island.root) continue;
    if (island.part &&
        !std::binary_search(island.faces[side].begin(), island.faces[side].end(), face(side, m.triangle)))
      continue;
    const Vec3 N = normal(side, m.triangle);
    const double along = N.dot(island.n);
    if (std::abs(along) < along_limit) continue;
    Seen s;
    s.triangle = m.triangle;
    s.sense = along > 0 ? 1 : -1;
    s.u = N / along;
    s.lowest = HUGE_VAL, s.highest = -HUGE_VAL;
    for (int k = 0; k < 3; ++k) {
      const Vec3 d = corner(side, m.triangle, k) - island.centre;
      s.corner[along > 0 ? k : 2 - k] = Vec2(u_.dot(d), w_.dot(d));
      s.lowest = std::min(s.lowest, island.n.dot(d));
      s.highest = std::max(s.highest, island.n.dot(d));
    }
    s.z0 = s.u.dot(corner(side, m.triangle, 0) - island.centre);
    s.slope[0] = -s.u.dot(u_);
    s.slope[1] = -s.u.dot(w_);
    s.low = s.corner[0].cwiseMin(s.corner[1]).cwiseMin(s.corner[2]);
    s.high = s.corner[0].cwiseMax(s.corner[1]).cwiseMax(s.corner[2]);
    out.push_back(s);
  }
  std::sort(out.begin(), out.end(), [](const Seen& a, const Seen& b) { return a.low.x() < b.low.x(); });
}

void Finder::find_faces(Island& island) {
  for (const Member& m : members_)
    if (m.parent == island.root && std::abs(normal(m.side, m.triangle).dot(island.n)) >= face_limit)
      island.faces[m.side].push_back(face(m.side, m.triangle));
  for (std::vector<int>& faces : island.faces) {
    std::sort(faces.begin(), faces.end());
    faces.erase(std::unique(faces.begin(), faces.end()), faces.end());
  }
}

void Finder::find_direction(Island& island) const {
  double length = 0;
  for (const int i : island.pieces) {
    const Piece& p = pieces_[i];
    const double l = (p.y - p.x).norm();
    island.centre += 0.5 * l * (p.x + p.y);
    length += l;
  }
  if (!(length > 0)) return;
  island.centre /= length;
  for (const int i : island.pieces) {
    const Piece& p = pieces_[i];
    island.S += 0.5 * (p.x - island.centre).cross(p.y - island.centre);
  }
  if (island.S.norm() > 1e-12 * length * length) island.n = island.S.normalized();
}

void Finder::set_axes(const Island& island) {
  u_ = island.n.unitOrthogonal();
  w_ = island.n.cross(u_);
  for (int side = 0; side < 2; ++side) see(side, island, seen_[side]);
}

/// Calls visit(a, b) where a triangle of the first is seen before one of the second, facing it.
template <class Visit>
void Finder::each_pair(const Visit& visit) const {
  for (const Seen& a : seen_[0])
    for (const Seen& b : seen_[1]) {
      if (b.low.x() >= a.high.x()) break;
      if (a.low.x() >= b.high.x() || a.low.y() >= b.high.y() || b.low.y() >= a.high.y()) continue;
      if (a.highest <= b.lowest || (a.sense < 0 && b.sense > 0)) continue;
      visit(a, b);
    }
}

void Finder::measure(int i) {
  find_direction(island_[i]);
  if (island_[i].n.isZero(0)) return;
  find_faces(island_[i]);
  for (int side = 0; side < 2; ++side) group_faces(side, island_[i].faces[side]);
  set_axes(island_[i]);
  if (groups_[0] > 1 || groups_[1] > 1)
    split(i);
  else
    find_cells(island_[i]);
}

void Finder::find_cells(Island& island) {
  island.first_corner = static_cast<int>(out_.corners.size());
  each_pair([&](const Seen& a, const Seen& b) { add_cell(island, a, b); });
  island.last_corner = static_cast<int>(out_.corners.size());
}

// Faces that convex creases join belong together.
void Finder::group_faces(int side, const std::vector<int>& faces) {
  std::vector<std::array<int, 2>>& group = group_[side];  // face, group
  group.clear();
  for (const int f : faces) group.push_back({f, f});
  const auto& joined = mesh_[side]->features.convex_faces;
  for (std::size_t i = 0; i < faces.size(); ++i)
    for (std::size_t j = 0; j < i; ++j)
      if (group[i][1] != group[j][1] &&
          std::binary_search(joined.begin(), joined.end(), std::array<int, 2>{faces[j], faces[i]})) {
        const int low = std::min(group[i][1], group[j][1]), high = std::max(group[i][1], group[j][1]);
        for (auto& each : group)
          if (each[1] == high) each[1] = low;
      }
  groups_[side] = 0;
  for (const auto& each : group) groups_[side] += each[0] == each[1];
}

/// −1: of a face along n.
int Finder::group_of(int side, int triangle) const {
  const int f = face(side, triangle);
  for (const auto& each : group_[side])
    if (each[0] == f) return each[1];
  return -1;
}

// Each side of a groove is a place, with the direction in which its own faces look.
void Finder::split(int i) {
  parts_.clear();
  const bool counts[2] = {groups_[0] > 1, groups_[1] > 1};
  each_pair([&](const Seen& a, const Seen& b) {
    if (a.sense < 0 || b.sense > 0) return;
    const int group[2] = {group_of(0, a.triangle), group_of(1, b.triangle)};
    if (group[0] < 0 || group[1] < 0) return;
    const double area = common(a, b).area();
    if (!(area > 0)) return;
    std::size_t at = 0;
    while (at < parts_.size() && !std::equal(group, group + 2, parts_[at].group)) ++at;
    if (at == parts_.size()) parts_.push_back({{group[0], group[1]}, Vec3::Zero()});
    if (counts[0]) parts_[at].S += area * a.u;
    if (counts[1]) parts_[at].S += area * b.u;
  });
  for (const Part& part : parts_) {
    if (islands_ == static_cast<int>(island_.size())) island_.emplace_back();
    Island& own = island_[islands_++];
    own.restart(island_[i].root);
    own.part = true;
    if (grooves_ == Grooves::two_places) std::copy(counts, counts + 2, own.measured);
    own.centre = island_[i].centre;
    own.S = part.S;
    own.n = part.S.normalized();
    for (int side = 0; side < 2; ++side)
      for (const auto& each : group_[side])
        if (each[1] == part.group[side]) own.faces[side].push_back(each[0]);
    set_axes(own);
    find_cells(own);
  }
  island_[i].n.setZero();  // its parts stand for it
}

/// Nodes of the rule of degree 4 with six points on a triangle [Dunavant1985].
struct Node {
  double weight, a, b, c;
};
constexpr double rule_w[2] = {0.223381589678011, 0.109951743655322},
                 rule_a[2] = {0.445948490915965, 0.091576213509771};
constexpr std::array<Node, 6> rule = [] {
  std::array<Node, 6> out{};
  for (int q = 0; q < 6; ++q) {
    const double a = rule_a[q / 3], rest = 1 - 2 * a;
    out[q] = {rule_w[q / 3], q % 3 == 0 ? rest : a, q % 3 == 1 ? rest : a, q % 3 == 2 ? rest : a};
  }
  return out;
}();

// Where a of the first and b of the second face each other, b lying behind a.
Cell Finder::common(const Seen& a, const Seen& b) const {
  Cell cell;
  std::copy(a.corner, a.corner + 3, cell.corner);
  for (int k = 0; k < 3; ++k) {
    const Vec2 from = b.corner[k], way = b.corner[(k + 1) % 3] - from;
    cell.cut([&](const Vec2& x) { return tappet::cross(way, x - from); });
  }
  cell.cut([&](const Vec2& x) { return a.z(x) - b.z(x); });
  return cell;
}

void Finder::add_cell(Island& island, const Seen& a, const Seen& b) {
  const Cell cell = common(a, b);
  if (cell.count < 3) return;
  const auto T = [&](const Vec2& x) { return a.z(x) - b.z(x); };
  const auto point = [&](const Vec2& x, double z) {
    return Vec3(island.centre + x.x() * u_ + x.y() * w_ + z * island.n);
  };

  // Measured from a surface that looks towards the other body, unless more of that body lies between.
  Vec2 middle = Vec2::Zero();
  for (int i = 0; i < cell.count; ++i) middle += cell.corner[i] / cell.count;
  const Vec3 low = point(middle, b.z(middle)), high = point(middle, a.z(middle));
  constexpr double margin = 1e-7;
  const bool counts[2] = {island.measured[0] && a.sense > 0 && !mesh_[0]->surface.between(low, high, margin),
                          island.measured[1] && b.sense < 0 &&
                              !mesh_[1]->surface.between(pose_.local(low), pose_.local(high), margin)};
  if (!counts[0] && !counts[1]) return;
  const double sense[2] = {-b.sense, a.sense}, steep[2] = {b.u.norm(), a.u.norm()};

  for (int i = 1; i + 1 < cell.count; ++i) {
    const Vec2 &p0 = cell.corner[0], &p1 = cell.corner[i], &p2 = cell.corner[i + 1];
    const double area = 0.5 * tappet::cross(p1 - p0, p2 - p0);
    if (!(area > 0)) continue;
    for (int from = 0; from < 2; ++from) {
      if (!counts[from]) continue;
      island.from[from].projected += sense[from] * area;
      island.from[from].area += steep[from] * area;
    }
    for (const Node& node : rule) {
      const Vec2 x = node.a * p0 + node.b * p1 + node.c * p2;
      const double t = T(x), weight = node.weight * area;
      const Vec3 on[2] = {point(x, a.z(x)), point(x, b.z(x))};
      const Vec3 turning[2] = {on[0].cross(a.u), on[1].cross(b.u)};
      island.weighted += weight * t * t * 0.5 * (on[0] + on[1]);
      island.weight += weight * t * t;
      for (int from = 0; from < 2; ++from) {
        if (!counts[from]) continue;
        Moments& m = island.from[from];
        double power = sense[from] * weight * t;  // T^(k−1) dA
        for (int k = 0; k < 3; ++k, power *= t) {
          m.M[k] += power * t;
          for (int side = 0; side < 2; ++side) {
            m.force[side][k] += (k + 2) * power * (side == 0 ? a.u : b.u);
            m.moment[side][k] += (k + 2) * power * turning[side];
          }
        }
      }
    }
  }
  for (int i = 0; i < cell.count; ++i) {
    const double t = T(cell.corner[i]);
    out_.corners.push_back({point(cell.corner[i], 0.5 * (a.z(cell.corner[i]) + b.z(cell.corner[i]))), t});
    if (t > island.deepest) {
      island.deepest = t;
      island.triangle[0] = a.triangle;
      island.triangle[1] = b.triangle;
    }
  }
}

// Curves that cross the same faces of both, looking the same way, are one place.
void Finder::pool() {
  const auto share = [](const std::vector<int>& a, const std::vector<int>& b) {
    auto i = a.begin(), j = b.begin();
    while (i != a.end() && j != b.end()) {
      if (*i == *j) return true;
      *i < *j ? ++i : ++j;
    }
    return false;
  };
  for (int i = 0; i < islands_; ++i) {
    Island& one = island_[i];
    one.pool = i;
    for (int j = 0; j < i; ++j) {
      const Island& other = island_[j];
      const bool groove = grooves_ == Grooves::one_place && one.part && other.part && one.root == other.root;
      if (!groove && (one.n.dot(other.n) < 0.5 || !share(one.faces[0], other.faces[0]) ||
                      !share(one.faces[1], other.faces[1])))
        continue;
      const int from = one.pool, to = other.pool, low = std::min(from, to);
      for (int k = 0; k <= i; ++k)
        if (island_[k].pool == from || island_[k].pool == to) island_[k].pool = low;
    }
  }
}

// What n's own turning adds; `from` 0: measured from the first's surface.
void Finder::turn(const Island& island, int from, const Moments& own, const Vec3& c, double part, Vec3& g,
                  Vec3& moment) const {
  if (island.part || !(part > 0) || !own.any() || !(own.projected > 0)) return;
  Vec3 difference = Vec3::Zero();
  for (int k = 0; k < 3; ++k) difference += c[k] * (own.moment[1][k] - own.moment[0][k]);
  const Vec3 n = from == 0 ? island.n : Vec3(-island.n);
  Vec3 h = -n.cross(difference);
  h = (h - n.dot(h) * n) / own.projected;
  Vec3 force = Vec3::Zero(), about = own.projected * n.cross(h);
  for (const int i : island.pieces) {
    const Piece& p = pieces_[i];
    const double length = (p.y - p.x).norm();
    if (!(length > 0)) continue;
    const Vec3 along = (p.y - p.x) / length, N[2] = {normal(0, p.a), normal(1, p.b)};
    const Vec3 &mine = N[from], &other = N[1 - from];
    const double sine = std::abs(along.cross(other).dot(mine));
    if (sine < 1e-7) continue;
    const Vec3 each = length * other.dot(h) / sine * mine;
    force += each;
    about += (0.5 * (p.x + p.y)).cross(each);
  }
  part *= 1 - fade(force.norm(), 6, 8);
  // Of the body measured from: the other way round for the second.
  const double sense = from == 0 ? part : -part;
  g += sense * force;
  moment += sense * about;
}

void Finder::finish(int first) {
  Overlap place;
  Moments sum[2];
  double deepest = 0, weight = 0;
  bool faced = false;
  place.first_corner = place.last_corner = static_cast<int>(out_.corners.size());
  for (int i = first; i < islands_; ++i) {
    Island& island = island_[i];
    if (island.pool != first || !(island.deepest > 0)) continue;
    for (int from = 0; from < 2; ++from) sum[from] += island.from[from];
    place.centre += island.weighted;
    place.direction += island.weight * island.n;
    weight += island.weight;
    for (int side = 0; side < 2; ++side) {
      if (island.deepest > deepest) place.triangle[side] = island.triangle[side];
      const int lowest = island.faces[side].empty() ? 0 : island.faces[side].front();
      place.face[side] = faced ? std::min(place.face[side], lowest) : lowest;
    }
    faced = true;
    deepest = std::max(deepest, island.deepest);
  }
  if (!(weight > 0)) return;
  place.centre /= weight;
  place.direction.normalize();

  // Flatness of a patch: what it looks like along n, over what it is. `from` the first, T runs over the second's patch.
  double flat[2], share[2], all = 0;
  for (int from = 0; from < 2; ++from) {
    const Moments& over = sum[1 - from];
    flat[from] = over.area > 0 ? std::min(1.0, std::abs(over.projected) / over.area) : 0;
    const bool usable = sum[from].any() && sum[from].depth() > 0 && std::isfinite(sum[from].depth());
    share[from] = usable ? std::pow(std::max(flat[from], 1e-3), 8) : 0;
    all += share[from];
  }
  if (!(all > 0)) return;
  const double turning = fade(-std::max(flat[0], flat[1]), -0.95, -0.85);
  for (int from = 0; from < 2; ++from) {
    if (!(share[from] > 0)) continue;
    const double part = share[from] / all;
    const Vec3 c = sum[from].derivatives();
    Vec3 g = Vec3::Zero(), m = Vec3::Zero();
    for (int k = 0; k < 3; ++k) {
      g -= c[k] * sum[from].force[1 - from][k];
      m -= c[k] * sum[from].moment[1 - from][k];
    }
    for (int i = first; i < islands_; ++i)
      if (island_[i].pool == first) turn(island_[i], from, island_[i].from[from], c, turning, g, m);
    place.depth += part * sum[from].depth();
    place.g += part * g;
    place.m += part * m;
  }
  if (!(place.g.norm() > 1e-3)) return;
  // The force's direction is the better one where it is whole: n leans by the depth over the thickness where plates differ in height,
  // by rounding only or not.
  if (grooves_ == Grooves::one_place || !island_[first].part) place.direction = place.normal();

  // Corners of all its islands, one after the other.
  for (int i = first; i < islands_; ++i)
    if (island_[i].pool == first)
      for (int k = island_[i].first_corner; k < island_[i].last_corner; ++k)
        out_.corners.push_back(PatchCorner(out_.corners[k]));
  place.last_corner = static_cast<int>(out_.corners.size());
  out_.all.push_back(place);
}

}  // namespace

Vec3 Overlap::at() const {
  const Vec3 line = g.cross(m) / g.squaredNorm();
  return line + g.dot(centre - line) / g.squaredNorm() * g;
}

const Overlaps& find_overlaps(const Mesh& first, const Mesh& second, const Pose& second_in_first,
                              Grooves grooves) {
  static thread_local Finder finder;
  return finder.run(first, second, second_in_first, grooves);
}

}  // namespace tappet
