#include "tappet/geometry/exact_surface.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

#include <Eigen/Eigenvalues>

#include "tappet/geometry/mesh_tree.hpp"

#ifdef TAPPET_OPENCASCADE
#include <BRepAdaptor_Curve.hxx>
#include <BRepMesh_IncrementalMesh.hxx>
#include <BRepTools.hxx>
#include <BRepTopAdaptor_FClass2d.hxx>
#include <BRep_Tool.hxx>
#include <ElCLib.hxx>
#include <ElSLib.hxx>
#include <GeomAdaptor_Curve.hxx>
#include <GeomAdaptor_Surface.hxx>
#include <Geom_Curve.hxx>
#include <Geom_Surface.hxx>
#include <Poly_Triangulation.hxx>
#include <TopExp.hxx>
#include <TopTools_IndexedDataMapOfShapeListOfShape.hxx>
#include <TopTools_IndexedMapOfShape.hxx>
#include <TopTools_ListOfShape.hxx>
#include <TopoDS.hxx>
#include <TopoDS_Edge.hxx>
#include <TopoDS_Face.hxx>
#include <TopoDS_Vertex.hxx>
#include <gp_Circ.hxx>

#include "tappet/geometry/exact_data.hpp"
#endif

namespace tappet {

#ifdef TAPPET_OPENCASCADE

namespace {

constexpr double infinite = std::numeric_limits<double>::infinity();
constexpr double pi = std::numbers::pi;
constexpr double sharp_angle = 0.02;  ///< rad between the normals of two faces

gp_Pnt point(const Vec3& p) {
  return {p.x(), p.y(), p.z()};
}

struct Derivatives {
  Vec3 x, u, v, uu, uv, vv;
};

struct Edge {
  Handle(Geom_Curve) curve;
  double t0 = 0, t1 = 0;
  GeomAbs_CurveType type = GeomAbs_OtherCurve;
  bool sharp = false;
  int ring = -1;
  int faces[2] = {-1, -1};
  int ends[2] = {-1, -1};  ///< vertices; the same twice for a closed edge

  Vec3 at(double t) const { return vec3(curve->Value(t)); }
};

struct Face {
  Handle(Geom_Surface) surface;
  GeomAdaptor_Surface adaptor;
  std::unique_ptr<BRepTopAdaptor_FClass2d> outline;  ///< none: the whole closed surface
  bool reversed = false;
  bool bent = false;  ///< in both directions
  std::vector<int> edges, nodes;

  Derivatives at(double u, double v) const {
    gp_Pnt x;
    gp_Vec a, b, aa, bb, ab;
    surface->D2(u, v, x, a, b, aa, bb, ab);
    return {vec3(x), vec3(a), vec3(b), vec3(aa), vec3(ab), vec3(bb)};
  }
  bool contains(const gp_Pnt2d& uv) const { return !outline || outline->Perform(uv) != TopAbs_OUT; }
};

struct Vertex {
  Vec3 point;
  std::vector<int> sharp_edges, faces;
  bool corner = false;
};

/// A place on an edge.
struct OnEdge {
  double t;
  Vec3 point;
  int end;  ///< vertex, or −1 between the ends
};

/// The range of an edge's parameter holds t, or t is moved by whole turns until it does; else the nearer end.
double into_range(const Edge& e, double t) {
  if (t >= e.t0 && t <= e.t1) return t;
  if (e.curve->IsPeriodic()) {
    const double moved = ElCLib::InPeriod(t, e.t0, e.t0 + e.curve->Period());
    if (moved <= e.t1) return moved;
    // Outside: which end is nearer around the circle?
    return moved - e.t1 < e.t0 + e.curve->Period() - moved ? e.t1 : e.t0;
  }
  return std::clamp(t, e.t0, e.t1);
}

/// Where a function of the edge's parameter with these derivatives is least: samples, then Newton's method.
template <class Value, class Slope>
double least_along(const Edge& e, const Value& value, const Slope& slope) {
  constexpr int pieces = 32;
  double best = e.t0, least = infinite;
  for (int i = 0; i <= pieces; ++i) {
    const double t = e.t0 + (e.t1 - e.t0) * i / pieces, f = value(t);
    if (f < least) least = f, best = t;
  }
  for (int i = 0; i < 20; ++i) {
    const auto [first, second] = slope(best);
    const double step = second > 0 ? -first / second : 0;
    const double limit = (e.t1 - e.t0) / pieces, next = into_range(e, best + std::clamp(step, -limit, limit));
    if (std::abs(next - best) <= 1e-15 * (std::abs(best) + limit)) break;
    best = next;
  }
  return best;
}

OnEdge finish(const Edge& e, double t) {
  const double near = 1e-9 * (e.t1 - e.t0);
  const int end = t - e.t0 <= near ? e.ends[0] : e.t1 - t <= near ? e.ends[1] : -1;
  return {t, e.at(t), end};
}

OnEdge nearest_on(const Edge& e, const Vec3& p) {
  if (e.type == GeomAbs_Line || e.type == GeomAbs_Circle) {
    const GeomAdaptor_Curve c(e.curve);
    const double t = e.type == GeomAbs_Line ? ElCLib::Parameter(c.Line(), point(p))
                                            : ElCLib::Parameter(c.Circle(), point(p));
    return finish(e, into_range(e, t));
  }
  return finish(e, least_along(
                       e, [&](double t) { return (e.at(t) - p).squaredNorm(); },
                       [&](double t) {
                         gp_Pnt x;
                         gp_Vec a, b;
                         e.curve->D2(t, x, a, b);
                         const Vec3 r = vec3(x) - p;
                         return std::pair(r.dot(vec3(a)), vec3(a).squaredNorm() + r.dot(vec3(b)));
                       }));
}

OnEdge farthest_on(const Edge& e, const Vec3& d) {
  return finish(e, least_along(
                       e, [&](double t) { return -d.dot(e.at(t)); },
                       [&](double t) {
                         gp_Pnt x;
                         gp_Vec a, b;
                         e.curve->D2(t, x, a, b);
                         return std::pair(-d.dot(vec3(a)), -d.dot(vec3(b)));
                       }));
}

/// Newton's method for a stationary place of a function on a surface, `derivatives` giving gradient and
/// Hessian in (u, v); the Hessian's part that is not positive is left out.
template <class Function>
gp_Pnt2d stationary(const Face& f, gp_Pnt2d uv, const Function& derivatives) {
  for (int i = 0; i < 30; ++i) {
    const Derivatives s = f.at(uv.X(), uv.Y());
    const auto [gradient, hessian] = derivatives(s);
    const Eigen::SelfAdjointEigenSolver<Eigen::Matrix2d> parts(hessian);
    Eigen::Vector2d step = Eigen::Vector2d::Zero();
    for (int k = 0; k < 2; ++k)
      if (parts.eigenvalues()[k] > 1e-14 * std::abs(parts.eigenvalues()[1]))
        step -=
            parts.eigenvectors().col(k).dot(gradient) / parts.eigenvalues()[k] * parts.eigenvectors().col(k);
    uv.SetCoord(uv.X() + step.x(), uv.Y() + step.y());
    if ((s.u * step.x()).norm() + (s.v * step.y()).norm() <= 1e-15 * (1 + s.x.norm())) break;
  }
  return uv;
}

/// The foot of the perpendicular from p on the whole surface of a face.
gp_Pnt2d project(const Face& f, const Vec3& p, const gp_Pnt2d& seed) {
  double u = seed.X(), v = seed.Y();
  switch (f.adaptor.GetType()) {
    case GeomAbs_Plane:
      ElSLib::Parameters(f.adaptor.Plane(), point(p), u, v);
      break;
    case GeomAbs_Cylinder:
      ElSLib::Parameters(f.adaptor.Cylinder(), point(p), u, v);
      break;
    case GeomAbs_Cone:
      ElSLib::Parameters(f.adaptor.Cone(), point(p), u, v);
      break;
    case GeomAbs_Sphere:
      ElSLib::Parameters(f.adaptor.Sphere(), point(p), u, v);
      break;
    case GeomAbs_Torus:
      ElSLib::Parameters(f.adaptor.Torus(), point(p), u, v);
      break;
    default:
      return stationary(f, seed, [&](const Derivatives& s) {
        const Vec3 r = s.x - p;
        Eigen::Matrix2d H;
        H << s.u.dot(s.u) + r.dot(s.uu), s.u.dot(s.v) + r.dot(s.uv), s.u.dot(s.v) + r.dot(s.uv),
            s.v.dot(s.v) + r.dot(s.vv);
        return std::pair(Eigen::Vector2d(r.dot(s.u), r.dot(s.v)), H);
      });
  }
  return {u, v};
}

/// Outward normal; at the poles of balls, where x_u vanishes, the one next to them.
Vec3 normal_at(const Face& f, const gp_Pnt2d& uv) {
  const double side = f.reversed ? -1 : 1;
  if (f.adaptor.GetType() == GeomAbs_Sphere) {
    const gp_Sphere ball = f.adaptor.Sphere();
    const double turn = ball.Position().Direct() ? 1 : -1;
    return side * turn * (vec3(f.surface->Value(uv.X(), uv.Y())) - vec3(ball.Location())).normalized();
  }
  const Derivatives s = f.at(uv.X(), uv.Y());
  Vec3 n = s.u.cross(s.v);
  if (!(n.norm() > 1e-14 * s.u.norm() * s.v.norm())) {
    gp_Pnt2d beside(uv.X() + 1e-6, uv.Y() + 1e-6);
    const Derivatives t = f.at(beside.X(), beside.Y());
    n = t.u.cross(t.v);
  }
  return side * n.normalized();
}

/// √(R₁R₂), signed: from the first and second fundamental forms.
double radius_at(const Face& f, const gp_Pnt2d& uv, const Vec3& n) {
  if (f.adaptor.GetType() == GeomAbs_Plane) return infinite;
  const Derivatives s = f.at(uv.X(), uv.Y());
  const double E = s.u.dot(s.u), F = s.u.dot(s.v), G = s.v.dot(s.v);
  const double L = n.dot(s.uu), M = n.dot(s.uv), N = n.dot(s.vv);
  const double area = E * G - F * F;
  if (f.adaptor.GetType() == GeomAbs_Sphere) return (f.reversed ? -1 : 1) * f.adaptor.Sphere().Radius();
  if (!(area > 0)) return infinite;
  const double gauss = (L * N - M * M) / area, mean = (E * N - 2 * F * M + G * L) / (2 * area);
  return gauss > 1e-6 * mean * mean ? std::copysign(1 / std::sqrt(gauss), -mean) : infinite;
}

}  // namespace

struct ExactSurface::Parts {
  std::vector<Face> faces;
  std::vector<Edge> edges;
  std::vector<Vertex> vertices;
  std::vector<Vec3> corners;
  std::vector<Ring> rings;
  std::vector<int> curves, bent_faces;

  TriangleMesh soup;  ///< triangles of all faces, `parts` their faces; not welded
  std::vector<gp_Pnt2d> uv;
  std::unique_ptr<SurfaceTree> tree;
  double tolerance = 0;

  void add_faces(const TopTools_IndexedMapOfShape& all);
  void add_edges(const TopoDS_Shape& shape, const TopTools_IndexedMapOfShape& all_faces);
  void find_corners();
  void find_rings();
  void add_nodes(const TopoDS_Face& face, int number);

  Vec3 normal_near(int face, const Vec3& x) const {
    const Face& f = faces[face];
    gp_Pnt2d seed(0, 0);
    double least = infinite;
    for (const int i : f.nodes)
      if (const double d = (soup.vertices[i] - x).squaredNorm(); d < least) least = d, seed = uv[i];
    return normal_at(f, project(f, x, seed));
  }
  void take_edge(int edge, const Vec3& p, ExactFoot& best) const;
};

void ExactSurface::Parts::add_nodes(const TopoDS_Face& face, int number) {
  TopLoc_Location place;
  const Handle(Poly_Triangulation) net = BRep_Tool::Triangulation(face, place);
  if (net.IsNull()) return;
  const int base = static_cast<int>(soup.vertices.size()) - 1;
  for (int i = 1; i <= net->NbNodes(); ++i) {
    faces[number].nodes.push_back(static_cast<int>(soup.vertices.size()));
    soup.vertices.push_back(vec3(net->Node(i).Transformed(place.Transformation())));
    uv.push_back(net->UVNode(i));
  }
  for (int i = 1; i <= net->NbTriangles(); ++i) {
    int a, b, c;
    net->Triangle(i).Get(a, b, c);
    soup.triangles.push_back({base + a, base + b, base + c});
    soup.parts.push_back(number);
  }
}

void ExactSurface::Parts::add_faces(const TopTools_IndexedMapOfShape& all) {
  faces.resize(all.Extent());
  for (int i = 1; i <= all.Extent(); ++i) {
    const TopoDS_Face face = TopoDS::Face(all(i));
    Face& f = faces[i - 1];
    f.surface = BRep_Tool::Surface(face);
    f.adaptor.Load(f.surface);
    f.reversed = face.Orientation() == TopAbs_REVERSED;
    const GeomAbs_SurfaceType type = f.adaptor.GetType();
    f.bent = type != GeomAbs_Plane && type != GeomAbs_Cylinder && type != GeomAbs_Cone &&
             type != GeomAbs_SurfaceOfExtrusion;
    f.outline = std::make_unique<BRepTopAdaptor_FClass2d>(face, 1e-9);
    add_nodes(face, i - 1);
  }
}

void ExactSurface::Parts::add_edges(const TopoDS_Shape& shape, const TopTools_IndexedMapOfShape& all_faces) {
  TopTools_IndexedDataMapOfShapeListOfShape users;
  TopExp::MapShapesAndAncestors(shape, TopAbs_EDGE, TopAbs_FACE, users);
  TopTools_IndexedMapOfShape all_vertices;
  TopExp::MapShapes(shape, TopAbs_VERTEX, all_vertices);
  for (int i = 1; i <= all_vertices.Extent(); ++i)
    vertices.push_back({vec3(BRep_Tool::Pnt(TopoDS::Vertex(all_vertices(i)))), {}, {}, false});
  for (int i = 1; i <= users.Extent(); ++i) {
    const TopoDS_Edge edge = TopoDS::Edge(users.FindKey(i));
    if (BRep_Tool::Degenerated(edge)) continue;
    Edge e;
    for (const TopoDS_Shape& user : users(i)) {
      const int face = all_faces.FindIndex(user) - 1;
      if (e.faces[0] < 0)
        e.faces[0] = face;
      else if (face != e.faces[0])
        e.faces[1] = face;
    }
    // A seam, where a surface meets itself, is no edge of the solid.
    if (e.faces[1] < 0) continue;
    e.curve = BRep_Tool::Curve(edge, e.t0, e.t1);
    if (e.curve.IsNull()) continue;
    e.type = GeomAdaptor_Curve(e.curve).GetType();
    TopoDS_Vertex first, last;
    TopExp::Vertices(edge, first, last);
    e.ends[0] = first.IsNull() ? -1 : all_vertices.FindIndex(first) - 1;
    e.ends[1] = last.IsNull() ? -1 : all_vertices.FindIndex(last) - 1;
    const Vec3 middle = e.at(0.5 * (e.t0 + e.t1));
    const double cosine = normal_near(e.faces[0], middle).dot(normal_near(e.faces[1], middle));
    e.sharp = cosine < std::cos(sharp_angle);
    const int number = static_cast<int>(edges.size());
    for (const int f : e.faces) faces[f].edges.push_back(number);
    for (const int v : e.ends)
      if (v >= 0) {
        for (const int f : e.faces) vertices[v].faces.push_back(f);
        if (e.sharp) vertices[v].sharp_edges.push_back(number);
      }
    edges.push_back(std::move(e));
  }
  for (Face& f : faces)
    if (f.edges.empty() && f.adaptor.GetType() == GeomAbs_Sphere) f.outline.reset();
}

// Corners: vertices of sharp edges, unless two of them pass through smoothly.
void ExactSurface::Parts::find_corners() {
  for (std::size_t i = 0; i < vertices.size(); ++i) {
    Vertex& v = vertices[i];
    if (v.sharp_edges.empty()) continue;
    std::vector<Vec3> away;
    for (const int number : v.sharp_edges) {
      const Edge& e = edges[number];
      // A closed edge stands in the list twice: once for each end.
      const bool second = e.ends[0] == e.ends[1] && !away.empty() && v.sharp_edges[away.size() - 1] == number;
      const bool at_start = e.ends[0] == static_cast<int>(i) && !second;
      gp_Pnt x;
      gp_Vec a;
      e.curve->D1(at_start ? e.t0 : e.t1, x, a);
      away.push_back((at_start ? 1 : -1) * vec3(a).normalized());
    }
    v.corner = away.size() != 2 || -away[0].dot(away[1]) < std::cos(sharp_angle);
    if (v.corner) corners.push_back(v.point);
  }
}

// Whole circles, of one edge or of several arcs.
void ExactSurface::Parts::find_rings() {
  std::vector<double> span;
  std::vector<int> of(edges.size(), -1);
  for (std::size_t i = 0; i < edges.size(); ++i) {
    const Edge& e = edges[i];
    if (!e.sharp || e.type != GeomAbs_Circle) continue;
    const gp_Circ c = GeomAdaptor_Curve(e.curve).Circle();
    const Ring ring{vec3(c.Location()), vec3(gp_Vec(c.Axis().Direction())), c.Radius()};
    std::size_t k = 0;
    for (; k < rings.size(); ++k)
      if ((rings[k].centre - ring.centre).norm() < 1e-7 * ring.radius &&
          std::abs(rings[k].radius - ring.radius) < 1e-7 * ring.radius &&
          std::abs(rings[k].axis.dot(ring.axis)) > 1 - 1e-9)
        break;
    if (k == rings.size()) rings.push_back(ring), span.push_back(0);
    span[k] += e.t1 - e.t0;
    of[i] = static_cast<int>(k);
  }
  std::vector<Ring> whole;
  std::vector<int> number(rings.size(), -1);
  for (std::size_t k = 0; k < rings.size(); ++k)
    if (span[k] > 2 * pi - 1e-6) number[k] = static_cast<int>(whole.size()), whole.push_back(rings[k]);
  for (std::size_t i = 0; i < edges.size(); ++i)
    if (of[i] >= 0) edges[i].ring = number[of[i]];
  rings = std::move(whole);
}

ExactSurface::ExactSurface(const ExactBody& body, double tolerance) : parts_(std::make_unique<Parts>()) {
  Parts& p = *parts_;
  const TopoDS_Shape& shape = body.data().shape;
  BRepMesh_IncrementalMesh mesher(shape, tolerance, false, 0.35, false);
  p.tolerance = tolerance;
  TopTools_IndexedMapOfShape all;
  TopExp::MapShapes(shape, TopAbs_FACE, all);
  p.add_faces(all);
  p.add_edges(shape, all);
  p.find_corners();
  p.find_rings();
  for (std::size_t i = 0; i < p.edges.size(); ++i)
    if (p.edges[i].sharp && p.edges[i].ring < 0 && p.edges[i].type != GeomAbs_Line)
      p.curves.push_back(static_cast<int>(i));
  for (std::size_t i = 0; i < p.faces.size(); ++i)
    if (p.faces[i].bent) p.bent_faces.push_back(static_cast<int>(i));
  p.tree = std::make_unique<SurfaceTree>(p.soup);
}

void ExactSurface::Parts::take_edge(int number, const Vec3& p, ExactFoot& best) const {
  const Edge& e = edges[number];
  const OnEdge on = nearest_on(e, p);
  const Vec3 away = p - on.point;
  const double d = away.norm();
  if (d >= std::abs(best.distance)) return;
  // Inside or outside: against the sum of the normals of the faces that meet there.
  Vec3 n = Vec3::Zero();
  if (on.end >= 0 && vertices[on.end].corner)
    for (const int f : vertices[on.end].faces) n += normal_near(f, on.point);
  else
    for (const int f : e.faces) n += normal_near(f, on.point);
  const double side = away.dot(n) < 0 ? -1 : 1;
  best.distance = side * d;
  best.point = on.point;
  best.normal = d > 1e-12 * (1 + on.point.norm()) ? Vec3(side / d * away) : Vec3(n.normalized());
  best.radius = 0;
  if (!e.sharp) {
    const Face& f = faces[e.faces[0]];
    const gp_Pnt2d uv = project(f, on.point, gp_Pnt2d(0, 0));
    best.radius = radius_at(f, uv, normal_at(f, uv));
  }
}

ExactFoot ExactSurface::nearest(const Vec3& p) const {
  const Parts& s = *parts_;
  const SurfacePoint start = s.tree->nearest(p);
  if (start.triangle < 0) return {};
  // Of each face that may be nearest, the nearest triangle.
  struct Seed {
    int face;
    double d2;
    gp_Pnt2d uv;
  };
  std::array<Seed, 24> seeds;
  int count = 0;
  const double reach = std::abs(start.distance) + 2 * s.tolerance, reach2 = reach * reach;
  s.tree->within(
      p, [&] { return reach2; },
      [&](int triangle, const Vec3& x, double d2) {
        if (d2 > reach2) return;
        const int face = s.soup.parts[triangle];
        int k = 0;
        while (k < count && seeds[k].face != face) ++k;
        if (k == static_cast<int>(seeds.size()) || (k < count && seeds[k].d2 <= d2)) return;
        // The triangle's place in (u, v), by areas.
        const Triangle& t = s.soup.triangles[triangle];
        const Vec3 n = s.soup.area_vector(triangle);
        double u = 0, v = 0;
        for (int i = 0; i < 3; ++i) {
          const Vec3 &b = s.soup.corner(triangle, (i + 1) % 3), &c = s.soup.corner(triangle, (i + 2) % 3);
          const double w = n.squaredNorm() > 0 ? (b - x).cross(c - x).dot(n) / n.squaredNorm() : 1.0 / 3;
          u += w * s.uv[t[i]].X();
          v += w * s.uv[t[i]].Y();
        }
        seeds[k] = {face, d2, gp_Pnt2d(u, v)};
        if (k == count) ++count;
      });

  ExactFoot best;
  for (int k = 0; k < count; ++k) {
    const Face& f = s.faces[seeds[k].face];
    const gp_Pnt2d uv = project(f, p, seeds[k].uv);
    if (f.contains(uv)) {
      const Vec3 x = vec3(f.surface->Value(uv.X(), uv.Y())), n = normal_at(f, uv);
      const double d = (p - x).dot(n);
      if (std::abs(d) < std::abs(best.distance)) best = {d, x, n, radius_at(f, uv, n)};
      continue;
    }
    for (const int e : f.edges) s.take_edge(e, p, best);
  }
  return best;
}

const std::vector<Vec3>& ExactSurface::corners() const {
  return parts_->corners;
}
const std::vector<Ring>& ExactSurface::rings() const {
  return parts_->rings;
}
int ExactSurface::curves() const {
  return static_cast<int>(parts_->curves.size());
}
int ExactSurface::faces() const {
  return static_cast<int>(parts_->bent_faces.size());
}

std::optional<ExactPlace> ExactSurface::farthest_of_curve(int i, const Vec3& d) const {
  const OnEdge on = farthest_on(parts_->edges[parts_->curves[i]], d);
  if (on.end >= 0 && parts_->vertices[on.end].corner) return std::nullopt;
  return ExactPlace{on.point, 0};
}

std::optional<ExactPlace> ExactSurface::farthest_of_face(int i, const Vec3& d) const {
  const Parts& s = *parts_;
  const Face& f = s.faces[s.bent_faces[i]];
  gp_Pnt2d uv(0, 0);
  double most = -infinite;
  for (const int n : f.nodes)
    if (const double h = d.dot(s.soup.vertices[n]); h > most) most = h, uv = s.uv[n];
  if (f.adaptor.GetType() == GeomAbs_Sphere) {
    const gp_Sphere ball = f.adaptor.Sphere();
    ElSLib::Parameters(ball, point(vec3(ball.Location()) + ball.Radius() * d),
                       uv.ChangeCoord().ChangeCoord(1), uv.ChangeCoord().ChangeCoord(2));
  } else {
    uv = stationary(f, uv, [&](const Derivatives& x) {
      Eigen::Matrix2d H;
      H << -d.dot(x.uu), -d.dot(x.uv), -d.dot(x.uv), -d.dot(x.vv);
      return std::pair(Eigen::Vector2d(-d.dot(x.u), -d.dot(x.v)), H);
    });
  }
  const Vec3 x = vec3(f.surface->Value(uv.X(), uv.Y())), n = normal_at(f, uv);
  // Inside, and the normal is d there: the face's own. Hollow faces have none.
  if (n.dot(d) > 1 - 1e-9 && f.contains(uv)) return ExactPlace{x, radius_at(f, uv, n)};
  // Otherwise on its border: its own only where it passes smoothly into the next face.
  std::optional<ExactPlace> out;
  double best = -infinite;
  for (const int number : f.edges) {
    const OnEdge on = farthest_on(s.edges[number], d);
    if (d.dot(on.point) <= best) continue;
    best = d.dot(on.point);
    out.reset();
    if (!s.edges[number].sharp && s.normal_near(s.bent_faces[i], on.point).dot(d) > 0)
      out = ExactPlace{on.point, 0};
  }
  return out;
}

#else

struct ExactSurface::Parts {};
ExactSurface::ExactSurface(const ExactBody&, double) {}
ExactFoot ExactSurface::nearest(const Vec3&) const {
  return {};
}
const std::vector<Vec3>& ExactSurface::corners() const {
  static const std::vector<Vec3> none;
  return none;
}
const std::vector<Ring>& ExactSurface::rings() const {
  static const std::vector<Ring> none;
  return none;
}
int ExactSurface::curves() const {
  return 0;
}
int ExactSurface::faces() const {
  return 0;
}
std::optional<ExactPlace> ExactSurface::farthest_of_curve(int, const Vec3&) const {
  return std::nullopt;
}
std::optional<ExactPlace> ExactSurface::farthest_of_face(int, const Vec3&) const {
  return std::nullopt;
}

#endif

ExactSurface::~ExactSurface() = default;

}  // namespace tappet
