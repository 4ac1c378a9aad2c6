// Laws, pairs of shapes, accelerations, complementarity solvers, factorisations and short runs, one by one.
//
//   micro_bench                                   everything
//   micro_bench --benchmark_filter='pair box.*'   and the other options of Google Benchmark
#include <benchmark/benchmark.h>

#include "works/work.hpp"

int main(int argc, char** argv) {
  benchmark::Initialize(&argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 2;
  for (const tappet::bench::Work& work : tappet::bench::all_works())
    benchmark::RegisterBenchmark(work.name.c_str(), [run = work.run](benchmark::State& state) {
      for ([[maybe_unused]] auto once : state) benchmark::DoNotOptimize(run());
    });
  benchmark::RunSpecifiedBenchmarks();
}
