// Clearance as one key on an ideal joint. Three ways to model it [FloresAmbrosio2004, section 1]:
//
//   contact         the two surfaces collide: a normal law and a friction law act where they touch
//   spring-damper   a linear spring and damper act once the play is used up
//   massless-link   a rigid massless link as long as the radial play joins the two centres
//   foundation      both surfaces press on each other along their circumference, as a bed of springs, and may wear (revolute, planar)
//
// For assembly every joint with clearance counts as ideal.
#pragma once

#include <array>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "tappet/contact/material_pairs.hpp"
#include "tappet/multibody/contact_point.hpp"
#include "tappet/multibody/film.hpp"
#include "tappet/multibody/foundation.hpp"
#include "tappet/multibody/joint.hpp"

namespace tappet {

// Parameters, m: a journal in the first body's bearing, a ball in its socket, a slider in its guide.

struct JournalContactParameters {
  double bearing_radius = not_given, journal_radius = not_given;
  double length = not_given;      ///< of the journal in its bearing; absent: the axes stay parallel
  double axial_play = not_given;  ///< space: between shoulders; absent: none
  double shoulder_radius =
      not_given;     ///< outer, of the shoulders' rings; absent: they have no friction torque
  int sections = 3;  ///< along the length at which the law acts; methods with forces
  std::array<std::string, 2> materials = {};
  AnyParameters normal = {}, friction = {};
  AnyParameters lubricant = {};  ///< an oil film's law; absent: dry
  AnyParameters mixed = {};      ///< MixedFilmParameters; absent: film and dry contact each for itself
};
struct JournalSpringParameters {
  double bearing_radius = not_given, journal_radius = not_given, length = not_given, axial_play = not_given;
  double stiffness = not_given;  ///< N/m
  double damping = 0;            ///< N s/m
  AnyParameters friction = {};   ///< a regularised law; absent: none
};
struct JournalLinkParameters {
  double bearing_radius = not_given, journal_radius = not_given, length = not_given, axial_play = not_given;
};
struct JournalFoundationParameters {
  double bearing_radius = not_given, journal_radius = not_given, length = not_given;
  double stiffness = not_given;  ///< K_W, Pa/m
  double damping = 0;            ///< b, Pa s/m
  int nodes = 360;               ///< around the circumference
  AnyParameters friction = {};   ///< a regularised law; absent: none
  AnyParameters wear = {};       ///< absent: none
};
struct BallContactParameters {
  double bearing_radius = not_given, journal_radius = not_given;
  std::array<std::string, 2> materials = {};
  AnyParameters normal = {}, friction = {};
  AnyParameters lubricant = {};  ///< BallFilmParameters; absent: dry
};
struct BallSpringParameters {
  double bearing_radius = not_given, journal_radius = not_given;
  double stiffness = not_given;  ///< N/m
  double damping = 0;            ///< N s/m
  AnyParameters friction = {};   ///< a regularised law; absent: none
};
struct BallLinkParameters {
  double bearing_radius = not_given, journal_radius = not_given;
};
struct GuideContactParameters {
  double clearance = not_given;  ///< on each side
  double slider_length = not_given, slider_height = not_given;
  double slider_width = not_given;   ///< space; absent: no walls there
  double corner_radius = not_given;  ///< absent: not known
  std::array<std::string, 2> materials = {};
  AnyParameters normal = {}, friction = {};
  AnyParameters lubricant = {};  ///< PadFilmParameters; absent: dry
};

struct GuideSpringParameters {
  double clearance = not_given;  ///< on each side
  double slider_length = not_given, slider_height = not_given;
  double slider_width = not_given;  ///< space; absent: no walls there
  double stiffness = not_given;     ///< of each corner, N/m
  double damping = 0;               ///< of each corner, N s/m
  AnyParameters friction = {};      ///< a regularised law; absent: none
};

struct ClearanceInput {
  const JointInput& joint;         ///< what the ideal joint was built from
  const AnyParameters& clearance;  ///< one of the above
  const Materials& materials;
  bool rigid = false;  ///< for a non-smooth method
  bool steps = false;  ///< of these, one that takes forces as constant over a step
};

/// What replaces the ideal joint's constraint in the motion.
struct Clearance {
  std::vector<std::unique_ptr<ContactPoint>> contacts;  ///< model contact
  std::vector<std::unique_ptr<ForceElement>> forces;    ///< model spring-damper
  const FilmElement* film = nullptr;                    ///< of the forces, that of the oil
  const Foundation* foundation = nullptr;               ///< of the forces, model foundation
  std::unique_ptr<Constraint> constraint;  ///< what stays ideal, or the massless link; may be null
  double link_length = 0;                  ///< massless-link, m
  std::vector<std::string> notes;
};

/// The key `clearance` of a joint: a family over `model` whose members share the joint's geometry.
Parameter clearance_parameter(const Family& family);
/// A family over `model`. The tables live as long as the program.
Family clearance_family(std::vector<std::pair<std::string, Table>> models);
/// "the clearance (contact) of a revolute joint"
std::string clearance_words(const std::string& model, const std::string& joint_type);

/// The key `friction` of a spring-damper.
Parameter friction_of_play();
/// Rows of a spring-damper that acts where the play is used up.
template <class P>
std::vector<TableRow<P>> play_spring_rows() {
  return {{&P::stiffness,
           {.name = "stiffness",
            .unit = "N/m",
            .help = "of the surfaces",
            .required = true,
            .range = positive()}},
          {&P::damping,
           {.name = "damping",
            .unit = "N s/m",
            .help = "of the surfaces",
            .fallback = "0",
            .range = not_negative()}},
          {&P::friction, friction_of_play()}};
}

/// A spring and damper where the play of `place` is used up, F = k δ + b δ̇, with friction if `clearance` has it. Null after an error.
std::unique_ptr<ForceElement> play_spring(const ClearanceInput& in, std::unique_ptr<ContactPoint> place);

template <class P>
std::vector<TableRow<P>> joined(std::vector<TableRow<P>> rows, std::vector<TableRow<P>> more) {
  rows.insert(rows.end(), more.begin(), more.end());
  return rows;
}

/// Gives candidate points their laws and materials from the mapping, and hands them to `out`; errors go to the diagnostics.
void give_laws(const ClearanceInput& in, std::vector<std::unique_ptr<ContactPoint>> points, Clearance& out);

// The joints that can have clearance (clearances/).
const Family& journal_clearance_family();  ///< revolute: journal in bearing
Clearance make_journal_clearance(const ClearanceInput& in);
std::pair<std::string, Table> journal_foundation();  ///< its model `foundation`
Clearance make_journal_foundation(const ClearanceInput& in, double clearance);
const Family& ball_clearance_family();  ///< spherical: ball in socket
Clearance make_ball_clearance(const ClearanceInput& in);
const Family& guide_clearance_family();  ///< translational: slider in guide
Clearance make_guide_clearance(const ClearanceInput& in);

}  // namespace tappet
