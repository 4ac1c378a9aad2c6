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
  std::string axes_of = {};         ///< the body in whose axes the components are; "": by `axes`
};
struct TorqueParameters {
  std::string body = {};
  Formula torque = {};               ///< plane, N m, of t
  std::vector<Formula> vector = {};  ///< space, N m, of t
  std::string axes = "world";        ///< or "body"
  std::string reaction = {};
  std::string axes_of = {};  ///< the body in whose axes the components are; "": by `axes`
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
  std::vector<double> offset = {};   ///< (d, φ) without load, SI; empty: zero
  std::vector<double> preload = {};  ///< (F, T) there on the second body, SI; empty: zero
};
/// A rope from the first place through the others to the last.
struct CableParameters {
  std::vector<std::string> bodies = {};  ///< of each place
  std::vector<Vec3> points = {};         ///< m
  double stiffness = not_given;          ///< k, N/m
  double damping = 0;                    ///< c, N s/m
  double length = not_given;             ///< L₀, m; absent: as the bodies stand
};
/// A straight beam from a point of the first body to one of the second.
struct BeamParameters {
  std::array<std::string, 2> bodies = {};
  std::array<Vec3, 2> points = {no_vector, no_vector};  ///< m
  double young = not_given, shear = not_given;          ///< E, G, Pa
  double area = not_given;                              ///< A, m²
  std::vector<double> second_moments = {};              ///< plane: I; space: I_y, I_z; m⁴
  double torsion_constant = not_given;                  ///< space: J_t, m⁴
  double shear_area = not_given;                        ///< m²; absent: shear does not deform it
  double length = not_given;                            ///< without load, m; absent: as the bodies stand
  Vec3 up = no_vector;      ///< space: near its y-axis, on the first body; absent: any
  double damping_time = 0;  ///< τ, s: C = τ K
};

}  // namespace tappet
