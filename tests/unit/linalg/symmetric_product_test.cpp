#include "tappet/linalg/symmetric_product.hpp"

#include <cmath>
#include <random>

#include <gtest/gtest.h>

namespace tappet::symmetric_product_test {
namespace {

// Nodes of 1, 3, 6 and 9 unknowns, so that groups of all sizes occur, against the plain loop.
TEST(SymmetricProduct, AgreesWithThePlainLoop) {
  for (const int size : {1, 3, 6, 9}) {
    const int nodes = 40;
    std::vector<std::vector<int>> items;
    for (int n = 0; n < nodes; ++n) {
      std::vector<int> rows;
      for (int m : {n, (n + 1) % nodes, (3 * n + 7) % nodes})
        for (int d = 0; d < size; ++d)
          if (size == 1 || m % 5 != 2 || d != 1) rows.push_back(size * m + d);  // some are held
      std::sort(rows.begin(), rows.end());
      rows.erase(std::unique(rows.begin(), rows.end()), rows.end());
      items.push_back(rows);
    }
    SymmetricCsr a = assembled_pattern(nodes * size, items);
    std::mt19937 random(5);
    std::uniform_real_distribution<double> uniform(-1, 1);
    for (double& v : a.value) v = uniform(random);
    std::vector<double> x(a.rows()), y(a.rows(), 0.5), expected = y;
    for (double& v : x) v = uniform(random);
    multiply_add(a, -2.5, x.data(), expected.data());
    SymmetricProduct(a).multiply_add(-2.5, x.data(), y.data());
    for (int i = 0; i < a.rows(); ++i) EXPECT_NEAR(y[i], expected[i], 1e-13) << size << " row " << i;

    double form = 0;
    for (int i = 0; i < a.rows(); ++i) form += x[i] * (expected[i] - 0.5) / -2.5;
    EXPECT_NEAR(SymmetricProduct(a).form(x.data()), form, 1e-12);
    std::vector<double> once(a.rows(), 0.5);
    EXPECT_EQ(SymmetricProduct(a).multiply_add_and_form(-2.5, x.data(), once.data(), x.data()),
              SymmetricProduct(a).form(x.data()));
    EXPECT_EQ(once, y);
  }
}

}  // namespace
}  // namespace tappet::symmetric_product_test
