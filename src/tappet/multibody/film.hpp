// Oil films in joints with play; of a revolute joint: the force and the couples of a film law (contact/film_law.hpp) on journal and bearing.
//
// In the frame of the bearing, with a its axis, P_j the journal's centre and e from the bearing's axis to it:
//
//   w = v_rel − ½ (ω_j − ω_i)·a  a×e,     v_rel the velocity of P_j against the bearing's material there, across a
//
// which is ė − ½ (ω_j + ω_i) ẑ×e in the plane. The journal gets F at P_j and −M_C a − ½ e×F, the bearing −F at P_j − e and
// M_C a − ½ e×F. F·v_j + … = −(D_P + D_C).
//
// A journal that tilts in space feels the film of each of n slices, at Gauss' points x of its length: the law of the whole length with
// the weight ¾ (1 − x²) of a short film's pressure (a long film's is even along the length), so that an aligned journal feels what
// it feels in the plane, whatever n. What oil flows from one slice to the next because of the tilt is neglected: good for short bearings
// and small tilt.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "tappet/contact/film_law.hpp"
#include "tappet/multibody/force.hpp"

namespace tappet {

struct Mechanism;

/// The part of the clearance at which thin_damping() is.
inline constexpr double thin_part = 0.9;

/// A film at one instant.
struct FilmInstant {
  double eccentricity = 0;    ///< ε, the largest along the journal
  double min_film = 0;        ///< thinnest gap, m
  double couple = 0;          ///< M_C, N m
  double power_loss = 0;      ///< D_P + D_C, W
  double side_flow = 0;       ///< m³/s
  Vec3 force = Vec3::Zero();  ///< on the journal, world, N
};

/// The oil in one joint, whatever its shape.
class FilmElement : public ForceElement {
 public:
  virtual FilmInstant instant(const Kinematics& k) const = 0;
  /// How it resists at nine tenths of the clearance, N s/m.
  virtual double thin_damping() const = 0;
};

class JournalFilm final : public FilmElement {
 public:
  struct Slice {
    double along = 0;                           ///< place on the journal's axis from its centre, m
    double force_weight = 1, shear_weight = 1;  ///< both sum to 1
  };

  Dimension dimension = Dimension::planar;
  Vec3 pi = Vec3::Zero(), pj = Vec3::Zero();            ///< centres, in the bodies' axes
  Vec3 axis_i = Vec3::UnitZ(), axis_j = Vec3::UnitZ();  ///< in the bodies' axes
  double half_length = 0;                               ///< of a journal that may tilt; 0: it does not
  std::shared_ptr<const FilmLaw> law;
  std::vector<Slice> slices;

  void apply(const Kinematics& k, ForceSum& sum) const override;
  std::string formula(const Kinematics& k) const override;
  FilmInstant instant(const Kinematics& k) const override;
  double thin_damping() const override;

 private:
  struct Section {
    Vec3 e = Vec3::Zero(), at = Vec3::Zero(),
         axis = Vec3::UnitZ();     ///< world; `at` the journal's centre there
    std::array<Vec3, 2> across{};  ///< axes of the law's plane
    FilmInput in;
  };
  Section section(const Kinematics& k, double along) const;
  FilmOutput evaluate(const Kinematics& k, const FilmInput& in) const;
};

/// n slices: Gauss' points and weights, with that of the pressure along the length.
std::vector<JournalFilm::Slice> film_slices(int n, double length, bool even_pressure);

/// For each film, how long the steps of an explicit integrator may be: 2 m/C at nine tenths of the clearance, m the mass that it moves.
void note_explicit_steps(const Mechanism& mechanism, std::vector<std::string>& notes);

}  // namespace tappet
