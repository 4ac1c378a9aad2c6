// Every value of each parameter with every value of the others; the last parameter varies fastest.
#include <fmt/format.h>

#include "tappet/studies/sampling.hpp"

namespace tappet::samplings::grid {

namespace {

Design make(const std::vector<Axis>& axes, const Object&, Diagnostics& diagnostics) {
  std::size_t runs = 1;
  for (const Axis& axis : axes) {
    if (axis.levels() == 0) {
      diagnostics.error(axis.pos,
                        fmt::format("parameter '{}' needs `count` in a grid: how many values it takes "
                                    "from one end to the other",
                                    axis.name));
      return {};
    }
    if (axis.levels() > max_runs / runs) {
      diagnostics.error(axis.pos, fmt::format("the grid has more than {} runs", max_runs));
      return {};
    }
    runs *= axis.levels();
  }
  Design out(runs);
  for (std::size_t run = 0; run < runs; ++run) {
    std::size_t rest = run;
    out[run].resize(axes.size());
    for (std::size_t j = axes.size(); j-- > 0; rest /= axes[j].levels())
      out[run][j] = axes[j].level(rest % axes[j].levels());
  }
  return out;
}

const Registration<SamplingType> registered{{
    .name = "grid",
    .help = "every value of each parameter with every value of the others",
    .citation = "",
    .table = {.name = "a grid", .help = "", .parameters = {}},
    .make = make,
}};

}  // namespace
}  // namespace tappet::samplings::grid
