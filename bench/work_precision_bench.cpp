// What accuracy costs with each integrator: one line per model, integrator and tolerance. bench/work_precision runs it twice, once
// under callgrind, which counts the instructions of each line's run, and makes a table.
#include <cstdio>

#include <fmt/format.h>

#if __has_include(<valgrind/callgrind.h>)
#include <valgrind/callgrind.h>
#else
#define CALLGRIND_ZERO_STATS
#define CALLGRIND_START_INSTRUMENTATION
#define CALLGRIND_STOP_INSTRUMENTATION
#define CALLGRIND_DUMP_STATS_AT(name)
#endif

#include "support/work_precision.hpp"

int main(int argc, char** argv) {
  using namespace tappet::testing;
  for (const WorkModel& model : work_models()) {
    if (argc > 1 && model.name != argv[1]) continue;
    const WorkPrecision work(model);
    for (const double tolerance : work_tolerances) {
      const std::string chosen = work.at("auto", tolerance).integrator;
      for (const std::string& integrator : model.integrators()) {
        const Work done = work.at(integrator, tolerance, [](auto&& loop) {
          CALLGRIND_ZERO_STATS;
          CALLGRIND_START_INSTRUMENTATION;
          loop();
          CALLGRIND_STOP_INSTRUMENTATION;
        });
        const std::string name = fmt::format("{}; {}; {:.0e}", model.name, integrator, tolerance);
        CALLGRIND_DUMP_STATS_AT(name.c_str());
        fmt::print("{}\t{:.1e}\t{}\t{}\t{}\n", name, done.error, done.evaluations, done.steps,
                   chosen == integrator);
        std::fflush(stdout);
      }
    }
  }
}
