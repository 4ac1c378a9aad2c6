// Elements that are somewhere else, turned and deformed.
#pragma once

#include <random>
#include <vector>

#include "tappet/fem/element_frame.hpp"

namespace tappet::fem::turned_nodes {

/// Nodes of an element, and what moves them.
struct Nodes {
  std::vector<Vec3> x;
  std::vector<Mat3> R;
  NodePlaces places() const { return {x.data(), R.data()}; }
};

inline Nodes at_start(const std::vector<Vec3>& x) {
  return {x, std::vector<Mat3>(x.size(), Mat3::Identity())};
}

/// Turned as a whole, and moved.
inline Nodes turned(Nodes n, const Mat3& by, const Vec3& along = Vec3::Zero()) {
  for (Vec3& x : n.x) x = along + by * x;
  for (Mat3& R : n.R) R = (by * R).eval();
  return n;
}

/// Every node displaced and turned by up to `size`.
inline Nodes shaken(Nodes n, double size, unsigned seed) {
  std::mt19937 random(seed);
  std::uniform_real_distribution<double> in(-size, size);
  const auto any = [&] { return Vec3(in(random), in(random), in(random)); };
  for (Vec3& x : n.x) x += any();
  for (Mat3& R : n.R) R = (rotation_of_vector(any()) * R).eval();
  return n;
}

/// Unknown j of the element by `step` further; rotations on the world's side.
inline Nodes further(Nodes n, int dofs, int j, double step) {
  const int node = j / dofs, d = j % dofs;
  if (d < 3)
    n.x[node][d] += step;
  else
    n.R[node] = (rotation_of_vector(step * Vec3::Unit(d - 3)) * n.R[node]).eval();
  return n;
}

}  // namespace tappet::fem::turned_nodes
