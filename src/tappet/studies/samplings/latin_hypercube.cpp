// Latin hypercube: each parameter's range is cut into as many slices as there are runs, and every slice is
// used once.
//
//   u_ij = (π_j(i) + r_ij) / n,   π_j a random permutation of 0 … n−1, r_ij uniform in [0, 1)
//
// [McKay1979]. The generator is fixed, and so are the numbers that follow from a seed, on every machine.
#include <cstdint>
#include <numeric>
#include <random>

#include "tappet/studies/sampling.hpp"

namespace tappet::samplings::latin_hypercube {

namespace {

/// The standard library's generator is the same everywhere; its distributions are not.
class Random {
 public:
  explicit Random(std::uint64_t seed) : engine_(seed) {}
  double uniform() { return static_cast<double>(engine_() >> 11) * 0x1p-53; }
  std::size_t below(std::size_t n) { return static_cast<std::size_t>(uniform() * static_cast<double>(n)); }

 private:
  std::mt19937_64 engine_;
};

Design make(const std::vector<Axis>& axes, const Object& object, Diagnostics&) {
  const auto runs = static_cast<std::size_t>(object.integer("samples"));
  Random random(static_cast<std::uint64_t>(object.integer("seed")));
  Design out(runs, std::vector<AxisValue>(axes.size()));
  for (std::size_t j = 0; j < axes.size(); ++j) {
    std::vector<std::size_t> slice(runs);
    std::iota(slice.begin(), slice.end(), std::size_t{0});
    for (std::size_t i = runs; i-- > 1;) std::swap(slice[i], slice[random.below(i + 1)]);
    for (std::size_t i = 0; i < runs; ++i)
      out[i][j] = axes[j].at((static_cast<double>(slice[i]) + random.uniform()) / static_cast<double>(runs));
  }
  return out;
}

const Registration<SamplingType> registered{{
    .name = "latin-hypercube",
    .help = "random, but every slice of each parameter's range is used once",
    .citation = "McKay1979",
    .table = {.name = "a Latin hypercube",
              .help = "",
              .parameters = {{.name = "samples",
                              .kind = Kind::integer,
                              .help = "number of runs",
                              .required = true,
                              .range = {.low = 1, .high = max_runs}},
                             {.name = "seed",
                              .kind = Kind::integer,
                              .help = "of the random numbers",
                              .fallback = "1",
                              .range = {.low = 0, .high = 2e9}}}},
    .make = make,
}};

}  // namespace
}  // namespace tappet::samplings::latin_hypercube
