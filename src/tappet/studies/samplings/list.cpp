// The first values of all parameters together, then the second ones, and so on.
#include <fmt/format.h>

#include "tappet/studies/sampling.hpp"

namespace tappet::samplings::list {

namespace {

Design make(const std::vector<Axis>& axes, const Object&, Diagnostics& diagnostics) {
  for (const Axis& axis : axes)
    if (axis.levels() == 0 || axis.levels() != axes[0].levels()) {
      diagnostics.error(axis.pos,
                        fmt::format("parameter '{}' has {} values, and '{}' has {}: in a list all parameters "
                                    "have the same number of values",
                                    axis.name, axis.levels(), axes[0].name, axes[0].levels()));
      return {};
    }
  Design out(axes[0].levels());
  for (std::size_t run = 0; run < out.size(); ++run)
    for (const Axis& axis : axes) out[run].push_back(axis.level(run));
  return out;
}

const Registration<SamplingType> registered{{
    .name = "list",
    .help = "the first values of all parameters together, then the second ones, and so on",
    .citation = "",
    .table = {.name = "a list", .help = "", .parameters = {}},
    .make = make,
}};

}  // namespace
}  // namespace tappet::samplings::list
