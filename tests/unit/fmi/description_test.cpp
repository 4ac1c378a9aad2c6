#include "tappet/fmi/description.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/fmu.hpp"

#ifdef TAPPET_FMI

namespace tappet::fmi::description_test {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

std::string fault(const std::string& text) {
  std::string out = "accepted";
  read_description(text, out);
  return out;
}

TEST(Description, SaysWhatAnFmuIs) {
  for (const int version : {2, 3}) {
    std::string unsaid;
    const auto d = read_description(
        tappet::testing::pid_description(
            {.version = version,
             .once = true,
             .input_unit = "<Unit name=\"own\"><BaseUnit m=\"1\" s=\"-1\" factor=\"0.1\"/></Unit>"}),
        unsaid);
    ASSERT_TRUE(d) << unsaid;
    EXPECT_EQ(d->version, version);
    EXPECT_EQ(d->token, "pid-token");
    EXPECT_EQ(d->identifier, "pid");
    EXPECT_TRUE(d->co_simulation && d->gets_state && d->serialises_state && d->only_once_per_process);
    EXPECT_THAT(d->names("parameter"), ElementsAre("kp", "ki", "kd", "fail_at"));
    ASSERT_NE(d->find("e"), nullptr);
    EXPECT_EQ(d->find("e")->reference, 1u);
    EXPECT_EQ(d->find("e")->type, ValueType::real);
    EXPECT_EQ(d->find("e")->causality, "input");
    ASSERT_NE(d->unit("own"), nullptr);
    EXPECT_EQ(d->unit("own")->factor, 0.1);
    EXPECT_THAT(d->unit("own")->powers, ElementsAre(1, 0, -1, 0, 0, 0, 0, 0));
    EXPECT_EQ(d->find("missing"), nullptr);
  }
}

TEST(Description, OtherTextsAreRefused) {
  EXPECT_THAT(fault("no XML"), HasSubstr("is not XML: line 1"));
  EXPECT_THAT(fault("<a>\n<b>\n</a>"), HasSubstr("is not XML: line 3"));
  EXPECT_THAT(fault("<a/>"), HasSubstr("describes no FMU"));
  EXPECT_THAT(fault("<fmiModelDescription fmiVersion=\"1.0\"/>"),
              HasSubstr("is of FMI 1.0; versions 2.0 and 3.0 are read"));
  const std::string begin =
      "<fmiModelDescription fmiVersion=\"2.0\"><CoSimulation modelIdentifier=\"a\"/><ModelVariables>";
  EXPECT_THAT(fault(begin + "<ScalarVariable/></ModelVariables></fmiModelDescription>"),
              HasSubstr("a variable without a name"));
  EXPECT_THAT(fault(begin + "<ScalarVariable name=\"x\"/></ModelVariables></fmiModelDescription>"),
              HasSubstr("no valueReference for its variable 'x'"));
  EXPECT_THAT(
      fault(begin +
            "<ScalarVariable name=\"x\" valueReference=\"1\"/></ModelVariables></fmiModelDescription>"),
      HasSubstr("no type for its variable 'x'"));
}

}  // namespace
}  // namespace tappet::fmi::description_test

#endif
