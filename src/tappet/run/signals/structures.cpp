// Structures: their centre, their named points, and what moves or holds their nodes. Under method moreau accelerations and forces
// are means over the last step.
#include "tappet/fem/body.hpp"
#include "tappet/model/signals.hpp"
#include "tappet/structures/structure_instant.hpp"

namespace tappet::signals::structures {
namespace {

double centre(SignalContext& c, const SignalDefinition& s) {
  return c.structures->system.centre(s.index, c.structures->q)[s.component];
}
double centre_velocity(SignalContext& c, const SignalDefinition& s) {
  return c.structures->system.centre_velocity(s.index, c.structures->u)[s.component];
}

int node(const SignalContext& c, const SignalDefinition& s) {
  return c.model.structures[s.index]->points[s.part].node;
}
double position(SignalContext& c, const SignalDefinition& s) {
  return c.structures->system.position(s.index, node(c, s), c.structures->q)[s.component];
}
double displacement(SignalContext& c, const SignalDefinition& s) {
  return position(c, s) - c.model.structures[s.index]->structure.mesh.nodes[node(c, s)][s.component];
}
double velocity(SignalContext& c, const SignalDefinition& s) {
  return c.structures->system.velocity(s.index, node(c, s), c.structures->u)[s.component];
}
double acceleration(SignalContext& c, const SignalDefinition& s) {
  return c.structures->system.velocity(s.index, node(c, s), c.structures->a)[s.component];
}

double support_force(SignalContext& c, const SignalDefinition& s) {
  return c.structures->supports[s.index];
}
double attachment_force(SignalContext& c, const SignalDefinition& s) {
  return c.structures->attachments[s.index].force[s.component];
}
double attachment_torque(SignalContext& c, const SignalDefinition& s) {
  return c.structures->attachments[s.index].moment[s.component];
}

void offer_points(int index, const fem::Body& body, std::vector<SignalDefinition>& out) {
  const struct {
    const char *prefix, *unit;
    double (*evaluate)(SignalContext&, const SignalDefinition&);
  } all[] = {
      {"", "m", position}, {"u", "m", displacement}, {"v", "m/s", velocity}, {"a", "m/s^2", acceleration}};
  for (int p = 0; p < static_cast<int>(body.points.size()); ++p) {
    const std::string at = body.structure.name + "." + body.points[p].name + ".";
    for (const auto& one : all)
      for (int i = 0; i < 3; ++i)
        out.push_back({at + one.prefix + axis_names[i], one.unit, true, index, i, p, one.evaluate});
  }
}

void offer(const Model& model, std::vector<SignalDefinition>& out) {
  for (int s = 0; s < static_cast<int>(model.structures.size()); ++s) {
    const std::string n = model.structures[s]->structure.name + ".";
    for (int i = 0; i < 3; ++i) out.push_back({n + axis_names[i], "m", true, s, i, 0, centre});
    for (int i = 0; i < 3; ++i)
      out.push_back({n + "v" + axis_names[i], "m/s", true, s, i, 0, centre_velocity});
    offer_points(s, *model.structures[s], out);
  }
  int number = 0;
  for (const auto& body : model.structures)
    for (const fem::SupportMotion& motion : body->motions) {
      const bool turns = motion.direction >= 3;
      const std::string n = body->structure.name + "." + motion.group + (turns ? ".t" : ".f");
      out.push_back(
          {n + axis_names[motion.direction % 3], turns ? "N m" : "N", true, number++, 0, 0, support_force});
    }
  for (int i = 0; i < static_cast<int>(model.spiders.size()); ++i) {
    const Spider& spider = model.spiders[i];
    const std::string n = model.structures[spider.structure]->structure.name + "." + spider.group + ".";
    for (int d = 0; d < 3; ++d)
      out.push_back({n + "f" + axis_names[d], "N", true, i, d, 0, attachment_force});
    for (int d = 0; d < 3; ++d)
      out.push_back({n + "t" + axis_names[d], "N m", true, i, d, 0, attachment_torque});
  }
}

const Registration<SignalProvider> registered{
    {.name = "structures", .order = 50, .offer = offer, .of_structures = true}};

}  // namespace
}  // namespace tappet::signals::structures
