// A law written in the model file.

#include "tappet/contact/curve.hpp"
#include "tappet/contact/restitution.hpp"
#include "unit/contact/law_fixture.hpp"

namespace tappet::test::expression_test {
namespace {

TEST(ExpressionLaw, IsTheLawItSpellsOut) {
  const auto own = normal_law(
      "{law: expression, force: 'k*depth^1.5*(1 + h*rate/max(impact_rate, 1e-4))', parameters: {k: 6e10, h: "
      "0.1425}}");
  const auto built_in = normal_law("{law: lankarani-nikravesh, stiffness: 6e10, restitution: 0.9}");
  for (double rate : {-1.0, 0.0, 0.4}) {
    const NormalOutput a = own->evaluate({2e-5, rate, 1}), b = built_in->evaluate({2e-5, rate, 1});
    EXPECT_NEAR(a.force / b.force, 1, 1e-14);
    EXPECT_NEAR(a.d_depth / b.d_depth, 1, 1e-14);
    EXPECT_NEAR(a.d_rate / b.d_rate, 1, 1e-14);
  }
  EXPECT_NEAR(single_impact(*own, {}).restitution, realised_restitution(0.1425), 1e-10);
  EXPECT_DOUBLE_EQ(normal_law("{law: expression, force: 2*depth kN}")->evaluate({.depth = 0.5}).force, 1000);
}

TEST(ExpressionLaw, FaultsNameTheKey) {
  std::string why;
  EXPECT_FALSE(try_normal_law("{law: expression, force: k*depth}", {}, why));
  EXPECT_NE(why.find("'force'"), std::string::npos) << why;
  EXPECT_NE(why.find("impact_rate"), std::string::npos) << why;
  EXPECT_FALSE(try_normal_law("{law: expression, force: depth kg}", {}, why));
  EXPECT_FALSE(try_normal_law("{law: expression, force: depth, energy: depth*rate}", {}, why));
  EXPECT_FALSE(try_normal_law("{law: expression, force: depth, parameters: {rate: 3}}", {}, why));
}

}  // namespace
}  // namespace tappet::test::expression_test
