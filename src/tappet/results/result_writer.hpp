// Writes a run to its result file while it happens.
#pragma once

#include <memory>
#include <string>

#include "tappet/results/result_file.hpp"
#include "tappet/run/simulation.hpp"

namespace tappet {

/// 2026-01-31T12:00:00Z
std::string utc_now();

struct WriterOptions {
  /// Wall time after which rows are in the file.
  double flush_seconds = 0.25;
  /// Wall time between checkpoints; longer if making one is expensive; 0: whenever one is offered.
  double checkpoint_seconds = 0.25;
  /// Rows are written when this much has gathered.
  std::size_t buffer_bytes = 1 << 20;
};

/// What is in the file is readable at every moment, also after the program was killed: rows up to the last
/// flush, and a checkpoint from which the run continues bit by bit. Failures to write are a SimulationError
/// with a sentence.
class ResultWriter final : public Observer {
 public:
  /// Begins a new result. An older result of that name is replaced; any other file is refused (InputError).
  static ResultWriter create(const std::string& path, const ResultHeader& header,
                             const WriterOptions& options = {});

  /// Takes up a result whose run was killed or stopped. What came after its last checkpoint is dropped;
  /// without any checkpoint the result is empty again. The kept rows are copied to a new file that then
  /// replaces the old one, so a second death at any moment loses nothing.
  static ResultWriter resume(const std::string& path, const WriterOptions& options = {});

  ~ResultWriter() override;
  ResultWriter(ResultWriter&&) noexcept;

  const ResultHeader& header() const;
  /// After resume(): what to hand to Simulation::restore; empty when there was no checkpoint.
  const std::vector<std::byte>& resumed_state() const;

  void sample(std::span<const double> row) override;
  void between(std::span<const double> row) override;
  bool wants_between() const override { return true; }
  void fields(int structure, const fem::Fields& fields) override;
  bool wants_fields() const override { return true; }
  void impact(const Impact& impact) override;
  void event(const EventRecord& event) override;
  bool checkpoint_due() override;
  /// Skipped when the last one was made a moment ago.
  void checkpoint(const State& state) override;
  void checkpoint_now(const State& state);
  void end(const State& state) override { checkpoint_now(state); }

  /// Everything so far is in the file when this returns.
  void flush();
  /// The run is over: writes the summary and closes the file.
  void finish(const RunSummary& summary);

  std::size_t samples() const;
  std::size_t between_rows() const;
  std::size_t impacts() const;
  std::size_t events() const;

  struct Impl;

 private:
  explicit ResultWriter(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

}  // namespace tappet
