#include "tappet/lcp/given_impulses.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <utility>

#include "tappet/lcp/matrix.hpp"

namespace tappet::lcp {

using Eigen::MatrixXd;
using Eigen::VectorXd;

namespace {

/// What a unit impulse along the normals of the contacts does there.
VectorXd normal_responses(const ConeProblem& problem) {
  std::vector<int> start;
  std::vector<double> blocks;
  block_starts(problem.W, problem.dimension, start);
  diagonal_blocks(problem.W, start, blocks);
  const int size = problem.dimension * problem.dimension;
  VectorXd out(problem.contacts());
  const double* block = blocks.data() + blocks.size() - static_cast<std::size_t>(size) * problem.contacts();
  for (int c = 0; c < problem.contacts(); ++c) out[c] = block[c * size] > 0 ? block[c * size] : 1;
  return out;
}

/// G with rows of the second contacts: a column of their own for the normal, the first ones' columns for the tangents.
Gram with_second_rows(const BlockCsr& g, const std::vector<int>& of, const VectorXd& c) {
  Gram out;
  BlockCsr& f = out.factor;
  const int bodies = g.block_cols(), width = bodies > 0 ? g.col_size(0) : 1;
  for (int j = 0; j < bodies; ++j) f.add_columns(g.col_size(j));
  for (std::size_t k = 0; k < of.size(); ++k) f.add_columns(width);
  for (int i = 0; i < g.block_rows(); ++i) {
    f.add_row(g.row_size(i));
    for (int k = g.row_ptr[i]; k < g.row_ptr[i + 1]; ++k) f.add_block(g.col[k]) = g.block(i, k);
  }
  for (std::size_t n = 0; n < of.size(); ++n) {
    const int i = of[n], d = g.row_size(i);
    f.add_row(d);
    for (int k = g.row_ptr[i]; k < g.row_ptr[i + 1]; ++k)
      f.add_block(g.col[k]).bottomRows(d - 1) = g.block(i, k).bottomRows(d - 1);
    f.add_block(bodies + static_cast<int>(n))(0, 0) = std::sqrt(c[i]);
  }
  return out;
}

MatrixXd with_second_rows(const ConeProblem& problem, const std::vector<int>& of, const VectorXd& c) {
  MatrixXd w;
  to_dense(problem.W, w);
  const int n = problem.size(), d = problem.dimension, all = n + d * static_cast<int>(of.size());
  std::vector<int> from(all, -1);  // row of the original; −1: a normal of its own
  for (int r = 0; r < n; ++r) from[r] = r;
  for (std::size_t k = 0; k < of.size(); ++k)
    for (int r = 1; r < d; ++r) from[n + d * k + r] = problem.row(of[k]) + r;
  MatrixXd out = MatrixXd::Zero(all, all);
  for (int j = 0; j < all; ++j)
    for (int i = 0; i < all; ++i)
      if (from[i] >= 0 && from[j] >= 0) out(i, j) = w(from[i], from[j]);
  for (std::size_t k = 0; k < of.size(); ++k) out(n + d * k, n + d * k) = c[of[k]];
  return out;
}

}  // namespace

void GivenImpulses::build(const ConeProblem& original, const VectorXd& given) {
  assert(original.equalities == 0);
  const int n = original.size(), contacts = original.contacts(), d = original.dimension;
  of.clear();
  for (int c = 0; c < contacts; ++c)
    if (given[c] > 0) of.push_back(c);
  const int more = static_cast<int>(of.size());
  const VectorXd c = normal_responses(original);

  problem.dimension = d;
  problem.unit = original.unit;
  problem.order = original.order;
  if (!problem.order.empty())
    for (int k = 0; k < more; ++k) problem.order.push_back(contacts + k);
  problem.mu.resize(contacts + more);
  problem.mu.head(contacts) = original.mu;
  problem.b.resize(n + d * more);
  problem.b.head(n) = original.b;
  // The given impulses push all contacts; their own normals answer for the amount.
  VectorXd push = VectorXd::Zero(n), inner, moved;
  for (int k = 0; k < more; ++k) push[original.row(of[k])] = given[of[k]];
  multiply(original.W, push, original.b, moved, inner);
  problem.b.head(n) = moved;
  for (int k = 0; k < more; ++k) {
    problem.mu[contacts + k] = original.mu[of[k]];
    problem.b[n + d * k] = -c[of[k]] * given[of[k]];
    for (int r = 1; r < d; ++r) problem.b[n + d * k + r] = moved[original.row(of[k]) + r];
  }
  if (const auto* gram = std::get_if<Gram>(&original.W))
    problem.W = with_second_rows(gram->factor, of, c);
  else
    problem.W = with_second_rows(original, of, c);
}

void GivenImpulses::split(const VectorXd& given, const VectorXd& r, VectorXd& parts) const {
  const int d = problem.dimension, n = static_cast<int>(r.size());
  parts.setZero(problem.size());
  parts.head(n) = r;
  for (std::size_t k = 0; k < of.size(); ++k) {
    parts[d * of[k]] = std::max(0.0, r[d * of[k]] - given[of[k]]);
    parts[n + d * static_cast<int>(k)] = given[of[k]];
  }
}

void GivenImpulses::join(const VectorXd& parts, VectorXd& r) const {
  const int d = problem.dimension, n = problem.size() - d * static_cast<int>(of.size());
  r = parts.head(n);
  for (std::size_t k = 0; k < of.size(); ++k)
    r.segment(d * of[k], d) += parts.segment(n + d * static_cast<int>(k), d);
}

}  // namespace tappet::lcp
