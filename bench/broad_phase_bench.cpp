// What the broad phase costs: nanoseconds a sphere and step.
//
//   broad_phase_bench [LARGEST]     LARGEST number of spheres, default 10000
//
// Spheres that fly and bounce in a cube filled to a tenth, each step moving them by a fiftieth of their radius; moving all and
// listing all pairs. Times are those of the processor. The growth exponent is the slope of log(cost of a step) between the
// first and the last n. Pairs of shapes are timed by micro_bench.
#include <cmath>
#include <cstdlib>
#include <ctime>
#include <random>
#include <vector>

#include <fmt/format.h>

#include "tappet/geometry/broad_phase.hpp"

namespace {

using namespace tappet;

double seconds_since(std::clock_t begin) {
  return static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC;
}

/// Seconds a step.
double time_spheres(int n) {
  std::mt19937 engine(7);
  std::uniform_real_distribution<double> number(-1, 1);
  const double side = std::cbrt(n * 4.0 / 3 * 3.141592653589793 / 0.1);  // radius 1
  std::vector<Vec3> at(n), v(n);
  BroadPhase tree;
  const auto box = [&](int i) { return Bounds{at[i] - Vec3::Ones(), at[i] + Vec3::Ones()}; };
  for (int i = 0; i < n; ++i) {
    at[i] = side / 2 * Vec3(number(engine), number(engine), number(engine));
    v[i] = 0.02 * Vec3(number(engine), number(engine), number(engine)).normalized();
    tree.insert(box(i));
  }
  const auto step = [&] {
    for (int i = 0; i < n; ++i) {
      for (int k = 0; k < 3; ++k)
        if (std::abs(at[i][k] + v[i][k]) > side / 2) v[i][k] = -v[i][k];
      at[i] += v[i];
      tree.move(i, box(i));
    }
    return tree.pairs().size();
  };
  for (int i = 0; i < 30; ++i) step();
  int steps = 0;
  std::size_t pairs = 0;
  const std::clock_t begin = std::clock();
  do {
    pairs += step();
    ++steps;
  } while (seconds_since(begin) < 0.5);
  const double seconds = seconds_since(begin) / steps;
  fmt::print("{:>6} spheres: {:6.0f} ns a sphere and step, {:.2f} pairs a sphere, tree height {}\n", n,
             seconds / n * 1e9, static_cast<double>(pairs) / steps / n, tree.height());
  return seconds;
}

}  // namespace

int main(int argc, char** argv) {
  const int largest = argc > 1 ? std::atoi(argv[1]) : 10000;
  double first = 0, last = 0;
  for (int n = 100; n <= largest; n *= 10) {
    last = time_spheres(n);
    if (n == 100) first = last;
  }
  if (largest > 100)
    fmt::print("growth exponent {:.2f} (n log n: {:.2f})\n",
               std::log(last / first) / std::log(largest / 100.0),
               1 + std::log(std::log(largest) / std::log(100.0)) / std::log(largest / 100.0));
}
