#include "tappet/results/layout.hpp"

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <utility>

namespace tappet::layout {

const std::vector<std::string>& impact_columns() {
  static const std::vector<std::string> names = {"contact",    "start",       "end",       "speed_in",
                                                 "speed_out",  "restitution", "requested", "max_penetration",
                                                 "peak_force", "impulse"};
  return names;
}

std::vector<Signal> impact_units() {
  static constexpr const char* units[] = {"", "s", "s", "m/s", "m/s", "", "", "m", "N", "N s"};
  std::vector<Signal> out;
  for (std::size_t i = 0; i < impact_width; ++i) out.push_back({impact_columns()[i], units[i]});
  return out;
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
  return {.contact = index_of(row[0]),
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

bool is_row(std::span<const double> row) {
  return (row.size() == checkpoint_width || row.size() == checkpoint_width - 1) && row[0] >= 1;
}

/// Over a row but for its last number, and over the bytes; cut to the 53 bits that a double holds exactly.
double row_checksum(std::span<const double> row, std::span<const std::byte> bytes) {
  const std::uint64_t of_row = checksum(std::as_bytes(row.first(row.size() - 1)));
  return static_cast<double>((of_row ^ (checksum(bytes) * 0x9e3779b97f4a7c15u)) >> 11);
}

}  // namespace

std::array<double, checkpoint_width> pack(const Checkpoint& checkpoint, std::size_t ordinal) {
  std::array<double, checkpoint_width> row{};
  const std::size_t counts[] = {ordinal,           checkpoint.samples,      checkpoint.impacts,
                                checkpoint.events, checkpoint.state.size(), checkpoint.between};
  std::transform(std::begin(counts), std::end(counts), row.begin(),
                 [](std::size_t count) { return static_cast<double>(count); });
  row.back() = row_checksum(row, checkpoint.state);
  return row;
}

std::size_t checkpoint_bytes(std::span<const double> row) {
  // An ordinal of zero is a slot never used. More bytes than these no file can hold.
  constexpr double most = 1e15;
  if (!is_row(row) || !(row[4] >= 0 && row[4] < most)) return 0;
  return static_cast<std::size_t>(row[4]);
}

std::optional<Checkpoint> unpack_checkpoint(std::span<const double> row, std::vector<std::byte> bytes,
                                            std::size_t& ordinal) {
  if (!is_row(row) || row_checksum(row, bytes) != row.back()) return std::nullopt;
  ordinal = static_cast<std::size_t>(row[0]);
  return Checkpoint{.samples = static_cast<std::size_t>(row[1]),
                    .impacts = static_cast<std::size_t>(row[2]),
                    .events = static_cast<std::size_t>(row[3]),
                    .between = row.size() == checkpoint_width ? static_cast<std::size_t>(row[5]) : 0,
                    .state = std::move(bytes)};
}

}  // namespace tappet::layout
