// Element types of Abaqus and CalculiX: what each is as a cell. Private to readers/.
#pragma once

#include <optional>
#include <string>

#include "tappet/fem/mesh.hpp"

namespace tappet::fem::inp {

struct ElementFamily {
  CellShape shape;
  CellUse use = CellUse::any;
  int nodes =
      0;  ///< that a line lists; those beyond the shape's own are dropped. 0: as many as the shape has
  bool other_physics =
      false;  ///< of heat or sound: the cell is a structure's only where a model file says so
};

/// Families by the beginning of the type's name, in capitals; the longest that fits counts.
std::optional<ElementFamily> family_of(const std::string& type);

/// Springs, gaps and couplings between nodes, which the model file has its own words for, and elements without stiffness:
/// left out with a warning.
bool left_out(const std::string& type);

/// Of a type that is no family: "is one of fluids", or that it is not known, with those that are.
std::string why_not(const std::string& type);

}  // namespace tappet::fem::inp
