// Small pieces of work, each measured alone: by micro_bench in nanoseconds, by count_instructions in instructions.
//
// A work is made once, with everything that it needs, and then done any number of times; each time is the same.
#pragma once

#include <functional>
#include <string>
#include <vector>

namespace tappet::bench {

struct Work {
  std::string name;             ///< "pair sphere sphere"
  std::function<double()> run;  ///< a number that depends on all that was done, so that nothing is left out
};

std::vector<Work> law_works();        ///< contact and friction laws, 1,000 evaluations each
std::vector<Work> pair_works();       ///< gaps and places of two shapes in 64 poses
std::vector<Work> mechanism_works();  ///< accelerations: frames, forces, constraints, factorisation, solution
std::vector<Work> complementarity_works();  ///< each solver on the problems that it claims
std::vector<Work> structure_works();        ///< factorising and solving the matrices of structures
std::vector<Work> run_works();              ///< short runs of whole models by the three methods

inline std::vector<Work> all_works() {
  std::vector<Work> out;
  for (auto* works :
       {law_works, pair_works, mechanism_works, complementarity_works, structure_works, run_works})
    for (Work& one : works()) out.push_back(std::move(one));
  return out;
}

}  // namespace tappet::bench
