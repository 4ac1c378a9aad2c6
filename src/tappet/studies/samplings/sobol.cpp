// Sobol's sequence: points that fill the cube of parameters evenly, at every number of them that is a power
// of two.
//
// Direction numbers of Joe and Kuo [Joe2008] in Boost.Random, its points in Gray-code order [Sobol1967]. The
// point at the origin is not among them: the first is the centre.
#include <cstdint>

#include <boost/random/sobol.hpp>

#include "tappet/studies/sampling.hpp"

namespace tappet::samplings::sobol {

namespace {

Design make(const std::vector<Axis>& axes, const Object& object, Diagnostics&) {
  boost::random::sobol engine(axes.size());
  engine.discard(axes.size() * static_cast<std::uint64_t>(object.integer("skip")));
  Design out(static_cast<std::size_t>(object.integer("samples")));
  for (auto& run : out)
    for (const Axis& axis : axes) run.push_back(axis.at(static_cast<double>(engine() >> 11) * 0x1p-53));
  return out;
}

const Registration<SamplingType> registered{{
    .name = "sobol",
    .help = "Sobol's sequence, which fills the space of the parameters evenly",
    .citation = "Sobol1967; Joe2008",
    .table = {.name = "a Sobol sequence",
              .help = "",
              .parameters = {{.name = "samples",
                              .kind = Kind::integer,
                              .help = "number of runs; best a power of two",
                              .required = true,
                              .range = {.low = 1, .high = max_runs}},
                             {.name = "skip",
                              .kind = Kind::integer,
                              .help =
                                  "points left out at the beginning, to go on where an earlier study ended",
                              .fallback = "0",
                              .range = {.low = 0, .high = 1e9}}}},
    .make = make,
}};

}  // namespace
}  // namespace tappet::samplings::sobol
