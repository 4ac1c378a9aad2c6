// What a model's initial state says about its contacts: which mass meets with which speed, under which load.
//
//   mass   1/m = f·(M⁻¹ f), f the generalised forces of a unit normal force, constraints kept
//   speed  v² = ġ² − 2 g̈ g, from the gap g, its rate and its acceleration: a fall from height g
//   load   m·(−g̈), what presses the surfaces together once they touch
//
// Where two surfaces are concentric (a journal in the middle of its bearing) no direction of contact is known
// yet; then that of gravity is taken, or x without gravity.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "tappet/contact/material.hpp"
#include "tappet/spec/spec.hpp"

namespace tappet {

struct ContactSituation {
  std::string name;
  ContactPair pair;  ///< elastic materials as far as known, radii
  double size = 1;   ///< what penetrations are compared with, m
  double mass = 0;   ///< kg; 0: neither surface can move along the normal
  double gap = 0;    ///< at the start, m; ≤ 0: touching
  std::optional<double>
      speed;        ///< of approach at first touch, m/s; 0: at rest on each other; none: they do not approach
  double load = 0;  ///< N; 0: nothing presses them together
  double sliding = 0;  ///< tangential speed at the start, m/s
};

/// A flexible body's modes.
struct FlexibleSituation {
  std::string name;
  std::vector<double> frequencies;  ///< Hz, ascending
  std::vector<std::vector<double>>
      compliances;  ///< of each direction of each interface, by modes: φ²/ω², m/N
};

struct Situations {
  std::vector<ContactSituation> contacts;
  std::vector<FlexibleSituation> flexible;
  double length = 1;  ///< m, the mechanism's: what tolerances are relative to
};

/// The laws of the contacts are of no account: a model whose laws still lack parameters will do. Throws
/// InputError for any other fault.
Situations contact_situations(const Spec& spec);

}  // namespace tappet
