// The problems that every solver is held to, made by code from fixed seeds.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include <Eigen/Core>

#include "tappet/lcp/problem.hpp"

namespace tappet::lcp::stored {

/// A small generator whose numbers are the same with every standard library (splitmix64).
class Random {
 public:
  explicit Random(std::uint64_t seed) : state_(seed) {}
  double uniform(double low = -1, double high = 1);
  double normal();
  int below(int n) { return static_cast<int>(uniform(0, n)); }
  Eigen::VectorXd vector(int n);
  Eigen::MatrixXd matrix(int rows, int cols);

 private:
  std::uint64_t state_;
};

/// A named problem and the kinds (bits of Kind) that a solver must claim to be asked for it.
struct NamedLcp {
  std::string name;
  Mlcp problem;
  unsigned kinds = 0;
  bool infeasible = false;
};
struct NamedCone {
  std::string name;
  ConeProblem problem;
  unsigned kinds = 0;
};

/// Every stored problem of moderate size.
const std::vector<NamedLcp>& lcps();
const std::vector<NamedCone>& cones();

// --- Linear complementarity ---

/// M unit lower triangular with 2 below the diagonal, q = −e, solution e₁ [Murty 1978].
Lcp murty(int n);
/// M = L Lᵀ of Murty's L, q = −e, solution e₁ [Fathi 1979].
Lcp fathi(int n);
/// M = A Aᵀ of the given rank; feasible by construction.
Lcp random_psd(int n, int rank, std::uint64_t seed);

// --- Contacts of rigid bodies, as graphs ---

/// Row blocks (normal, tangents) of contacts between bodies of 6 velocities, weighted so that W = G Gᵀ.
struct ContactGraph {
  BlockCsr factor;
  Eigen::VectorXd
      velocity;       ///< of the bodies without contact forces, weighted like the columns of the factor
  Eigen::VectorXd b;  ///< factor · velocity, plus what gaps add to the normals
  Eigen::VectorXd mu;
};

/// About `count` touching spheres in a box, close packed with every tenth one missing, under gravity. All
/// contacts stick.
ContactGraph sphere_lattice(int count, double mu, std::uint64_t seed);
/// Boxes on top of each other, four contacts each: hyperstatic.
ContactGraph box_stack(int count, double mu, double mass_ratio);
/// A wall of boxes, each resting on the two below by two contacts each.
ContactGraph box_wall(int columns, int rows, double mu);
/// A heap of rocks: about a grid of bodies, neighbours touching by faces of four points each, whose normals nearly agree. There are far
/// more contacts than motions, as where polyhedra lie on each other.
ContactGraph rock_pile(int bodies, double mu, double mass_ratio, std::uint64_t seed);
/// Bodies with random inertia that touch at random points: no geometry behind it, every block fully coupled.
ContactGraph random_graph(int bodies, int contacts, double mu, double mass_ratio, std::uint64_t seed);

/// The cone problem of a graph in the three forms.
ConeProblem gram_form(const ContactGraph& graph);
ConeProblem sparse_form(const ContactGraph& graph);
ConeProblem dense_form(const ContactGraph& graph);
/// The same with the tangents left out: an Lcp with M = G Gᵀ.
Lcp frictionless(const ContactGraph& graph);
/// The first tangent only: a planar problem.
ConeProblem planar(const ContactGraph& graph);

}  // namespace tappet::lcp::stored
