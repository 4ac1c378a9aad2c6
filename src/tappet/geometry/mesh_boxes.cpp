// What FCL does for trees of oriented boxes.
#include <algorithm>
#include <memory>

#include <fcl/geometry/bvh/BVH_model.h>
#include <fcl/math/bv/OBBRSS.h>
#include <fcl/narrowphase/collision.h>

#include "tappet/geometry/mesh_tree.hpp"

namespace tappet {
namespace {

using Tree = fcl::BVHModel<fcl::OBBRSSd>;

std::unique_ptr<Tree> build(const std::vector<Vec3>& points, const std::vector<Triangle>& triangles) {
  auto tree = std::make_unique<Tree>();
  tree->beginModel(static_cast<int>(triangles.size()), static_cast<int>(points.size()));
  if (triangles.empty()) {
    tree->addSubModel(points);
  } else {
    std::vector<fcl::Triangle> faces;
    faces.reserve(triangles.size());
    for (const Triangle& t : triangles) faces.emplace_back(t[0], t[1], t[2]);
    tree->addSubModel(points, faces);
  }
  tree->endModel();
  return tree;
}

/// FCL's boxes are fitted to rounding: ours are a little larger, so that nothing on a border is lost.
std::vector<BoxNode> nodes_of(const Tree& tree) {
  std::vector<BoxNode> out(tree.getNumBVs());
  for (int i = 0; i < tree.getNumBVs(); ++i) {
    const auto& node = tree.getBV(i);
    const fcl::OBBd& box = node.bv.obb;
    BoxNode& to = out[i];
    to.axes = box.axis;
    to.centre = box.To;
    to.half = box.extent.array() + 1e-12 * (box.extent.maxCoeff() + box.To.cwiseAbs().maxCoeff());
    to.child = node.isLeaf() ? -(node.primitiveId() + 1) : node.leftChild();
    to.reach = to.half.norm();
  }
  return out;
}

}  // namespace

std::vector<BoxNode> box_tree(const std::vector<Vec3>& points, const std::vector<Triangle>& triangles) {
  return nodes_of(*build(points, triangles));
}

int crossing_triangles(const TriangleMesh& mesh) {
  if (mesh.triangles.empty()) return 0;
  const std::shared_ptr<Tree> tree = build(mesh.vertices, mesh.triangles);
  fcl::CollisionObjectd first(tree), second(tree);
  // Each triangle meets itself and its neighbours. Many more pairs than these are the same surface many times: pairs are then
  // counted up to here.
  const std::size_t most = std::max<std::size_t>(2'000'000, 40 * mesh.triangles.size());
  fcl::CollisionRequestd request(most, false);
  fcl::CollisionResultd result;
  fcl::collide(&first, &second, request, result);
  int count = 0;
  for (std::size_t i = 0; i < result.numContacts(); ++i) {
    const fcl::Contactd& hit = result.getContact(i);
    const int one = static_cast<int>(hit.b1), two = static_cast<int>(hit.b2);
    if (one >= two) continue;
    // Neighbours touch without crossing.
    const Triangle &s = mesh.triangles[one], &t = mesh.triangles[two];
    if (std::find_first_of(s.begin(), s.end(), t.begin(), t.end()) == s.end()) ++count;
  }
  return count;
}

}  // namespace tappet
