// Parameters of joints: bodies by name, `ground` among them, and points and directions in body coordinates.
// `zero` is the angle or displacement, as the bodies' own coordinates have it, that counts as 0.
#pragma once

#include <array>
#include <string>

#include "tappet/base/parameters.hpp"

namespace tappet {

struct RevoluteParameters {
  std::array<std::string, 2> bodies = {};               ///< first and second
  std::array<Vec3, 2> points = {no_vector, no_vector};  ///< the joint's point on each, m
  Vec3 axis = no_vector;                                ///< space: of the pin, on the first body; or
  std::array<Vec3, 2> axes = {no_vector, no_vector};    ///< space: on each body
  double zero = 0;                                      ///< rad
  AnyParameters clearance = {};                         ///< clearance.hpp; empty: the joint is ideal
};
struct TranslationalParameters {
  std::array<std::string, 2> bodies = {};
  std::array<Vec3, 2> points = {no_vector, no_vector};  ///< m
  Vec3 axis = no_vector;                                ///< of the slide, on the first body
  double zero = 0;                                      ///< m
  AnyParameters clearance = {};                         ///< empty: the joint is ideal
};
struct SphericalParameters {
  std::array<std::string, 2> bodies = {};
  std::array<Vec3, 2> points = {no_vector, no_vector};  ///< m
  AnyParameters clearance = {};                         ///< empty: the joint is ideal
};
struct FixedParameters {
  std::array<std::string, 2> bodies = {};
  std::array<Vec3, 2> points = {no_vector, no_vector};  ///< m
};
struct DistanceParameters {
  std::array<std::string, 2> bodies = {};
  std::array<Vec3, 2> points = {no_vector, no_vector};  ///< m
  double length = not_given;                            ///< m; absent: as the bodies stand
};
struct PointOnLineParameters {
  std::array<std::string, 2> bodies = {};
  std::array<Vec3, 2> points = {no_vector, no_vector};  ///< m
  Vec3 axis = no_vector;                                ///< of the line, on the first body
  double zero = 0;                                      ///< m
};
struct CylindricalParameters {
  std::array<std::string, 2> bodies = {};
  std::array<Vec3, 2> points = {no_vector, no_vector};  ///< m
  Vec3 axis = no_vector;                                ///< on the first body; or
  std::array<Vec3, 2> axes = {no_vector, no_vector};    ///< on each
  double zero = 0;                                      ///< of the angle, rad
  double zero_displacement = 0;                         ///< m
};
struct PlanarJointParameters {
  std::array<std::string, 2> bodies = {};
  std::array<Vec3, 2> points = {no_vector, no_vector};  ///< m
  Vec3 axis = no_vector;                                ///< the plane's normal, on the first body; or
  std::array<Vec3, 2> axes = {no_vector, no_vector};    ///< on each
  double zero = 0;                                      ///< of the angle, rad
};
struct UniversalParameters {
  std::array<std::string, 2> bodies = {};
  std::array<Vec3, 2> points = {no_vector, no_vector};  ///< m
  std::array<Vec3, 2> axes = {no_vector, no_vector};    ///< of the cross, on each body
};
struct GearParameters {
  std::array<std::string, 2> joints = {};  ///< two with an angle
  double ratio = not_given;                ///< angle of the first per angle of the second
};
struct RackParameters {
  std::array<std::string, 2> joints = {};  ///< the pinion's, then the rack's
  double radius = not_given;               ///< m: displacement per angle
};
struct CouplerParameters {
  std::array<std::string, 2> joints = {};  ///< two with a displacement
  double ratio = not_given;                ///< displacement of the first per displacement of the second
};

}  // namespace tappet
