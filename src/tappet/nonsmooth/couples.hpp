// Rolling and spinning resistance as set-valued laws of the non-smooth methods.
//
//   −M_r ∈ δ_r N Sgn(ω_r)      in space the disc of radius δ_r N, on its rim opposite to ω_r when ω_r ≠ 0; in the plane an interval
//   −M_s ∈ δ_s N Sgn(ω_n)      an interval
//
// N is the normal impulse of the contact, M the couple's impulse on the second body, ω_r and ω_n the relative angular velocity across and
// along the normal. At rest the couples hold: a ball stands on a slope while tan α < δ_r/R. There is no restitution.
//
// Couples are friction with another arm, so they enter the problem of cones as contacts: with a length ℓ the rows are velocities ℓ ω, the
// impulses M/ℓ and the coefficients δ/ℓ. The disc is that of N, though, which belongs to another block. A couple's own normal is therefore
// coupled to nothing but itself,
//
//   u_n = c (r_n − g),      which has the one solution r_n = g,
//
// and g = N is met by solving again with the N found, until it stays. N depends on couples only through bodies that touch several others,
// by about δ_r over the distance of these: a free ball needs no second time, and a factor of δ_r/R is gained each time elsewhere. In space a spin has one row too many: coupled to nothing either, and zero.
#pragma once

#include <vector>

#include <Eigen/Core>

#include "tappet/base/vectors.hpp"
#include "tappet/multibody/contact_point.hpp"
#include "tappet/nonsmooth/contact_solver.hpp"

namespace tappet {

struct Couple {
  int contact = 0;                              ///< whose normal impulse bounds it
  bool spins = false;                           ///< about the normal; else it resists rolling
  double length = 1;                            ///< ℓ, m
  double resistance = 0;                        ///< δ, m
  Vec3 axis[2] = {Vec3::Zero(), Vec3::Zero()};  ///< of ω; a spin and the plane have one

  /// δ/ℓ.
  RigidLaw law() const {
    const double mu = resistance / length;
    return {.friction = mu, .static_friction = mu};
  }
};

/// A block of a cone problem that is a couple.
struct CoupleBlock {
  int block = 0, of = 0;  ///< its number and that of its contact's
  double own = 1;         ///< c
};
/// Solves a problem with couples; their own rows of problem.b are set here. `given`: as ContactSolver::solve_above() takes it, or null.
lcp::Result solve_with_couples(ContactSolver& solver, const std::vector<CoupleBlock>& couples,
                               const Eigen::VectorXd* given, lcp::ConeProblem& problem, Eigen::VectorXd& P);

/// Calls f with each couple of a contact.
template <class F>
void for_each_couple(const RollingResistance& by, int contact, double length, bool planar, const Vec3& normal,
                     const Tangents& tangents, F&& f) {
  Couple out{.contact = contact, .length = length, .resistance = by.rolling};
  if (planar)
    out.axis[0] = Vec3::UnitZ();
  else
    out.axis[0] = tangents.t1, out.axis[1] = tangents.t2;
  if (by.rolling > 0) f(out);
  if (by.spinning > 0 && !planar)
    f(Couple{.contact = contact,
             .spins = true,
             .length = length,
             .resistance = by.spinning,
             .axis = {normal, Vec3::Zero()}});
}

}  // namespace tappet
