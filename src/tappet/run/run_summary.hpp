// What there is to say about a run when it is over.
#pragma once

#include <string>
#include <vector>

namespace tappet {

struct RunSummary {
  bool completed = false;
  std::string stop_reason;  ///< why a run stopped before its end, a sentence; empty when completed
  double t_end = 0;         ///< time reached
  double wall_seconds = 0;  ///< the simulation loop alone
  long steps = 0, rejected = 0, evaluations = 0;
  long samples = 0, impacts = 0, events = 0;
  int bodies = 0, constraints = 0, redundant = 0, degrees_of_freedom = 0;
  double energy_residual = 0;        ///< largest |residual| of the ledger, relative to the energy that moved
  double max_first_penetration = 0;  ///< m
  double love_ratio = 0;             ///< largest impact speed over Love's limit; 0: none is known
  double constraint_violation = 0;   ///< largest |Φ| at the end of a step, m (angles in rad)
  std::string method, integrator;    ///< what ran ("auto" resolved)
  std::vector<std::string>
      notes;  ///< what was derived or assumed: stiffness from materials, redundant joints, ...
  std::vector<std::string> warnings;  ///< what the user should look at
};

}  // namespace tappet
