// How fast structures are stepped, by the scheme that `tappet run` uses: time of a step against the time to
// stream its factor once through memory, measured in the same run; how cost and memory grow with the number
// of unknowns; and steps in contact at two sizes for which another program's figures are known.
//
//   structure_bench            all lines up to 50,000 unknowns, a minute
//   structure_bench large      up to 200,000 as well
//   structure_bench frame      the vehicle's frame alone
//   structure_bench contacts   steps in contact alone
//   structure_bench faces [N …] a cube of N³ bricks lands on its face: 24, 36 and 48, up to 352,947 unknowns and 2,401 nodes in contact
//
// Times are those of this thread on the processor, so that other programs on the machine count little; each
// is the least of many, taken in turns. A solution reads the factor forward and backward, and a step adds two
// products with K (forces, and what damping takes), so a little above 2 is the least that one thread can
// reach. Two bandwidths: that of an array far larger than the caches ("memory"), and that of the factor's own
// numbers, read between steps, which may lie in a cache in part ("own").
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <limits>
#include <numeric>
#include <string>
#include <sys/resource.h>
#include <vector>

#include <fmt/format.h>

#include "tappet/base/diagnostics.hpp"
#include "tappet/model/compile.hpp"
#include "tappet/model/model.hpp"
#include "tappet/spec/spec.hpp"
#include "tappet/structures/newmark_moreau.hpp"
#include "tappet/structures/structure_system.hpp"

namespace {

using namespace tappet;

double now() {
  timespec t{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
  return static_cast<double>(t.tv_sec) + 1e-9 * static_cast<double>(t.tv_nsec);
}

/// The least time of what is done some times in a row, measured several times in turns with others.
struct Least {
  double seconds = std::numeric_limits<double>::infinity();
  template <class Work>
  void measure(int in_a_row, Work&& work) {
    const double begin = now();
    for (int i = 0; i < in_a_row; ++i) work();
    seconds = std::min(seconds, (now() - begin) / in_a_row);
  }
};

/// Reads every number once.
double stream(const double* v, std::size_t count) {
  double sum[16] = {};
  for (std::size_t i = 0; i + 16 <= count; i += 16)
    for (int k = 0; k < 16; ++k) sum[k] += v[i + k];
  return std::accumulate(sum, sum + 16, 0.0);
}

double memory_bandwidth() {
  static const std::vector<double> large(std::size_t{32} << 20, 1.0);  // 268 MB
  Least time;
  volatile double sink = 0;
  for (int i = 0; i < 3; ++i) time.measure(1, [&] { sink = sink + stream(large.data(), large.size()); });
  return 8 * static_cast<double>(large.size()) / time.seconds;
}

double peak_megabytes() {
  struct rusage usage {};
  getrusage(RUSAGE_SELF, &usage);
  return static_cast<double>(usage.ru_maxrss) / 1024;
}

std::shared_ptr<const Model> model_of(const Spec& spec) {
  Diagnostics diagnostics;
  return compile(spec, diagnostics);
}

/// A model of one structure.
std::shared_ptr<const Model> model_of(const std::string& structure, const std::string& rest = "") {
  return model_of(spec_from_text(
      fmt::format("tappet: 1\ndimension: spatial\ngravity: [0, 0, -9.81]\n"
                  "materials: {{steel: {{young: 210 GPa, poisson: 0.3, density: 7850 kg/m^3}}}}\n"
                  "bodies: {{part: {{structure: {{{}, material: steel}}{}}}}}\n"
                  "simulation: {{method: moreau, duration: 1 s, step: 0.1 ms}}\n",
                  structure, rest),
      "bench.yaml", {}));
}

/// A model on its way, step by step.
struct Stepping {
  explicit Stepping(const Model& model)
      : h(model.settings.step),
        system(model),
        scheme(model, system, {.theta = model.settings.theta, .contacts = {.solver = model.settings.solver}}),
        q(system.size(), 0.0),
        u(system.start_velocity()) {}
  void step() {
    scheme.step(t, h, q.data(), u.data(), z);
    t += h;
  }
  double t = 0, h;
  StructureSystem system;
  NewmarkMoreau scheme;
  std::vector<double> q, u;
  double z[ledger_size] = {};
};

void heading() {
  std::printf("%-8s %7s | %8s %9s | %9s %9s | %9s %9s | %9s %9s | %6s %6s | %8s\n", "mesh", "dof", "prepare",
              "factorise", "factor", "stream", "own", "memory", "solve", "step", "ratio", "to own", "peak");
}

/// A line of the table; `settle` steps are taken first.
void measure(const char* name, const Model& model, int settle = 0, int times = 20) {
  double begin = now();
  Stepping run(model);
  const double prepared = now() - begin;
  begin = now();
  run.system.factor(run.h, model.settings.theta);
  const double factorised = now() - begin;
  for (int i = 0; i <= settle; ++i) run.step();

  const std::size_t size = run.system.factor_size();
  const std::vector<double> numbers(size, 1.0);
  std::vector<double> b = run.u;
  volatile double sink = 0;
  Least streamed, solved, stepped;
  double bandwidth = 0;
  constexpr int in_a_row = 3;
  for (int i = 0; i < times; ++i) {
    if (i % (times / 4 + 1) == 0) bandwidth = std::max(bandwidth, memory_bandwidth());
    stepped.measure(in_a_row, [&] { run.step(); });
    streamed.measure(in_a_row, [&] { sink = sink + stream(numbers.data(), size); });
    solved.measure(in_a_row, [&] {
      run.system.begin(b.data());
      run.system.finish(b.data());
    });
  }
  const double bytes = 8 * static_cast<double>(size), once = bytes / bandwidth;
  std::printf(
      "%-8s %7d | %6.2f s %7.2f s | %6.1f MB %6.3f ms | %4.1f GB/s %4.1f GB/s | %6.3f ms %6.3f ms | %6.2f "
      "%6.2f | %5.0f MB\n",
      name, run.system.size(), prepared, factorised, 1e-6 * bytes, 1e3 * once,
      1e-9 * bytes / streamed.seconds, 1e-9 * bandwidth, 1e3 * solved.seconds, 1e3 * stepped.seconds,
      stepped.seconds / once, stepped.seconds / streamed.seconds, peak_megabytes());
  std::fflush(stdout);
}

std::shared_ptr<const Model> frame(int x, int y, int z) {
  return model_of(fmt::format(
      "generate: {{space-frame: {{size: [4, 1.6, 1.2], cells: [{}, {}, {}], beams: 2, braced: true}}}}, "
      "section: {{tube: [15 mm, 2 mm]}}",
      x, y, z));
}
std::shared_ptr<const Model> shell(int n) {
  return model_of(fmt::format(
      "generate: {{plate: {{size: [1, 1], divisions: [{0}, {0}]}}}}, section: {{thickness: 1 mm}}", n));
}
std::shared_ptr<const Model> block(int n, const char* element) {
  return model_of(fmt::format(
      "generate: {{block: {{size: [1, 1, 1], divisions: [{0}, {0}, {0}], element: {1}}}}}", n, element));
}

/// Steps in contact: the mean over those in which nodes carry load, beside what another program needs (0: not
/// known). The first of them makes the compliances, and here it is the run's first and factorises as well.
double in_contact(const char* name, const Model& model, int steps, double theirs) {
  Stepping run(model);
  double begin = now();
  run.system.factor(run.h, model.settings.theta);
  const double factorised = now() - begin;
  double first = 0, time = 0;
  long loaded = 0, nodes = 0;
  for (int i = 0; i < 1000 && loaded <= steps; ++i) {
    begin = now();
    run.step();
    const double took = now() - begin;
    const auto touching = static_cast<long>(run.scheme.impulses().size());
    if (touching == 0) continue;
    (loaded == 0 ? first : time) += took;
    nodes += loaded++ == 0 ? 0 : touching;
  }
  const double mean = time / static_cast<double>(loaded - 1);
  std::printf(
      "%-38s %7d unknowns: %8.2f ms a step in contact (%ld steps, %.0f nodes carry load, first step %.2f s; "
      "a factorisation takes %.2f s); ",
      name, run.system.size(), 1e3 * mean, loaded - 1,
      static_cast<double>(nodes) / static_cast<double>(loaded - 1), first, factorised);
  if (theirs > 0) std::printf("Chrono %.2f s: %.0f times as long; ", theirs, theirs / mean);
  std::printf("%.0f MB\n", peak_megabytes());
  const ContactStatistics& s = run.scheme.statistics();
  std::printf(
      "    %ld problems, %.1f iterations each; worst residual %.1e (%s)\n", static_cast<long>(s.problems),
      static_cast<double>(s.iterations) / static_cast<double>(std::max(s.problems, decltype(s.problems){1})),
      s.worst_residual, s.worst_note.c_str());
  std::fflush(stdout);
  return mean;
}

void contacts(bool fine, const std::vector<int>& bricks) {
  const std::string ground = "ground: {shapes: {floor: {plane: {point: [0, 0, 0], normal: [0, 0, 1]}}}}\n";
  const auto with_ground = [&](const std::string& body, const std::string& nodes, double friction, double h) {
    return model_of(spec_from_text(
        fmt::format("tappet: 1\ndimension: spatial\ngravity: [0, 0, -9.81]\n"
                    "materials: {{rubber: {{young: 10 MPa, poisson: 0.45, density: 1100 kg/m^3}}}}\n"
                    "bodies: {{part: {{{}}}}}\n{}"
                    "contacts: {{bounce: {{between: [ground.floor, part.{}], normal: {{law: newton, "
                    "restitution: 0}}, friction: "
                    "{{law: coulomb, coefficient: {}}}}}}}\n"
                    "simulation: {{method: moreau, duration: 1 s, step: {} s}}\n",
                    body, ground, nodes, friction, h),
        "bench.yaml", {}));
  };
  // A cube of 26³ nodes: on an edge, on its face, and on its face with an edge first; and a finer one.
  const auto cube = [&](const char* name, int n, double degrees, int steps, double theirs,
                        const char* element = "tet4") {
    return in_contact(
        name,
        *with_ground(
            fmt::format(
                "position: [0, 0, 0.01 mm], orientation: {{axis: [1, 0, 0], angle: {0} deg}}, velocity: [0, "
                "0, -1], structure: {{generate: {{block: {{size: [0.1, 0.1, 0.1], divisions: [{1}, {1}, "
                "{1}], "
                "element: {2}}}}}, material: rubber}}",
                degrees, n, element),
            "zmin", 0.3, 4e-5),
        steps, theirs);
  };
  if (bricks.empty()) {
    // A tube of 1,640 nodes on its side.
    in_contact("shell, tube lands on its side",
               *with_ground("position: [0, 0, 50.01 mm], orientation: {axis: [1, 0, 0], angle: 90 deg}, "
                            "velocity: [0, 0, -1], "
                            "structure: {generate: {cylindrical-shell: {radius: 50 mm, length: 100 mm, "
                            "divisions: [40, 40]}}, "
                            "material: rubber, section: {thickness: 1 mm}}",
                            "all", 0.3, 4e-5),
               200, 0.48);
    cube("tetrahedra, cube lands on an edge", 25, 20, 100, 3.2);
    cube("tetrahedra, cube lands on its face", 25, 0, 20, 3.2);
    cube("tetrahedra, its face comes bit by bit", 25, 0.3, 20, 3.2);
    if (fine) cube("tetrahedra, finer cube on its face", 32, 0, 20, 0);
  }
  // Many nodes in contact: how the step grows with the unknowns, for one step length.
  double first = 0, first_size = 0;
  for (const int n : bricks) {
    const double mean = cube("bricks, cube lands on its face", n, 0, 20, 0, "hex8"),
                 size = 3 * std::pow(n + 1, 3);
    if (first > 0)
      std::printf("    time of a step from %.0f unknowns: power %.2f\n", first_size,
                  std::log(mean / first) / std::log(size / first_size));
    else
      first = mean, first_size = size;
  }
}

}  // namespace

int main(int argc, char** argv) {
  const std::string what = argc > 1 ? argv[1] : "";
  if (what == "contacts") {
    contacts(true, {});
    return 0;
  }
  if (what == "faces") {
    std::vector<int> divisions = {24, 36, 48};
    if (argc > 2) divisions.clear();
    for (int i = 2; i < argc; ++i) divisions.push_back(std::atoi(argv[i]));
    contacts(false, divisions);
    return 0;
  }
  heading();
  const auto vehicle = model_of(load_spec(TAPPET_SOURCE_DIR "/examples/vehicle_frame/frame.yaml", {}));
  measure("vehicle", *vehicle, 200, 200);
  if (what == "frame") return 0;
  measure("frame", *frame(10, 4, 2));
  measure("frame", *frame(20, 9, 5));
  if (what == "large") measure("frame", *frame(40, 13, 8), 0, 6);
  measure("shell", *shell(28));
  measure("shell", *shell(90));
  if (what == "large") measure("shell", *shell(182), 0, 6);
  measure("bricks", *block(11, "hex8"));
  measure("bricks", *block(24, "hex8"), 0, 6);
  if (what == "large") measure("bricks", *block(40, "hex8"), 0, 3);
  measure("tets", *block(11, "tet4"));
  measure("tets", *block(24, "tet4"), 0, 6);
  if (what == "large") measure("tets", *block(40, "tet4"), 0, 3);
  contacts(what == "large", {});
}
