// Wear: how fast surfaces that slide under pressure lose depth.
//
// A law in wear/ gives the rate of the depth of either surface, ḋ ≥ 0 in m/s, from the pressure p ≥ 0 in Pa and the speed of sliding v in
// m/s at one place. Where it is evaluated, and what the lost depth does to the pressure, is the joint's (multibody/foundation.hpp).
#pragma once

#include <array>
#include <memory>
#include <string>

#include "tappet/base/diagnostics.hpp"
#include "tappet/base/parameters.hpp"
#include "tappet/base/registry.hpp"

namespace tappet {

/// How far wear runs ahead of the motion, and how long it is followed.
struct WearSchedule {
  double extrapolate = 1;   ///< each cycle that is run stands for so many; with `update`: at most
  std::string update = {};  ///< "every 1 rev": a cycle, whose worth follows from the error; "": it is fixed
  double tolerance = 0.02;  ///< with `update`: error of the depth over the depth that is worn
  double life = not_given;  ///< depth at which a surface is worn out, m
  Origin origin = {};       ///< where all this was written
};

class WearLaw {
 public:
  virtual ~WearLaw() = default;
  /// ḋ of the first and of the second surface, m/s.
  virtual std::array<double, 2> depth_rates(double pressure, double speed) const = 0;
  /// Does this surface wear at all?
  virtual bool wears(int side) const = 0;
  WearSchedule schedule;
};

struct WearLawType {
  std::string name;      ///< as in `wear: {law: ...}`
  std::string help;      ///< one line
  std::string equation;  ///< UTF-8, one or more lines
  std::string citation;  ///< keys of docs/references.bib
  Table table;
  std::unique_ptr<WearLaw> (*make)(const AnyParameters&, Diagnostics&) = nullptr;
};

using WearLawRegistry = Registry<WearLawType>;

/// The mapping `wear: {law: NAME, ...}`, `archard` when no law is named; also registered as the family "wear".
const Family& wear_law_family();

/// Null after an error was reported.
std::unique_ptr<WearLaw> make_wear_law(const AnyParameters& parameters, Diagnostics& diagnostics);

}  // namespace tappet
