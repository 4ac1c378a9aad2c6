#include "tappet/multibody/group_forces.hpp"

#include <algorithm>
#include <cmath>

namespace tappet {
namespace {

/// Penetration at which a place begins, as a part of its surfaces' size.
constexpr double first_depth = 1e-8;
/// Numbers of a touching place in a checkpoint.
constexpr std::size_t width = 13;

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

void GroupForces::apply(const Kinematics& k, ForceSum& sum, std::vector<GroupInstant>& out) {
  out.assign(mechanism_.groups.size(), {});
  field_.each_place(k, [&](const ContactField::Place& place) {
    const Memory& memory = memory_[place.slot];
    const double depth = -place.proximity->gap;
    if (!memory.touching || !(depth > 0)) return;
    const Touch touch = touch_at(*place.proximity, place.bodies[0], place.bodies[1], k);
    const NormalOutput n =
        memory.law->evaluate({.depth = depth, .rate = -touch.rate, .impact_rate = memory.impact_rate});
    const double ratio = mechanism_.groups[place.group].friction_law->evaluate(touch.slip.norm()).ratio;
    const double force = touch.slope * n.force;
    const Vec3 friction = -force * ratio * touch.slip;
    add_opposed(place.bodies, k, touch.at, force * touch.normal + friction, sum);
    GroupInstant& group = out[place.group];
    group.add(touch.gap, force);
    group.stored += n.stored_energy;
    group.normal_loss += n.dissipated_power;
    group.friction_loss -= friction.dot(touch.slip);
  });
  for (const GroupInstant& group : out) {
    sum.powers.normal += group.normal_loss;
    sum.powers.friction += group.friction_loss;
  }
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
      const NormalOutput n =
          memory.law->evaluate({.depth = depth, .rate = -touch.rate, .impact_rate = memory.impact_rate});
      memory.peak_force = std::max(memory.peak_force, n.force);
      memory.impulse += 0.5 * (memory.force + n.force) * (t - memory.time);
      memory.force = n.force, memory.time = t;
      return;
    }
    part(memory, place.group, touch.rate);
  });
  // A corner that slid off an edge faces nothing any more.
  for (std::size_t slot = 0; slot < memory_.size(); ++slot)
    if (memory_[slot].touching && !seen_[slot]) part(memory_[slot], field_.group(static_cast<int>(slot)), 0);
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

// More places than these do not touch at once: twelve spheres around each, or four corners on each of four boxes.
std::size_t GroupForces::room() const {
  return 16 * field_.surfaces();
}

std::vector<double> GroupForces::memory() const {
  std::vector<double> out = {deepest_start_, 0};
  for (std::size_t slot = 0; slot < memory_.size(); ++slot) {
    const Memory& m = memory_[slot];
    if (!m.touching) continue;
    if (out[1] == static_cast<double>(room())) {
      cut_ = true;
      break;
    }
    const ContactField::Identity at = field_.identity(static_cast<int>(slot));
    out.insert(out.end(),
               {static_cast<double>(at.first), static_cast<double>(at.second),
                static_cast<double>(at.candidate), m.impact_rate, m.start, m.max_penetration, m.peak_force,
                m.depth_scale, m.radius[0], m.radius[1], m.impulse, m.force, m.time});
    ++out[1];
  }
  out.resize(2 + width * room(), 0.0);
  return out;
}

void GroupForces::restore(const double* c) {
  deepest_start_ = *c++;
  memory_.clear();
  for (auto left = static_cast<std::size_t>(*c++); left > 0; --left, c += width) {
    const int slot = field_.reopen({static_cast<int>(c[0]), static_cast<int>(c[1]), static_cast<int>(c[2])});
    Memory& m = memory_of(slot);
    m = {.touching = true,
         .impact_rate = c[3],
         .start = c[4],
         .max_penetration = c[5],
         .peak_force = c[6],
         .depth_scale = c[7],
         .impulse = c[10],
         .force = c[11],
         .time = c[12],
         .radius = {c[8], c[9]}};
    m.law = law(field_.group(slot), m.radius[0], m.radius[1]);
  }
}

}  // namespace tappet
