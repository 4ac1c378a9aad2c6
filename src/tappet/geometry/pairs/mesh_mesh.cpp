// Two meshes: the corners and rings of each against the surface of the other (own_places.hpp), and the
// nearest place when it is none of them (mesh_place.hpp).
//
// The gap is the signed distance of the triangles, as for the analytic shapes. It is continuous in the poses;
// the normal of two bent surfaces turns, where their contact passes from one triangle to the next, by no more
// than the angle between the two.
#include "tappet/geometry/mesh_place.hpp"

namespace tappet::pairs::mesh_mesh {
namespace {

int candidates(const Shape& first, const Shape& second) {
  const Pose any;
  return own_places(MeshSide{static_cast<const Mesh&>(first), any}) +
         own_places(MeshSide{static_cast<const Mesh&>(second), any}) + 1;
}

Proximity evaluate(const Shape& first, const Pose& p, const Shape& second, const Pose& q, int i) {
  const MeshSide a{static_cast<const Mesh&>(first), p}, b{static_cast<const Mesh&>(second), q};
  return place_of_both(a, b, i, std::min(a.mesh.size(), b.mesh.size()),
                       [&] { return nearest_place(a.mesh, p, b.mesh, q); });
}

const Registration<PairType> registered{
    {.name = "mesh|mesh", .candidates = candidates, .evaluate = evaluate}};

}  // namespace
}  // namespace tappet::pairs::mesh_mesh
