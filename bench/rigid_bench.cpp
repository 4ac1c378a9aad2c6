// What rigid mechanisms cost: microseconds a right-hand side, seconds a simulated second, and how both grow
// with size.
//
//   rigid_bench [LARGEST]     LARGEST chain, default 10000 links
//
// Times are those of the processor, so that other work on the machine counts little. A right-hand side is
// accelerations() with everything in it: frames, forces, constraints, factorisation, solution. The growth
// exponent is the slope of log(cost) against log(N) between N = 100 and the largest N.
#include <cmath>
#include <cstdlib>
#include <ctime>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "tappet/base/diagnostics.hpp"
#include "tappet/model/compile.hpp"
#include "tappet/model/model.hpp"
#include "tappet/ode/smooth_system.hpp"
#include "tappet/run/simulation.hpp"
#include "tappet/spec/spec.hpp"
#include "works/models.hpp"

namespace {

using namespace tappet;
using namespace tappet::bench;

double seconds_since(std::clock_t begin) {
  return static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC;
}

struct Cost {
  int bodies = 0, rows = 0;
  double build = 0;      ///< s, reading, compiling, assembling
  double rhs = 0;        ///< s, one right-hand side
  double run = 0;        ///< s of computing for one simulated second
  long evaluations = 0;  ///< right-hand sides in that second
};

struct Silent final : Observer {
  void sample(std::span<const double>) override {}
};

Cost measure(Spec spec, double duration, bool with_run) {
  Cost out;
  const auto begin = std::clock();
  Diagnostics diagnostics;
  const auto model = compile(spec, diagnostics);
  Simulation simulation(*model);
  out.build = seconds_since(begin);

  // Right-hand sides at the start, repeated until a fifth of a second has passed; the best of three.
  SmoothSystem system(*model);
  std::vector<double> y(system.size(), 0.0), dydt(system.size());
  std::copy(model->q0.begin(), model->q0.end(), y.begin());
  std::copy(model->u0.begin(), model->u0.end(), y.begin() + static_cast<long>(model->q0.size()));
  out.rhs = HUGE_VAL;
  for (int repeat = 0; repeat < 3; ++repeat) {
    long count = 0;
    const auto start = std::clock();
    do {
      for (int i = 0; i < 4; ++i) system.derivative(0, y.data(), dydt.data());
      count += 4;
    } while (seconds_since(start) < 0.2);
    out.rhs = std::min(out.rhs, seconds_since(start) / static_cast<double>(count));
  }
  const RunSummary known = simulation.describe();
  out.bodies = known.bodies, out.rows = known.constraints;
  if (with_run) {
    Silent silent;
    const std::clock_t start = std::clock();
    const RunSummary summary = simulation.run(silent);
    if (!summary.completed) fmt::print("  {}\n", summary.stop_reason);
    out.run = seconds_since(start) / duration;
    out.evaluations = static_cast<long>(static_cast<double>(summary.evaluations) / duration);
  }
  return out;
}

void print(const std::string& name, const Cost& c) {
  fmt::print("{:<24}{:>8}{:>8}{:>12.4f}{:>14.3f}{:>14.1f}", name, c.bodies, c.rows, c.build, 1e6 * c.rhs,
             1e9 * c.rhs / c.bodies);
  if (c.evaluations)
    fmt::print("{:>14}{:>14.4f}\n", c.evaluations, c.run);
  else
    fmt::print("{:>14}{:>14}\n", "", "");
  std::fflush(stdout);
}

Spec example(const std::string& path) {
  return load_spec(std::string(TAPPET_SOURCE_DIR) + "/examples/" + path,
                   {"simulation.tolerance=1e-8", "output.step=1"});
}

void series(const std::string& name, std::string (*text)(int), const std::vector<int>& sizes,
            int runs_up_to) {
  std::vector<double> n, build, rhs;
  for (int size : sizes) {
    const double duration = 0.1;
    const std::string tail = fmt::format(
        "simulation: {{duration: {}, tolerance: 1e-6}}\noutput: {{step: {}, signals: "
        "[energy.*]}}\n",
        duration, duration);
    const Cost c = measure(spec_from_text(text(size) + tail, name), duration, size <= runs_up_to);
    print(fmt::format("{} {}", name, size), c);
    if (size >= 100) n.push_back(size), build.push_back(c.build), rhs.push_back(c.rhs);
  }
  if (n.size() < 2) return;
  auto exponent = [&](const std::vector<double>& cost) {
    return std::log(cost.back() / cost[0]) / std::log(n.back() / n[0]);
  };
  fmt::print("{:<24}growth from {} to {}: right-hand side N^{:.2f}, build N^{:.2f}\n", "", n[0], n.back(),
             exponent(rhs), exponent(build));
}

}  // namespace

int main(int count, char** arguments) {
  const int largest = count > 1 ? std::atoi(arguments[1]) : 10000;
  fmt::print("{:<24}{:>8}{:>8}{:>12}{:>14}{:>14}{:>14}{:>14}\n", "model", "bodies", "rows", "build s",
             "rhs us", "ns/body", "rhs per s", "s per s");
  print("slider-crank", measure(example("slider_crank/ideal.yaml"), 0.024, true));
  print("Andrews", measure(example("andrews/squeezer.yaml"), 0.03, true));
  auto upto = [&](std::vector<int> sizes) {
    std::erase_if(sizes, [&](int n) { return n > largest; });
    return sizes;
  };
  series("four-bar windows", four_bar_chain, upto({10, 100, 1000}), 1000);
  series("planar chain", planar_chain, upto({10, 100, 1000, 10000}), 1000);
  series("spatial chain", spatial_chain, upto({10, 100, 1000, 10000}), 1000);
}
