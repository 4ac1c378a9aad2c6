#include "tappet/model/joint_contacts.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "tappet/model/method.hpp"
#include "tappet/multibody/joint_friction.hpp"
#include "tappet/multibody/limits.hpp"

namespace tappet {

void add_contacts(std::vector<std::unique_ptr<ContactPoint>> contacts, Mechanism& m) {
  for (auto& contact : contacts) {
    contact->index = static_cast<int>(m.contacts.size());
    contact->planar = m.dimension == Dimension::planar;
    if (contact->bearing) m.bearings.push_back(contact->index);
    m.contacts.push_back(std::move(contact));
  }
}

namespace {

AnyParameters part(const AnyParameters& parameters, const char* key) {
  const auto given = parameters.get(key);
  return given ? given->parts.at(0).second : AnyParameters();
}

void add(Clearance made, Model& model) {
  for (auto& force : made.forces) model.mechanism.forces.push_back(std::move(force));
  add_contacts(std::move(made.contacts), model.mechanism);
  model.notes.insert(model.notes.end(), made.notes.begin(), made.notes.end());
}

// A joint's play: contacts, springs or a link in place of the ideal constraint.
void compile_clearance(const JointType& type, const StopInput& in, const AnyParameters& clearance,
                       Model& model) {
  Mechanism& m = model.mechanism;
  const bool steps = method_type(model.settings).treatment == ContactTreatment::steps;
  Clearance made = type.make_clearance({in.joint, clearance, in.materials, in.rigid, steps});
  m.replaced.back() = std::move(made.constraint);
  if (made.link_length > 0) m.links.push_back({static_cast<int>(m.joints.size()), made.link_length});
  if (made.film) m.films.push_back(made.film);
  if (made.foundation) m.foundations.push_back(made.foundation);
  add(std::move(made), model);
}

void compile_limits(const StopInput& in, const AnyParameters& parameters, const Joint& joint, Model& model) {
  if (const AnyParameters limits = part(parameters, "limits"))
    add(make_limits(in, limits, joint.angle ? joint.angle : joint.displacement, ""), model);
  if (const AnyParameters limits = part(parameters, "limits_displacement"))
    add(make_limits(in, limits, joint.displacement, "displacement_"), model);
}

// Teeth with play: two flanks in place of the constraint.
void compile_backlash(const StopInput& in, const AnyParameters& parameters, const Joint& joint,
                      Model& model) {
  const Origin& origin = parameters.origin;
  const AnyParameters normal = part(parameters, "normal");
  if (!parameters.has("backlash")) {
    for (const char* key : {"normal", "radius"})
      if (origin.given(key) && (std::string(key) == "normal" || origin.type == "gear"))
        in.joint.diagnostics.error(
            origin.where(key), fmt::format("`{}` of '{}' is for teeth with `backlash`, which is not given",
                                           key, in.joint.name()));
    return;
  }
  const bool gear = origin.type == "gear";
  if (!normal)
    in.joint.diagnostics.error(
        origin.where("backlash"),
        fmt::format("'{}' with `backlash` needs `normal`, the law of the teeth's force", in.joint.name()));
  if (gear && !parameters.has("radius"))
    in.joint.diagnostics.error(
        origin.where("backlash"),
        fmt::format("'{}' with `backlash` needs `radius`, the pitch radius of the first joint's wheel",
                    in.joint.name()));
  if (!normal || (gear && !parameters.has("radius")) || joint.combination.empty()) return;
  model.mechanism.has_play.back() = true;
  add(make_backlash(in, parameters.number("backlash"), gear ? parameters.number("radius") : 1, normal,
                    joint.combination),
      model);
}

void compile_friction(const StopInput& in, const AnyParameters& friction, const Joint& joint, Model& model) {
  if (model.mechanism.has_play.back()) {
    in.joint.diagnostics.error(
        friction.origin.pos,
        fmt::format(
            "joint '{}' has `friction` of an ideal joint and `clearance` too; with play, friction belongs to "
            "`clearance`",
            in.joint.name()));
    return;
  }
  std::vector<std::unique_ptr<ContactPoint>> contacts = make_joint_friction(in, joint, friction, model.notes);
  for (auto& contact : contacts) contact->joint = static_cast<int>(model.mechanism.joints.size());
  add_contacts(std::move(contacts), model.mechanism);
}

}  // namespace

void compile_joint_contacts(const JointType& type, const JointInput& joint_input,
                            const AnyParameters& parameters, const Joint& joint, const Materials& materials,
                            Model& model) {
  Mechanism& m = model.mechanism;
  const ContactTreatment treatment = method_type(model.settings).treatment;
  StopInput in{joint_input, materials, method_type(model.settings).rigid()};
  const AnyParameters clearance = part(parameters, "clearance");
  m.has_play.push_back(static_cast<bool>(clearance));
  m.replaced.emplace_back();
  if (clearance) compile_clearance(type, in, clearance, model);
  if (treatment == ContactTreatment::steps && !model.structures.empty() &&
      parameters.origin.given("friction"))
    joint_input.diagnostics.error(
        parameters.origin.where("friction"),
        fmt::format(
            "`friction` of joint '{}' is not computed beside structures by method moreau, where contacts "
            "of both are solved together; method smooth computes it",
            joint_input.name()));
  compile_limits(in, parameters, joint, model);
  if (type.couples) return compile_backlash(in, parameters, joint, model);
  // Between impacts method event-driven has forces, as method smooth does.
  in.rigid = treatment == ContactTreatment::steps;
  if (const AnyParameters friction = part(parameters, "friction"))
    compile_friction(in, friction, joint, model);
}

bool turns_in_play(const Model& model, std::size_t joint) {
  const Mechanism& m = model.mechanism;
  if (!m.has_play[joint] || m.joints[joint].combination.empty()) return false;
  const std::vector<int>& bodies = m.joints[joint].constraint->bodies;
  return std::all_of(bodies.begin(), bodies.end(), [&](int b) {
    return b == m.ground() || model.given[b].linear || model.given[b].angular;
  });
}

void find_loaded_joints(Model& model) {
  Mechanism& m = model.mechanism;
  for (const int b : m.bearings) {
    const Constraint* constraint = m.joints[m.contacts[b]->joint].constraint.get();
    const auto at = std::find(m.constraints.begin(), m.constraints.end(), constraint);
    m.contacts[b]->joint = static_cast<int>(at - m.constraints.begin());
  }
}

}  // namespace tappet
