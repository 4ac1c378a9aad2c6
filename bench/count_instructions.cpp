// Does each work twice, the second time counted: for bench/instructions, which runs it under callgrind. The first time fills
// caches and memory, as in a long run.
#include <cmath>
#include <cstdio>
#include <cstring>
#include <valgrind/callgrind.h>

#include "works/work.hpp"

int main(int argc, char** argv) {
  for (const tappet::bench::Work& work : tappet::bench::all_works()) {
    if (argc > 1 && !std::strstr(work.name.c_str(), argv[1])) continue;
    work.run();
    CALLGRIND_ZERO_STATS;
    CALLGRIND_START_INSTRUMENTATION;
    const double check = work.run();
    CALLGRIND_STOP_INSTRUMENTATION;
    CALLGRIND_DUMP_STATS_AT(work.name.c_str());
    if (std::isnan(check)) {
      std::fprintf(stderr, "%s: not a number\n", work.name.c_str());
      return 1;
    }
  }
}
