// `tappet laws`: every law has its page, curves are numbers, and mistakes are told.
#include <cstdio>
#include <sstream>
#include <string>
#include <sys/wait.h>
#include <vector>

#include <gtest/gtest.h>

#include "support/paths.hpp"
#include "tappet/contact/film_law.hpp"
#include "tappet/contact/friction_law.hpp"
#include "tappet/contact/normal_law.hpp"
#include "tappet/contact/wear_law.hpp"

namespace tappet::test::laws_command_test {
namespace {

struct Printed {
  std::string output;  ///< standard output, and what is said besides with `said`
  int status = -1;
};

Printed laws(const std::string& arguments, bool said = false) {
  const std::string command =
      "'" + testing::program() + "' laws " + arguments + (said ? " 2>&1" : " 2>/dev/null");
  std::FILE* pipe = popen(command.c_str(), "r");
  if (!pipe) return {};
  Printed run;
  char buffer[4096];
  for (std::size_t n; (n = std::fread(buffer, 1, sizeof buffer, pipe)) > 0;) run.output.append(buffer, n);
  const int status = pclose(pipe);
  run.status = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  return run;
}

std::vector<std::vector<double>> numbers(const std::string& csv, int skipped_columns) {
  std::vector<std::vector<double>> rows;
  std::istringstream lines(csv);
  std::string line, cell;
  std::getline(lines, line);
  while (std::getline(lines, line)) {
    std::istringstream cells(line);
    rows.emplace_back();
    for (int k = 0; std::getline(cells, cell, ','); ++k)
      if (k >= skipped_columns) rows.back().push_back(std::stod(cell));
  }
  return rows;
}

const std::string journal = " --radius-i -10mm --radius-j 9.5mm --length 15mm --young 207GPa --poisson 0.3";

TEST(LawsCommand, ListsAndExplainsEveryLaw) {
  const Printed list = laws("");
  EXPECT_EQ(list.status, 0);
  const auto check = [&](const auto& types) {
    for (const auto& type : types) {
      EXPECT_NE(list.output.find(type.name + " "), std::string::npos) << type.name;
      const Printed page = laws(type.name);
      EXPECT_EQ(page.status, 0);
      EXPECT_NE(page.output.find(type.equation.substr(0, type.equation.find('\n'))), std::string::npos);
      EXPECT_NE(page.output.find(type.citation), std::string::npos);
      for (const Parameter& parameter : type.table.parameters)
        EXPECT_NE(page.output.find("  " + parameter.name + " "), std::string::npos) << parameter.name;
    }
  };
  check(NormalLawRegistry::instance().entries());
  check(FrictionLawRegistry::instance().entries());
  check(FilmLawRegistry::instance().entries());
  check(WearLawRegistry::instance().entries());
}

TEST(LawsCommand, PrintsAnImpact) {
  const Printed run =
      laws("lankarani-nikravesh --curve --set restitution=0.5 --mass 0.2kg --points 11" + journal);
  ASSERT_EQ(run.status, 0);
  EXPECT_TRUE(run.output.starts_with("phase,time,penetration,rate,force\nloading,0,0,1,"));
  const auto rows = numbers(run.output, 1);
  ASSERT_EQ(rows.size(), 22u);
  EXPECT_EQ(rows.back()[1], 0);
  EXPECT_NEAR(-rows.back()[2], 0.7252, 1e-4);
  // Hysteresis: at about the same penetration the force is smaller on the way out.
  EXPECT_GT(rows[5][3], rows[16][3]);
  const Printed said =
      laws("lankarani-nikravesh --curve --set restitution=0.5 --density 7800" + journal, true);
  EXPECT_NE(said.output.find("note: lankarani-nikravesh: K = 6.61e+10 N/m^1.5"), std::string::npos);
  EXPECT_NE(said.output.find("Love's limit"), std::string::npos);
}

// Figure 7 of Flores 2006: with his compliance the cylinders' forces are of the size of the spheres', Goldsmith's
// the smallest.
TEST(LawsCommand, PrintsForcesAtRest) {
  std::vector<double> force;
  for (const char* law : {"hertz", "dubowsky-freudenstein", "goldsmith", "esdu-78035"}) {
    const std::string compliance = law[0] == 'h' ? "" : " --set compliance=flores-2006";
    const Printed run = laws(law + (" --curve --static --depth 20um --points 3" + journal + compliance));
    ASSERT_EQ(run.status, 0) << law;
    const auto rows = numbers(run.output, 0);
    ASSERT_EQ(rows.size(), 3u);
    EXPECT_EQ(rows[0][1], 0);
    force.push_back(rows[2][1]);
  }
  // Hertz' equation, and what the others' equations make of the forces printed: the penetration asked for.
  const double R_i = 10e-3, R_j = 9.5e-3, L = 15e-3, gap = R_i - R_j, sigma = (1 - 0.09) / 207e9,
               sum = 2 * sigma;
  const double R = 1 / (1 / R_j - 1 / R_i), depth = 20e-6;
  EXPECT_NEAR(force[0] / (4 / (3 * sum) * std::sqrt(R) * std::pow(depth, 1.5)), 1, 1e-12);
  const auto penetration = [&](double F, double logarithm) {
    return F * sum / L * (std::log(logarithm) + 1);
  };
  EXPECT_NEAR(penetration(force[1], L * L * L * gap / (force[1] * R_i * R_j * sum)) / depth, 1, 1e-9);
  EXPECT_NEAR(penetration(force[2], L * gap / (force[2] * R_i * R_j * sum)) / depth, 1, 1e-9);
  EXPECT_NEAR(penetration(force[3], 4 * L * gap / (force[3] * sum)) / depth, 1, 1e-9);
  EXPECT_LT(force[2], std::min({force[0], force[1], force[3]}));
}

TEST(LawsCommand, PrintsFriction) {
  const Printed run = laws(
      "ambrosio --curve --set coefficient=0.1 --set v0=1mm/s --set v1=3mm/s --speed 4mm/s --points 5 "
      "--normal-force "
      "20");
  ASSERT_EQ(run.status, 0);
  const auto rows = numbers(run.output, 0);
  const std::vector<std::vector<double>> expected = {{-4e-3, 2}, {-2e-3, 1}, {0, 0}, {2e-3, -1}, {4e-3, -2}};
  ASSERT_EQ(rows.size(), expected.size());
  for (int k = 0; k < 5; ++k)
    for (int j = 0; j < 2; ++j) EXPECT_NEAR(rows[k][j], expected[k][j], 1e-12);
}

TEST(LawsCommand, TellsMistakes) {
  const auto refused = [](const std::string& arguments, const std::string& words, int status = 2) {
    const Printed run = laws(arguments, true);
    EXPECT_EQ(run.status, status) << arguments;
    EXPECT_NE(run.output.find(words), std::string::npos) << arguments << "\n" << run.output;
  };
  refused("hertzz", "did you mean 'hertz'?");
  refused("--curve", "NAME");
  refused("hertz --curve", "Young's modulus");
  refused("hertz --curve --radius-j 3kg", "radius-j");
  refused("hertz --curve --set exponet=2" + journal, "exponent");
  refused("hertz --curve --young 1e9,2e9,3e9 --poisson 0.3 --radius-j 1", "--young");
  refused("newton --curve --set restitution=0.5", "lankarani-nikravesh");
  refused("hertz --speed 1", "--curve");
  refused("esdu-78035 --curve --speed 1000" + journal, "it ends at 0.002 m", 1);
}

}  // namespace
}  // namespace tappet::test::laws_command_test
