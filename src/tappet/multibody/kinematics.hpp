// Where every body is and how it moves, in world axes: the first stage of every evaluation.
//
// Coordinates of a body (positions q, velocities u):
//   planar   q = (x, y, θ)                 u = (ẋ, ẏ, θ̇)
//   spatial  q = (x, y, z, e0, e1, e2, e3)  u = (ẋ, ẏ, ż, ω′x, ω′y, ω′z)
// Behind those of all bodies follow the elastic coordinates of flexible ones and their rates (flexible_body.hpp).
// (x, y, z) is the centre of mass in world axes, e the unit quaternion that turns body axes into world axes, ω′ the
// angular velocity in body axes [Flores & Ambrósio 2004, eqs 1–2].
#pragma once

#include <cstring>
#include <vector>

#include <Eigen/Geometry>

#include "tappet/base/table.hpp"
#include "tappet/base/vectors.hpp"

namespace tappet {

/// A vector of two numbers just computed. `Vec2(x, y)` writes them one by one, and who then reads both at once waits until
/// they have reached the memory: a sixth of a planar mechanism's right-hand side.
inline Vec2 pair(double x, double y) {
  const double __attribute__((vector_size(16))) both = {x, y};
  Vec2 out;
  std::memcpy(out.data(), &both, sizeof both);
  return out;
}

struct PlanarFrame {
  Vec2 r = Vec2::Zero();  ///< centre of mass, m
  double c = 1, s = 0;    ///< cos θ, sin θ
  double theta = 0;       ///< rad, not wrapped
  Vec2 v = Vec2::Zero();  ///< m/s
  double w = 0;           ///< rad/s

  Vec2 turn(const Vec2& body) const { return pair(c * body.x() - s * body.y(), s * body.x() + c * body.y()); }
  /// World position of a point given in body coordinates.
  Vec2 point(const Vec2& body) const { return r + turn(body); }
};

struct SpatialFrame {
  Vec3 r = Vec3::Zero();       ///< centre of mass, m
  Mat3 R = Mat3::Identity();   ///< body axes to world axes
  Vec3 v = Vec3::Zero();       ///< m/s
  Vec3 w = Vec3::Zero();       ///< angular velocity, world axes, rad/s
  Vec3 w_body = Vec3::Zero();  ///< the same in body axes, ω′

  Vec3 point(const Vec3& body) const { return r + R * body; }
};

struct ContactState;
struct FlexibleBodies;
class SignalFeed;

/// Where a frame of a flexible body is that follows something along its faces (flexible_faces.hpp).
struct FaceFoot {
  int face = -1;
  double weight[3] = {};  ///< of the face's nodes
};

/// Frames of all bodies and of what flexible ones carry; the last one is the ground. Filled by update_kinematics().
struct Kinematics {
  Dimension dimension = Dimension::planar;
  double t = 0;
  const double* z = nullptr;  ///< auxiliary variables of the state (windings, prescribed motions, ledger)
  const ContactState* contacts = nullptr;  ///< what the mechanism's contacts remember, one each
  const double* inputs =
      nullptr;  ///< of the model, and behind them what its expressions read; null: defaults
  const double* input_rates = nullptr;  ///< how fast these change, as far as it is known; null: not at all
  const int* off = nullptr;             ///< which switches are off; null: none (Mechanism::switches)
  const double *elastic_q = nullptr, *elastic_u = nullptr;  ///< displacements and velocities of elastic parts
  const FlexibleBodies* flexible = nullptr;                 ///< of the mechanism; null: there are none
  std::vector<double> modal_q, modal_u;  ///< their elastic coordinates and the rates of these
  std::vector<FaceFoot> feet;            ///< of theirs; one for each frame that follows something
  std::vector<PlanarFrame>
      planar;  ///< one per body, per interface of flexible ones, and ground; empty in space
  std::vector<SpatialFrame> spatial;  ///< likewise; empty in the plane

  const SignalFeed* feed = nullptr;      ///< fills what expressions read; null: they read nothing but inputs
  const double* set_inputs = nullptr;    ///< where there is a feed: of the model, as set; null: defaults
  std::vector<double> read, read_rates;  ///< `inputs` and `input_rates` where there is a feed
};

/// Inputs as they are set from outside.
inline void take_inputs(Kinematics& k, const double* inputs) {
  (k.feed ? k.set_inputs : k.inputs) = inputs;
}

/// Sizes of one body's block in q and in u.
inline int position_size(Dimension d) {
  return d == Dimension::planar ? 3 : 7;
}
inline int velocity_size(Dimension d) {
  return d == Dimension::planar ? 3 : 6;
}

/// Makes room for `bodies` bodies and the ground.
void resize(Kinematics& kinematics, Dimension dimension, int bodies);
/// Of these bodies `flexible` ones bend: for what they carry as well. They must outlive the frames.
void resize(Kinematics& kinematics, Dimension dimension, int bodies, const FlexibleBodies& flexible);

/// Fills all frames from (t, q, u), and what expressions read there.
void update_kinematics(Kinematics& kinematics, double t, const double* q, const double* u, const double* z);

/// q̇ from u (planar: the same; spatial: ė = ½ e ∘ ω′).
void position_rates(Dimension dimension, int bodies, const double* q, const double* u, double* qdot);

/// q := q ⊕ d, d in the coordinates of u (spatial: the quaternion is turned by the rotation vector in body axes, and
/// normalised).
void displace(Dimension dimension, int bodies, double* q, const double* d);

Mat3 rotation_of(const double* quaternion);

}  // namespace tappet
