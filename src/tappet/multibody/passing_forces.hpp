// Passing contacts of one family, whatever touches there. What a family is, its Field says:
//
//   struct Place { int slot; int entry; double gap; double length_scale; double radius[2]; … };   // entry: of the family
//   field.each_place(k, visit)        calls visit(place) for every place that faces something, in an order of the poses alone
//   field.touch(place, k)             Touch there
//   field.push(place, touch, force, k, sum)     a force on the second surface, its opposite on the first
//   field.resist(place, touch, normal, k, sum)  couples that resist rolling; returns their loss, W
//   field.load(place, touch, force)   ContactLoad of it
//   field.label(entry)                its name
//   field.mobility(place)             about 1/m of what meets there: an estimate is enough for the scale of errors
//   field.normal_law(entry, radius)   and field.friction_law(entry)
//   field.look_around(k, way), field.fastest(k, u), field.looked_after(k)   who is near; the state was accepted
//   field.entries(), first_entry()    how many, and ContactId::entry of the first
//   field.name(slot), reopen(id), entry(slot), forget(), capacity()
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <memory>
#include <utility>
#include <vector>

#include "tappet/contact/normal_law.hpp"
#include "tappet/multibody/passing_contacts.hpp"
#include "tappet/multibody/pressed_arc.hpp"

namespace tappet {

template <class Field>
class PassingForces : public PassingContacts {
 public:
  using Place = typename Field::Place;

  template <class... Arguments>
  explicit PassingForces(Arguments&&... arguments) : field_(std::forward<Arguments>(arguments)...) {
    sums_.assign(field_.entries(), {});
  }
  Field& field() { return field_; }
  const Field& field() const { return field_; }

  void look_around(const Kinematics& k, double way) override {
    field_.look_around(k, way);
    memory_.resize(std::max<std::size_t>(memory_.size(), field_.capacity()));
  }
  double fastest(const Kinematics& k, const double* u) const override { return field_.fastest(k, u); }

  void apply(const Kinematics& k, ForceSum& sum) override {
    sums_.assign(field_.entries(), {});
    field_.each_place(k, [&](const Place& place) {
      const Memory& memory = memory_of(place.slot);
      ContactSum& entry = sums_[place.entry];
      entry.see(place.gap);
      if (!memory.touching || !(place.gap < 0)) return;
      const Touch touch = field_.touch(place, k);
      const auto [n, normal, friction, total] = force(place, memory, touch, k);
      field_.push(place, touch, total, k, sum);
      entry.friction_loss += field_.resist(place, touch, normal, k, sum);
      if (normal > 0) entry.add(normal, friction.norm(), total, touch.slip.norm());
      entry.stored += n.stored_energy;
      entry.normal_loss += n.dissipated_power;
      entry.friction_loss -= friction.dot(touch.slip);
    });
    for (const ContactSum& entry : sums_) {
      sum.powers.normal += entry.normal_loss;
      sum.powers.friction += entry.friction_loss;
    }
  }

  void loads(const Kinematics& k, std::vector<ContactLoad>& out) override {
    field_.each_place(k, [&](const Place& place) {
      const Memory& memory = memory_of(place.slot);
      if (!memory.touching || !(place.gap < 0)) return;
      const Touch touch = field_.touch(place, k);
      out.push_back(field_.load(place, touch, force(place, memory, touch, k).total));
    });
  }

  Depth first_penetration(const Kinematics& k) override {
    Depth out;
    field_.each_place(k, [&](const Place& place) {
      const double depth = -place.gap, most = allowed(place);
      if (memory_of(place.slot).touching || !(depth > out.part * most) || !(depth > 0)) return;
      out = {depth / most, depth, -field_.touch(place, k).rate, most};
    });
    return out;
  }

  double time_to_touch(const Kinematics& k) override {
    double out = HUGE_VAL;
    field_.each_place(k, [&](const Place& place) {
      if (memory_of(place.slot).touching) return;
      const Touch touch = field_.touch(place, k);
      if (touch.rate < 0) out = std::min(out, (touch.gap + 0.5 * allowed(place)) / -touch.rate);
    });
    return std::max(out, 0.0);
  }

  void start(double t, const Kinematics& k) override {
    field_.looked_after(k);
    memory_.resize(std::max<std::size_t>(memory_.size(), field_.capacity()));
    field_.each_place(k, [&](const Place& place) {
      if (place.gap < 0) begin(place, field_.touch(place, k), k, t, true, memory_[place.slot]);
    });
  }

  void follow(StepMotion& motion, std::vector<double>& peaks) override {
    const double a = motion.from(), b = motion.to();
    if (!(b > a) || std::none_of(memory_.begin(), memory_.end(), [](const Memory& m) { return m.touching; }))
      return;
    if (!starts_known_) look(motion.at(a), &Memory::first);
    starts_known_ = true;
    for (Memory& memory : memory_) memory.last = {};
    const bool more_begin = look(motion.at(b), &Memory::last);
    instants_.clear();
    together_.resize(field_.entries());
    for (std::vector<PressedArc>& arcs : together_) arcs.clear();
    // By name: sums must not depend on how slots came to be numbered.
    by_name_.clear();
    for (int slot = 0; slot < static_cast<int>(memory_.size()); ++slot)
      if (memory_[slot].touching) by_name_.emplace_back(field_.name(slot), slot);
    std::sort(by_name_.begin(), by_name_.end());
    for (const auto& [name, slot] : by_name_) {
      Memory& memory = memory_[slot];
      if (memory.contact.start == a) peaks.push_back(a + just_after * (b - a));
      if (!memory.last.known) continue;  // it faces nothing any more
      const PressedArc arc(memory.first, memory.last, b - a, *memory.law, memory.contact.impact_rate);
      if (const double deepest = arc.deepest(); deepest > 0) instants_.push_back(a + deepest * (b - a));
      together_[field_.entry(slot)].push_back(arc);
      find_peak({&arc, 1}, a, b, instants_);
      note(memory, memory.last.depth, memory.last.force);
    }
    for (const std::vector<PressedArc>& arcs : together_)
      if (arcs.size() > 1) find_peak(arcs, a, b, instants_);
    // Where others begin, accelerations may jump, and what rose falls.
    if (more_begin) instants_.push_back(b);
    choose(instants_, most_instants);
    for (const double t : instants_) {
      const Kinematics& k = motion.at(t);
      field_.each_place(k, [&](const Place& place) {
        Memory& memory = memory_of(place.slot);
        if (!memory.touching || !(place.gap < 0)) return;
        note(memory, -place.gap, force(place, memory, field_.touch(place, k), k).normal);
      });
    }
    peaks.insert(peaks.end(), instants_.begin(), instants_.end());
  }

  bool settle(double t, const Kinematics& k, std::vector<PassingTouch>& parted) override {
    bool begun = false;
    starts_known_ = true;
    shortest_ = HUGE_VAL;
    field_.looked_after(k);
    memory_.resize(std::max<std::size_t>(memory_.size(), field_.capacity()));
    seen_.assign(memory_.size(), 0);
    field_.each_place(k, [&](const Place& place) {
      Memory& memory = memory_[place.slot];
      seen_[place.slot] = 1;
      const double depth = -place.gap;
      if (!memory.touching && !(depth > 0)) return;
      const Touch touch = field_.touch(place, k);
      if (!memory.touching) {
        begin(place, touch, k, t, false, memory);
        begun = true;
        return;
      }
      if (!(depth > 0)) return end(memory, place.slot, t, touch.rate, parted);
      PassingContact& own = memory.contact;
      memory.first = pressed(place, memory, touch, k);
      const double normal = memory.first.force;
      own.impulse += 0.5 * (own.force + normal) * (t - own.time);
      own.force = normal, own.time = t;
    });
    // A corner that slid off an edge faces nothing any more.
    by_name_.clear();
    for (int slot = 0; slot < static_cast<int>(memory_.size()); ++slot)
      if (memory_[slot].touching && !seen_[slot]) by_name_.emplace_back(field_.name(slot), slot);
    std::sort(by_name_.begin(), by_name_.end());
    for (const auto& [name, slot] : by_name_) end(memory_[slot], slot, t, 0, parted);
    return begun;
  }

  double relative_gap_error(const Kinematics& k, double floor) override {
    double worst = 0;
    field_.each_place(k, [&](const Place& place) {
      const Memory& memory = memory_of(place.slot);
      const Touch touch = field_.touch(place, k);
      const double scale = memory.touching ? std::max({memory.contact.depth_scale, -touch.gap, floor})
                                           : std::max(place.length_scale, floor);
      worst = std::max(worst, std::abs(touch.rate) / scale);
    });
    return worst;
  }

  void touching(std::vector<PassingContact>& out) const override {
    const auto first = static_cast<std::ptrdiff_t>(out.size());
    for (std::size_t slot = 0; slot < memory_.size(); ++slot) {
      if (!memory_[slot].touching) continue;
      out.push_back(memory_[slot].contact);
      out.back().id = field_.name(static_cast<int>(slot));
    }
    // Slots are numbered as places came and went.
    std::sort(out.begin() + first, out.end(),
              [](const PassingContact& a, const PassingContact& b) { return a.id < b.id; });
  }

  void restore(std::span<const PassingContact> touching, double deepest_start) override {
    deepest_start_ = deepest_start;
    starts_known_ = false;
    field_.forget();
    memory_.clear();
    for (const PassingContact& contact : touching) {
      const int entry = contact.id.entry - field_.first_entry();
      if (entry < 0 || entry >= field_.entries()) continue;
      Memory& memory = memory_of(field_.reopen(contact.id));
      memory = {};
      memory.touching = true, memory.contact = contact, memory.law = law(entry, contact.radius);
    }
  }

 private:
  /// Penetration at which a place begins, as a part of its surfaces' size.
  static constexpr double first_depth = 1e-8;
  /// Of a step: behind a beginning, where the force is there. Below rounding of what is shown.
  static constexpr double just_after = 1e-9;
  /// Looked at inside one step: where more places of large groups have their peaks in one, the others' are those of the nearest instants.
  static constexpr std::size_t most_instants = 8;

  struct Memory {
    bool touching = false;
    PassingContact contact;  ///< its id is not kept up to date
    std::shared_ptr<const NormalLaw> law;
    Pressed first, last;  ///< as the step began and ended; follow()
  };
  struct Force {
    NormalOutput law;
    double normal = 0;     ///< N
    Vec3 friction, total;  ///< on the second surface, N
  };

  Memory& memory_of(int slot) {
    if (static_cast<int>(memory_.size()) <= slot) memory_.resize(slot + 1);
    return memory_[slot];
  }
  static double allowed(const Place& place) { return first_depth * place.length_scale; }

  std::shared_ptr<const NormalLaw> law(int entry, const std::array<double, 2>& radius) {
    std::shared_ptr<const NormalLaw>& known = laws_[{entry, radius}];
    if (!known) known = field_.normal_law(entry, radius);
    return known;
  }

  Force force(const Place& place, const Memory& memory, const Touch& touch, const Kinematics& k) const {
    const NormalOutput n = press(place, memory, touch, k);
    const double ratio = field_.friction_law(place.entry).evaluate(touch.slip.norm()).ratio;
    const double normal = touch.slope * n.force;
    const Vec3 friction = -normal * ratio * touch.slip;
    return {n, normal, friction, normal * touch.normal + friction};
  }

  Pressed pressed(const Place& place, const Memory& memory, const Touch& touch, const Kinematics& k) const {
    const NormalOutput n = place.gap < 0 ? press(place, memory, touch, k) : NormalOutput{};
    return {.known = true,
            .depth = -place.gap,
            .rate = -touch.rate,
            .slope = touch.slope,
            .force = touch.slope * n.force,
            .stiffness = touch.slope * n.d_depth,
            .damping = touch.slope * n.d_rate,
            .inputs = k.inputs};
  }

  /// What touching places do at k. True when others have met.
  bool look(const Kinematics& k, Pressed Memory::*where) {
    bool met = false;
    field_.each_place(k, [&](const Place& place) {
      Memory& memory = memory_of(place.slot);
      met = met || (!memory.touching && place.gap < 0);
      if (memory.touching) memory.*where = pressed(place, memory, field_.touch(place, k), k);
    });
    return met;
  }

  static void note(Memory& memory, double depth, double force) {
    memory.contact.max_penetration = std::max(memory.contact.max_penetration, depth);
    memory.contact.peak_force = std::max(memory.contact.peak_force, force);
  }

  NormalOutput press(const Place& place, const Memory& memory, const Touch& touch,
                     const Kinematics& k) const {
    try {
      return memory.law->evaluate({.depth = -touch.gap,
                                   .rate = -touch.rate,
                                   .impact_rate = memory.contact.impact_rate,
                                   .inputs = k.inputs});
    } catch (const LawDomainError& error) {
      throw error.at(field_.label(place.entry), k.t);
    }
  }

  void begin(const Place& place, const Touch& touch, const Kinematics& k, double t, bool closed_from_start,
             Memory& memory) {
    PassingContact& own = memory.contact;
    own = {.id = {},
           .impact_rate = std::max(0.0, -touch.rate),
           .start = t,
           .max_penetration = -touch.gap,
           .time = t,
           .radius = {place.radius[0], place.radius[1]}};
    memory.touching = true;
    memory.law = law(place.entry, own.radius);
    deepest_start_ = std::max(deepest_start_, -touch.gap);
    const double mobility = field_.mobility(place, touch);
    if (closed_from_start)
      own.impact_rate = std::max(own.impact_rate, speed_to_reach(*memory.law, -touch.gap, mobility));
    const double energy = mobility > 0 ? 0.5 * own.impact_rate * own.impact_rate / mobility : 0;
    own.depth_scale = expected_depth(*memory.law, own.impact_rate, energy, place.length_scale);
    if (own.impact_rate > 0)
      shortest_ = std::min(shortest_, elastic_duration(own.depth_scale, own.impact_rate));
    // The force of a damper is there at once.
    memory.first = pressed(place, memory, touch, k);
    own.force = own.peak_force = memory.first.force;
  }

  void end(Memory& memory, int slot, double t, double rate, std::vector<PassingTouch>& parted) {
    const PassingContact& own = memory.contact;
    parted.push_back({.entry = field_.first_entry() + field_.entry(slot),
                      .start = own.start,
                      .end = t,
                      .impact_rate = own.impact_rate,
                      .parting_rate = rate,
                      .requested = memory.law->traits().requested_restitution,
                      .max_penetration = own.max_penetration,
                      .peak_force = own.peak_force,
                      .impulse = own.impulse + 0.5 * own.force * (t - own.time)});
    memory = {};
  }

  Field field_;
  std::vector<Memory> memory_;                     // one per slot
  std::vector<char> seen_;                         // one per slot; settle()
  bool starts_known_ = false;                      // Memory::first
  std::vector<double> instants_;                   // follow()
  std::vector<std::vector<PressedArc>> together_;  // one per entry; follow()
  std::map<std::pair<int, std::array<double, 2>>, std::shared_ptr<const NormalLaw>> laws_;
  std::vector<std::pair<ContactId, int>> by_name_;  // names and slots; follow(), settle()
};

}  // namespace tappet
