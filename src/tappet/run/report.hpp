// What a run's summary says.
#pragma once

#include <string>
#include <vector>

#include "tappet/methods/initial_state.hpp"
#include "tappet/methods/method.hpp"
#include "tappet/run/run_summary.hpp"

namespace tappet {

/// What is known before the run.
RunSummary describe_run(const Model& model, const Method& method, const Start& start);

/// Totals, notes and warnings when it is over.
void finish_run(const Model& model, const Method& method, const Workspace& w, const State& state,
                const std::vector<std::string>& contact_names, RunSummary& out);

}  // namespace tappet
