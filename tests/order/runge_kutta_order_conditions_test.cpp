// Every coefficient of the Runge–Kutta tableaux, checked by algebra: all order conditions, one for each
// rooted tree [Hairer1993, II.2, theorem 2.13], for the solution, for the error estimates and for the dense
// output:
//   Σ_i b_i(θ) Φ_i(τ) = θ^|τ| / γ(τ)   for all trees τ with |τ| ≤ order,
//   Φ_i(τ) = Π_children Σ_j a_ij Φ_j(child),   γ(τ) = |τ| Π_children γ(child).
#include <cmath>
#include <vector>

#include <gtest/gtest.h>

#include "tappet/ode/schemes/dop853_tableau.hpp"
#include "tappet/ode/schemes/dopri5_tableau.hpp"

namespace tappet::runge_kutta_order_conditions_test {
namespace {

struct Tree {
  int order = 1;
  std::vector<int> children;  ///< positions in the list of trees, not decreasing
};

/// Adds to `trees` all ways to hang trees, from position `from` on, with `rest` vertices in total under one
/// root.
void hang(std::vector<Tree>& trees, Tree root, int from, int rest, std::size_t known) {
  if (rest == 0) return void(trees.push_back(root));
  for (int i = from; i < static_cast<int>(known); ++i) {
    if (trees[i].order > rest) continue;
    Tree larger = root;
    larger.children.push_back(i);
    larger.order += trees[i].order;
    hang(trees, larger, i, rest - trees[i].order, known);
  }
}

/// All rooted trees up to an order: 1, 1, 2, 4, 9, 20, 48, 115, … of them.
std::vector<Tree> rooted_trees(int largest_order) {
  std::vector<Tree> trees = {Tree{}};
  for (int order = 2; order <= largest_order; ++order) hang(trees, Tree{}, 0, order - 1, trees.size());
  return trees;
}

TEST(RungeKuttaOrderConditions, ThereAreAsManyTreesAsTheTheorySays) {
  const std::vector<Tree> trees = rooted_trees(8);
  const int expected[] = {0, 1, 1, 2, 4, 9, 20, 48, 115};
  for (int order = 1; order <= 8; ++order) {
    int count = 0;
    for (const Tree& tree : trees) count += tree.order == order;
    EXPECT_EQ(count, expected[order]) << "order " << order;
  }
}

/// Elementary weights of all trees in all stages, in extended precision.
template <class Tableau>
class Weights {
 public:
  using Number = long double;
  explicit Weights(int order) : trees(rooted_trees(order)) {
    for (const Tree& tree : trees) {
      std::vector<Number> weight(Tableau::rows, 1);
      Number density = tree.order;
      for (int child : tree.children) {
        density *= gamma[child];
        for (int i = 0; i < Tableau::rows; ++i) {
          Number sum = 0;
          for (int j = 0; j < Tableau::rows; ++j) sum += Number(Tableau::a[i][j]) * phi[child][j];
          weight[i] *= sum;
        }
      }
      phi.push_back(weight);
      gamma.push_back(density);
    }
  }

  std::vector<Tree> trees;
  std::vector<std::vector<Number>> phi;
  std::vector<Number> gamma;

  /// Largest violation of the conditions up to `order` by the weights b at θ; `scale` 0: the weights of an
  /// error.
  double violation(const std::vector<Number>& b, int order, Number theta, Number scale = 1) const {
    Number largest = 0;
    for (std::size_t n = 0; n < trees.size(); ++n) {
      if (trees[n].order > order) continue;
      Number sum = -scale * std::pow(theta, Number(trees[n].order)) / gamma[n];
      for (int j = 0; j < Tableau::rows; ++j) sum += b[j] * phi[n][j];
      largest = std::max(largest, std::abs(sum));
    }
    return static_cast<double>(largest);
  }
};

template <class Row>
std::vector<long double> extended(const Row& row) {
  return {row.begin(), row.end()};
}

/// b(θ) of the dense output, as the engine composes it from the tableau.
template <class Tableau>
std::vector<long double> dense_weights(long double theta) {
  const long double eta = 1 - theta;
  std::vector<long double> b(Tableau::rows);
  for (int j = 0; j < Tableau::rows; ++j) {
    const long double r1 = Tableau::a[Tableau::stages][j];
    const long double r2 = (j == 0) - r1;
    const long double r3 = r1 - (j == Tableau::stages) - r2;
    long double further = 0;
    for (int d = static_cast<int>(Tableau::dense.size()); d-- > 0;)
      further = Tableau::dense[d][j] + (d % 2 == 0 ? theta : eta) * further;
    b[j] = theta * (r1 + eta * (r2 + theta * (r3 + eta * further)));
  }
  return b;
}

template <class Tableau>
void check(int error_order, int low_error_order) {
  const Weights<Tableau> weights(Tableau::order + 1);
  for (int i = 0; i < Tableau::rows; ++i) {
    long double sum = 0;
    for (double a : Tableau::a[i]) sum += a;
    EXPECT_NEAR(static_cast<double>(sum), Tableau::c[i], 2e-15) << "row " << i;
  }

  // Coefficients of size 40 are known to 16 digits: sums of them cannot be zero to more than about 1e-14.
  const double exact = 2e-14;
  const auto b = extended(Tableau::a[Tableau::stages]);
  EXPECT_LT(weights.violation(b, Tableau::order, 1), exact);
  EXPECT_GT(weights.violation(b, Tableau::order + 1, 1), 1e-7) << "is the order higher than we say?";

  const auto e = extended(Tableau::error);
  EXPECT_LT(weights.violation(e, error_order, 1, 0), exact);
  EXPECT_GT(weights.violation(e, error_order + 1, 1, 0), 1e-6);
  if (Tableau::has_low_error) {
    const auto low = extended(Tableau::low_error);
    EXPECT_LT(weights.violation(low, low_error_order, 1, 0), exact);
    EXPECT_GT(weights.violation(low, low_error_order + 1, 1, 0), 1e-6);
  }

  for (double theta : {0.0, 0.05, 0.1, 0.25, 0.5, 0.7, 0.9, 1.0})
    EXPECT_LT(weights.violation(dense_weights<Tableau>(theta), Tableau::dense_order, theta), 10 * exact)
        << "theta " << theta;
  EXPECT_GT(weights.violation(dense_weights<Tableau>(0.3L), Tableau::dense_order + 1, 0.3L), 1e-9);
}

TEST(RungeKuttaOrderConditions, Dopri5) {
  check<Dopri5Tableau>(4, 0);
}
TEST(RungeKuttaOrderConditions, Dop853) {
  check<Dop853Tableau>(5, 3);
}

}  // namespace

}  // namespace tappet::runge_kutta_order_conditions_test
