// Parameters of how a model is run and what is recorded of it.
#pragma once

#include <optional>
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
  std::string start = "given";        ///< or "static": the equilibrium nearest to the positions given
  double duration = not_given;        ///< s
  double tolerance = 1e-8;
  std::string integrator = "auto";
  double step = not_given;      ///< s; absent: chosen by the error
  std::string solver = "auto";  ///< moreau: of the contact problems
  double theta = 0.5;           ///< moreau
  double facets = not_given;    ///< moreau in space: corners of the friction polygon; absent: the cone
  double max_step = not_given;  ///< s
  std::vector<std::string> inactive = {};  ///< joints, motions, forces, contacts that are off at the start
  StabilisationParameters stabilisation = {};
  ContactDetectionParameters contact_detection = {};
};

/// A signal of the user's own: an expression of others.
struct MeasureParameters {
  std::string value = {};
  std::string unit = {};  ///< of the SI, such as "W"; "": a plain number
};

struct OutputParameters {
  double step = not_given;                ///< s; absent: a thousandth of the duration
  std::vector<std::string> signals = {};  ///< names or patterns; empty: all
  double fields = not_given;              ///< between records of whole structures, s; 0: none
  bool places = false;                    ///< of contacts with several places, each by itself as well
  NamedParameters measures = {};          ///< of MeasureParameters
};

/// A number that is set from outside between steps, and that expressions may use by its name.
struct InputParameters {
  double default_value = 0;  ///< in the unit
  std::string unit = {};     ///< of the SI, such as "N"; "": a plain number
};

/// What an event does.
struct ActionParameters {
  std::vector<std::string> activate = {}, deactivate = {};  ///< joints, motions, forces, contacts
  NamedNumbers set = {};                                    ///< inputs, in their units
  bool record = false;                                      ///< write a row there
  bool restart = false;                                     ///< the integrator begins anew
  bool once = false;                                        ///< at the first passage alone
};

/// The response to `input` of Σ bᵢ sⁱ/Σ aᵢ sⁱ.
struct TransferFunctionParameters {
  std::vector<double> numerator = {}, denominator = {};  ///< highest power first, SI
  std::string input = {};
};
/// A variable of the model's own.
struct StateParameters {
  std::string derivative = {};  ///< per s, of t, inputs, signals and states; or
  std::optional<TransferFunctionParameters> transfer_function = {};
  std::string unit = {};  ///< of the SI; "": a plain number
  double initial = 0;     ///< in the unit
  double scale = 1;       ///< in the unit: what is much for it
};

/// An FMU that sets inputs.
struct ControllerParameters {
  std::string fmu = {};     ///< its file
  double step = not_given;  ///< between two exchanges with it, s
  std::vector<std::string> inputs =
      {};  ///< its inputs and what they are, in turn: {"e", "target - crank.angle"}
  std::vector<std::string> outputs = {};  ///< its outputs and the inputs that they set, in turn
  NamedNumbers parameters = {};           ///< what it begins with, in its own units
};

struct EventParameters {
  std::string signal = {};         ///< position or velocity signal of a body
  std::string when = {};           ///< instead: an expression
  std::string level = "0";         ///< in the signal's unit
  std::string direction = "both";  ///< or "rising", "falling"
  bool stop = false;               ///< end the run there
  std::optional<ActionParameters> action = {};
};

}  // namespace tappet
