// Stiffness from materials and radii, and Love's limit.

#include "tappet/contact/material.hpp"

#include <cmath>

#include "unit/contact/law_fixture.hpp"

namespace tappet::test::material_test {
namespace {

TEST(Stiffness, FromMaterialsAndSignedRadii) {
  std::string missing;
  // The published 6.6e10 N/m^1.5 of the journal in its bearing [Flores 2006, figure 2].
  EXPECT_NEAR(*hertz_stiffness(journal_bearing(), missing), 6.61e10, 0.01e10);
  const double modulus = 207e9 / (2 * 0.91);
  EXPECT_DOUBLE_EQ(*hertz_stiffness(sphere_on_plane(), missing), 4.0 / 3 * modulus * std::sqrt(10e-3));
  ContactPair spheres = sphere_on_plane();
  spheres.radius = {20e-3, 30e-3};
  EXPECT_NEAR(*hertz_stiffness(spheres, missing) / (4.0 / 3 * modulus * std::sqrt(12e-3)), 1, 1e-15);
}

TEST(Stiffness, SaysWhatIsMissing) {
  std::string why;
  ContactPair pair = sphere_on_plane();
  pair.material[1].reset();
  EXPECT_FALSE(try_normal_law("{law: hertz}", pair, why));
  EXPECT_NE(why.find("second surface"), std::string::npos) << why;
  pair = sphere_on_plane();
  pair.radius = {ContactPair::plane, ContactPair::plane};
  EXPECT_FALSE(try_normal_law("{law: flores, restitution: 0.5}", pair, why));
  EXPECT_NE(why.find("flat"), std::string::npos) << why;
  pair.radius = {-9e-3, 10e-3};
  EXPECT_FALSE(try_normal_law("{law: hertz}", pair, why));
  EXPECT_NE(why.find("concave"), std::string::npos) << why;
  EXPECT_FALSE(try_normal_law("{law: hertz, exponent: 1.2}", sphere_on_plane(), why));
  EXPECT_NE(why.find("N/m^1.2"), std::string::npos) << why;
  EXPECT_TRUE(try_normal_law("{law: hertz, exponent: 1.2, stiffness: 1e8}", {}, why)) << why;
  EXPECT_FALSE(try_normal_law("{law: hertz, exponent: 5.5, stiffness: 1e8}", {}, why));
  EXPECT_FALSE(try_normal_law("{law: flores, restitution: 0, stiffness: 1e8}", {}, why));
  EXPECT_FALSE(try_normal_law("{restitution: 0.5}", sphere_on_plane(), why));
  EXPECT_NE(why.find("lankarani-nikravesh"), std::string::npos) << why;
}

TEST(Stiffness, CarriesTheUnitOfItsExponent) {
  const auto force = [](const std::string& yaml) {
    return normal_law(yaml, {})->evaluate({.depth = 1}).force;
  };
  EXPECT_DOUBLE_EQ(force("{law: hertz, stiffness: 6.6e10 N/m^1.5}"), 6.6e10);
  EXPECT_NEAR(force("{law: hertz, stiffness: 2 N/mm^1.5}"), 2 * std::pow(1e3, 1.5), 1e-9);
  EXPECT_DOUBLE_EQ(force("{law: hertz, exponent: 1, stiffness: 5 kN/mm}"), 5e6);
  EXPECT_DOUBLE_EQ(force("{law: impact, exponent: 2.2, stiffness: 1e8}"), 1e8);
  std::string why;
  for (const char* wrong : {"6.6e10 N/m", "3 kg", "-1e8", "0", "1e8 N/", "stiff", "1/0"}) {
    EXPECT_FALSE(try_normal_law(fmt::format("{{law: hertz, stiffness: {}}}", wrong), {}, why)) << wrong;
    EXPECT_TRUE(why.find("'stiffness' is") != std::string::npos ||
                why.find("'stiffness' must be a number in N/m^1.5") != std::string::npos)
        << why;
  }
}

TEST(Stiffness, IsToldWhenDerived) {
  const auto law = normal_law("{law: hertz}");
  ASSERT_EQ(law->traits().notes.size(), 1u);
  EXPECT_NE(law->traits().notes[0].find("K = 6.61e+10 N/m^1.5"), std::string::npos) << law->traits().notes[0];
  EXPECT_TRUE(normal_law("{law: hertz, stiffness: 1e8}")->traits().notes.empty());
}

TEST(Love, LimitOfSteel) {
  const ContactPair pair = sphere_on_plane();
  EXPECT_NEAR(love_limit(pair), 1e-5 * std::sqrt(207e9 / 7800), 1e-12);
  EXPECT_NEAR(love_ratio(pair, 1.0), 19.41, 0.01);
  EXPECT_EQ(love_ratio({}, 1.0), 0);
  ContactPair mixed = pair;
  mixed.material[0]->young = 70e9, mixed.material[0]->density = 2700;
  EXPECT_DOUBLE_EQ(love_limit(mixed), love_limit(pair));  // the faster wave counts
}

}  // namespace
}  // namespace tappet::test::material_test
