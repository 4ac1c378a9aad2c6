// Imports statements of an Adams data set and runs the model.
#pragma once

#include <string>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "support/run_model.hpp"
#include "tappet/imports/adams.hpp"
#include "tappet/spec/spec.hpp"

namespace tappet::testing {

/// The head of a data set in SI units, with PART/1, the ground, and MARKER/10 on it.
inline const std::string adams_head =
    "title\nUNITS/FORCE=NEWTON, MASS=KILOGRAM, LENGTH=METER, TIME=SECOND\nPART/1, GROUND\nMARKER/10, "
    "PART=1\n";
inline const std::string adams_head_in_mm =
    "title\nUNITS/FORCE=NEWTON, MASS=KILOGRAM, LENGTH=MILLIMETER, TIME=MILLISECOND\nPART/1, "
    "GROUND\nMARKER/10, "
    "PART=1\n";

inline Recording run_adams(const std::string& statements, double duration,
                           const std::string& head = adams_head) {
  const ImportedModel import = import_adams_text(head + statements, "test.adm");
  const std::string text = to_yaml(import.model);
  SCOPED_TRACE(text);
  return run_text(text, {fmt::format("simulation.duration={}", duration),
                         fmt::format("output.step={}", duration / 10), "simulation.tolerance=1e-11"});
}

/// A body of unit mass on the world's axes: PART/2 with marker 20 at its centre, which is at (x, y, z).
inline std::string adams_mass_at(const std::string& place, const std::string& more = "") {
  return fmt::format("PART/2, MASS=1, CM=20, IP=1,2,2.5{}\nMARKER/20, PART=2, QP={}\n", more, place);
}

}  // namespace tappet::testing
