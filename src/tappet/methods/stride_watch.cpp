#include "tappet/methods/stride_watch.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

namespace tappet {

StrideWatch::StrideWatch(const Mechanism& mechanism) : mechanism_(mechanism) {
  std::vector<Walker> all(mechanism.body_count());
  for (int b = 0; b < mechanism.body_count(); ++b) all[b] = {.body = b, .room = HUGE_VAL};
  const auto may_meet = [&](int frame, double room) {
    if (frame == mechanism.ground()) return;
    Walker& walker = all[mechanism.body_of(frame)];
    walker.room = std::min(walker.room, room);
  };
  for (const auto& contact : mechanism.contacts)
    for (const int body : contact->bodies)
      if (contact->passable()) may_meet(body, contact->room_to_overlap());
  for (const ContactGroup& group : mechanism.groups) {
    const auto thinnest = [&](const std::vector<int>& surfaces) {
      double size = HUGE_VAL;
      for (const int s : surfaces) size = std::min(size, mechanism.surfaces[s].shape->size());
      return size;
    };
    const double first = thinnest(group.first), second = thinnest(group.second);
    for (const int s : group.first)
      may_meet(mechanism.surfaces[s].body, mechanism.surfaces[s].shape->size() + second);
    for (const int s : group.second)
      may_meet(mechanism.surfaces[s].body, mechanism.surfaces[s].shape->size() + first);
  }
  for (const Surface& surface : mechanism.surfaces) {
    if (surface.body == mechanism.ground()) continue;
    const Bounds box = surface.shape->bounds({});
    double reach = box.low.cwiseAbs().cwiseMax(box.high.cwiseAbs()).norm();
    if (surface.body >= mechanism.body_count())
      reach += mechanism.flexible.interface(surface.body).position.norm();
    Walker& walker = all[mechanism.body_of(surface.body)];
    walker.reach = std::max(walker.reach, reach);
  }
  for (const Walker& walker : all)
    if (std::isfinite(walker.room)) walkers_.push_back(walker);
}

void fields(FieldVisitor& v, Stride& stride) {
  v.field("body", stride.body);
  v.field("distance", stride.distance);
  v.field("time", stride.time);
  v.field("room", stride.room);
}

void StrideWatch::look(double t, double h, const double* u, Stride& worst) const {
  const int width = velocity_size(mechanism_.dimension), linear = width == 3 ? 2 : 3;
  for (const Walker& walker : walkers_) {
    const double* const v = u + width * walker.body;
    double speed = 0, turning = 0;
    for (int i = 0; i < width; ++i) (i < linear ? speed : turning) += v[i] * v[i];
    const double way = h * (std::sqrt(speed) + std::sqrt(turning) * walker.reach);
    const double longest = worst.body < 0 ? 1 : worst.distance / worst.room;
    if (way > longest * walker.room) worst = {walker.body, way, t, walker.room};
  }
}

std::optional<std::string> StrideWatch::warning(const Stride& worst) const {
  if (worst.body < 0) return std::nullopt;
  return fmt::format(
      "body '{}' went {:.3g} m in the step that ends at t = {:.6g} s: it may have passed through another "
      "unnoticed, since such a "
      "contact overlaps on {:.3g} m; a shorter `step` would see it",
      mechanism_.bodies[worst.body].name, worst.distance, worst.time, 2 * worst.room);
}

}  // namespace tappet
