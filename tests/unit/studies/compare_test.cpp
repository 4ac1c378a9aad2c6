#include "tappet/studies/compare.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/folder_test.hpp"
#include "support/paths.hpp"
#include "tappet/base/diagnostics.hpp"
#include "tappet/geometry/exact_body.hpp"

namespace tappet::compare_test {
namespace {

using ::testing::HasSubstr;

const std::string slider_crank = testing::source_dir() + "/examples/slider_crank/clearance.yaml";

class CompareTest : public FolderTest {
 protected:
  static Comparison laws(const std::vector<std::string>& names,
                         const std::vector<std::string>& signals = {}) {
    return compare(slider_crank, {"simulation.duration=6 ms", "simulation.tolerance=1e-6"},
                   *VariationRegistry::instance().find("laws"), names, signals);
  }
  static double figure(const Comparison& c, std::size_t variant, const std::string& name) {
    for (std::size_t i = 0; i < c.figures.size(); ++i)
      if (c.figures[i].name == name) return c.variants[variant].values[i];
    return NAN;
  }
};

TEST_F(CompareTest, LawsReplaceEachOtherAndKeepWhatTheyShare) {
  const Comparison c = laws({"lankarani-nikravesh", "hertz", "flores"});
  ASSERT_EQ(c.variants.size(), 3u);
  for (const ComparedVariant& v : c.variants) EXPECT_EQ(v.reason, "") << v.name;
  // An elastic law loses nothing in the normal direction; the others do, as their restitution says.
  EXPECT_NEAR(figure(c, 1, "last(energy.normal_loss)"), 0, 1e-6);
  EXPECT_GT(figure(c, 0, "last(energy.normal_loss)"), 1e-3);
  EXPECT_GT(figure(c, 2, "last(energy.normal_loss)"), 1e-3);
  // The first law is the model's own.
  const Comparison own = compare(slider_crank, {"simulation.duration=6 ms", "simulation.tolerance=1e-6"},
                                 *VariationRegistry::instance().find("integrators"), {"dop853"}, {});
  EXPECT_EQ(figure(own, 0, "max(wrist.normal)"), figure(c, 0, "max(wrist.normal)"));
}

TEST_F(CompareTest, FrictionLawsAreLawsToo) {
  const Comparison c = laws({"none", "ambrosio"});
  EXPECT_EQ(figure(c, 0, "last(energy.friction_loss)"), 0);
  EXPECT_GT(figure(c, 1, "last(energy.friction_loss)"), 0);
}

// A coin on its rim touches by all engines in the same places, and so falls the same way.
TEST_F(CompareTest, EnginesAgreeOnACoin) {
  std::vector<std::string> engines{"analytic", "polygon"};
  if (exact_bodies_available()) engines.push_back("exact");
  const Comparison c =
      compare(testing::source_dir() + "/examples/engines/coin.yaml", {"simulation.duration=80 ms"},
              *VariationRegistry::instance().find("engines"), engines, {"coin.z"});
  for (std::size_t v = 0; v < c.variants.size(); ++v) {
    EXPECT_EQ(c.variants[v].reason, "") << c.variants[v].name;
    EXPECT_GT(figure(c, v, "last(energy.normal_loss)"), 1e-4);
    EXPECT_NEAR(figure(c, v, "last(coin.x)"), figure(c, 0, "last(coin.x)"), 1e-7);
    EXPECT_NEAR(figure(c, v, "last(coin.z)"), figure(c, 0, "last(coin.z)"), 1e-7);
  }
  EXPECT_THAT(comparison_text(c), HasSubstr("coin.z off analytic"));
}

// A ball on a roller touches in one place by closed forms; meshes bring their rims too. What has no counterpart is left out.
TEST_F(CompareTest, EnginesThatTouchInOtherPlacesAreComparedByTheBodies) {
  const Comparison c =
      compare(testing::source_dir() + "/examples/engines/roller.yaml", {"simulation.duration=75 ms"},
              *VariationRegistry::instance().find("engines"), {"analytic", "polygon"}, {});
  for (const ComparedVariant& v : c.variants) EXPECT_EQ(v.reason, "") << v.name;
  EXPECT_GT(figure(c, 0, "max(bounce.normal)"), 100);
  // The total of all places has a counterpart, and the ball is struck by the same force; impacts are of places.
  EXPECT_NEAR(figure(c, 1, "max(bounce.normal)") / figure(c, 0, "max(bounce.normal)"), 1, 5e-3);
  EXPECT_TRUE(std::isnan(figure(c, 1, "count(bounce.impacts)")));
  EXPECT_NEAR(figure(c, 1, "last(ball.z)"), figure(c, 0, "last(ball.z)"), 5e-5);  // the meshes' tolerance
}

TEST_F(CompareTest, AVariantThatFailsSaysWhy) {
  const Comparison c = laws({"kelvin-voigt", "hertz"});  // kelvin-voigt needs a stiffness
  EXPECT_THAT(c.variants[0].reason, HasSubstr("stiffness"));
  EXPECT_EQ(c.variants[1].reason, "");
  EXPECT_THAT(comparison_text(c), HasSubstr("kelvin-voigt failed: "));
  EXPECT_THAT(comparison_table(c), HasSubstr("\nkelvin-voigt,,"));
}

TEST_F(CompareTest, MethodsFromOneFileAndTheirPage) {
  const std::string model = testing::source_dir() + "/examples/slider_crank/methods.yaml";
  const VariationType& methods = *VariationRegistry::instance().find("methods");
  const Comparison c = compare(model, {"simulation.duration=0.8 ms"}, methods,
                               {"smooth", "moreau", "event-driven"}, {"wrist.gap"});
  for (const ComparedVariant& v : c.variants) {
    EXPECT_EQ(v.reason, "") << v.name;
    EXPECT_EQ(v.recording.impacts.size(), 3u) << v.name;
  }
  EXPECT_EQ(c.variants[1].summary.steps, 800) << "the output's step of 1 us";
  const std::string page = comparison_page(c, "<?xml?><svg>curves</svg>");
  EXPECT_THAT(page, HasSubstr("<svg>curves</svg>"));
  EXPECT_THAT(page, HasSubstr("<li>moreau and event-driven agree: all 3 impacts"));
  EXPECT_THAT(page, HasSubstr("Where they cannot"));
  EXPECT_THAT(page, HasSubstr("<th colspan=4>event-driven</th>"));
  // A file written for Moreau's steps: the others do not take them.
  const Comparison back =
      compare(model, {"simulation.duration=0.8 ms", "simulation.method=moreau", "simulation.step=2e-6"},
              methods, {"moreau", "event-driven"}, {"wrist.gap"});
  EXPECT_EQ(back.variants[0].summary.steps, 400);
  EXPECT_LT(back.variants[1].summary.steps, 50);
  // Names are text, not markup.
  Comparison odd = c;
  odd.title = "<b>&";
  EXPECT_THAT(comparison_page(odd, ""), HasSubstr("<h1>&lt;b&gt;&amp;</h1>"));
}

TEST_F(CompareTest, TableAndPicture) {
  const Comparison c = laws({"hertz", "flores"}, {"slider.vx"});
  EXPECT_THAT(comparison_table(c),
              ::testing::StartsWith("variant,max(abs(motor.torque)) [N m],rms(motor.torque)"));
  draw(c, 0, path("a.svg"));
  EXPECT_THAT(text("a.svg"), HasSubstr("slider.vx [m/s]"));
  EXPECT_THAT(text("a.svg"), HasSubstr("flores"));
}

TEST_F(CompareTest, WrongNamesAreSentences) {
  const auto fault = [](const std::vector<std::string>& names, const std::vector<std::string>& signals) {
    try {
      laws(names, signals);
    } catch (const InputError& error) {
      return error.diagnostics()[0].message;
    }
    return std::string();
  };
  EXPECT_THAT(fault({"herz"}, {}), HasSubstr("did you mean 'hertz'?"));
  EXPECT_THAT(fault({"hertz"}, {"slider.vz"}), HasSubstr("there is no signal 'slider.vz'"));
  EXPECT_THROW(compare(testing::source_dir() + "/examples/pendulum/pendulum.yaml", {},
                       *VariationRegistry::instance().find("laws"), {"hertz"}, {}),
               InputError);
}

}  // namespace
}  // namespace tappet::compare_test
