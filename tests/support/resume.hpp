// An interrupted run goes on to the same last bit: its state at the end is the state of the run that was not interrupted.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <random>
#include <span>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "tappet/model/model.hpp"
#include "tappet/run/simulation.hpp"

namespace tappet::testing {

/// Offers checkpoints after every step; those of chosen numbers are kept, with what had been recorded by then.
struct Checkpoints final : Observer {
  struct Kept {
    std::size_t samples = 0, between = 0, impacts = 0;
    std::vector<std::byte> state;
  };
  std::vector<long> wanted;  ///< numbers of checkpoints, ascending
  long offered = 0;
  std::vector<std::vector<double>> rows, between_rows;
  std::vector<Impact> impacts;
  std::vector<Kept> kept;

  void sample(std::span<const double> row) override { rows.emplace_back(row.begin(), row.end()); }
  void between(std::span<const double> row) override { between_rows.emplace_back(row.begin(), row.end()); }
  bool wants_between() const override { return true; }
  void impact(const Impact& row) override { impacts.push_back(row); }
  bool checkpoint_due() override { return std::binary_search(wanted.begin(), wanted.end(), offered++); }
  void checkpoint(const State& state) override {
    kept.push_back({rows.size(), between_rows.size(), impacts.size(), save(state)});
  }
};

/// Two states are one, and save to the same bytes (which tells 0 from −0).
inline void expect_equal(const State& a, const State& b) {
  EXPECT_TRUE(a == b) << difference(a, b);
  EXPECT_EQ(save(a), save(b)) << difference(a, b);
}

/// Runs a model to its end, then again from its state after some steps, drawn at random: samples, impacts and the state at the
/// end must be those of the whole run.
inline void expect_resumes(const Model& model, int instants = 20, unsigned seed = 17) {
  // How often a checkpoint can be made.
  Checkpoints count;
  Simulation whole(model);
  const RunSummary uninterrupted = whole.run(count);
  ASSERT_TRUE(uninterrupted.completed) << uninterrupted.stop_reason;
  ASSERT_GT(count.offered, 1);
  std::mt19937 draw(seed);
  Checkpoints all;
  for (int i = 0; i < instants; ++i)
    all.wanted.push_back(std::uniform_int_distribution<long>(0, count.offered - 2)(draw));
  std::sort(all.wanted.begin(), all.wanted.end());
  all.wanted.erase(std::unique(all.wanted.begin(), all.wanted.end()), all.wanted.end());
  Simulation watched(model);
  watched.run(all);
  expect_equal(watched.state(), whole.state());
  ASSERT_FALSE(all.kept.empty());

  for (std::size_t n = 0; n < all.kept.size(); ++n) {
    const Checkpoints::Kept& from = all.kept[n];
    SCOPED_TRACE("checkpoint " + std::to_string(all.wanted[n]) + " of " + std::to_string(count.offered));
    Simulation simulation(model);
    simulation.restore(from.state);
    ASSERT_EQ(save(simulation.state()), from.state);
    Checkpoints rest;
    const RunSummary summary = simulation.run(rest);
    ASSERT_TRUE(summary.completed) << summary.stop_reason;
    const std::vector<Signal> signals = simulation.signals();
    const auto expect_rows = [&](const auto& own, const auto& expected, std::size_t first, const char* what) {
      ASSERT_EQ(first + own.size(), expected.size()) << what;
      for (std::size_t i = 0; i < own.size(); ++i)
        for (std::size_t c = 0; c < own[i].size(); ++c)
          ASSERT_EQ(own[i][c], expected[first + i][c])
              << what << " " << first + i << ", " << (c ? signals[c - 1].name : "time");
    };
    expect_rows(rest.rows, all.rows, from.samples, "sample");
    expect_rows(rest.between_rows, all.between_rows, from.between, "row between samples");
    ASSERT_EQ(from.impacts + rest.impacts.size(), all.impacts.size());
    for (std::size_t i = 0; i < rest.impacts.size(); ++i) {
      const Impact &a = rest.impacts[i], &b = all.impacts[from.impacts + i];
      ASSERT_EQ(a.contact, b.contact) << i;
      ASSERT_EQ(a.start, b.start) << i;
      ASSERT_EQ(a.impulse, b.impulse) << i;
      ASSERT_EQ(a.peak_force, b.peak_force) << i;
      // A hit that has not ended has no speed of its end.
      ASSERT_TRUE(a.speed_out == b.speed_out || (std::isnan(a.speed_out) && std::isnan(b.speed_out))) << i;
    }
    expect_equal(simulation.state(), whole.state());
    EXPECT_EQ(summary.energy_residual, uninterrupted.energy_residual);
    EXPECT_EQ(summary.warnings, uninterrupted.warnings);
    if (::testing::Test::HasFailure()) return;
  }
}

}  // namespace tappet::testing
