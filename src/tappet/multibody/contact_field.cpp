#include "tappet/multibody/contact_field.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>

namespace tappet {
namespace {

// The farthest corner of the shape's box from the origin of the body; 0 for planes, which are the ground's and do not turn.
double extent(const Shape& shape) {
  const Bounds box = shape.bounds({});
  const double far = box.low.cwiseAbs().cwiseMax(box.high.cwiseAbs()).norm();
  return std::isfinite(far) ? far : 0;
}

}  // namespace

ContactField::ContactField(const Mechanism& mechanism) : mechanism_(mechanism) {
  const std::size_t surfaces = mechanism.surfaces.size();
  std::vector<char> used(surfaces, 0);
  for (const ContactGroup& group : mechanism.groups) {
    in_first_.emplace_back(surfaces, 0);
    in_second_.emplace_back(surfaces, 0);
    for (int s : group.first) in_first_.back()[s] = used[s] = 1;
    for (int s : group.second) in_second_.back()[s] = used[s] = 1;
  }
  // Boxes are numbered in the order of the surfaces.
  reach_.assign(surfaces, 0.0);
  for (std::size_t s = 0; s < surfaces; ++s) {
    if (!used[s]) continue;
    reach_[s] = extent(*mechanism.surfaces[s].shape);
    boxes_.insert(mechanism.surfaces[s].shape->bounds({}));
    surface_of_box_.push_back(static_cast<int>(s));
  }
}

double ContactField::way_of(const Kinematics& k, const double* u, int s, double time) const {
  const int body = mechanism_.surfaces[s].body;
  if (body == mechanism_.ground()) return 0;
  const bool planar = k.dimension == Dimension::planar;
  const double* v = u + velocity_size(k.dimension) * body;
  const double speed = planar ? std::hypot(v[0], v[1]) : Eigen::Map<const Vec3>(v).norm();
  const double turning = planar ? std::abs(v[2]) : Eigen::Map<const Vec3>(v + 3).norm();
  return time * (speed + turning * reach_[s]);
}

void ContactField::measure_ways(const Kinematics& k, const double* u, double time) {
  way_.resize(reach_.size());
  for (int s : surface_of_box_) way_[s] = way_of(k, u, s, time);
}

void ContactField::move(const Kinematics& k, int box, double way) {
  const int s = surface_of_box_[box];
  Bounds bounds = mechanism_.surfaces[s].shape->bounds(pose_of(k, mechanism_.surfaces[s].body));
  way += 1e-5 * reach_[s];  // what counts as closed is a part of a surface's size
  bounds.low.array() -= way;
  bounds.high.array() += way;
  boxes_.move(box, bounds);
}

double ContactField::reach() const {
  return reach_.empty() ? 0 : *std::max_element(reach_.begin(), reach_.end());
}

int ContactField::group_of(int a, int b) const {
  if (mechanism_.surfaces[a].body == mechanism_.surfaces[b].body) return -1;
  for (std::size_t g = 0; g < mechanism_.groups.size(); ++g)
    if ((in_first_[g][a] && in_second_[g][b]) || (in_first_[g][b] && in_second_[g][a]))
      return static_cast<int>(g);
  return -1;
}

int ContactField::open(int a, int b) {
  const int group = group_of(a, b);
  if (group < 0) return -1;
  // In the group's order: one of its first surfaces first.
  if (!(in_first_[group][a] && in_second_[group][b])) std::swap(a, b);
  const Surface &first = mechanism_.surfaces[a], &second = mechanism_.surfaces[b];
  const PairUse use = mechanism_.groups[group].rigid ? PairUse::impacts : PairUse::forces;
  Near near{.geometry = Pair(*first.shape, *second.shape, use),
            .first = a,
            .second = b,
            .group = group,
            .bodies = {first.body, second.body},
            .length_scale = contact_length(first, second)};
  const std::size_t candidates = near.geometry.candidates();
  if (free_.size() <= candidates) free_.resize(candidates + 1);
  int place;
  if (free_[candidates].empty()) {
    place = static_cast<int>(pool_.size());
    near.slot = capacity();
    owner_.insert(owner_.end(), candidates, place);
    pool_.push_back(near);
  } else {
    place = free_[candidates].back();
    free_[candidates].pop_back();
    near.slot = pool_[place].slot;
    pool_[place] = near;
  }
  if (places_.size() < candidates) places_.resize(candidates);
  return place;
}

void ContactField::update(const Kinematics& k, const double* u, double time) {
  for (int box = 0; box < surfaces(); ++box) move(k, box, way_of(k, u, surface_of_box_[box], time));
  find_near();
}

void ContactField::update(const Kinematics& k, double way) {
  for (int box = 0; box < surfaces(); ++box) move(k, box, way);
  find_near();
}

void ContactField::find_near() {
  next_.clear();
  const std::size_t closed_before = closed_.size();
  const auto close = [&](const Meeting& meeting) {
    if (meeting.pool >= 0) closed_.push_back(meeting.pool);
  };
  // Old and new ones are both in ascending order.
  auto old = near_.cbegin();
  for (const auto& [i, j] : boxes_.pairs()) {
    const int a = surface_of_box_[i], b = surface_of_box_[j];
    for (; old != near_.cend() && (old->first < a || (old->first == a && old->second < b)); ++old)
      close(*old);
    if (old != near_.cend() && old->first == a && old->second == b)
      next_.push_back(*old++);
    else
      next_.push_back({a, b, open(a, b)});
  }
  for (; old != near_.cend(); ++old) close(*old);
  near_.swap(next_);
  // A slot rests for one step before others get it, so that whoever follows it sees that it ended.
  for (std::size_t n = 0; n < closed_before; ++n)
    free_[pool_[closed_[n]].geometry.candidates()].push_back(closed_[n]);
  closed_.erase(closed_.begin(), closed_.begin() + static_cast<std::ptrdiff_t>(closed_before));
}

void ContactField::place_bodies(const Kinematics& k) {
  poses_.resize(mechanism_.frame_count() + 1);
  for (std::size_t body = 0; body < poses_.size(); ++body) poses_[body] = pose_of(k, static_cast<int>(body));
}

std::span<const Proximity> ContactField::look(const Near& near) {
  const std::span<Proximity> out(places_.data(), near.geometry.candidates());
  near.geometry.evaluate(poses_[near.bodies[0]], poses_[near.bodies[1]], out);
  return out;
}

void ContactField::gaps(std::span<const int> slots, const Kinematics& k, double* out) {
  place_bodies(k);
  const Near* seen = nullptr;
  for (int slot : slots) {
    const Near& near = pool_[owner_[slot]];
    if (&near != seen) look(near), seen = &near;
    *out++ = places_[slot - near.slot].gap;
  }
}

ContactId ContactField::name(int slot) const {
  const Near& near = pool_[owner_[slot]];
  return {static_cast<int>(mechanism_.contacts.size()) + near.group, near.first, near.second,
          slot - near.slot};
}

void ContactField::forget() {
  near_.clear(), next_.clear(), closed_.clear();
  pool_.clear(), owner_.clear(), free_.clear();
}

int ContactField::reopen(const ContactId& place) {
  const int a = std::min(place.first, place.second), b = std::max(place.first, place.second);
  if (a < 0 || b >= static_cast<int>(mechanism_.surfaces.size()) || group_of(a, b) < 0)
    throw std::invalid_argument("a contact of a group is between surfaces that no group has");
  auto found =
      std::lower_bound(near_.begin(), near_.end(), Meeting{a, b, -1}, [](const Meeting& x, const Meeting& y) {
        return x.first < y.first || (x.first == y.first && x.second < y.second);
      });
  if (found == near_.end() || found->first != a || found->second != b)
    found = near_.insert(found, {a, b, open(a, b)});
  const Near& near = pool_[found->pool];
  if (place.place < 0 || place.place >= static_cast<int>(near.geometry.candidates()))
    throw std::invalid_argument("a contact of a group is at a place that its surfaces do not have");
  return near.slot + place.place;
}

}  // namespace tappet
