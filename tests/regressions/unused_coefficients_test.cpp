// What a method does not use of a contact's coefficients is said when the model is compiled; what it uses is not.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tappet/base/diagnostics.hpp"
#include "tappet/model/compile.hpp"
#include "tappet/model/model.hpp"
#include "tappet/spec/spec.hpp"

namespace tappet::unused_coefficients_test {
namespace {

/// All that compiling says.
std::string said(const std::string& text) {
  Diagnostics diagnostics;
  const auto model = compile(spec_from_text(text, "test.yaml", {}), diagnostics);
  std::string out;
  for (const Diagnostic& d : diagnostics.all()) out += d.message + '\n';
  for (const std::string& note : model->notes) out += note + '\n';
  return out;
}

std::string ball(const std::string& method, const std::string& normal, const std::string& friction,
                 const std::string& simulation = "") {
  return fmt::format(
      "tappet: 1\ndimension: spatial\nbodies: {{ball: {{mass: 1, shapes: {{s: {{sphere: {{radius: "
      "0.1}}}}}}}}}}\n"
      "materials: {{steel: {{young: 207 GPa, poisson: 0.3, density: 7800}}}}\n"
      "ground: {{shapes: {{floor: {{plane: {{normal: [0, 0, 1], point: [0, 0, -1]}}}}}}}}\n"
      "contacts: {{c: {{between: [ground.floor, ball.s], materials: [steel, steel], normal: {}, friction: "
      "{}}}}}\n"
      "simulation: {{method: {}, duration: 1{}{}}}\n",
      normal, friction, method, method == "moreau" ? ", step: 1e-3" : "", simulation);
}

struct Case {
  const char *what, *normal, *friction, *simulation, *words;
  bool smooth, nonsmooth;  ///< who says it
};

TEST(UnusedCoefficients, AreSaidByTheMethodThatDoesNotUseThem) {
  const Case table[] = {
      {"tangential restitution", "{law: hertz}",
       "{law: coulomb, coefficient: 0.3, tangential_restitution: 0.5}", "", "`tangential_restitution`", true,
       false},
      {"impact law", "{law: hertz}", "{law: coulomb, coefficient: 0.3}", ", impact_law: poisson",
       "`simulation.impact_law`", true, false},
      {"a law without losses", "{law: hertz}", "{law: coulomb, coefficient: 0.3}", "", "takes restitution 1",
       false, true},
      {"static friction", "{law: flores, restitution: 0.5}",
       "{law: karnopp, static: 0.5, dynamic: 0.3, stick_velocity: 1 mm/s}", "", "static", false, false},
  };
  for (const Case& c : table)
    for (const char* method : {"smooth", "moreau", "event-driven"}) {
      const bool smooth = std::string(method) == "smooth";
      const std::string words = said(ball(method, c.normal, c.friction, c.simulation));
      const bool found = words.find(c.words) != std::string::npos;
      EXPECT_EQ(found, smooth ? c.smooth : c.nonsmooth) << c.what << ", " << method << ": " << words;
    }
}

TEST(UnusedCoefficients, RestitutionOfNodesIsSaidToMatterLess) {
  const auto block = [](const std::string& normal) {
    return fmt::format(
        "tappet: 1\ndimension: spatial\nmaterials: {{m: {{young: 1 MPa, poisson: 0.3, density: 1000}}}}\n"
        "bodies: {{block: {{structure: {{generate: {{block: {{size: [1, 1, 1], divisions: [1, 1, 1]}}}}, "
        "material: m}}}}}}\n"
        "ground: {{shapes: {{floor: {{plane: {{normal: [0, 0, 1]}}}}}}}}\n"
        "contacts: {{c: {{between: [ground.floor, block.zmin], materials: [m, m], normal: {}}}}}\n"
        "simulation: {{method: moreau, duration: 1, step: 1e-3}}\n",
        normal);
  };
  EXPECT_THAT(said(block("{law: newton, restitution: 0.5}")), ::testing::HasSubstr("has restitution 0.5"));
  EXPECT_THAT(said(block("{law: hertz}")), ::testing::HasSubstr("has restitution 1"));
  EXPECT_THAT(said(block("{law: hertz}")), ::testing::HasSubstr("law hertz has no losses"));
  EXPECT_THAT(said(block("{law: newton, restitution: 0}")),
              ::testing::Not(::testing::HasSubstr("restitution")));
}

}  // namespace
}  // namespace tappet::unused_coefficients_test
