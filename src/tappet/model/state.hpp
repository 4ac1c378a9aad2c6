// All that varies in a simulation, as a value: it can be copied, compared, saved and set. What can be recomputed from it and
// from the model is not here; what must survive a step is nowhere else.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "tappet/base/any_value.hpp"
#include "tappet/contact/contact_id.hpp"
#include "tappet/contact/contact_statistics.hpp"
#include "tappet/model/event_trigger.hpp"
#include "tappet/multibody/contact_state.hpp"

namespace tappet {

/// A contact from the first step in which it carries load to the last: what becomes a row of the impact table.
struct Episode {
  ContactId id;
  double start = 0;                               ///< s
  double speed_in = 0, speed_out = 0;             ///< m/s
  double peak_force = 0, impulse = 0, depth = 0;  ///< N, N s, m

  bool operator==(const Episode&) const = default;
};
void fields(FieldVisitor& v, Episode& episode);

/// Sums, extremes and warnings of a run so far.
struct Counters {
  long steps = 0, rejected = 0, evaluations = 0;  ///< of the method
  long samples = 0, impacts = 0, events = 0;
  long between = 0;                  ///< rows between samples
  long short_impacts = 0;            ///< under force laws, over within a few output steps
  double shortest_impact = 0;        ///< of these, s
  double max_first_penetration = 0;  ///< m
  double constraint_violation = 0;   ///< largest |Φ| at the end of a step, m (angles in rad)
  double love_ratio = 0;             ///< largest impact speed over Love's limit
  long love_exceeded = 0;            ///< impacts beyond it
  int love_contact = -1;             ///< whose that largest ratio is
  double energy_start = 0;           ///< kinetic and potential, J
  double energy_low = 0, energy_high = 0,
         kinetic_high = 0;          ///< extremes of the potential; the largest kinetic, J
  double residual_high = 0;         ///< largest |residual| of the energy ledger, J
  double largest_turn = 0;          ///< of a structure, rad
  double largest_opening = 0;       ///< between nodes and the bodies that they are attached to, m or rad
  ContactStatistics bodies, nodes;  ///< problems of contacts among rigid bodies, and of nodes of structures
  std::vector<std::string> said;    ///< warnings earned so far

  bool operator==(const Counters&) const = default;
};
void fields(FieldVisitor& v, Counters& counters);

struct State {
  bool started = false;        ///< what touches at the start has been looked at, and the first sample taken
  double t = 0;                ///< s
  std::vector<double> y;       ///< q, u, z of the rigid bodies, then q and u of the structures (StateLayout)
  std::vector<double> inputs;  ///< as set from outside, in the model's order
  std::vector<ContactState> contacts;  ///< contacts that are followed, one each
  std::vector<PassingContact>
      passing_contacts;               ///< those of groups and structures that touch, ascending by name
  std::vector<LastImpulse> impulses;  ///< of the last step, those that are not zero, ascending by name
  std::vector<Episode> episodes;      ///< under way, ascending by name
  std::vector<int> faces,
      sides;  ///< per node of a structure against faces: its face, and on which side it began
  std::vector<EventTrigger> triggers;  ///< of the users' events as the last step ended, one each
  std::vector<int> off;                ///< switches that are off, 0 or 1 each
  std::vector<double> acted,
      acted_energy;  ///< of each event: how often it acted, and what the motion gained by it at once, J
  std::vector<double> exchanges;  ///< of each controller: how often it has been asked
  std::vector<std::string>
      controllers;              ///< what each of them remembers, as its FMU wrote it; "": it writes nothing
  AnyValue method, integrator;  ///< what these remember besides
  Counters counters;

  bool operator==(const State&) const = default;
};
/// The one list of its fields.
void fields(FieldVisitor& v, State& state);

/// "TAPPETST", the version of this list, the fields, a checksum.
std::vector<std::byte> save(const State& state);
/// `out`: a state of the same model, whose method and integrator have their types. Throws InputError with a sentence that names
/// the field at fault; `out` is then as it was.
void load(std::span<const std::byte> bytes, State& out);
/// The fields in which they differ, a line each; "" when they do not.
std::string difference(const State& a, const State& b);

/// Over all bytes [FNV-1a, eight at a time].
std::uint64_t checksum(std::span<const std::byte> bytes);

}  // namespace tappet
