#include "tappet/multibody/clearance.hpp"

#include <fmt/format.h>

#include "tappet/multibody/contact_laws.hpp"

namespace tappet {
namespace {

// F = k δ + b δ̇ beyond the play, along the normal: may pull when the surfaces part fast, as a spring and damper does. Friction is that
// of what pushes.
class PlaySpring final : public ForceElement {
 public:
  std::unique_ptr<ContactPoint> place;
  double stiffness = 0, damping = 0;
  std::shared_ptr<const FrictionLaw> friction;  // null: none

  void apply(const Kinematics& k, ForceSum& sum) const override {
    const Touch touch = place->touch(k);
    if (!(touch.gap < 0)) return;
    const double push = -stiffness * touch.gap - damping * touch.rate;
    Vec3 force = push * touch.normal;
    sum.powers.normal += damping * touch.rate * touch.rate;
    if (friction && push > 0) {
      const double drag = push * friction->evaluate(touch.slip.norm()).ratio;
      force -= drag * touch.slip;
      sum.powers.friction += drag * touch.slip.squaredNorm();
    }
    add_opposed(place->bodies, k, touch.at, force, sum);
  }
  double potential(const Kinematics& k) const override {
    const double depth = -place->touch(k).gap;
    return depth > 0 ? 0.5 * stiffness * depth * depth : 0;
  }
};

}  // namespace

Parameter friction_of_play() {
  Parameter out = friction_parameter();
  out.help = "law of friction where the surfaces touch, one that is continuous through rest; absent: none";
  return out;
}

std::unique_ptr<ForceElement> play_spring(const ClearanceInput& in, std::unique_ptr<ContactPoint> place) {
  auto out = std::make_unique<PlaySpring>();
  out->name = place->name;
  out->bodies = {place->bodies[0], place->bodies[1]};
  out->turns_bodies = true;
  out->stiffness = in.clearance.number("stiffness");
  out->damping = in.clearance.number("damping");
  out->place = std::move(place);
  if (const auto given = in.clearance.get("friction")) {
    AnyParameters parameters;
    parameters::put(*given, parameters);
    out->friction = make_friction_law(parameters, in.joint.diagnostics);
    if (!out->friction) return nullptr;
    if (out->friction->traits().kind != FrictionKind::regularised) {
      in.joint.diagnostics.error(
          parameters.origin.pos,
          fmt::format(
              "joint '{}' has friction by law {}, which keeps a memory of sticking; a spring-damper keeps "
              "none: a law that is continuous through rest is needed, or `model: contact`",
              in.joint.name(), parameters.origin.type));
      return nullptr;
    }
  }
  return out;
}

Parameter clearance_parameter(const Family& family) {
  return {.name = "clearance",
          .kind = Kind::object,
          .help = "play between the two parts; without this key the joint is ideal",
          .family = &family};
}

std::string clearance_words(const std::string& model, const std::string& joint_type) {
  return fmt::format("the clearance ({}) of a {} joint", model, joint_type);
}

Family clearance_family(std::vector<std::pair<std::string, Table>> models) {
  // The family hands out pointers to the tables.
  const auto kept = std::make_shared<const std::vector<std::pair<std::string, Table>>>(std::move(models));
  return {.key = "model",
          .noun = "clearance model",
          .common = {.name = "a clearance", .help = "play in a joint", .parameters = {}},
          .fallback = "contact",
          .members = [kept] {
            std::vector<std::pair<std::string, const Table*>> out;
            for (const auto& [name, table] : *kept) out.emplace_back(name, &table);
            return out;
          }};
}

void give_laws(const ClearanceInput& in, std::vector<std::unique_ptr<ContactPoint>> points, Clearance& out) {
  const ContactLawsInput laws{contact_laws_of(in.clearance), fmt::format("joint '{}'", in.joint.name()),
                              in.materials, in.joint.diagnostics, in.rigid};
  if (give_laws(laws, points, out.notes)) out.contacts = std::move(points);
}

}  // namespace tappet
