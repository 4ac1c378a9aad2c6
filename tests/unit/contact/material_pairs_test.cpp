// The built-in pairs of materials, and how contacts take from them.

#include "tappet/contact/material_pairs.hpp"

#include <set>

#include <gmock/gmock.h>

#include "support/run_model.hpp"
#include "unit/contact/law_fixture.hpp"

namespace tappet::test::material_pairs_test {
namespace {

using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

TEST(MaterialPairs, TheTableHas34PairsEachOnce) {
  std::set<std::set<std::string>> seen;
  double static_sum = 0, dynamic_sum = 0, restitution_sum = 0;
  for (const MaterialPair& pair : built_in_pairs()) {
    seen.insert({pair.between.begin(), pair.between.end()});
    EXPECT_GT(*pair.static_coefficient, *pair.dynamic_coefficient);
    EXPECT_GE(*pair.restitution, 0.65);  // [Giesbers2012, 4.3.1]: 0.65 to 0.95
    EXPECT_LE(*pair.restitution, 0.95);
    static_sum += *pair.static_coefficient, dynamic_sum += *pair.dynamic_coefficient;
    restitution_sum += *pair.restitution;
  }
  EXPECT_EQ(built_in_pairs().size(), 34u);
  EXPECT_EQ(seen.size(), 34u);
  // The columns of [Giesbers2012, table 1] added up.
  EXPECT_NEAR(static_sum, 15.96, 1e-12);
  EXPECT_NEAR(dynamic_sum, 13.60, 1e-12);
  EXPECT_NEAR(restitution_sum, 29.05, 1e-12);
  EXPECT_EQ(paired_names(built_in_pairs()).size(), 8u);
}

TEST(MaterialPairs, AreFoundInEitherOrderAndSpelling) {
  const auto& pairs = built_in_pairs();
  const MaterialPair* pair = find_pair(pairs, "Dry_Steel", "dry-aluminium");
  ASSERT_TRUE(pair);
  EXPECT_EQ(*pair->dynamic_coefficient, 0.50);
  EXPECT_EQ(pair, find_pair(pairs, "dry aluminium", "dry steel"));
  EXPECT_EQ(*find_pair(pairs, "nylon", "acrylic")->restitution, 0.65);
  // What the source does not have is not made up.
  EXPECT_FALSE(find_pair(pairs, "nylon", "dry steel"));
  EXPECT_THAT(partners(pairs, "nylon"), ElementsAre("acrylic", "dry aluminium", "dry rubber",
                                                    "greasy aluminium", "greasy rubber", "nylon"));
}

std::string ball(const std::string& contact, const std::string& sections = "",
                 const std::string& method = "smooth") {
  return "tappet: 1\ndimension: spatial\ngravity: [0, 0, -10]\n" + sections +
         "bodies:\n  ball: {mass: 2, inertia: [1, 1, 1], position: [0, 0, 1], shapes: {skin: {sphere: "
         "{radius: 0.1}}}}\n"
         "ground: {shapes: {floor: {plane: {point: [0, 0, 0], normal: [0, 0, 1]}}}}\n"
         "contacts:\n  bounce: {between: [ground.floor, ball.skin], " +
         contact +
         "}\n"
         "simulation: {duration: 1, method: " +
         method + "}\n";
}

std::string fault(const std::string& text) {
  try {
    testing::model_of_text(text);
  } catch (const InputError& e) {
    return e.what();
  }
  return "";
}

const std::string adams = "friction: {law: adams, stiction_velocity: 0.1, friction_velocity: 1}";

TEST(MaterialPairs, GiveLawsWhatTheUserDoesNot) {
  const auto model = testing::model_of_text(
      ball("materials: [dry steel, dry rubber], normal: {law: poisson, penalty: 1e5}, " + adams));
  const ContactPoint& contact = *model->mechanism.contacts.at(0);
  EXPECT_EQ(contact.normal_law->traits().requested_restitution, 0.95);
  EXPECT_EQ(contact.friction_law->traits().static_coefficient, 0.80);
  EXPECT_EQ(contact.friction_law->traits().sliding_coefficient, 0.76);
  EXPECT_THAT(
      model->notes,
      Contains("contact 'bounce': adams: static = 0.8, dynamic = 0.76 from the pair of dry rubber and "
               "dry steel (Giesbers2012, app. C)"));
  // What is written stays.
  const auto own = testing::model_of_text(
      ball("materials: [dry steel, dry rubber], normal: {law: poisson, penalty: 1e5, restitution: 0.5}, "
           "friction: {law: coulomb, coefficient: 0.1}"));
  EXPECT_EQ(own->mechanism.contacts.at(0)->normal_law->traits().requested_restitution, 0.5);
  EXPECT_EQ(own->mechanism.contacts.at(0)->friction_law->traits().sliding_coefficient, 0.1);
  EXPECT_THAT(own->notes, ::testing::Each(::testing::Not(::testing::HasSubstr("from the pair"))));
  // Coulomb's one coefficient is the sliding one.
  const auto coulomb = testing::model_of_text(
      ball("materials: [nylon, nylon], normal: {law: hooke, stiffness: 1e6}, friction: {}"));
  EXPECT_EQ(coulomb->mechanism.contacts.at(0)->friction_law->traits().sliding_coefficient, 0.06);
}

TEST(MaterialPairs, ElasticConstantsAndPairUnderOneName) {
  const std::string sections =
      "materials: {dry-steel: {young: 207 GPa, poisson: 0.3}, acrylic: {young: 3 GPa, poisson: 0.37}}\n";
  const auto model =
      testing::model_of_text(ball("materials: [dry-steel, acrylic], normal: {law: flores}", sections));
  EXPECT_EQ(model->mechanism.contacts.at(0)->normal_law->traits().requested_restitution, 0.70);
  EXPECT_EQ(model->mechanism.contacts.at(0)->pair.material[1]->young, 3e9);
  EXPECT_THAT(model->notes, Contains(HasSubstr("from E, ν and R = 0.1 m")));
}

TEST(MaterialPairs, OfTheModelComeFirst) {
  const std::string sections =
      "material_pairs: {mine: {between: [nylon, oak], static: 0.3, dynamic: 0.2}, other: {between: [nylon, "
      "nylon], "
      "restitution: 0.1}}\n";
  const auto model = testing::model_of_text(
      ball("materials: [oak, nylon], normal: {law: hooke, stiffness: 1e6}, " + adams, sections));
  EXPECT_EQ(model->mechanism.contacts.at(0)->friction_law->traits().static_coefficient, 0.3);
  EXPECT_THAT(model->notes, Contains(HasSubstr("from the pair 'mine'")));
  EXPECT_THAT(
      fault(ball("materials: [nylon, nylon], normal: {law: poisson, penalty: 1}, " + adams, sections)),
      HasSubstr("missing key 'static'"));
  const std::string twice =
      "material_pairs: {a: {between: [x, y], static: 1}, b: {between: [y, X], static: 1}}\n";
  EXPECT_THAT(fault(ball("normal: {law: hooke, stiffness: 1}", twice)), HasSubstr("same materials as 'a'"));
  EXPECT_THAT(fault(ball("normal: {law: hooke, stiffness: 1}", "material_pairs: {a: {between: [x, y]}}\n")),
              HasSubstr("says nothing"));
  // A law may allow less than a pair may say.
  EXPECT_THAT(fault(ball("materials: [x, y], normal: {law: flores, stiffness: 1e8}",
                         "material_pairs: {soft: {between: [x, y], restitution: 0}}\n")),
              HasSubstr("law flores: 'restitution' is 0 in the pair 'soft', but must be"));
}

TEST(MaterialPairs, WhatIsUnknownIsToldWithNearNames) {
  const std::string law = "normal: {law: poisson, penalty: 1e5}";
  EXPECT_THAT(fault(ball("materials: [dry stel, nylon], " + law)), HasSubstr("did you mean 'dry steel'?"));
  const std::string no_pair = fault(ball("materials: [dry steel, nylon], " + law));
  EXPECT_THAT(no_pair, HasSubstr("the materials dry steel and nylon, of which no pair is known"));
  EXPECT_THAT(no_pair, HasSubstr("known with dry steel: acrylic, dry aluminium"));
  EXPECT_THAT(fault(ball(law)), HasSubstr("missing key 'restitution' in a poisson law"));
  EXPECT_THAT(fault(ball(law)), HasSubstr("`materials` of a known pair"));
  // Elastic materials need no pair until a law asks for one.
  const std::string steel = "materials: {steel: {young: 207 GPa, poisson: 0.3}}\n";
  EXPECT_EQ(fault(ball("materials: [steel, steel], normal: {law: hertz}", steel)), "");
  EXPECT_THAT(fault(ball("materials: [steel, steel], normal: {law: hertz}, friction: {}", steel)),
              HasSubstr("missing key 'coefficient'"));
}

TEST(MaterialPairs, ServeTheNonSmoothMethods) {
  const auto model = testing::model_of_text(
      ball("materials: [acrylic, acrylic], normal: {}, friction: {}", "", "moreau, step: 1 ms"));
  const ContactPoint& contact = *model->mechanism.contacts.at(0);
  ASSERT_TRUE(contact.rigid);
  EXPECT_EQ(contact.rigid->restitution, 0.70);
  EXPECT_EQ(contact.rigid->friction, 0.15);
}

}  // namespace
}  // namespace tappet::test::material_pairs_test
