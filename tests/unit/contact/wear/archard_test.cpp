#include "tappet/contact/wear/archard.hpp"

#include "unit/contact/law_fixture.hpp"

namespace tappet::test::archard_test {
namespace {

std::unique_ptr<WearLaw> law(const std::string& text, std::string& why) {
  Diagnostics diagnostics;
  const Object object = read(text, wear_law_family(), diagnostics);
  std::unique_ptr<WearLaw> out;
  if (!diagnostics.has_errors()) out = make_wear_law(object.parameters(), diagnostics);
  why = messages(diagnostics);
  return out;
}

TEST(Archard, IsPressureTimesPath) {
  std::string why;
  const auto direct = law("{law: archard, coefficient: 5e-13 m^2/N, journal_coefficient: 1e-13}", why);
  ASSERT_TRUE(direct) << why;
  EXPECT_DOUBLE_EQ(direct->depth_rates(1e6, 2)[0], 1e-6);
  EXPECT_DOUBLE_EQ(direct->depth_rates(1e6, 2)[1], 2e-7);
  EXPECT_TRUE(direct->wears(0) && direct->wears(1));
  const auto number = law("{law: archard, number: 5e-4, hardness: 1 GPa, extrapolate: 1000}", why);
  ASSERT_TRUE(number) << why;
  EXPECT_DOUBLE_EQ(number->depth_rates(1e6, 2)[0], 1e-6);
  EXPECT_FALSE(number->wears(1));
  EXPECT_EQ(number->schedule.extrapolate, 1000);
}

TEST(Archard, SaysWhatItNeeds) {
  std::string why;
  for (const char* text : {"{law: archard}", "{law: archard, coefficient: 1e-13, hardness: 1e9}",
                           "{law: archard, number: 1e-4}"}) {
    EXPECT_FALSE(law(text, why));
    EXPECT_NE(why.find("either `coefficient`, in m^2/N, or `number` and `hardness`"), std::string::npos)
        << why;
  }
  EXPECT_FALSE(law("{law: archard, coefficient: -1e-13}", why));
  EXPECT_NE(why.find("coefficient"), std::string::npos) << why;
  EXPECT_FALSE(law("{law: archard, coefficient: 1e-13, extrapolate: 0.5}", why));
  EXPECT_NE(why.find("extrapolate"), std::string::npos) << why;
}

}  // namespace
}  // namespace tappet::test::archard_test
