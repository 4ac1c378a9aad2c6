// What every film must keep, whoever wrote it: run over all registered laws.

#include "tappet/contact/film_law.hpp"

#include <cmath>
#include <numbers>
#include <random>
#include <set>

#include "unit/contact/film_fixture.hpp"

namespace tappet::test::film_law_test {
namespace {

struct Sample {
  std::string text;
  bool continuous;  ///< through w_t = 0 and through e = 0
};

const std::vector<Sample> samples = {
    {"{model: ocvirk, viscosity: 40 mPa s}", true},
    {"{model: ocvirk, viscosity: 40 mPa s, film: half-sommerfeld}", false},
    {"{model: sommerfeld, viscosity: 40 mPa s}", false},
    {"{model: sommerfeld, viscosity: 40 mPa s, film: full}", true},
    {"{model: pinkus-sternlicht, viscosity: 40 mPa s}", true},
    {"{model: finite, viscosity: 40 mPa s}", true},
};

class EveryFilm : public ::testing::TestWithParam<Sample> {
 protected:
  std::unique_ptr<FilmLaw> law = film_law(GetParam().text);
  double c = law->bearing().clearance;
  std::mt19937 random{26};
  std::uniform_real_distribution<double> unit{0, 1};

  /// ε up to 0.999, half of them near 1; w in all directions, a quarter near across or along.
  FilmInput any() {
    const double eps = unit(random) < 0.5 ? 0.95 * unit(random) : 1 - std::pow(10, -0.3 - 2.6 * unit(random));
    const double at = 2 * std::numbers::pi * unit(random);
    double towards = 2 * std::numbers::pi * unit(random);
    if (unit(random) < 0.25)
      towards = at + 0.5 * std::numbers::pi * std::floor(4 * unit(random)) + 0.01 * (unit(random) - 0.5);
    const double speed = std::pow(10, 4 * unit(random) - 4);
    return {{c * eps * std::cos(at), c * eps * std::sin(at)},
            {speed * std::cos(towards), speed * std::sin(towards)},
            200 * (unit(random) - 0.5)};
  }
};

std::string name_of(const ::testing::TestParamInfo<Sample>& info) {
  std::string name =
      info.param.text.substr(8, info.param.text.find(',') - 8) + "_" + std::to_string(info.index);
  for (char& letter : name)
    if (letter == '-') letter = '_';
  return name;
}

INSTANTIATE_TEST_SUITE_P(Films, EveryFilm, ::testing::ValuesIn(samples), name_of);

TEST(Films, EveryLawIsTested) {
  std::set<std::string> tested;
  for (const Sample& sample : samples) tested.insert(sample.text.substr(8, sample.text.find(',') - 8));
  for (const FilmLawType& type : FilmLawRegistry::instance().entries()) {
    EXPECT_TRUE(tested.contains(type.name)) << type.name << " has no sample in this file";
    EXPECT_FALSE(type.help.empty() || type.equation.empty() || type.citation.empty()) << type.name;
  }
}

TEST_P(EveryFilm, TakesEnergyInEveryMotion) {
  for (int n = 0; n < 100'000; ++n) {
    const FilmInput in = any();
    const FilmOutput out = law->evaluate(in);
    const double power = -(out.force[0] * in.w[0] + out.force[1] * in.w[1]);
    ASSERT_GE(out.pressure_loss, 0) << in.e[0] << " " << in.e[1] << " " << in.w[0] << " " << in.w[1];
    ASSERT_NEAR(out.pressure_loss, power,
                1e-12 * std::hypot(out.force[0], out.force[1]) * std::hypot(in.w[0], in.w[1]));
    ASSERT_DOUBLE_EQ(out.shear_loss, out.couple * in.spin);
    ASSERT_GE(out.shear_loss, 0);
    ASSERT_GE(law->side_flow(in), 0);
  }
}

TEST_P(EveryFilm, IsTheSameInEveryFrameAndProportionalToVelocity) {
  for (int n = 0; n < 2000; ++n) {
    const FilmInput in = any();
    const FilmOutput out = law->evaluate(in);
    const double turn = 6 * unit(random), co = std::cos(turn), si = std::sin(turn), a = 3 * unit(random);
    const auto turned = [&](const std::array<double, 2>& v) {
      return std::array<double, 2>{co * v[0] - si * v[1], si * v[0] + co * v[1]};
    };
    FilmInput other{turned(in.e), turned(in.w), a * in.spin};
    for (double& w : other.w) w *= a;
    const FilmOutput there = law->evaluate(other);
    const std::array<double, 2> expected = turned(out.force);
    const double eps = std::hypot(in.e[0], in.e[1]) / c;
    const double size = std::hypot(out.force[0], out.force[1]) * a;
    // Rounding of e shows where the gap is thin, and more where a film parts there: its integrals over a short arc cancel.
    const bool parts = in.e[0] * in.w[0] + in.e[1] * in.w[1] < 0;
    const double rounding = parts && eps > 0.9 ? 1e-9 : 1e-12 / (1 - eps);
    for (int k : {0, 1}) ASSERT_NEAR(there.force[k], a * expected[k], rounding * size) << eps;
    ASSERT_NEAR(there.couple, a * out.couple, 1e-12 * std::abs(a * out.couple) / (1 - eps));
  }
}

TEST_P(EveryFilm, HasItsDerivatives) {
  using Number = FilmLaw::Number;
  for (int n = 0; n < 2000; ++n) {
    FilmInput in = any();
    const double speed = std::hypot(in.w[0], in.w[1]), eps = std::hypot(in.e[0], in.e[1]) / c;
    if (!GetParam().continuous && std::abs(in.e[0] * in.w[1] - in.e[1] * in.w[0]) < 0.05 * c * eps * speed)
      continue;
    const FilmOutputOf<Number> dual =
        law->evaluate_dual({{Number::variable(in.e[0], 0), Number::variable(in.e[1], 1)},
                            {Number::variable(in.w[0], 2), Number::variable(in.w[1], 3)},
                            Number::variable(in.spin, 4)});
    const FilmOutput out = law->evaluate(in);
    const double force = std::hypot(out.force[0], out.force[1]);
    for (int variable = 0; variable < 5; ++variable) {
      double& x = variable < 2 ? in.e[variable] : variable < 4 ? in.w[variable - 2] : in.spin;
      const double scale = variable < 2   ? c * (1 - eps) * std::sqrt(1 - eps)
                           : variable < 4 ? speed * std::sqrt(1 - eps)
                                          : 1;
      // Short of the bends between a table's cells; closed forms have rounding to spare.
      const bool tabulated = GetParam().text.find("finite") != std::string::npos;
      const double h = (tabulated ? 1e-4 : 1e-3) * scale, at = x;
      const auto difference = [&](double width) {
        x = at + width;
        const FilmOutput up = law->evaluate(in);
        x = at - width;
        const FilmOutput down = law->evaluate(in);
        x = at;
        return std::array<double, 3>{(up.force[0] - down.force[0]) / (2 * width),
                                     (up.force[1] - down.force[1]) / (2 * width),
                                     (up.couple - down.couple) / (2 * width)};
      };
      const auto fine = difference(h / 2), rough = difference(h);
      const double unit_of[3] = {force / scale, force / scale, std::abs(out.couple) / scale + 1e-6};
      const Number* value[3] = {&dual.force[0], &dual.force[1], &dual.couple};
      for (int k = 0; k < 3; ++k) {
        // Where a film's edge or a table's cell ends, slopes bend: the two differences then disagree.
        if (std::abs(fine[k] - rough[k]) > 1e-6 * unit_of[k]) continue;
        ASSERT_NEAR(value[k]->d[variable], (4 * fine[k] - rough[k]) / 3, 1e-6 * unit_of[k])
            << variable << " of " << k << ", ε = " << eps;
      }
    }
    for (int k : {0, 1}) ASSERT_NEAR(dual.force[k].value, out.force[k], 1e-7 * force);
  }
}

TEST_P(EveryFilm, IsContinuousThroughTheCentre) {
  for (double at = 0; at < 6.2; at += 0.7)
    for (double towards = 0; towards < 6.2; towards += 0.9) {
      const FilmInput centre{{0, 0}, {std::cos(towards), std::sin(towards)}, 1};
      FilmInput beside = centre;
      beside.e = {1e-9 * c * std::cos(at), 1e-9 * c * std::sin(at)};
      const FilmOutput out = law->evaluate(centre), near = law->evaluate(beside);
      const double force = std::hypot(out.force[0], out.force[1]);
      for (int k : {0, 1}) EXPECT_NEAR(near.force[k], out.force[k], 1e-7 * force);
      // Nothing turns the force off w there.
      EXPECT_NEAR(out.force[0] * centre.w[1] - out.force[1] * centre.w[0], 0, 1e-12 * force);
    }
}

TEST_P(EveryFilm, ShearsAsPetrovSaysAndRefusesToBeUsedUp) {
  const FilmBearing& b = law->bearing();
  const FilmOutput out = law->evaluate({.spin = 50});
  EXPECT_EQ(std::hypot(out.force[0], out.force[1]), 0);
  EXPECT_NEAR(out.couple, 2 * std::numbers::pi * 0.04 * std::pow(b.radius, 3) * b.length * 50 / c,
              1e-14 * out.couple);
  for (double eps : {1.0, 1.5}) EXPECT_THROW(law->evaluate({.e = {eps * c, 0}, .w = {1, 0}}), LawDomainError);
}

TEST(FilmFamily, SaysWhatIsWrong) {
  std::string why;
  EXPECT_FALSE(try_film_law("{model: ocvirk, viscosity: -40 mPa s}", film_bearing(), why));
  EXPECT_NE(why.find("viscosity"), std::string::npos) << why;
  EXPECT_FALSE(try_film_law("{model: ocvirk}", film_bearing(), why));
  EXPECT_NE(why.find("viscosity"), std::string::npos) << why;
  EXPECT_FALSE(try_film_law("{model: ocvrk, viscosity: 1}", film_bearing(), why));
  EXPECT_NE(why.find("ocvirk"), std::string::npos) << why;
  EXPECT_FALSE(try_film_law("{model: finite, viscosity: 1}", film_bearing(10), why));
  EXPECT_NE(why.find("pinkus-sternlicht serves here"), std::string::npos) << why;
  EXPECT_FALSE(try_film_law("{model: finite, viscosity: 1}", film_bearing(0.01), why));
  EXPECT_NE(why.find("ocvirk serves here"), std::string::npos) << why;
  EXPECT_EQ(film_law("{model: ocvirk, viscosity: 1}", film_bearing(0.2))->traits().notes.size(), 0u);
  EXPECT_EQ(film_law("{model: ocvirk, viscosity: 1}", film_bearing(0.5))->traits().notes.size(), 1u);
  EXPECT_EQ(film_law("{model: sommerfeld, viscosity: 1}", film_bearing(0.5))->traits().notes.size(), 1u);
  EXPECT_EQ(film_law("{model: sommerfeld, viscosity: 1}", film_bearing(3))->traits().notes.size(), 0u);
}

}  // namespace
}  // namespace tappet::test::film_law_test
