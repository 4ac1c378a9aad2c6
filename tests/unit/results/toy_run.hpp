// What a simulation hands to its observer, without a simulation: numbers that never repeat and depend on all
// before them.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "tappet/results/result_file.hpp"
#include "tappet/run/simulation.hpp"

namespace tappet {

struct ToyRun {
  std::size_t width = 3;  ///< signals
  long steps = 1000, checkpoint_every = 50;
  long step = 0;
  double x = 0.3;  ///< of the logistic map

  ResultHeader header() const {
    ResultHeader header;
    for (std::size_t i = 0; i < width; ++i)
      header.signals.push_back({"body" + std::to_string(i) + ".x", "m"});
    header.contacts = {"floor", "wall"};
    header.events = {"top"};
    header.title = "Toy – ünïcode";
    header.model_file = "toy.yaml";
    header.model_text = "tappet: 1\ntitle: toy\n";
    return header;
  }

  void restore(const std::vector<std::byte>& saved) {
    if (saved.empty()) return;
    State state;
    load(saved, state);
    step = state.counters.steps;
    x = state.y[0];
  }

  void run(Observer& observer) {
    std::vector<double> row(width + 1);
    while (step < steps) {
      x = 3.9 * x * (1 - x);
      row[0] = 0.1 * static_cast<double>(step);
      for (std::size_t i = 0; i < width; ++i) row[i + 1] = x / static_cast<double>(i + 1);
      observer.sample(row);
      if (step % 7 == 0)
        observer.impact(
            {static_cast<int>(step % 2), row[0], row[0] + 0.01, x, 0.9 * x, 0.9, 0.9, 1e-5, 1e3, 0.1});
      if (step % 11 == 0) observer.event({0, row[0]});
      ++step;
      if (observer.checkpoint_due() && step % checkpoint_every == 0) {
        State state;
        state.counters.steps = step;
        // The state grows and shrinks.
        state.y.assign(1 + static_cast<std::size_t>(step % 3000), x);
        observer.checkpoint(state);
      }
    }
  }

  RunSummary summary() const {
    RunSummary summary;
    summary.completed = step == steps;
    summary.steps = step;
    summary.method = "smooth";
    return summary;
  }
};

}  // namespace tappet
