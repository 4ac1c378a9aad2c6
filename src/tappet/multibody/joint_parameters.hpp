// Parameters of joints: bodies by name, `ground` among them, and points and directions in body coordinates.
// `zero` is the angle or displacement, as the bodies' own coordinates have it, that counts as 0.
#pragma once

#include <array>
#include <string>
#include <vector>

#include "tappet/base/parameters.hpp"

namespace tappet {

/// Ends of a joint's angle or displacement, where a normal law acts (limits.hpp).
struct AngleLimitsParameters {
  double from = not_given, to = not_given;  ///< rad, as the joint's angle counts; one of them may be absent
  double arm = 1;                           ///< m: the stop's distance from the axis, at which the law acts
  AnyParameters normal = {};                ///< law of the stop's force
};
struct DisplacementLimitsParameters {
  double from = not_given, to = not_given;  ///< m, as the joint's displacement counts
  AnyParameters normal = {};
};

struct RevoluteParameters {
  std::array<std::string, 2> bodies = {};               ///< first and second
  std::array<Vec3, 2> points = {no_vector, no_vector};  ///< the joint's point on each, m
  Vec3 axis = no_vector;                                ///< space: of the pin, on the first body; or
  std::array<Vec3, 2> axes = {no_vector, no_vector};    ///< space: on each body
  double zero = 0;                                      ///< rad
  AnyParameters clearance = {};                         ///< clearance.hpp; empty: the joint is ideal
  AnyParameters limits = {};                            ///< AngleLimitsParameters; empty: none
  AnyParameters friction = {};  ///< a law and its bearing (joint_friction.hpp); empty: none
};
struct TranslationalParameters {
  std::array<std::string, 2> bodies = {};
  std::array<Vec3, 2> points = {no_vector, no_vector};  ///< m
  Vec3 axis = no_vector;                                ///< of the slide, on the first body
  double zero = 0;                                      ///< m
  AnyParameters clearance = {};                         ///< empty: the joint is ideal
  AnyParameters limits = {};                            ///< DisplacementLimitsParameters; empty: none
  AnyParameters friction = {};  ///< a law and its bearing (joint_friction.hpp); empty: none
};
struct SphericalParameters {
  std::array<std::string, 2> bodies = {};
  std::array<Vec3, 2> points = {no_vector, no_vector};  ///< m
  AnyParameters clearance = {};                         ///< empty: the joint is ideal
  AnyParameters friction = {};  ///< a law and its bearing (joint_friction.hpp); empty: none
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
  AnyParameters limits = {};                            ///< AngleLimitsParameters; empty: none
  AnyParameters limits_displacement = {};               ///< DisplacementLimitsParameters; empty: none
  AnyParameters friction = {};  ///< a law and its bearing (joint_friction.hpp); empty: none
};
struct ScrewParameters {
  std::array<std::string, 2> bodies = {};
  std::array<Vec3, 2> points = {no_vector, no_vector};  ///< m
  Vec3 axis = no_vector;                                ///< on the first body; or
  std::array<Vec3, 2> axes = {no_vector, no_vector};    ///< on each
  double pitch = not_given;                             ///< m per turn
  double zero = 0;                                      ///< of the angle, rad
  double zero_displacement = 0;                         ///< m
  AnyParameters limits = {};                            ///< AngleLimitsParameters; empty: none
  AnyParameters limits_displacement = {};               ///< DisplacementLimitsParameters; empty: none
};
struct ConstantVelocityParameters {
  std::array<std::string, 2> bodies = {};
  std::array<Vec3, 2> points = {no_vector, no_vector};  ///< m
  std::array<Vec3, 2> axes = {no_vector, no_vector};    ///< of the shafts, each away from the joint
};
struct InPlaneParameters {
  std::array<std::string, 2> bodies = {};
  std::array<Vec3, 2> points = {no_vector, no_vector};  ///< m
  Vec3 axis = no_vector;                                ///< the plane's normal, on the first body
};
struct PerpendicularParameters {
  std::array<std::string, 2> bodies = {};
  std::array<Vec3, 2> axes = {no_vector, no_vector};  ///< a direction on each
};
struct ParallelParameters {
  std::array<std::string, 2> bodies = {};
  std::array<Vec3, 2> axes = {no_vector, no_vector};  ///< a direction on each
};
struct PointOnCurveParameters {
  std::array<std::string, 2> bodies = {};
  Vec3 point = no_vector;        ///< on the second body, m
  std::vector<Vec3> curve = {};  ///< points of the curve on the first, m
  bool closed = false;
};
struct CurveOnCurveParameters {
  std::array<std::string, 2> bodies = {};
  std::vector<Vec3> curve = {},
                    second_curve = {};  ///< points of the curves on the first and on the second, m
  bool closed = false, second_closed = false;
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
  AnyParameters friction = {};  ///< a law and its bearing (joint_friction.hpp); empty: none
};
struct GearParameters {
  std::array<std::string, 2> joints = {};  ///< two with an angle
  double ratio = not_given;                ///< angle of the first per angle of the second
  double backlash = not_given;             ///< m along the pitch circle, all of it; absent: none
  double radius = not_given;               ///< m: pitch radius of the first joint's wheel; with backlash
  AnyParameters normal = {};               ///< law of the teeth's force; with backlash
};
struct RackParameters {
  std::array<std::string, 2> joints = {};  ///< the pinion's, then the rack's
  double radius = not_given;               ///< m: displacement per angle
  double backlash = not_given;             ///< m, all of it; absent: none
  AnyParameters normal = {};               ///< law of the teeth's force; with backlash
};
struct CouplerParameters {
  std::vector<std::string> joints = {};  ///< two or three
  double ratio = not_given;         ///< two with a displacement: that of the first per that of the second; or
  std::vector<double> scales = {};  ///< one per joint: Σ scale · coordinate stays what it was
};

}  // namespace tappet
