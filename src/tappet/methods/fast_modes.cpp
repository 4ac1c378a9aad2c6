#include "tappet/methods/fast_modes.hpp"

#include <cmath>

#include <fmt/format.h>

namespace tappet {
namespace {

// Modes that turn by less in a step would allow a longer one.
constexpr double part_of_a_turn = 0.5;  // rad

}  // namespace

void note_fast_modes(const Mechanism& mechanism, double step, std::vector<std::string>& notes) {
  for (const FlexibleBody& body : mechanism.flexible.bodies) {
    if (body.modes == 0) continue;
    const auto turn = [&](int k) { return step * std::sqrt(body.stiffness[k]); };
    const int last = body.modes - 1;
    int first = last;
    while (first > 0 && turn(first - 1) >= part_of_a_turn) --first;
    if (turn(last) < part_of_a_turn) continue;
    const std::string which =
        first == last ? fmt::format("mode {}, {:.4g} Hz, turns by {:.2g} rad", last + 1,
                                    std::sqrt(body.stiffness[last]) / (2 * M_PI), turn(last))
                      : fmt::format("modes {} to {}, from {:.4g} to {:.4g} Hz, turn by {:.2g} to {:.2g} rad",
                                    first + 1, last + 1, std::sqrt(body.stiffness[first]) / (2 * M_PI),
                                    std::sqrt(body.stiffness[last]) / (2 * M_PI), turn(first), turn(last));
    notes.push_back(fmt::format(
        "flexible body '{}' limited the steps: in one of {:.3g} s, their mean, its {}, of which an explicit "
        "scheme bears 1 to 3; `highest` leaves modes out, `tappet advise` says which, and method moreau "
        "steps "
        "over them",
        body.name, step, which));
  }
}

}  // namespace tappet
