// Parameters of forces: bodies and joints by name, points in body coordinates.
#pragma once

#include <array>
#include <string>
#include <vector>

#include "tappet/base/parameters.hpp"

namespace tappet {

struct ForceParameters {
  std::string body = {};
  Vec3 point = no_vector;           ///< m; absent: the centre of mass
  std::vector<Formula> force = {};  ///< components, N, of t
  std::string axes = "world";       ///< or "body"
  std::string reaction = {};        ///< the body that takes the opposite; "": nobody
};
struct TorqueParameters {
  std::string body = {};
  Formula torque = {};               ///< plane, N m, of t
  std::vector<Formula> vector = {};  ///< space, N m, of t
  std::string axes = "world";        ///< or "body"
  std::string reaction = {};
};
struct ExpressionForceParameters {
  std::string body = {};
  Vec3 point = no_vector;                 ///< m; absent: the centre of mass
  std::string fx = {}, fy = {}, fz = {};  ///< N, of t and of the point's position and velocity
  std::string reaction = {};
};
struct SpringDamperParameters {
  std::array<std::string, 2> bodies = {};
  std::array<Vec3, 2> points = {no_vector, no_vector};  ///< m
  double stiffness = not_given;                         ///< k, N/m
  double damping = not_given;                           ///< c, N s/m
  double length = not_given;                            ///< ℓ₀, m; absent: as the bodies stand
  Formula force = {};  ///< pull instead of k and c, N, of x (elongation), v (its rate) and t
};
struct RotationalSpringDamperParameters {
  std::string joint = {};        ///< with one angle
  double stiffness = not_given;  ///< k, N m/rad
  double damping = not_given;    ///< b, N m s/rad
  double angle = 0;              ///< c₀, rad
  Formula torque = {};           ///< moment instead of k and b, N m, of x (angle turned), v (its rate) and t
};
struct TranslationalSpringDamperParameters {
  std::string joint = {};        ///< with one displacement
  double stiffness = not_given;  ///< k, N/m
  double damping = not_given;    ///< b, N s/m
  double displacement = 0;       ///< c₀, m
  Formula force = {};            ///< instead of k and b, N, of x (displacement from c₀), v (its rate) and t
};
struct BushingParameters {
  std::array<std::string, 2> bodies = {};
  std::array<Vec3, 2> points = {no_vector, no_vector};  ///< m
  std::vector<std::vector<double>> stiffness = {};      ///< K, SI; or
  std::vector<double> stiffness_diagonal = {};
  std::vector<std::vector<double>> damping = {};  ///< C, SI; or
  std::vector<double> damping_diagonal = {};
};

}  // namespace tappet
