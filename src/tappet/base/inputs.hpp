// Where what changes while a model runs may be used: its inputs, numbers that are set from outside between steps, and its signals and
// states.
#pragma once

namespace tappet {

/// Signals count as what they depend on at one instant: places and speeds with the states; forces of contacts by their laws; and all
/// else, reactions and accelerations, which every force decides on.
enum class Inputs {
  refused,
  alone,    ///< inputs, and no signals
  law,      ///< what places and speeds tell: the law of a contact, an event
  speed,    ///< of these what has a known rate: a prescribed speed
  allowed,  ///< forces of contacts too: a force
  all       ///< reactions and accelerations too: the rate of a state
};

}  // namespace tappet
