#include "tappet/multibody/group_forces.hpp"

#include <algorithm>
#include <cmath>

namespace tappet {
namespace {

/// Penetration at which a place begins, as a part of its surfaces' size.
constexpr double first_depth = 1e-8;

}  // namespace

GroupForces::GroupForces(const Mechanism& mechanism) : mechanism_(mechanism), field_(mechanism) {}

void GroupForces::look_around(const Kinematics& k, double way) {
  field_.update(k, way);
  memory_.resize(std::max<std::size_t>(memory_.size(), field_.capacity()));
}

GroupForces::Memory& GroupForces::memory_of(int slot) {
  if (static_cast<int>(memory_.size()) <= slot) memory_.resize(slot + 1);
  return memory_[slot];
}

double GroupForces::allowed(const ContactField::Place& place) const {
  return first_depth * place.length_scale;
}

std::shared_ptr<const NormalLaw> GroupForces::law(int group, double first, double second) {
  std::shared_ptr<const NormalLaw>& known = laws_[{group, {first, second}}];
  if (!known) known = mechanism_.groups[group].normal_law(first, second);
  return known;
}

NormalOutput GroupForces::press(const ContactField::Place& place, const Memory& memory, const Touch& touch,
                                double t) const {
  try {
    return memory.law->evaluate(
        {.depth = -touch.gap, .rate = -touch.rate, .impact_rate = memory.impact_rate});
  } catch (const LawDomainError& error) {
    throw error.at(mechanism_.groups[place.group].name, t);
  }
}

GroupForces::Force GroupForces::force(const ContactField::Place& place, const Memory& memory,
                                      const Touch& touch, double t) const {
  const NormalOutput n = press(place, memory, touch, t);
  const double ratio = mechanism_.groups[place.group].friction_law->evaluate(touch.slip.norm()).ratio;
  const double normal = touch.slope * n.force;
  const Vec3 friction = -normal * ratio * touch.slip;
  return {n, normal, friction, normal * touch.normal + friction};
}

void GroupForces::apply(const Kinematics& k, ForceSum& sum, std::vector<ContactSum>& out) {
  out.assign(mechanism_.groups.size(), {});
  field_.each_place(k, [&](const ContactField::Place& place) {
    const Memory& memory = memory_[place.slot];
    const double depth = -place.proximity->gap;
    ContactSum& group = out[place.group];
    group.see(place.proximity->gap);
    if (!memory.touching || !(depth > 0)) return;
    const Touch touch = touch_at(*place.proximity, place.bodies[0], place.bodies[1], k);
    const auto [n, normal, friction, total] = force(place, memory, touch, k.t);
    add_opposed(place.bodies, k, touch.at, total, sum);
    if (const RollingResistance& resists = mechanism_.groups[place.group].resists; resists.any()) {
      const Vec3 omega = relative_turning(place.bodies, k);
      const Vec3 couple = resisting_couple(resists, normal, touch.normal, omega);
      add_opposed_couple(place.bodies, k, couple, sum);
      group.friction_loss -= couple.dot(omega);
    }
    if (normal > 0) group.add(normal, friction.norm(), total, touch.slip.norm());
    group.stored += n.stored_energy;
    group.normal_loss += n.dissipated_power;
    group.friction_loss -= friction.dot(touch.slip);
  });
  for (const ContactSum& group : out) {
    sum.powers.normal += group.normal_loss;
    sum.powers.friction += group.friction_loss;
  }
}

void GroupForces::loads(const Kinematics& k, std::vector<GroupLoad>& out) {
  field_.each_place(k, [&](const ContactField::Place& place) {
    const Memory& memory = memory_of(place.slot);
    const double depth = -place.proximity->gap;
    if (!memory.touching || !(depth > 0)) return;
    const Touch touch = touch_at(*place.proximity, place.bodies[0], place.bodies[1], k);
    out.push_back({field_.name(place.slot),
                   {place.bodies[0], place.bodies[1]},
                   touch,
                   force(place, memory, touch, k.t).total});
  });
}

GroupForces::Depth GroupForces::first_penetration(const Kinematics& k) {
  Depth out;
  field_.each_place(k, [&](const ContactField::Place& place) {
    const double depth = -place.proximity->gap, most = allowed(place);
    if (memory_of(place.slot).touching || !(depth > out.part * most) || !(depth > 0)) return;
    const Touch touch = touch_at(*place.proximity, place.bodies[0], place.bodies[1], k);
    out = {depth / most, depth, -touch.rate, most};
  });
  return out;
}

double GroupForces::time_to_touch(const Kinematics& k) {
  double out = HUGE_VAL;
  field_.each_place(k, [&](const ContactField::Place& place) {
    if (memory_of(place.slot).touching) return;
    const Touch touch = touch_at(*place.proximity, place.bodies[0], place.bodies[1], k);
    if (touch.rate < 0) out = std::min(out, (touch.gap + 0.5 * allowed(place)) / -touch.rate);
  });
  return std::max(out, 0.0);
}

void GroupForces::begin(const ContactField::Place& place, const Touch& touch, double t, Memory& memory) {
  memory = {.touching = true,
            .impact_rate = std::max(0.0, -touch.rate),
            .start = t,
            .max_penetration = -touch.gap,
            .time = t,
            .radius = {place.proximity->radius[0], place.proximity->radius[1]}};
  memory.law = law(place.group, memory.radius[0], memory.radius[1]);
  deepest_start_ = std::max(deepest_start_, -touch.gap);
  // The masses as if they were points: an estimate is enough for the scale of errors.
  double mobility = 0;
  for (int body : place.bodies)
    if (body != mechanism_.ground()) mobility += mechanism_.inverse_mass.linear[body];
  const double energy = mobility > 0 ? 0.5 * memory.impact_rate * memory.impact_rate / mobility : 0;
  memory.depth_scale = expected_depth(*memory.law, memory.impact_rate, energy, place.length_scale);
  if (memory.impact_rate > 0)
    shortest_ = std::min(shortest_, elastic_duration(memory.depth_scale, memory.impact_rate));
}

bool GroupForces::settle(double t, const Kinematics& k, std::vector<GroupTouch>& parted) {
  bool begun = false;
  shortest_ = HUGE_VAL;
  memory_.resize(std::max<std::size_t>(memory_.size(), field_.capacity()));
  seen_.assign(memory_.size(), 0);
  const auto part = [&](Memory& memory, int group, double rate) {
    parted.push_back({.group = group,
                      .start = memory.start,
                      .end = t,
                      .impact_rate = memory.impact_rate,
                      .parting_rate = rate,
                      .requested = memory.law->traits().requested_restitution,
                      .max_penetration = memory.max_penetration,
                      .peak_force = memory.peak_force,
                      .impulse = memory.impulse + 0.5 * memory.force * (t - memory.time)});
    memory = {};
  };
  field_.each_place(k, [&](const ContactField::Place& place) {
    Memory& memory = memory_[place.slot];
    seen_[place.slot] = 1;
    const double depth = -place.proximity->gap;
    if (!memory.touching && !(depth > 0)) return;
    const Touch touch = touch_at(*place.proximity, place.bodies[0], place.bodies[1], k);
    if (!memory.touching) {
      begin(place, touch, t, memory);
      begun = true;
      return;
    }
    if (depth > 0) {
      memory.max_penetration = std::max(memory.max_penetration, depth);
      const NormalOutput n = press(place, memory, touch, t);
      const double normal = touch.slope * n.force;
      memory.peak_force = std::max(memory.peak_force, normal);
      memory.impulse += 0.5 * (memory.force + normal) * (t - memory.time);
      memory.force = normal, memory.time = t;
      return;
    }
    part(memory, place.group, touch.rate);
  });
  // A corner that slid off an edge faces nothing any more.
  gone_.clear();
  for (int slot = 0; slot < static_cast<int>(memory_.size()); ++slot)
    if (memory_[slot].touching && !seen_[slot]) gone_.emplace_back(field_.name(slot), slot);
  std::sort(gone_.begin(), gone_.end());
  for (const auto& [name, slot] : gone_) part(memory_[slot], field_.group(slot), 0);
  return begun;
}

double GroupForces::relative_gap_error(const Kinematics& k, double floor) {
  double worst = 0;
  field_.each_place(k, [&](const ContactField::Place& place) {
    const Memory& memory = memory_of(place.slot);
    const Touch touch = touch_at(*place.proximity, place.bodies[0], place.bodies[1], k);
    const double scale = memory.touching ? std::max({memory.depth_scale, -touch.gap, floor})
                                         : std::max(place.length_scale, floor);
    worst = std::max(worst, std::abs(touch.rate) / scale);
  });
  return worst;
}

void GroupForces::touching(std::vector<GroupContact>& out) const {
  out.clear();
  for (std::size_t slot = 0; slot < memory_.size(); ++slot) {
    const Memory& m = memory_[slot];
    if (!m.touching) continue;
    out.push_back({.id = field_.name(static_cast<int>(slot)),
                   .impact_rate = m.impact_rate,
                   .start = m.start,
                   .max_penetration = m.max_penetration,
                   .peak_force = m.peak_force,
                   .depth_scale = m.depth_scale,
                   .impulse = m.impulse,
                   .force = m.force,
                   .time = m.time,
                   .radius = m.radius});
  }
  // Slots are numbered as places came and went.
  std::sort(out.begin(), out.end(), [](const GroupContact& a, const GroupContact& b) { return a.id < b.id; });
}

void GroupForces::restore(const std::vector<GroupContact>& touching, double deepest_start) {
  deepest_start_ = deepest_start;
  field_.forget();
  memory_.clear();
  for (const GroupContact& c : touching) {
    const int slot = field_.reopen(c.id);
    memory_of(slot) = {.touching = true,
                       .impact_rate = c.impact_rate,
                       .start = c.start,
                       .max_penetration = c.max_penetration,
                       .peak_force = c.peak_force,
                       .depth_scale = c.depth_scale,
                       .impulse = c.impulse,
                       .force = c.force,
                       .time = c.time,
                       .radius = c.radius,
                       .law = law(field_.group(slot), c.radius[0], c.radius[1])};
  }
}

}  // namespace tappet
