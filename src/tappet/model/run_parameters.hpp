// Parameters of how a model is run and what is recorded of it.
#pragma once

#include <string>
#include <vector>

#include "tappet/base/parameters.hpp"

namespace tappet {

struct StabilisationParameters {
  std::string type = "projection";  ///< or "baumgarte", "none"
  double alpha = 5, beta = 5;       ///< Baumgarte's, 1/s
};

struct ContactDetectionParameters {
  std::string strategy = "events";  ///< or "step-rejection"
  double penetration = 1e-9;        ///< step-rejection: largest first penetration, m
};

struct SimulationParameters {
  std::string method = "smooth";      ///< or "moreau", "event-driven"
  std::string impact_law = "newton";  ///< event-driven: or "poisson"
  double duration = not_given;        ///< s
  double tolerance = 1e-8;
  std::string integrator = "auto";
  double step = not_given;      ///< s; absent: chosen by the error
  std::string solver = "auto";  ///< moreau: of the contact problems
  double theta = 0.5;           ///< moreau
  double facets = not_given;    ///< moreau in space: corners of the friction polygon; absent: the cone
  double max_step = not_given;  ///< s
  StabilisationParameters stabilisation = {};
  ContactDetectionParameters contact_detection = {};
};

struct OutputParameters {
  double step = not_given;                ///< s; absent: a thousandth of the duration
  std::vector<std::string> signals = {};  ///< names or patterns; empty: all
  double fields = not_given;              ///< between records of whole structures, s; 0: none
};

/// A number that is set from outside between steps, and that expressions may use by its name.
struct InputParameters {
  double default_value = 0;  ///< in the unit
  std::string unit = {};     ///< of the SI, such as "N"; "": a plain number
};

struct EventParameters {
  std::string signal = {};         ///< position or velocity signal of a body
  std::string level = "0";         ///< in the signal's unit
  std::string direction = "both";  ///< or "rising", "falling"
  bool stop = false;               ///< end the run there
};

}  // namespace tappet
