// What a result file looks like inside, shared by the writer and the reader.
//
//   /                 attributes: tappet_format, program_version, build, title, model_file, created (UTC)
//   /input_files, /input_hashes   files that the model names, and base/input_file.hpp's hashes of them; older files have none
//   /model/text       the model as YAML text, settings applied
//   /columns, /units  names and units of the columns of /samples; the first is time
//   /samples          rows × columns
//   /between          rows of the same columns at instants between samples (Observer::between); older files have none
//   /contacts         names that the first column of /impacts counts into
//   /impacts          one row per impact, columns as in its attribute `columns`
//   /event_names      names that the first column of /events counts into
//   /events           event, time
//   /fields           attributes: samples (between records), structures (names)
//   /fields/NAME      nodes (× 3), cells, ends and types (as in fem/fields.hpp), `carried` where nodes are in a body's axes; one row per record: displacement,
//                     velocity, contact_force (3 per node), stress (7 per element), in single precision
//   /checkpoint_0, 1  bytes of a saved state (model/state.hpp); used in turn, they only grow
//   /checkpoints      one row each: ordinal, rows of samples, impacts and events, bytes, rows of between, checksum over all of it;
//                     written after the bytes. The valid one of higher ordinal is the last
//   TABLE_checksums   beside each table that grows: growing_table.hpp's row_sum() of every row; older files have none
//   /status           "running", "completed" or "stopped"
//   /summary          the run's summary as JSON, empty until the run ends
//
// Everything is created first; after that the file grows in SWMR mode (single writer, multiple readers): HDF5
// then orders its writes so that the file on disk is whole at every moment, whoever reads it and whenever the
// writer dies.
#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "tappet/run/simulation.hpp"

namespace tappet {

/// A state to continue from, and how much of the tables belonged to it.
struct Checkpoint {
  std::size_t samples = 0, impacts = 0, events = 0, between = 0;
  std::vector<std::byte> state;  ///< as Simulation::restore takes it
};

namespace layout {

/// Format 1 had checkpoints of another kind, from which no run continues any more; all else in it is read.
inline constexpr int format_version = 2;
inline constexpr std::size_t summary_bytes = 64 * 1024;
inline constexpr std::size_t status_bytes = 16;
inline constexpr std::size_t checkpoint_slots = 2;
inline constexpr std::array<const char*, checkpoint_slots> checkpoint_names = {"checkpoint_0",
                                                                               "checkpoint_1"};
/// Numbers of a row of /checkpoints; without rows of /between one less.
inline constexpr std::size_t checkpoint_width = 7;

/// "contact", "start", ...: the impact table's header everywhere.
const std::vector<std::string>& impact_columns();
/// The same with their units.
std::vector<Signal> impact_units();
inline constexpr std::size_t impact_width = 10;
std::array<double, impact_width> pack(const Impact& impact);
Impact unpack_impact(const double* row);

/// Growing tables of a structure, in this order.
inline constexpr std::array<const char*, 4> field_tables = {"displacement", "velocity", "contact_force",
                                                            "stress"};
inline std::array<std::size_t, 4> field_widths(const fem::FieldMesh& mesh) {
  return {mesh.nodes.size(), mesh.nodes.size(), mesh.nodes.size(),
          fem::stress_numbers * mesh.element_count()};
}

/// A number of a list that stands in a table of numbers; −1 where it is none.
inline int index_of(double number) {
  return number >= 0 && number < 2147483648.0 ? static_cast<int>(number) : -1;
}

inline constexpr std::size_t event_width = 2;
std::array<double, event_width> pack(const EventRecord& event);

/// The row of a checkpoint. A slot that was being written when the program died fails its checksum.
std::array<double, checkpoint_width> pack(const Checkpoint& checkpoint, std::size_t ordinal);
/// How many bytes of its slot belong to a row; 0: it was never used, or is damaged.
std::size_t checkpoint_bytes(std::span<const double> row);
/// None where row and bytes do not belong together.
std::optional<Checkpoint> unpack_checkpoint(std::span<const double> row, std::vector<std::byte> bytes,
                                            std::size_t& ordinal);

}  // namespace layout
}  // namespace tappet
