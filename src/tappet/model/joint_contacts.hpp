// What touches in a joint: clearance in place of its constraint, stops of its coordinates, friction from its reaction.
#pragma once

#include "tappet/model/model.hpp"
#include "tappet/multibody/clearance.hpp"

namespace tappet {

void add_contacts(std::vector<std::unique_ptr<ContactPoint>> contacts, Mechanism& m);

/// Before the joint joins those of the model. Errors go to the diagnostics.
void compile_joint_contacts(const JointType& type, const JointInput& in, const AnyParameters& parameters,
                            const Joint& joint, const Materials& materials, Model& model);

/// Teeth with play whose wheels all have velocities of their own: assembly does not make one follow from the other.
bool turns_in_play(const Model& model, std::size_t joint);

/// Once the mechanism's constraints are listed: where the reactions of joints with friction are among them.
void find_loaded_joints(Model& model);

}  // namespace tappet
