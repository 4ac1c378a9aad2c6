// Clearance as one key on an ideal joint. Three ways to model it [FloresAmbrosio2004, section 1]:
//
//   contact         the two surfaces collide: a normal law and a friction law act where they touch
//   spring-damper   a linear spring and damper act once the play is used up
//   massless-link   a rigid massless link as long as the radial play joins the two centres
//
// For assembly every joint with clearance counts as ideal.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "tappet/contact/material_pairs.hpp"
#include "tappet/multibody/contact_point.hpp"
#include "tappet/multibody/joint.hpp"

namespace tappet {

struct ClearanceInput {
  const JointInput& joint;  ///< what the ideal joint was built from
  const Object& clearance;  ///< the checked mapping `clearance`
  const Materials& materials;
  bool rigid = false;  ///< for a non-smooth method
};

/// What replaces the ideal joint's constraint in the motion.
struct Clearance {
  std::vector<std::unique_ptr<ContactPoint>> contacts;  ///< model contact
  std::vector<std::unique_ptr<ForceElement>> forces;    ///< model spring-damper
  std::unique_ptr<Constraint> constraint;  ///< what stays ideal, or the massless link; may be null
  double link_length = 0;                  ///< massless-link, m
  std::vector<std::string> notes;
};

/// The key `clearance` of a joint: a family over `model` whose members share the joint's geometry.
Parameter clearance_parameter(const Family& family);
Family clearance_family(const std::string& joint_type, const std::vector<Parameter>& geometry,
                        bool with_link);

/// Gives candidate points their laws and materials from the mapping, and hands them to `out`; errors go to the diagnostics.
void give_laws(const ClearanceInput& in, std::vector<std::unique_ptr<ContactPoint>> points, Clearance& out);

// The joints that can have clearance (clearances/).
const Family& journal_clearance_family();  ///< revolute: journal in bearing
Clearance make_journal_clearance(const ClearanceInput& in);
const Family& ball_clearance_family();  ///< spherical: ball in socket
Clearance make_ball_clearance(const ClearanceInput& in);
const Family& guide_clearance_family();  ///< translational: slider in guide
Clearance make_guide_clearance(const ClearanceInput& in);

}  // namespace tappet
