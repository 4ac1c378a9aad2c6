#include "tappet/lcp/newton_cone.hpp"

#include <algorithm>
#include <cmath>

#include "tappet/lcp/alart_curnier.hpp"
#include "tappet/lcp/cone.hpp"
#include "tappet/lcp/matrix.hpp"

namespace tappet::lcp {

using Eigen::Map;
using Eigen::MatrixXd;
using Eigen::VectorXd;

namespace {

/// Proximal term, as a part of the contact's own c: how much a change of force is resisted. Redundant
/// contacts make the equations singular without it; with it the solution is the same, and it falls as steps
/// succeed.
constexpr double first_proximal = 1e-2, smallest_proximal = 1e-8, largest_proximal = 1;
/// Gauss–Seidel sweeps that follow a step which did not bring much.
constexpr int smoothing = 20, large_smoothing = 3;
/// Dense rows above which steps are iterated, above which they are never eliminated, and what is left of them.
constexpr int iterated = 1500, never_eliminated = 3000;
constexpr double left_of_step = 1e-3;
/// Small matrices that live on the stack.
using Small = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, 0, max_block, max_block>;

}  // namespace

int AlartCurnierNewton::solve(const ConeProblem& problem, double tolerance, int max_steps, Measure& measure,
                              VectorXd& r) {
  return problem.dimension == 3 ? iterate<3>(problem, tolerance, max_steps, measure, r)
                                : iterate<2>(problem, tolerance, max_steps, measure, r);
}

template <int D>
double AlartCurnierNewton::evaluate(const ConeProblem& problem, const VectorXd& r, const VectorXd& u,
                                    VectorXd& phi, bool derivatives) {
  using Law = AlartCurnier<D>;
  phi.resize(r.size());
  phi.head(problem.equalities) = u.head(problem.equalities);
  for (int c = 0; c < problem.contacts(); ++c) {
    const int row = problem.row(c);
    const Law law{problem.mu[c], c_[row], c_[row + 1]};
    typename Law::Vector value;
    typename Law::Block a, b;
    law.evaluate(r.segment<D>(row), u.segment<D>(row), value, derivatives ? &a : nullptr, &b);
    phi.segment<D>(row) = value;
    if (derivatives) {
      Map<typename Law::Block>(a_.data() + c * D * D) = a;
      Map<typename Law::Block>(b_.data() + c * D * D) = b;
    }
  }
  return 0.5 * phi.squaredNorm();
}

template <int D>
bool AlartCurnierNewton::dense_step(const ConeProblem& problem, const MatrixXd& w) {
  // (A + B W) dr = −Φ, in the unknowns c dr.
  using Block = Eigen::Matrix<double, D, D>;
  const int n = problem.size();
  constexpr int large = 300;
  if (n > iterated && problem.equalities == 0) {
    gmres_.look_at(w, D, problem.matrix);
    local_ = proximal_ * c_;
    dr_ = -phi_;
    const bool solved = gmres_.solve<D>(w, a_, b_, local_, left_of_step, dr_, du_);
    // What is left unsolved may still lead downhill.
    if (solved || n > never_eliminated) return dr_.allFinite() && du_.size() == n && du_.allFinite();
  }
  jacobian_.resize(n, n);
  for (int c = 0; c < problem.contacts(); ++c) {
    const int row = problem.row(c);
    jacobian_.middleRows<D>(row).noalias() =
        Map<const Block>(b_.data() + c * D * D).lazyProduct(w.middleRows<D>(row));
    jacobian_.block<D, D>(row, row) += Map<const Block>(a_.data() + c * D * D);
  }
  jacobian_.diagonal() += proximal_ * c_;
  for (int j = 0; j < n; ++j) jacobian_.col(j) /= c_[j];
  if (n > large) {
    large_lu_.factor(jacobian_);
    dr_ = -phi_;
    large_lu_.solve(jacobian_, dr_);
  } else {
    lu_.compute(jacobian_);
    local_ = -phi_;
    dr_.noalias() = lu_.permutationP() * local_;
    lu_.matrixLU().triangularView<Eigen::UnitLower>().solveInPlace(dr_);
    lu_.matrixLU().triangularView<Eigen::Upper>().solveInPlace(dr_);
  }
  dr_ = dr_.cwiseQuotient(c_);
  if (!dr_.allFinite()) return false;
  du_.noalias() = w * dr_;
  return true;
}

void AlartCurnierNewton::analyse(const BlockCsr& g) {
  // The same contacts between the same bodies, as far as they are coupled: the pattern is known.
  if (coupled_ == analysed_ && static_cast<int>(sizes_.size()) == g.block_cols() &&
      g.row_ptr == analysed_rows_ && g.col == analysed_cols_)
    return;
  analysed_ = coupled_;
  analysed_rows_ = g.row_ptr;
  analysed_cols_ = g.col;
  sizes_.clear();
  for (int j = 0; j < g.block_cols(); ++j) sizes_.push_back(g.col_size(j));
  pairs_.clear();
  for (int i = 0; i < g.block_rows(); ++i) {
    if (!coupled_[i]) continue;
    for (int k = g.row_ptr[i]; k < g.row_ptr[i + 1]; ++k)
      for (int l = g.row_ptr[i]; l < k; ++l) pairs_.emplace_back(g.col[k], g.col[l]);
  }
  sparse_.analyse(sizes_, pairs_);
}

template <int D>
bool AlartCurnierNewton::gram_step(const ConeProblem& problem, const BlockCsr& g) {
  // With y = Gᵀ r the forces are condensed out contact by contact:
  //   dr = −A⁻¹ (Φ + B G dy),   (I + Gᵀ A⁻¹ B G) dy = −Gᵀ A⁻¹ Φ,   A made regular by the proximal term.
  const int equality_blocks = g.block_rows() - problem.contacts();
  coupled_.assign(g.block_rows(), 1);
  using Block = Eigen::Matrix<double, D, D>;
  for (int c = 0; c < problem.contacts(); ++c)
    coupled_[equality_blocks + c] = !Map<const Block>(b_.data() + c * D * D).isZero(0);
  analyse(g);
  sparse_.set_zero();
  sparse_.add_to_diagonal(1);
  y_.setZero(g.cols());

  // A⁻¹ B replaces B, and A⁻¹ Φ goes to local_.
  local_ = phi_;
  Small condensed, product, target;
  for (int i = 0; i < g.block_rows(); ++i) {
    const int row = g.row_start[i], size = g.row_size(i);
    if (i < equality_blocks) {
      condensed = (proximal_ * c_.segment(row, size)).cwiseInverse().asDiagonal();
      local_.segment(row, size) = condensed * phi_.segment(row, size);
    } else {
      Map<Block> a(a_.data() + (i - equality_blocks) * D * D), b(b_.data() + (i - equality_blocks) * D * D);
      Block regular = a;
      regular.diagonal() += proximal_ * c_.segment<D>(row);
      const Block inverse = regular.inverse();
      local_.segment<D>(row) = inverse * phi_.segment<D>(row);
      b = inverse * b;
      condensed = b;
    }
    if (!coupled_[i] && local_.segment(row, size).isZero(0)) continue;
    for (int k = g.row_ptr[i]; k < g.row_ptr[i + 1]; ++k) {
      const auto gk = g.block(i, k);
      y_.segment(g.col_start[g.col[k]], gk.cols()).noalias() -= gk.transpose() * local_.segment(row, size);
      if (!coupled_[i]) continue;
      product.noalias() = gk.transpose() * condensed;
      for (int l = g.row_ptr[i]; l < g.row_ptr[i + 1]; ++l) {
        target.noalias() = product * g.block(i, l);
        sparse_.add(g.col[k], g.col[l], target);
      }
    }
  }
  if (!sparse_.factor()) return false;
  sparse_.solve(y_);

  // dr from dy, then du from dr, so that the two belong together exactly.
  du_.setZero(problem.size());
  multiply_add(g, y_.data(), du_.data());
  dr_.resize(problem.size());
  for (int i = 0; i < g.block_rows(); ++i) {
    const int row = g.row_start[i], size = g.row_size(i);
    if (i < equality_blocks) {
      dr_.segment(row, size) = -local_.segment(row, size) -
                               du_.segment(row, size).cwiseQuotient(proximal_ * c_.segment(row, size));
    } else {
      dr_.segment<D>(row) = -local_.segment<D>(row) -
                            Map<const Block>(b_.data() + (i - equality_blocks) * D * D) * du_.segment<D>(row);
    }
  }
  if (!dr_.allFinite()) return false;
  y_.setZero();
  multiply_transposed_add(g, dr_.data(), y_.data());
  du_.setZero();
  multiply_add(g, y_.data(), du_.data());
  return true;
}

template <int D>
void AlartCurnierNewton::set_scales(const ConeProblem& problem) {
  block_starts(problem.W, D, start_);
  diagonal_blocks(problem.W, start_, diagonal_);
  c_.resize(problem.size());
  const double* block = diagonal_.data();
  for (std::size_t i = 0; i + 1 < start_.size(); ++i) {
    const int row = start_[i], size = start_[i + 1] - row;
    for (int k = 0; k < size; ++k) c_[row + k] = block[k * (size + 1)] > 0 ? block[k * (size + 1)] : 1;
    // Both tangents alike, so that the disc stays one.
    if (D == 3 && row >= problem.equalities) c_[row + 1] = c_[row + 2] = std::max(c_[row + 1], c_[row + 2]);
    block += size * size;
  }
  a_.resize(D * D * problem.contacts());
  b_.resize(D * D * problem.contacts());
}

template <int D>
double AlartCurnierNewton::line_search(const ConeProblem& problem, double ceiling, double& merit) {
  for (double t = 1; t > 0.1; t *= 0.5) {
    // Along the line r and u change together, linearly.
    trial_ = x_ + t * dr_;
    trial_u_ = u_ + t * du_;
    merit = evaluate<D>(problem, trial_, trial_u_, trial_phi_, false);
    if (merit <= (1 - 1e-4 * t) * ceiling) return t;
  }
  return 0;
}

template <int D>
void AlartCurnierNewton::clip_to_cones(const ConeProblem& problem, VectorXd& r) {
  for (int c = 0; c < problem.contacts(); ++c) {
    double* own = r.data() + problem.row(c);
    own[0] = std::max(0.0, own[0]);
    project_on_disc<D>(problem.mu[c] * own[0], own + 1);
  }
}

template <int D>
int AlartCurnierNewton::iterate(const ConeProblem& problem, double tolerance, int max_steps, Measure& measure,
                                VectorXd& r) {
  set_scales<D>(problem);
  smoother_.prepare(problem);
  proximal_ = first_proximal;
  x_ = r;
  double best = residual(problem, x_, measure);
  u_ = measure.w;
  const auto judge = [&] {
    const double now = residual(problem, x_, measure);
    if (now < best) best = now, r = x_;
    return now;
  };
  // The last merits: a step may climb, but not above the worst of them.
  double recent[3] = {};
  int step = 0, accepted = 0, failures = 0;
  while (best > tolerance && step < max_steps && failures < 10) {
    const double merit = evaluate<D>(problem, x_, u_, phi_, true);
    recent[accepted % 3] = merit;
    ++step;
    const auto* dense = std::get_if<MatrixXd>(&problem.W);
    if (!(dense ? dense_step<D>(problem, *dense) : gram_step<D>(problem, std::get<Gram>(problem.W).factor)))
      break;

    // A full step trusts the linearisation more, a short one less.
    double next = 0;
    const double t = line_search<D>(problem, *std::max_element(recent, recent + 3), next);
    if (t > 0) {
      if (t == 1) proximal_ = std::max(smallest_proximal, proximal_ / 5);
      if (t < 0.5) proximal_ = std::min(largest_proximal, 3 * proximal_);
      ++accepted;
      failures = 0;
      x_.swap(trial_);
    } else {
      proximal_ = std::min(largest_proximal, 10 * proximal_);
      ++failures;
    }

    // Where Newton brings little, sweeps sort out which contacts are open, stick or slip.
    if (judge() > tolerance && !(t > 0 && next < 0.25 * merit)) {
      smoother_.start(x_);
      for (int k = 0; k < (problem.size() > iterated ? large_smoothing : smoothing); ++k)
        smoother_.sweep(1, x_);
      judge();
    }
    u_ = measure.w;
  }

  // Newton ends on the cones up to rounding; a solution lies in them exactly.
  trial_ = r;
  clip_to_cones<D>(problem, trial_);
  if (residual(problem, trial_, measure) <= best) r = trial_;
  return step;
}

}  // namespace tappet::lcp
