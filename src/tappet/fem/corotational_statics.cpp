#include "tappet/fem/corotational_statics.hpp"

#include <algorithm>
#include <cmath>

#include <Eigen/SparseLU>

#include "tappet/fem/corotational.hpp"
#include "tappet/fem/statics.hpp"

namespace tappet::fem {
namespace {

/// Equilibrium under one part of the load.
class Equilibrium {
 public:
  Equilibrium(const Body& body, const Structure& s, const std::vector<double>& load)
      : body_(body), s_(s), elements_(s), load_(load), size_(std::max(extent(s.mesh), 1e-300)) {
    shape = elements_.shape(std::vector<double>(s.unknowns, 0.0));
  }

  /// False: not found, and `shape` is of no use.
  bool find(double part) {
    for (const SupportMotion& motion : body_.motions)
      for (int n : motion.nodes)
        shape.x[n][motion.direction] = s_.mesh.nodes[n][motion.direction] + part * motion.at(0).value;
    double before = 1e300;
    for (int pass = 0; pass < 40; ++pass) {
      elements_.deform(shape);
      const double step = improve(part);
      ++iterations;
      if (!(step < 10)) return false;
      // The last step of a method of second order: what it left is its square, or rounding.
      if (step < 1e-9 || (step < 1e-6 && step > 0.5 * before)) {
        elements_.deform(shape);
        return true;
      }
      before = step;
    }
    return false;
  }

  TurnedShape shape;
  int iterations = 0;

 private:
  /// One step of Newton's method; the largest displacement over the structure's size, or rotation.
  double improve(double part) {
    const std::vector<double> inner = elements_.forces(shape);
    Eigen::VectorXd r(s_.free);
    for (int i = 0; i < s_.unknowns; ++i)
      if (s_.free_of[i] >= 0) r[s_.free_of[i]] = part * load_[s_.free_of[i]] - inner[i];
    std::vector<Eigen::Triplet<double>> entries;
    elements_.each_tangent(shape, 1, 0, true, [&](const std::vector<int>& places, const Eigen::MatrixXd& T) {
      for (std::size_t i = 0; i < places.size(); ++i)
        for (std::size_t j = 0; j < places.size(); ++j)
          if (s_.free_of[places[i]] >= 0 && s_.free_of[places[j]] >= 0)
            entries.emplace_back(s_.free_of[places[i]], s_.free_of[places[j]],
                                 T(static_cast<Eigen::Index>(i), static_cast<Eigen::Index>(j)));
    });
    Eigen::SparseMatrix<double> K(s_.free, s_.free);
    K.setFromTriplets(entries.begin(), entries.end());
    if (!analysed_) factor_.analyzePattern(K), analysed_ = true;
    factor_.factorize(K);
    if (factor_.info() != Eigen::Success) return 1e300;
    const Eigen::VectorXd d = factor_.solve(r);
    if (!d.allFinite()) return 1e300;
    double most = 0;
    for (int n = 0; n < static_cast<int>(s_.mesh.nodes.size()); ++n) {
      Vec3 way = Vec3::Zero(), turn = Vec3::Zero();
      for (int k = 0; k < 3; ++k) {
        if (const int i = s_.free_unknown(n, k); i >= 0) way[k] = d[i];
        if (const int i = s_.free_unknown(n, 3 + k); i >= 0) turn[k] = d[i];
      }
      shape.x[n] += way;
      shape.R[n] = rotation_of_vector(turn) * shape.R[n];
      most = std::max({most, way.norm() / size_, turn.norm()});
    }
    return most;
  }

  const Body& body_;
  const Structure& s_;
  Corotational elements_;
  const std::vector<double>& load_;
  double size_;
  Eigen::SparseLU<Eigen::SparseMatrix<double>> factor_;
  bool analysed_ = false;
};

}  // namespace

TurnedStatics solve_turned_static(const Body& body, const Structure& held, const Vec3& gravity,
                                  int increments) {
  TurnedStatics out;
  // What is not held is seen as it lies; there also are the loads' directions.
  const StructureMatrices m = assemble(held);
  Body still = body;
  still.motions.clear();
  const std::vector<double> load = static_forces(still, held, m, gravity);
  out.mechanisms = solve_static(held, m, load).mechanisms;
  if (!out.mechanisms.empty()) return out;
  Equilibrium equilibrium(body, held, load);
  double step = 1.0 / increments;
  constexpr double shortest = 1e-5;
  while (out.reached < 1 && step > shortest) {
    const TurnedShape before = equilibrium.shape;
    const double part = out.reached + step > 1 - 1e-9 ? 1 : out.reached + step;
    if (equilibrium.find(part)) {
      out.reached = part, ++out.increments;
      continue;
    }
    equilibrium.shape = before;
    step /= 2;
  }
  out.converged = out.reached == 1;
  out.iterations = equilibrium.iterations;
  out.all.assign(held.unknowns, 0.0);
  for (int n = 0; n < static_cast<int>(held.mesh.nodes.size()); ++n) {
    if (held.node_unknowns[n] == 0) continue;
    double* own = out.all.data() + held.first_unknown[n];
    Eigen::Map<Vec3>{own} = equilibrium.shape.x[n] - held.mesh.nodes[n];
    if (held.node_unknowns[n] == 6) Eigen::Map<Vec3>{own + 3} = vector_of_rotation(equilibrium.shape.R[n]);
  }
  return out;
}

}  // namespace tappet::fem
