#include "tappet/contact/rough_journal.hpp"

#include <cmath>
#include <numbers>

#include <boost/math/quadrature/gauss_kronrod.hpp>
#include <gtest/gtest.h>

namespace tappet::test::rough_journal_test {
namespace {

using Quadrature = boost::math::quadrature::gauss_kronrod<double, 61>;
constexpr double R = 10e-3, L = 20e-3, c = 1e-4;
const GreenwoodTripp rough{1e-6, 1e11, 2e-6, 115e9};

TEST(RoughJournal, PushesWithTheIntegralOfItsPressure) {
  const RoughJournal journal(rough, R, L, c);
  for (double gap : {-5.03e-6, -1e-6, 0.0, 0.77e-6, 3.3e-6, 6.1e-6}) {
    const double force =
        2 * R * L *
        Quadrature::integrate(
            [&](double a) { return rough.pressure(c - (c - gap) * std::cos(a)) * std::cos(a); }, 0.0, 1.2, 12,
            1e-11);
    EXPECT_NEAR(journal.at(gap).force / force, 1, 1e-6) << gap;
  }
  EXPECT_EQ(journal.at(9e-6).force, 0);
}

TEST(RoughJournal, HasAPotential) {
  const RoughJournal journal(rough, R, L, c);
  for (double gap : {-30e-6, -5e-6, -0.11e-6, 0.5e-6, 2e-6, 5e-6}) {
    const double d = 1e-10;
    const double slope = (journal.at(gap - d).stored - journal.at(gap + d).stored) / (2 * d);
    EXPECT_NEAR(slope / journal.at(gap).force, 1, 1e-5) << gap;
  }
}

}  // namespace
}  // namespace tappet::test::rough_journal_test
