#include "tappet/fem/readers/inp_elements.hpp"

#include <map>

#include <fmt/format.h>

#include "tappet/base/diagnostics.hpp"
#include "tappet/base/text.hpp"

namespace tappet::fem::inp {

std::optional<ElementFamily> family_of(const std::string& type) {
  using enum CellShape;
  using enum CellUse;
  static const std::map<std::string, ElementFamily> known = {{"C3D4", {tetrahedron}},
                                                             {"C3D6", {wedge}},
                                                             {"C3D8", {hexahedron}},
                                                             {"C3D10", {tetrahedron10}},
                                                             {"C3D15", {wedge15}},
                                                             {"C3D20", {hexahedron20}},
                                                             {"C3D27", {hexahedron20, any, 27}},
                                                             {"SC6", {wedge}},
                                                             {"SC8", {hexahedron}},
                                                             {"CSS8", {hexahedron}},
                                                             {"S3", {triangle}},
                                                             {"S4", {quadrangle}},
                                                             {"S6", {triangle6}},
                                                             {"S8", {quadrangle8}},
                                                             {"S9", {quadrangle8, any, 9}},
                                                             {"STRI3", {triangle}},
                                                             {"STRI65", {triangle6}},
                                                             {"US3", {triangle}},
                                                             {"M3D3", {triangle}},
                                                             {"M3D4", {quadrangle}},
                                                             {"M3D6", {triangle6}},
                                                             {"M3D8", {quadrangle8}},
                                                             {"M3D9", {quadrangle8, any, 9}},
                                                             {"B21", {line}},
                                                             {"B22", {line3}},
                                                             {"B23", {line}},
                                                             {"B31", {line}},
                                                             {"B32", {line3}},
                                                             {"B33", {line}},
                                                             {"PIPE31", {line}},
                                                             {"PIPE32", {line3}},
                                                             {"T2D2", {line}},
                                                             {"T3D2", {line}},
                                                             {"T3D3", {line3}},
                                                             {"SPRINGA", {line}},
                                                             {"MASS", {point}},
                                                             {"CPS3", {triangle, plane_stress}},
                                                             {"CPS4", {quadrangle, plane_stress}},
                                                             {"CPS6", {triangle6, plane_stress}},
                                                             {"CPS8", {quadrangle8, plane_stress}},
                                                             {"CPE3", {triangle, plane_strain}},
                                                             {"CPE4", {quadrangle, plane_strain}},
                                                             {"CPE6", {triangle6, plane_strain}},
                                                             {"CPE8", {quadrangle8, plane_strain}},
                                                             {"CAX3", {triangle, axisymmetric}},
                                                             {"CAX4", {quadrangle, axisymmetric}},
                                                             {"CAX6", {triangle6, axisymmetric}},
                                                             {"CAX8", {quadrangle8, axisymmetric}},
                                                             {"R2D2", {line, marks}},
                                                             {"RB3D2", {line, marks}},
                                                             {"R3D3", {triangle, marks}},
                                                             {"R3D4", {quadrangle, marks}},
                                                             {"SFM3D3", {triangle, marks}},
                                                             {"SFM3D4", {quadrangle, marks}},
                                                             {"SFM3D6", {triangle6, marks}},
                                                             {"SFM3D8", {quadrangle8, marks}},
                                                             {"RAX2", {line, marks}},
                                                             {"RB2D2", {line, marks}},
                                                             {"DC3D4", {tetrahedron, any, 0, true}},
                                                             {"DC3D6", {wedge, any, 0, true}},
                                                             {"DC3D8", {hexahedron, any, 0, true}},
                                                             {"DC3D10", {tetrahedron10, any, 0, true}},
                                                             {"DC3D15", {wedge15, any, 0, true}},
                                                             {"DC3D20", {hexahedron20, any, 0, true}},
                                                             {"AC3D4", {tetrahedron, any, 0, true}},
                                                             {"AC3D6", {wedge, any, 0, true}},
                                                             {"AC3D8", {hexahedron, any, 0, true}},
                                                             {"AC3D10", {tetrahedron10, any, 0, true}},
                                                             {"AC3D15", {wedge15, any, 0, true}},
                                                             {"AC3D20", {hexahedron20, any, 0, true}},
                                                             {"DC2D3", {triangle, any, 0, true}},
                                                             {"DC2D4", {quadrangle, any, 0, true}},
                                                             {"DC2D6", {triangle6, any, 0, true}},
                                                             {"DC2D8", {quadrangle8, any, 0, true}},
                                                             {"DS3", {triangle, any, 0, true}},
                                                             {"DS4", {quadrangle, any, 0, true}},
                                                             {"DS6", {triangle6, any, 0, true}},
                                                             {"DS8", {quadrangle8, any, 0, true}},
                                                             {"DCAX3", {triangle, axisymmetric, 0, true}},
                                                             {"DCAX4", {quadrangle, axisymmetric, 0, true}},
                                                             {"DCAX6", {triangle6, axisymmetric, 0, true}},
                                                             {"DCAX8", {quadrangle8, axisymmetric, 0, true}}};
  std::size_t best = 0;
  std::optional<ElementFamily> out;
  for (const auto& [name, family] : known)
    if (type.starts_with(name) && name.size() > best) {
      // C3D8R is a C3D8, C3D80 would not be.
      if (type.size() > name.size() && is_digit(type[name.size()])) continue;
      best = name.size();
      out = family;
    }
  if (out && out->nodes == 0) out->nodes = node_count(out->shape);
  return out;
}

bool left_out(const std::string& type) {
  for (const char* name : {"SPRING", "DASHPOT", "GAP", "CONN", "DCOUP", "ROTARYI", "JOINTC", "HEATCAP",
                           "DIST", "COH", "ITS", "SLIDE", "PSI", "INTER", "GK", "FRAME3", "COUP"})
    if (type.starts_with(name)) return true;
  if (type == "D") return true;                                   // of a network of pipes
  return type.size() > 1 && type[0] == 'U' && is_digit(type[1]);  // users' own
}

std::string why_not(const std::string& type) {
  const auto begins = [&](const char* name) { return type.starts_with(name); };
  const auto say = [&](const char* what) {
    return fmt::format("elements of type {} are {}, which is not computed here", quote(type), what);
  };
  if (begins("F3D") || begins("FC3D") || begins("F2D")) return say("those of a flow");
  if (begins("DC") || begins("DS") || begins("D1")) return say("those of heat");
  if (begins("AC")) return say("those of sound");
  if (begins("EC3D") || begins("PC3D") || begins("PD3D")) return say("those of matter that leaves its mesh");
  if (begins("CIN")) return say("infinite ones");
  if (begins("SAX") || begins("MAX") || begins("CGAX") || begins("SAXA") || begins("CAXA"))
    return say("shells, membranes or twisted solids of revolution");
  return fmt::format(
      "elements of type {} are not known; C3D4, C3D6, C3D8, C3D10, C3D15, C3D20, S3, S4, S6, S8, CPS3 to "
      "CPS8, CPE3 to "
      "CPE8, CAX3 to CAX8, B31, B32, T3D2, SPRINGA and MASS are, with their variants",
      quote(type));
}

}  // namespace tappet::fem::inp
