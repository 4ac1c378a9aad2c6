// The rigid motion that comes nearest to how nodes moved:  y ≈ c′ + R (x − c),  R = arg max tr(Rᵀ A),  A = Σ (y − c′)(x − c)ᵀ,
// c and c′ the means. Nodes on a line do not say how they turn about it; then R stays nearest to the one given.
#pragma once

#include <span>
#include <vector>

#include "tappet/base/vectors.hpp"

namespace tappet {

struct RigidFit {
  Vec3 from = Vec3::Zero(), to = Vec3::Zero();
  Mat3 R = Mat3::Identity();

  /// Displacement of a point x that moves rigidly.
  Vec3 at(const Vec3& x) const { return to + R * (x - from) - x; }
  /// What is left of a displacement d of x, in the axes of the undeformed nodes.
  Vec3 left(const Vec3& x, const Vec3& d) const { return R.transpose() * (x + d - to) - (x - from); }
};

/// Of nodes x and their displacements, 3 numbers each; `near`: the rotation before.
RigidFit rigid_fit(std::span<const double> nodes, std::span<const double> displacement,
                   const Mat3& near = Mat3::Identity());

}  // namespace tappet
