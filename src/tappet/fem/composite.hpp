// Elements put together from simpler ones on the same nodes: shells and beams with nodes on their edges.
//
// The pieces have their own matrices; the composite adds them up. It converges as the pieces do, on the mesh that they make,
// and passes the tests that they pass.
#pragma once

#include <algorithm>
#include <array>
#include <span>
#include <vector>

#include "tappet/fem/element.hpp"

namespace tappet::fem {

struct Piece {
  const char* element;
  std::array<int, 4> nodes;  ///< of the composite
  int count;
  double share = 1;  ///< of what it would be by itself: pieces that lie over each other share the work
};

/// `Shape` has `nodes`, `pieces` and `middle`: the piece whose stress is told.
template <class Shape>
struct Composite {
  static const ElementType& type_of(const Piece& piece) {
    return *ElementRegistry::instance().find(piece.element);
  }

  static std::vector<Vec3> places(const Piece& piece, std::span<const Vec3> x) {
    std::vector<Vec3> out;
    for (int k = 0; k < piece.count; ++k) out.push_back(x[piece.nodes[k]]);
    return out;
  }

  static void matrices(const ElementInput& in, ElementMatrices& out) {
    out.K = Eigen::MatrixXd::Zero(6 * Shape::nodes, 6 * Shape::nodes);
    out.M = out.K;
    ElementMatrices part;
    for (const Piece& piece : Shape::pieces) {
      const std::vector<Vec3> x = places(piece, in.x);
      type_of(piece).matrices({x, in.material, in.section}, part);
      for (int a = 0; a < piece.count; ++a)
        for (int b = 0; b < piece.count; ++b) {
          const int i = 6 * piece.nodes[a], j = 6 * piece.nodes[b];
          out.K.block<6, 6>(i, j) += piece.share * part.K.block<6, 6>(6 * a, 6 * b);
          out.M.block<6, 6>(i, j) += piece.share * part.M.block<6, 6>(6 * a, 6 * b);
        }
    }
  }

  static double quality(std::span<const Vec3> x) {
    double least = 1e300;
    for (const Piece& piece : Shape::pieces) {
      const std::vector<Vec3> own = places(piece, x);
      least = std::min(least, type_of(piece).quality(own));
    }
    return least;
  }

  static void stress(const ElementInput& in, std::span<const double> u, ElementStress& out) {
    const Piece& piece = Shape::pieces[Shape::middle];
    const std::vector<Vec3> x = places(piece, in.x);
    std::vector<double> own;
    for (int k = 0; k < piece.count; ++k)
      own.insert(own.end(), u.begin() + 6 * piece.nodes[k], u.begin() + 6 * piece.nodes[k] + 6);
    type_of(piece).stress({x, in.material, in.section}, own, out);
  }

  static void geometric(const ElementInput& in, std::span<const double> u, Eigen::MatrixXd& out) {
    out = Eigen::MatrixXd::Zero(6 * Shape::nodes, 6 * Shape::nodes);
    Eigen::MatrixXd part;
    for (const Piece& piece : Shape::pieces) {
      const std::vector<Vec3> x = places(piece, in.x);
      std::vector<double> own;
      for (int k = 0; k < piece.count; ++k)
        own.insert(own.end(), u.begin() + 6 * piece.nodes[k], u.begin() + 6 * piece.nodes[k] + 6);
      type_of(piece).geometric({x, in.material, in.section}, own, part);
      for (int a = 0; a < piece.count; ++a)
        for (int b = 0; b < piece.count; ++b)
          out.block<6, 6>(6 * piece.nodes[a], 6 * piece.nodes[b]) +=
              piece.share * part.block<6, 6>(6 * a, 6 * b);
    }
  }
};

}  // namespace tappet::fem
