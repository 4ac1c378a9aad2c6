// The options for the known defect of the plain scheme, on a bar that hits a wall: `theta` > ½ and
// `light_contact`, each alone and together, under refinement of the step on one mesh and of both together.
//
// E 900, ρ 1, L 10, A 1, v 10: waves run at c = 30 m/s. The bar touches at t₀ = 0.5 s, presses with ρ c v A =
// 300 N for 2L/c, and leaves with 10 m/s. Its free end moves on until the wave arrives, t₀ + L/c, and then
// back.
#include <cmath>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "support/elastic_bar.hpp"
#include "support/run_model.hpp"

namespace tappet::testing::structure_variants_test {
namespace {

struct Outcome {
  double displacement = 0;  ///< of the free end: root mean square error up to release, against v L/c
  double plateau = 0;       ///< mean force between waves, against 300 N
  double ripple = 0;        ///< root mean square of the force about 300 N there, against it
  double peak = 0;          ///< highest force, against 300 N
  double lost = 0;          ///< energy gone in the end, of 500 J
  double gained = 0;        ///< largest increase of the energy from a sample to a later one, of 500 J
};

struct Variant {
  const char* name;
  double theta;
  bool light;
};
constexpr Variant variants[] = {
    {"plain", 0.5, false}, {"theta 0.6", 0.6, false}, {"light contact", 0.5, true}, {"both", 0.6, true}};

Outcome outcome(const Variant& variant, int n, double h) {
  const Recording r = run_text(bar_on_wall(
      fmt::format(", points: {{end: {{at: [10, 0, 0]}}}}{}", variant.light ? ", light_contact: [xmin]" : ""),
      fmt::format(", theta: {}", variant.theta), n, h,
      fmt::format("step: {}, signals: [bar.end.ux, hit.normal, energy.*]", h)));
  Outcome out;
  double sum = 0, squares = 0, error = 0, least = 1e300;
  int count = 0, moments = 0;
  const auto end = r.column("bar.end.ux"), force = r.column("hit.normal"),
             kinetic = r.column("energy.kinetic"), potential = r.column("energy.potential");
  for (const auto& row : r.rows) {
    const double t = row[0], arrives = 0.5 + 1.0 / 3;
    if (t < 7.0 / 6) {
      error += std::pow(row[end] - (t < arrives ? -10 * t : -10 * (2 * arrives - t)), 2);
      ++moments;
    }
    out.peak = std::max(out.peak, row[force] / 300);
    const double energy = (row[kinetic] + row[potential]) / 500;
    out.gained = std::max(out.gained, energy - least);
    least = std::min(least, energy);
    out.lost = 1 - energy;
    if (t < 0.55 || t > 1.1) continue;
    sum += row[force], squares += std::pow(row[force] - 300, 2), ++count;
  }
  out.displacement = std::sqrt(error / moments) / (10.0 / 3);
  out.plateau = sum / count / 300 - 1;
  out.ripple = std::sqrt(squares / count) / 300;
  return out;
}

/// A line of the table in docs/structures.md.
void show(const Variant& v, int n, double h, const Outcome& o) {
  fmt::print("| {} | {} | {:g} | {:.2f} % | {:+.2f} % | {:.1f} % | {:.2f} | {:.2f} % |\n", v.name, n, 1e3 * h,
             100 * o.displacement, 100 * o.plateau, 100 * o.ripple, o.peak, 100 * o.lost);
}

double order(double coarse, double fine, int halvings) {
  return std::log2(coarse / fine) / halvings;
}

// Mesh and step are halved three times together.
TEST(StructureVariants, ConvergeWithTheMesh) {
  double heavy[4] = {};  // displacement by the plain scheme
  for (const Variant& v : variants) {
    Outcome all[4];
    for (int k = 0; k < 4; ++k) {
      const int n = 25 << k;
      all[k] = outcome(v, n, 0.1 / n);
      show(v, n, 0.1 / n, all[k]);
      EXPECT_LT(all[k].gained, 1e-11) << v.name;
    }
    const Outcome &coarse = all[0], &fine = all[3];
    // The solution has a jump: first order is what there is to be had.
    if (!v.light) {
      EXPECT_GT(order(coarse.displacement, fine.displacement, 3), 0.8) << v.name;
    }
    // Without mass the end is nearer on every mesh.
    for (int k = 0; k < 4; ++k) {
      if (v.light) {
        EXPECT_LT(all[k].displacement, heavy[k]) << v.name;
      } else if (v.theta == 0.5) {
        heavy[k] = all[k].displacement;
      }
    }
    EXPECT_LT(fine.displacement, 1.1e-3) << v.name;
    EXPECT_LT(std::abs(fine.plateau), 1e-3) << v.name;
    EXPECT_LT(fine.ripple, 0.45 * coarse.ripple) << v.name;
    if (v.theta == 0.5 && !v.light) {
      // What is lost is the kinetic energy of the nodes that hit, half an element of n.
      for (int k = 0; k < 4; ++k) EXPECT_NEAR(all[k].lost * (25 << k), 0.33, 0.01);
    } else if (v.theta == 0.5) {
      // What opening and closing within a step would take is given back.
      for (const Outcome& each : all) EXPECT_LT(std::abs(each.lost), 1e-10);
    } else {
      // Dissipation takes what lies above 1/h in a jump's spectrum: a loss like the root of h.
      EXPECT_NEAR(order(coarse.lost, fine.lost, 3), 0.5, 0.15) << v.name;
      EXPECT_LT(fine.lost, 0.032) << v.name;
    }
  }
}

// One mesh, and steps down to a sixteenth of the time that a wave needs for an element.
TEST(StructureVariants, ForceUnderRefinementOfTheStep) {
  Outcome all[4][3];
  for (int v = 0; v < 4; ++v)
    for (int k = 0; k < 3; ++k) {
      const double h = 4e-3 / (1 << (2 * k));
      all[v][k] = outcome(variants[v], 50, h);
      show(variants[v], 50, h, all[v][k]);
      EXPECT_LT(std::abs(all[v][k].plateau), 0.01) << variants[v].name;
      EXPECT_LT(all[v][k].gained, 1e-11) << variants[v].name;
    }
  const auto &plain = all[0], &theta = all[1], &light = all[2], &both = all[3];
  // The nodes that hit have mass and are stopped within one step: the force of that is m v/h, without bound.
  for (const auto* heavy : {&plain, &theta}) EXPECT_GT((*heavy)[2].peak, 3);
  // Without mass there is no such force.
  for (const auto* massless : {&light, &both}) EXPECT_LT((*massless)[2].peak, 1.8);
  // Dissipation calms what is left, at the price of energy, and both together do it best.
  EXPECT_LT(theta[1].ripple, 0.3 * plain[1].ripple);
  EXPECT_LT(light[1].ripple, 0.5 * plain[1].ripple);
  EXPECT_LT(both[1].ripple, 0.5 * light[1].ripple);
  // It vanishes with the step, and so does its price.
  for (const auto* calm : {&theta, &both}) EXPECT_NEAR(order((*calm)[0].lost, (*calm)[2].lost, 4), 0.5, 0.2);
  EXPECT_LT(light[2].lost, 0.1 * plain[2].lost);
}

}  // namespace
}  // namespace tappet::testing::structure_variants_test
