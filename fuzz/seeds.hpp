// What a target begins with.
#pragma once

#include <string>
#include <vector>

#include "target.hpp"

namespace tappet::fuzz {

/// Larger examples are left out: a neighbour of a small one finds as much, sooner.
inline constexpr std::size_t max_seed_bytes = 16 * 1024;

/// Files of corpus/NAME, files under examples/ with the target's endings, a result of a short run for readers of results; in the order
/// of their names.
std::vector<std::string> seeds_of(const FuzzTarget& target);

/// A result file of a run of this model, as bytes.
std::string result_of(const std::string& model);
/// A ball that bounces on the ground.
extern const char ball_model[];

/// A neighbour of one of the seeds: by names where the target takes these, else by bytes. The same number, the same neighbour.
std::string neighbour(const FuzzTarget& target, const std::vector<std::string>& seeds, unsigned long number);
/// The same of a given input.
std::string neighbour_of(const FuzzTarget& target, const std::vector<std::string>& seeds,
                         const std::string& input, unsigned seed);

}  // namespace tappet::fuzz
