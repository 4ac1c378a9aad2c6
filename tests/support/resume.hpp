// An interrupted run goes on to the same last bit.
#pragma once

#include <cstddef>
#include <span>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "tappet/model/model.hpp"
#include "tappet/run/simulation.hpp"

namespace tappet::testing {

/// Takes a checkpoint every so many steps, and counts the samples that were made before it.
struct Checkpoints final : Observer {
  int every = 0, steps = 0;
  std::vector<std::vector<double>> rows;
  std::vector<std::pair<std::size_t, std::vector<double>>> kept;
  void sample(std::span<const double> row) override { rows.emplace_back(row.begin(), row.end()); }
  bool checkpoint_due() override { return every > 0 && ++steps % every == 0; }
  void checkpoint(std::span<const double> state) override {
    kept.emplace_back(rows.size(), std::vector<double>(state.begin(), state.end()));
  }
};

/// Runs a model with a checkpoint every so many steps, then from the first, the middle and the last of these to
/// the end: samples and counts must be those of the whole run.
inline void expect_resumes(const Model& model, int every) {
  Checkpoints whole;
  whole.every = every;
  const RunSummary uninterrupted = Simulation(model).run(whole);
  ASSERT_TRUE(uninterrupted.completed) << uninterrupted.stop_reason;
  ASSERT_FALSE(whole.kept.empty());
  for (std::size_t n : {std::size_t{0}, whole.kept.size() / 2, whole.kept.size() - 1}) {
    const auto& [samples, state] = whole.kept[n];
    Simulation simulation(model);
    simulation.restore(state);
    Checkpoints rest;
    const RunSummary summary = simulation.run(rest);
    ASSERT_TRUE(summary.completed) << summary.stop_reason;
    ASSERT_EQ(samples + rest.rows.size(), whole.rows.size());
    const std::vector<Signal> signals = simulation.signals();
    for (std::size_t i = 0; i < rest.rows.size(); ++i)
      for (std::size_t c = 0; c < rest.rows[i].size(); ++c)
        ASSERT_EQ(rest.rows[i][c], whole.rows[samples + i][c])
            << "checkpoint " << n << ", sample " << samples + i << ", " << (c ? signals[c - 1].name : "time");
    EXPECT_EQ(summary.steps, uninterrupted.steps);
    EXPECT_EQ(summary.evaluations, uninterrupted.evaluations);
    EXPECT_EQ(summary.events, uninterrupted.events);
    EXPECT_EQ(summary.impacts, uninterrupted.impacts);
    EXPECT_EQ(summary.energy_residual, uninterrupted.energy_residual);
  }
}

}  // namespace tappet::testing
