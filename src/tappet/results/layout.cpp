#include "tappet/results/layout.hpp"

#include <bit>
#include <cstdint>

namespace tappet::layout {

const std::vector<std::string>& impact_columns() {
  static const std::vector<std::string> names = {"contact",    "start",       "end",       "speed_in",
                                                 "speed_out",  "restitution", "requested", "max_penetration",
                                                 "peak_force", "impulse"};
  return names;
}

std::array<double, impact_width> pack(const Impact& impact) {
  return {static_cast<double>(impact.contact),
          impact.start,
          impact.end,
          impact.speed_in,
          impact.speed_out,
          impact.restitution,
          impact.requested,
          impact.max_penetration,
          impact.peak_force,
          impact.impulse};
}

std::array<double, event_width> pack(const EventRecord& event) {
  return {static_cast<double>(event.event), event.time};
}

Impact unpack_impact(const double* row) {
  return {.contact = static_cast<int>(row[0]),
          .start = row[1],
          .end = row[2],
          .speed_in = row[3],
          .speed_out = row[4],
          .restitution = row[5],
          .requested = row[6],
          .max_penetration = row[7],
          .peak_force = row[8],
          .impulse = row[9]};
}

namespace {

/// FNV-1a over the words of the row, cut to the 53 bits that a double holds exactly.
double checksum(std::span<const double> words) {
  std::uint64_t hash = 0xcbf29ce484222325u;
  for (const double word : words) {
    hash = (hash ^ std::bit_cast<std::uint64_t>(word)) * 0x100000001b3u;
    hash ^= hash >> 32;
  }
  return static_cast<double>(hash >> 11);
}

}  // namespace

std::vector<double> pack(const Checkpoint& checkpoint, std::size_t ordinal) {
  std::vector<double> row;
  row.reserve(checkpoint.state.size() + checkpoint_overhead);
  for (const std::size_t count : {ordinal, checkpoint.samples, checkpoint.impacts, checkpoint.events}) {
    row.push_back(static_cast<double>(count));
  }
  row.insert(row.end(), checkpoint.state.begin(), checkpoint.state.end());
  row.push_back(checksum(row));
  return row;
}

std::optional<Checkpoint> unpack_checkpoint(std::span<const double> row, std::size_t& ordinal) {
  // An ordinal of zero is a slot never used.
  if (row.size() < checkpoint_overhead || !(row[0] >= 1)) return std::nullopt;
  if (checksum(row.first(row.size() - 1)) != row.back()) return std::nullopt;
  ordinal = static_cast<std::size_t>(row[0]);
  const auto state = row.subspan(4, row.size() - checkpoint_overhead);
  return Checkpoint{.samples = static_cast<std::size_t>(row[1]),
                    .impacts = static_cast<std::size_t>(row[2]),
                    .events = static_cast<std::size_t>(row[3]),
                    .state = {state.begin(), state.end()}};
}

}  // namespace tappet::layout
