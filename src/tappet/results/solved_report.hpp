// Equilibrium and natural modes of structures as one page, in the design of the reports of runs.
#pragma once

#include <string>
#include <vector>

#include "tappet/base/vectors.hpp"
#include "tappet/fem/fields.hpp"
#include "tappet/spec/spec.hpp"

namespace tappet {

/// A figure with its name and unit; "" for a count.
struct SolvedFact {
  std::string label;
  double value = 0;
  std::string unit;
};

struct SolvedCase {
  std::string name;
  double frequency = -1;                ///< Hz; < 0: an equilibrium
  std::vector<fem::Fields> structures;  ///< like SolvedReport::meshes
  std::vector<Vec3> moved, turned;      ///< of each body: m, and a rotation vector in world axes
  std::vector<SolvedFact> facts;
};

struct SolvedReport {
  std::vector<fem::FieldMesh> meshes;
  struct Body {
    std::string name;
    Vec3 place = Vec3::Zero();
    double turn[4] = {1, 0, 0, 0};
  };
  std::vector<Body> bodies;
  std::vector<SolvedFact> facts;  ///< of the whole
  std::vector<SolvedCase> cases;
  std::vector<std::string> warnings;
};

/// Writes the page to `file`. Throws InputError with a sentence if it cannot.
void write_solved_report(const SolvedReport& report, const Spec& spec, const std::string& file);

}  // namespace tappet
