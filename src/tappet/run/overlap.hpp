// Surfaces that overlap before anything has moved: what the method will make of them.
#pragma once

#include "tappet/model/model.hpp"
#include "tappet/model/state.hpp"
#include "tappet/run/run_summary.hpp"

namespace tappet {

/// The part of a model's own energy (kinetic, and its weight times its length) that an overlap may hold without a warning: a
/// body set down where its law carries it holds far less.
inline constexpr double most_overlap_energy = 1e-2;

/// Adds a warning, or a note where it is harmless, for each contact whose surfaces overlap at the start: of bodies, of
/// groups of them, of nodes of structures.
void report_overlaps(const Model& model, const State& start, RunSummary& out);

}  // namespace tappet
