// Spherical joint: a point of each body coincides.   Φ = r_Pj − r_Pi   (3 rows)   [Nikravesh1988]
#include "tappet/multibody/clearance.hpp"
#include "tappet/multibody/joint.hpp"
#include "tappet/multibody/joint_friction.hpp"

namespace tappet::joints::spherical {
namespace {

class Spherical final : public Constraint {
 public:
  Vec3 pi, pj;
  void evaluate(const Kinematics& k, const ConstraintRows& out) const override {
    const SpatialFrame &fi = k.spatial[bodies[0]], &fj = k.spatial[bodies[1]];
    coincide(fi, SpatialPoint(fi, pi), fj, SpatialPoint(fj, pj), out);
  }
  std::optional<Vec3> reaction_point(const Kinematics& k) const override {
    return k.spatial[bodies[1]].point(pj);
  }
};

Joint make(const SphericalParameters&, const Origin&, const JointInput& in) {
  auto c = make_constraint<Spherical>(in, 3);
  c->pi = in.point3(0);
  c->pj = in.point3(1);
  Joint joint;
  joint.constraint = std::move(c);
  return joint;
}

const Registration<JointType> registered{{
    .name = "spherical",
    .equation = "r_Pj − r_Pi = 0",
    .citation = "Nikravesh1988",
    .table = spatial_only(table_of<SphericalParameters>(
        "a spherical joint", "A ball in a socket: three angles free",
        {{&SphericalParameters::bodies, bodies_parameter()},
         {&SphericalParameters::points, points_parameter()},
         {&SphericalParameters::clearance, clearance_parameter(ball_clearance_family())},
         {&SphericalParameters::friction, ball_friction_parameter()}})),
    .make = made_from<make>,
    .make_clearance = make_ball_clearance,
}};

}  // namespace
}  // namespace tappet::joints::spherical
