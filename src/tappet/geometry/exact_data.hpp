// What OpenCASCADE holds of a solid. Included only by files that are compiled with OpenCASCADE.
#pragma once

#include <TopoDS_Shape.hxx>
#include <gp_Pnt.hxx>
#include <gp_Vec.hxx>

#include "tappet/base/vectors.hpp"

namespace tappet {

struct ExactData {
  TopoDS_Shape shape;
};

inline Vec3 vec3(const gp_Pnt& p) {
  return {p.X(), p.Y(), p.Z()};
}
inline Vec3 vec3(const gp_Vec& v) {
  return {v.X(), v.Y(), v.Z()};
}

}  // namespace tappet
