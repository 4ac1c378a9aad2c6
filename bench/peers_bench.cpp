// The works of bench/peers, run by Tappet: the same machines, times and checks (peers/common/bench.hpp).
//
//   peers_bench w1 | w2 | w3 N | w4 N TOLERANCE [SECONDS] | w5 [RUNS] | w6 | w7 TOLERANCE | w8
//
// Each line is `tappet WORK setting key=value ...`, as the drivers of the peers print them; bench/compare reads both.
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include <fmt/format.h>

#include "peers/common/bench.hpp"
#include "tappet/model/compile.hpp"
#include "tappet/model/model.hpp"
#include "tappet/ode/smooth_system.hpp"
#include "tappet/run/simulation.hpp"
#include "tappet/spec/spec.hpp"
#include "works/peer_models.hpp"

namespace {

using namespace tappet;

/// Keeps the samples and counts the impacts.
struct Samples final : Observer {
  std::vector<std::vector<double>> rows;
  long impacts = 0;
  void sample(std::span<const double> row) override { rows.emplace_back(row.begin(), row.end()); }
  void impact(const Impact&) override { ++impacts; }
};

std::shared_ptr<const Model> model_of(const Spec& spec) {
  Diagnostics diagnostics;
  return compile(spec, diagnostics);
}
std::shared_ptr<const Model> model_of(const std::string& text) {
  return model_of(spec_from_text(text, "bench"));
}

/// Runs the model; the time of the loop alone is left in bench's clocks.
RunSummary timed(const Model& model, Samples& samples) {
  Simulation simulation(model);
  samples = {};
  bench::tic();
  RunSummary summary = simulation.run(samples);
  bench::toc();
  if (!summary.completed) fmt::print(stderr, "tappet: {}\n", summary.stop_reason);
  return summary;
}

std::size_t column(const Simulation& simulation, const std::string& name) {
  for (std::size_t i = 0; i < simulation.signals().size(); ++i)
    if (simulation.signals()[i].name == name) return i + 1;
  throw std::runtime_error("no signal " + name);
}

// ---- W1: bouncing ball, five seconds ----

void w1(const std::string& method, double h) {
  namespace W = bench::w1;
  const auto model = model_of(peers::bouncing_ball(method, h, 1e-3));
  Samples samples;
  const double t = bench::median_of([&] {
    timed(*model, samples);
    return bench::span_().wall;
  });
  double error = 0, first = 0;
  for (const auto& row : samples.rows) {
    const double e = std::abs(row[1] - W::exact_height(row[0]));
    error = std::max(error, e);
    if (row[0] <= 1) first = std::max(first, e);
  }
  fmt::print("tappet W1b {}{} t={:.4g}s cpu={:.4g}s max|z-exact|(0..1s)={:.3g} (0..5s)={:.3g} impacts={}\n",
             method, h > 0 ? fmt::format(" h={:g}", h) : "", t, bench::last_cpu(), first, error,
             samples.impacts);
}

// ---- W2: slider-crank with clearance, without friction, twenty revolutions ----

std::shared_ptr<const Model> slider_crank(const std::string& integrator, double tolerance, double clearance,
                                          double output) {
  return model_of(
      load_spec(std::string(TAPPET_SOURCE_DIR) + "/examples/slider_crank/clearance.yaml",
                {"simulation.integrator=" + integrator, fmt::format("simulation.tolerance={}", tolerance),
                 "simulation.duration=0.24", "joints.wrist.clearance.friction={law: none}",
                 fmt::format("output.step={}", output),
                 fmt::format("joints.wrist.clearance.bearing_radius={}", 0.0095 + clearance)}));
}

// ---- W3: chain of N links, one right-hand side ----

std::string chain(int n) {
  namespace W = bench::w3;
  std::string bodies, joints;
  double R[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1}, x = 0, y = 0, z = 0;
  for (int i = 0; i < n; ++i) {
    // The link's axes: those of the last one, turned by its joint.
    const double a = W::q0(i), c = std::cos(a), s = std::sin(a);
    const double turn_y[9] = {c, 0, s, 0, 1, 0, -s, 0, c}, turn_z[9] = {c, -s, 0, s, c, 0, 0, 0, 1};
    const double* turn = W::axis_is_y(i) ? turn_y : turn_z;
    double next[9];
    for (int r = 0; r < 3; ++r)
      for (int k = 0; k < 3; ++k)
        next[3 * r + k] = R[3 * r] * turn[k] + R[3 * r + 1] * turn[3 + k] + R[3 * r + 2] * turn[6 + k];
    std::copy(next, next + 9, R);
    const double trace = R[0] + R[4] + R[8];
    const double w = 0.5 * std::sqrt(std::max(0.0, 1 + trace));
    const double q[3] = {(R[7] - R[5]) / (4 * w), (R[2] - R[6]) / (4 * w), (R[3] - R[1]) / (4 * w)};
    const double half = W::len / 2;
    bodies += fmt::format(
        "  b{}: {{mass: {}, inertia: [{}, {}, {}], position: [{}, {}, {}], orientation: [{}, {}, {}, {}]}}\n",
        i, W::m, W::Ixx, W::Iyy, W::Iyy, x + half * R[0], y + half * R[3], z + half * R[6], w, q[0], q[1],
        q[2]);
    x += W::len * R[0], y += W::len * R[3], z += W::len * R[6];
    joints += fmt::format(
        "  j{}: {{type: revolute, bodies: [{}, b{}], points: [[{}, 0, 0], [{}, 0, 0]], axis: [0, {}, {}]}}\n",
        i, i ? fmt::format("b{}", i - 1) : "ground", i, i ? half : 0.0, -half, W::axis_is_y(i) ? 1 : 0,
        W::axis_is_y(i) ? 0 : 1);
  }
  return fmt::format(
      "tappet: 1\ndimension: spatial\ngravity: [0, 0, -{}]\nbodies:\n{}joints:\n{}simulation: {{duration: "
      "{}, "
      "tolerance: 1e-6}}\noutput: {{step: 0.1, signals: [energy.residual]}}\n",
      W::g, bodies, joints, W::T);
}

void w3(int n) {
  const auto model = model_of(chain(n));
  SmoothSystem system(*model);
  std::vector<double> y(system.size(), 0.0), rate(system.size());
  std::copy(model->q0.begin(), model->q0.end(), y.begin());
  system.project(0, y.data());
  const int calls = std::max(3, 20000 / n);
  const double t = bench::median_of([&] {
    bench::tic();
    for (int i = 0; i < calls; ++i) system.derivative(0, y.data(), rate.data());
    return bench::toc() / calls;
  });
  fmt::print("tappet W3 N={} us/rhs={:.4g} (cpu {:.4g}) us/link={:.3g}\n", n, 1e6 * t,
             1e6 * bench::last_cpu() / calls, 1e6 * bench::last_cpu() / calls / n);
}

// ---- W4: pile of spheres ----

void w4(int n, const std::string& tolerance, double seconds) {
  namespace W = bench::w4;
  const auto model = model_of(peers::pile(n, tolerance, seconds));
  Samples samples;
  RunSummary summary;
  const double t = bench::median_of(
      [&] {
        summary = timed(*model, samples);
        return bench::span_().wall;
      },
      n <= 1000 ? bench::repeats() : 1);
  std::map<std::string, double> now;
  const Simulation described(*model);
  for (std::size_t i = 0; i < described.signals().size(); ++i)
    now[described.signals()[i].name] = samples.rows.back()[i + 1];
  std::vector<W::P> places, velocities;
  for (int i = 0; i < n; ++i) {
    const auto of = [&](const char* signal) { return now.at(fmt::format("b{}.{}", i, signal)); };
    places.push_back({of("x"), of("y"), of("z")});
    velocities.push_back({of("vx"), of("vy"), of("vz")});
  }
  const W::Check check = W::check(places, n, velocities);
  fmt::print(
      "tappet W4 N={} moreau tol={} steps={} t={:.4g}s cpu={:.4g}s ms/step={:.4g} (cpu {:.4g}) maxpen={:.4g} "
      "approach={:.3g} contacts(geom,tol1e-4)={} out={} zmean={:.4f} zmax={:.4f}\n",
      n, tolerance, summary.steps, t, bench::last_cpu(), 1e3 * t / summary.steps,
      1e3 * bench::last_cpu() / summary.steps, check.maxpen, check.approach, check.contacts, check.out,
      check.zmean, check.zmax);
}

void w2() {
  // The slider's velocity after 0.5, 1, 2 and 4 ms; later the motion is chaotic.
  const auto run = [](const std::string& integrator, double tolerance) {
    const auto model = slider_crank(integrator, tolerance, 5e-4, 0.5e-3);
    Samples samples;
    RunSummary summary;
    const double t = bench::median_of([&] {
      summary = timed(*model, samples);
      return bench::span_().wall;
    });
    const std::size_t v = column(Simulation(*model), "slider.vx");
    fmt::print(
        "tappet W2 {} tol={:g} t={:.4g}s cpu={:.4g}s steps={} impacts={} xd(.5,1,2,4ms)={:.9f} {:.9f} {:.9f} "
        "{:.9f}\n",
        integrator, tolerance, t, bench::last_cpu(), summary.steps, summary.impacts, samples.rows[1][v],
        samples.rows[2][v], samples.rows[4][v], samples.rows[8][v]);
  };
  // The tightest comes last: it is the reference of all.
  for (const double tolerance : {1e-2, 3e-3, 1e-3}) run("dopri5", tolerance);
  for (const double tolerance : {1e-2, 3e-3, 1e-3, 1e-4, 1e-5, 1e-6, 1e-8, 1e-10, 1e-12})
    run("dop853", tolerance);
}

// ---- W6: slider-crank with a translational clearance joint ----

void w6(const std::string& method, double setting) {
  namespace W = bench::w6;
  const bool steps = method == "moreau";
  const auto model = model_of(load_spec(
      std::string(TAPPET_SOURCE_DIR) + "/examples/translational_clearance/model.yaml",
      {"simulation.method=" + method, fmt::format("simulation.{}={}", steps ? "step" : "tolerance", setting),
       "joints.guide.clearance.normal={restitution: 0.4}", fmt::format("output.step={}", W::T),
       "output.signals=[crank.angle, rod.angle]"}));
  Samples samples;
  const double t = bench::median_of([&] {
    timed(*model, samples);
    return bench::span_().wall;
  });
  const std::vector<double>& end = samples.rows.back();
  fmt::print("tappet W6 {} {}={:g} t={:.4g}s cpu={:.4g}s error={:.3g} impacts={} theta={:.9f} {:.9f}\n",
             method, steps ? "h" : "tol", setting, t, bench::last_cpu(), W::error(end[1], end[2]),
             samples.impacts, end[1], end[2]);
}

// ---- W7: wall of boxes ----

void w7(const std::string& tolerance) {
  namespace W = bench::w7;
  const auto model = model_of(peers::wall(tolerance, W::T));
  Samples samples;
  RunSummary summary;
  const double t = bench::median_of([&] {
    summary = timed(*model, samples);
    return bench::span_().wall;
  });
  const Simulation described(*model);
  std::vector<W::P> places(W::rows * W::columns);
  for (int n = 0; n < W::rows * W::columns; ++n)
    places[n] = {samples.rows.back()[column(described, fmt::format("b{}.x", n))],
                 samples.rows.back()[column(described, fmt::format("b{}.y", n))],
                 samples.rows.back()[column(described, fmt::format("b{}.z", n))]};
  const W::Check check = W::check(places);
  fmt::print(
      "tappet W7 moreau tol={} t={:.4g}s cpu={:.4g}s ms/step={:.4g} (cpu {:.4g}) move={:.3g} maxpen={:.3g}\n",
      tolerance, t, bench::last_cpu(), 1e3 * t / summary.steps, 1e3 * bench::last_cpu() / summary.steps,
      check.move, check.maxpen);
}

// ---- W8: the hexapod walks ----

void w8(double h, double tolerance) {
  namespace W = bench::w8;
  const auto model = model_of(load_spec(
      std::string(TAPPET_SOURCE_DIR) + "/examples/hexapod/hexapod.yaml",
      {"simulation.method=moreau", fmt::format("simulation.step={}", h),
       fmt::format("simulation.tolerance={}", tolerance), fmt::format("simulation.duration={}", W::T),
       fmt::format("output.step={}", W::T), "output.signals=[frame.x, frame.z]"}));
  Samples samples;
  const double t = bench::median_of([&] {
    timed(*model, samples);
    return bench::span_().wall;
  });
  const std::vector<double>& end = samples.rows.back();
  fmt::print(
      "tappet W8 moreau h={:g} tol={:g} t={:.4g}s cpu={:.4g}s s/s={:.4g} error={:.3g} x={:.6f} z={:.6f}\n", h,
      tolerance, t, bench::last_cpu(), bench::last_cpu() / W::T, std::abs(end[1] - W::intended), end[1],
      end[2]);
}

// ---- W5: an ensemble of W2 with other clearances, on one core and on two ----

void w5(int runs) {
  struct Times {
    double wall, cpu;
  };
  const auto work = [&](int threads) {
    const double begin = bench::now(), cpu = bench::cpu();
    std::vector<std::thread> team;
    for (int k = 0; k < threads; ++k)
      team.emplace_back([=] {
        for (int i = k; i < runs; i += threads) {
          const auto model = slider_crank("dop853", 1e-6, 1e-3 * (0.05 + 0.45 * i / (runs - 1)), 0.24);
          Samples samples;
          Simulation(*model).run(samples);
        }
      });
    for (std::thread& thread : team) thread.join();
    return Times{bench::now() - begin, bench::cpu() - cpu};
  };
  const Times one = work(1), two = work(2);
  // Of perfect scaling: by the clock, which counts what else the machine does; and by the processor's time that the same runs take.
  fmt::print(
      "tappet W5 dop853 tol=1e-06 {} runs wall1={:.4g} s wall2={:.4g} s scaling={:.3f} cpu1={:.4g} s "
      "cpu2={:.4g} s cpuscaling={:.3f} -> 1000 runs "
      "wall {:.4g} s (unloaded 2 cores: {:.4g} s)\n",
      runs, one.wall, two.wall, one.wall / (2 * two.wall), one.cpu, two.cpu, one.cpu / two.cpu,
      1000.0 / runs * two.wall, 1000.0 / runs * two.cpu / 2);
}

}  // namespace

int main(int argc, char** argv) {
  const std::string work = argc > 1 ? argv[1] : "";
  if (work == "w1") {
    w1("event-driven", 0);
    for (const double h : {1e-3, 1e-4}) w1("moreau", h);
  } else if (work == "w2") {
    w2();
  } else if (work == "w3" && argc > 2) {
    w3(std::atoi(argv[2]));
  } else if (work == "w4" && argc > 3) {
    w4(std::atoi(argv[2]), argv[3], argc > 4 ? std::atof(argv[4]) : bench::w4::T);
  } else if (work == "w5") {
    w5(argc > 2 ? std::atoi(argv[2]) : 200);
  } else if (work == "w6") {
    for (const double tolerance : {1e-4, 1e-6, 1e-8, 1e-10}) w6("event-driven", tolerance);
    for (const double h : {1e-4, 1e-5}) w6("moreau", h);
  } else if (work == "w7" && argc > 2) {
    w7(argv[2]);
  } else if (work == "w8") {
    for (const double h : {5e-2, 3.5e-2, 2e-2, 5e-3, 2e-3})
      for (const double tolerance : {1e-2, 1e-3}) w8(h, tolerance);
    w8(2e-3, 1e-5);
  } else {
    fmt::print(stderr,
               "usage: peers_bench w1 | w2 | w3 N | w4 N TOLERANCE [SECONDS] | w5 [RUNS] | w6 | w7 TOLERANCE "
               "| w8\n");
    return 2;
  }
}
