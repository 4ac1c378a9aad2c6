#include "tappet/contact/wear_law.hpp"

#include "unit/contact/law_fixture.hpp"

namespace tappet::test::wear_law_test {
namespace {

TEST(WearLaws, EveryLawSaysWhatItIs) {
  ASSERT_FALSE(WearLawRegistry::instance().entries().empty());
  for (const WearLawType& type : WearLawRegistry::instance().entries())
    EXPECT_FALSE(type.help.empty() || type.equation.empty() || type.citation.empty()) << type.name;
}

TEST(WearLaws, ArchardWhenNoLawIsNamed) {
  Diagnostics diagnostics;
  const Object object = read("{coefficient: 5e-13 m^2/N}", wear_law_family(), diagnostics);
  const auto law = make_wear_law(object.parameters(), diagnostics);
  ASSERT_TRUE(law) << messages(diagnostics);
  EXPECT_DOUBLE_EQ(law->depth_rates(2e6, 3)[0], 3e-6);
}

}  // namespace
}  // namespace tappet::test::wear_law_test
