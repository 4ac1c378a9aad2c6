#include "tappet/base/units.hpp"

#include <atomic>
#include <cmath>
#include <numbers>
#include <thread>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace tappet::units_test {

using ::testing::HasSubstr;

namespace {

std::string fault(const std::string& unit, const std::string& si_unit) {
  try {
    si_factor(unit, si_unit);
  } catch (const UnitError& error) {
    return error.what();
  }
  return "no error";
}

struct Case {
  const char* unit;
  const char* si_unit;
  double factor;
};

constexpr double pi = std::numbers::pi;
constexpr double inch = 0.0254, pound_force = 4.4482216152605;

const Case cases[] = {
    {"mm", "m", 1e-3},
    {"um", "m", 1e-6},
    {"µm", "m", 1e-6},
    {"μm", "m", 1e-6},
    {"in", "m", inch},
    {"ft", "m", 12 * inch},
    {"us", "s", 1e-6},
    {"µs", "s", 1e-6},
    {"ms", "s", 1e-3},
    {"min", "s", 60},
    {"kg", "kg", 1},
    {"g", "kg", 1e-3},
    {"t", "kg", 1000},
    {"GPa", "Pa", 1e9},
    {"MPa", "Pa", 1e6},
    {"N/mm^2", "Pa", 1e6},
    {"kN", "N", 1e3},
    {"lbf", "N", pound_force},
    {"N s/m", "N s/m", 1},
    {"kg/s", "N s/m", 1},
    {"N/m", "N/m", 1},
    {"N/mm", "N/m", 1e3},
    {"lbf/in", "N/m", pound_force / inch},
    {"kg m^2", "kg m^2", 1},
    {"kg*m^2", "kg m^2", 1},
    {"kg·m²", "kg m^2", 1},
    {"kg.m2", "kg m^2", 1},
    {"g cm^2", "kg m^2", 1e-7},
    {"kg/m^3", "kg/m^3", 1},
    {"kg m^-3", "kg/m^3", 1},
    {"kg m⁻³", "kg/m^3", 1},
    {"g/cm^3", "kg/m^3", 1000},
    {"rpm", "rad/s", 2 * pi / 60},
    {"rev/s", "rad/s", 2 * pi},
    {"rev/min", "rad/s", 2 * pi / 60},
    {"deg/s", "rad/s", pi / 180},
    {"rad/s", "rad/s", 1},
    {"rad/ms", "rad/s", 1000},
    {"rad/s^2", "rad/s^2", 1},
    {"rpm/s", "rad/s^2", 2 * pi / 60},
    {"rad", "rad", 1},
    {"mrad", "rad", 1e-3},
    {"deg", "rad", pi / 180},
    {"°", "rad", pi / 180},
    {"degrees", "rad", pi / 180},
    {"rev", "rad", 2 * pi},
    {"N m", "N m", 1},
    {"N*m", "N m", 1},
    {"N.m", "N m", 1},
    {"N-m", "N m", 1},
    {"Nm", "N m", 1},
    {"kNm", "N m", 1000},
    {"lbf ft", "N m", pound_force * 12 * inch},
    {"N m/rad", "N m/rad", 1},
    {"N m/deg", "N m/rad", 180 / pi},
    {"N m s/rad", "N m s/rad", 1},
    // the radian below the line may be left out
    {"N m", "N m/rad", 1},
    {"N m s", "N m s/rad", 1},
    {"J", "J", 1},
    {"J", "N m", 1},
    {"kJ", "J", 1e3},
    {"W", "W", 1},
    {"Hz", "1/s", 1},
    {"1/s", "1/s", 1},
    {"kHz", "Hz", 1e3},
    {"m/s", "m/s", 1},
    {"mm/s", "m/s", 1e-3},
    {"km/h", "m/s", 1 / 3.6},
    {"m/s^2", "m/s^2", 1},
    {"m/s/s", "m/s^2", 1},
    {"m/(s s)", "m/s^2", 1},
    {"m/s**2", "m/s^2", 1},
    // fractional powers, as in Hertz' law
    {"N/m^1.5", "N/m^1.5", 1},
    {"N/mm^1.5", "N/m^1.5", 31622.776601683795},
    {"N/m^(3/2)", "N/m^1.5", 1},
    {"kN m^-1.5", "N/m^1.5", 1000},
    {"%", "", 0.01},
    {"percent", "", 0.01},
    {"", "m", 1},
    {"", "", 1},
    {"", "N/m^n", 1},
    {"N/m^n", "N/m^n", 1},
};

}  // namespace

TEST(Units, SpellingsThatUsersWrite) {
  for (const Case& c : cases) {
    double factor = 0;
    EXPECT_NO_THROW(factor = si_factor(c.unit, c.si_unit)) << c.unit << " as " << c.si_unit;
    EXPECT_NEAR(factor, c.factor, 4e-16 * c.factor) << c.unit << " as " << c.si_unit;
  }
}

TEST(Units, ConvertsValues) {
  EXPECT_DOUBLE_EQ(convert_to_si(5000, "rpm", "rad/s"), 5000 * 2 * pi / 60);
  EXPECT_DOUBLE_EQ(convert_to_si(207, "GPa", "Pa"), 207e9);
  EXPECT_EQ(convert_to_si(3, "", "m"), 3);
  EXPECT_DOUBLE_EQ(convert_to_si(20, "degC", "K"), 293.15);
  EXPECT_DOUBLE_EQ(convert_to_si(32, "degF", "K"), 273.15);
}

TEST(Units, DecimalFactorsAreExact) {
  EXPECT_EQ(convert_to_si(10, "us", "s"), 1e-5);
  EXPECT_EQ(convert_to_si(25, "mm", "m"), 0.025);
  EXPECT_EQ(si_factor("g cm^2", "kg m^2"), 1e-7);
  EXPECT_EQ(si_factor("in", "m"), 0.0254);
  EXPECT_EQ(si_factor("ft", "m"), 0.3048);
  EXPECT_EQ(si_factor("L", "m^3"), 0.001);
}

TEST(Units, WrongDimensionIsSaidInWords) {
  EXPECT_EQ(fault("kg", "m"), "'kg' is a mass, but a length is expected, such as m or mm");
  EXPECT_EQ(fault("mm", "kg"), "'mm' is a length, but a mass is expected, such as kg or g");
  EXPECT_EQ(fault("m", ""), "'m' is a length, but a plain number without a unit is expected");
  EXPECT_THAT(fault("kg^2/A", "m"), HasSubstr("does not fit: a length is expected"));
  EXPECT_THAT(fault("kg", "A m^7"), HasSubstr("a unit like A m^7 is expected"));
  EXPECT_THAT(fault("N/m^2", "N/m^1.5"), HasSubstr("is a pressure, but a Hertz stiffness is expected"));
}

TEST(Units, AnglesAreNotNumbers) {
  EXPECT_EQ(fault("rad", ""), "'rad' is an angle, but a plain number without a unit is expected");
  EXPECT_THAT(fault("rad", "m"), HasSubstr("is an angle, but a length is expected"));
  EXPECT_THAT(fault("m rad", "m"), HasSubstr("does not fit"));
  EXPECT_THAT(fault("%", "rad"), HasSubstr("is a pure number, but an angle is expected"));
  EXPECT_THAT(fault("N m/rad", "N m"), HasSubstr("is a rotational stiffness"));
}

TEST(Units, HertzIsNotAnAngularVelocity) {
  for (const char* unit : {"Hz", "1/s", "s^-1", "hertz", "kHz"})
    EXPECT_THAT(fault(unit, "rad/s"), HasSubstr("write 50 rev/s or 2*pi*50 rad/s")) << unit;
  EXPECT_THAT(fault("rad/s", "1/s"), HasSubstr("an angular velocity, but a frequency is expected"));
  EXPECT_THAT(fault("rpm", "Hz"), HasSubstr("an angular velocity, but a frequency is expected"));
}

TEST(Units, UnknownUnitsAreNamed) {
  EXPECT_EQ(fault("Mpa", "Pa"),
            "unknown unit 'Mpa'; did you mean 'MPa'? a pressure is expected, such as Pa, MPa or GPa");
  EXPECT_EQ(fault("parrots", "m"), "unknown unit 'parrots'; a length is expected, such as m or mm");
  EXPECT_THAT(fault("_000", "m"), HasSubstr("unknown unit '_' in '_000'"));
  EXPECT_THAT(fault("N/m^2", "N/m^n"), HasSubstr("write a plain number, which is in N/m^n"));
}

TEST(Units, OffsetsHaveNoFactor) {
  EXPECT_THAT(fault("degC", "K"), HasSubstr("offset"));
  EXPECT_THAT(fault("W/degC", "W/K"), HasSubstr("offset"));
  EXPECT_THAT(fault("degC^2", "K^2"), HasSubstr("offset"));
  EXPECT_THROW(convert_to_si(1, "m degC", "m K"), UnitError);
}

TEST(Units, NonsenseIsRefused) {
  for (const char* unit : {"m^", "m^^2", "(m", "m)", "m//s", "/s", "m^1e9", "m^99", "2 m", "m since 2000",
                           "lg(re 1 mW)", "m @ 3", "m^(1/0)", "m⁻", "*", "m*",
                           "((((((((((((((((((((((((((((((m))))))))))))))))))))))))))))))", "\xff", "m\n"})
    EXPECT_NE(fault(unit, "m"), "no error") << unit;
  EXPECT_NE(fault(std::string(100000, 'm'), "m"), "no error");
}

TEST(Units, ManyThreadsAtOnce) {
  std::atomic<int> wrong = 0;
  std::vector<std::thread> threads;
  for (int i = 0; i < 4; ++i)
    threads.emplace_back([&] {
      for (int repeat = 0; repeat < 20; ++repeat)
        for (const Case& c : cases)
          if (std::abs(si_factor(c.unit, c.si_unit) - c.factor) > 1e-15 * c.factor) ++wrong;
    });
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(wrong, 0);
}

}  // namespace tappet::units_test
