#include "tappet/model/state.hpp"

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <utility>

#include <fmt/format.h>

#include "tappet/base/diagnostics.hpp"

namespace tappet {
namespace {

constexpr char magic[8] = {'T', 'A', 'P', 'P', 'E', 'T', 'S', 'T'};
constexpr std::uint32_t state_version = 3;
constexpr std::size_t head_size = sizeof magic + sizeof state_version;

// A value of another type begins with the type's name, so that it is never read as what it is not.
void visit(FieldVisitor& v, const char* name, AnyValue& value) {
  v.open(name);
  std::string kind = value.kind();
  v.field("kind", kind);
  if (kind != value.kind())
    throw ValueError(fmt::format("field '{}' is the memory of '{}', but should be that of '{}'", name, kind,
                                 value.kind()));
  value.visit(v);
  v.close();
}

[[noreturn]] void refuse_state(const std::string& what) {
  throw InputError({{Severity::error, {}, fmt::format("the state cannot be read: {}", what)}});
}

}  // namespace

void fields(FieldVisitor& v, Episode& e) {
  fields(v, e.id);
  v.field("start", e.start);
  v.field("speed_in", e.speed_in);
  v.field("speed_out", e.speed_out);
  v.field("peak_force", e.peak_force);
  v.field("impulse", e.impulse);
  v.field("depth", e.depth);
}

void fields(FieldVisitor& v, EventTrigger& e) {
  v.field("value", e.value);
  v.field("largest", e.largest);
  v.field("side", e.side);
  v.field("since", e.since);
}

void fields(FieldVisitor& v, Counters& c) {
  v.field("steps", c.steps);
  v.field("rejected", c.rejected);
  v.field("evaluations", c.evaluations);
  v.field("samples", c.samples);
  v.field("impacts", c.impacts);
  v.field("events", c.events);
  v.field("between", c.between);
  v.field("short_impacts", c.short_impacts);
  v.field("shortest_impact", c.shortest_impact);
  v.field("max_first_penetration", c.max_first_penetration);
  v.field("constraint_violation", c.constraint_violation);
  v.field("love_ratio", c.love_ratio);
  v.field("love_exceeded", c.love_exceeded);
  v.field("love_contact", c.love_contact);
  v.field("energy_start", c.energy_start);
  v.field("energy_low", c.energy_low);
  v.field("energy_high", c.energy_high);
  v.field("kinetic_high", c.kinetic_high);
  v.field("residual_high", c.residual_high);
  v.field("largest_turn", c.largest_turn);
  v.field("largest_opening", c.largest_opening);
  v.part("bodies", c.bodies);
  v.part("nodes", c.nodes);
  v.field("said", c.said);
}

void fields(FieldVisitor& v, State& s) {
  v.field("started", s.started);
  v.field("t", s.t);
  v.field("y", s.y);
  v.field("inputs", s.inputs);
  v.list("contacts", s.contacts);
  v.list("passing_contacts", s.passing_contacts);
  v.list("impulses", s.impulses);
  v.list("episodes", s.episodes);
  v.field("faces", s.faces);
  v.field("sides", s.sides);
  v.list("triggers", s.triggers);
  v.field("off", s.off);
  v.field("acted", s.acted);
  v.field("acted_energy", s.acted_energy);
  v.field("exchanges", s.exchanges);
  v.field("controllers", s.controllers);
  visit(v, "method", s.method);
  visit(v, "integrator", s.integrator);
  v.part("counters", s.counters);
}

std::uint64_t checksum(std::span<const std::byte> bytes) {
  std::uint64_t hash = 0xcbf29ce484222325u;
  for (std::size_t at = 0; at < bytes.size(); at += 8) {
    std::uint64_t word = 0;
    std::memcpy(&word, bytes.data() + at, std::min<std::size_t>(8, bytes.size() - at));
    hash = (hash ^ word) * 0x100000001b3u;
    hash ^= hash >> 32;
  }
  return hash;
}

std::vector<std::byte> save(const State& state) {
  ValueWriter writer;
  fields(writer, const_cast<State&>(state));  // a writer only looks
  const std::vector<std::byte> contents = writer.take();
  std::vector<std::byte> out(head_size);
  std::memcpy(out.data(), magic, sizeof magic);
  std::memcpy(out.data() + sizeof magic, &state_version, sizeof state_version);
  out.insert(out.end(), contents.begin(), contents.end());
  const std::uint64_t sum = checksum(out);
  out.resize(out.size() + sizeof sum);
  std::memcpy(out.data() + out.size() - sizeof sum, &sum, sizeof sum);
  return out;
}

void load(std::span<const std::byte> bytes, State& out) {
  if (bytes.size() < head_size + sizeof(std::uint64_t) || std::memcmp(bytes.data(), magic, sizeof magic) != 0)
    refuse_state("these bytes are not a state of Tappet's");
  std::uint32_t version = 0;
  std::memcpy(&version, bytes.data() + sizeof magic, sizeof version);
  if (version == 0 || version > state_version)
    refuse_state(
        fmt::format("it is of version {}; this Tappet reads up to version {}", version, state_version));
  const auto contents = bytes.subspan(head_size, bytes.size() - head_size - sizeof(std::uint64_t));
  State read = out;
  try {
    ValueReader reader(contents, version < state_version);
    fields(reader, read);
    reader.finish();
  } catch (const ValueError& error) {
    refuse_state(error.what());
  }
  std::uint64_t sum = 0;
  std::memcpy(&sum, bytes.data() + bytes.size() - sizeof sum, sizeof sum);
  if (sum != checksum(bytes.first(bytes.size() - sizeof sum)))
    refuse_state("its checksum does not fit: a number in it was altered");
  out = std::move(read);
}

std::string difference(const State& a, const State& b) {
  FieldTexts of_a, of_b;
  fields(of_a, const_cast<State&>(a));
  fields(of_b, const_cast<State&>(b));
  return differing_fields(of_a, of_b);
}

}  // namespace tappet
