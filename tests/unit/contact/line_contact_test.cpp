// The three laws of line contact against their implicit equation.

#include "tappet/contact/line_contact.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "unit/contact/law_fixture.hpp"

namespace tappet::test::line_contact_test {
namespace {

// δ = aF[ln(b/F) + 1] with a and b worked out here from the printed equations.
class LineContactLaws : public ::testing::TestWithParam<std::string> {
 protected:
  const double L = 15e-3, Ri = 10e-3, Rj = 9.5e-3;
  double sigma(const std::string& compliance) const {
    return 2 * 0.91 / 207e9 / (compliance == "plane-strain" ? std::numbers::pi : 1);
  }
  double load(double S) const {
    if (GetParam() == "dubowsky-freudenstein") return L * L * L * (Ri - Rj) / (Ri * Rj * S);
    if (GetParam() == "goldsmith") return L * (Ri - Rj) / (Ri * Rj * S);
    return 4 * L * (Ri - Rj) / S;
  }
};

INSTANTIATE_TEST_SUITE_P(Laws, LineContactLaws,
                         ::testing::Values("dubowsky-freudenstein", "goldsmith", "esdu-78035"));

TEST_P(LineContactLaws, SatisfyTheirImplicitEquation) {
  for (const std::string compliance : {"plane-strain", "flores-2006"}) {
    const auto law = normal_law(fmt::format("{{law: {}, compliance: {}}}", GetParam(), compliance));
    const double S = sigma(compliance), a = S / L, b = load(S), limit = law->traits().max_depth;
    EXPECT_NEAR(limit / (a * b), 1, 1e-14);
    double worst = 0;
    for (double fraction = 1e-300; fraction < 1; fraction *= 1.37) {
      const NormalOutput out = law->evaluate({.depth = fraction * limit});
      const long double F = out.force;
      const long double depth = a * F * (std::log(static_cast<long double>(b) / F) + 1);
      worst = std::max(worst, std::abs(static_cast<double>(depth / (fraction * limit) - 1)));
    }
    for (double short_of_limit = 0.3; short_of_limit > 1e-15; short_of_limit *= 0.5) {
      const NormalOutput out = law->evaluate({.depth = (1 - short_of_limit) * limit});
      const long double F = out.force;
      const long double depth = a * F * (std::log(static_cast<long double>(b) / F) + 1);
      worst = std::max(worst, std::abs(static_cast<double>(depth / ((1 - short_of_limit) * limit) - 1)));
    }
    EXPECT_LT(worst, 1e-13) << compliance;
    RecordProperty("worst_residual_" + compliance, fmt::format("{:.2g}", worst));
  }
}

TEST_P(LineContactLaws, SayWhereTheyEnd) {
  const auto law = normal_law(fmt::format("{{law: {}}}", GetParam()));
  const double limit = law->traits().max_depth;
  EXPECT_GT(law->evaluate({.depth = limit * (1 - 1e-12)}).force, 0);
  try {
    law->evaluate({.depth = 1.01 * limit});
    FAIL() << "no error beyond the domain";
  } catch (const LawDomainError& error) {
    const std::string what = error.what();
    EXPECT_NE(what.find(GetParam()), std::string::npos) << what;
    EXPECT_NE(what.find(fmt::format("{:.6g} m", 1.01 * limit)), std::string::npos) << what;
    EXPECT_NE(what.find(fmt::format("{:.6g} m", limit)), std::string::npos) << what;
  }
}

TEST_P(LineContactLaws, ReportEverythingThatIsMissing) {
  std::string why;
  EXPECT_FALSE(try_normal_law(fmt::format("{{law: {}}}", GetParam()), {}, why));
  EXPECT_EQ(std::count(why.begin(), why.end(), '\n'), 5) << why;
  ContactPair plane = journal_bearing();
  plane.radius[0] = ContactPair::plane;
  EXPECT_EQ(!try_normal_law(fmt::format("{{law: {}}}", GetParam()), plane, why), GetParam() == "esdu-78035");
}

TEST(LineContactComplianceChoice, MakesAlmostPi) {
  const auto strain = normal_law("{law: esdu-78035}");
  const auto printed = normal_law("{law: esdu-78035, compliance: flores-2006}");
  const double ratio = strain->evaluate({.depth = 1e-5}).force / printed->evaluate({.depth = 1e-5}).force;
  EXPECT_DOUBLE_EQ(ratio, std::numbers::pi);
}

}  // namespace
}  // namespace tappet::test::line_contact_test
