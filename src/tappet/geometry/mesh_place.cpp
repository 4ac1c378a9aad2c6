#include "tappet/geometry/mesh_place.hpp"

#include "tappet/geometry/convex_mesh.hpp"
#include "tappet/geometry/separation.hpp"

namespace tappet {
namespace {

/// The vertex of `of` that is deepest in, or nearest to, `other`, world coordinates: a walk down the tree of
/// its vertices. The distance changes by at most 1 m per metre.
class LowestVertex {
 public:
  LowestVertex(const MeshSide& of, const MeshSide& other) : of_(of), other_(other) {
    if (!of.mesh.vertices.empty()) visit(0);
  }
  double distance = std::numeric_limits<double>::infinity();
  Vec3 point = Vec3::Zero(), normal = Vec3::UnitX();  ///< of the other there

 private:
  Foot at(const Vec3& x) const { return other_.nearest(of_.pose.point(x)); }
  void visit(int i) {
    const BoxNode& node = of_.mesh.vertices.nodes()[i];
    if (node.leaf()) {
      const Vec3& x = of_.mesh.mesh.vertices[node.primitive()];
      if (const Foot foot = at(x); foot.distance < distance)
        distance = foot.distance, point = of_.pose.point(x), normal = foot.normal;
      return;
    }
    const BoxNode* child = &of_.mesh.vertices.nodes()[node.child];
    const double bound[2] = {at(child[0].centre).distance - child[0].reach,
                             at(child[1].centre).distance - child[1].reach};
    const int near = bound[1] < bound[0];
    for (const int k : {near, 1 - near})
      if (bound[k] < distance) visit(node.child + k);
  }

  const MeshSide &of_, &other_;
};

}  // namespace

Proximity nearest_place(const Mesh& first, const Pose& p, const Mesh& second, const Pose& q) {
  const MeshSide a{first, p}, b{second, q};
  if (first.convex && second.convex) {
    Proximity out = separation(*first.convex, p, *second.convex, q);
    out.radius[0] = a.nearest(out.on_first).radius;
    out.radius[1] = b.nearest(out.on_second).radius;
    return out;
  }
  const LowestVertex of_b(b, a), of_a(a, b);
  if (!std::isfinite(of_a.distance) || !std::isfinite(of_b.distance)) return {};
  const bool from_b = of_b.distance <= of_a.distance;
  const LowestVertex& best = from_b ? of_b : of_a;
  Proximity start;
  start.gap = best.distance;
  start.normal = from_b ? best.normal : Vec3(-best.normal);
  start.on_second = from_b ? best.point : Vec3(best.point - best.distance * best.normal);
  start.on_first = start.on_second - start.gap * start.normal;
  const double size = std::min(first.size(), second.size());
  return refined_place(a, b, start, size, 0.25 * size);
}

}  // namespace tappet
