#include "tappet/run/contact_watch.hpp"

#include <algorithm>

#include "tappet/run/contact_monitor.hpp"
#include "tappet/run/impact_monitor.hpp"

namespace tappet {

std::unique_ptr<ContactWatch> make_contact_watch(const Model& model, SmoothSystem& system) {
  if (model.settings.method == "event-driven") return std::make_unique<ImpactMonitor>(model, system);
  return std::make_unique<ContactMonitor>(model, system);
}

void save(const ContactState& s, double* out) {
  const double numbers[contact_state_numbers] = {s.touching ? 1.0 : 0.0,
                                                 s.sliding ? 1.0 : 0.0,
                                                 s.impact_rate,
                                                 s.start,
                                                 s.max_penetration,
                                                 s.peak_force,
                                                 s.impulse_start,
                                                 s.depth_scale,
                                                 s.depth_scale_high,
                                                 s.stick.sticking ? 1.0 : 0.0,
                                                 s.stick.armed ? 1.0 : 0.0,
                                                 s.stick.direction[0],
                                                 s.stick.direction[1],
                                                 static_cast<double>(s.branch),
                                                 s.direction.x(),
                                                 s.direction.y(),
                                                 s.direction.z(),
                                                 s.tangent.x(),
                                                 s.tangent.y(),
                                                 s.tangent.z()};
  std::copy(numbers, numbers + contact_state_numbers, out);
}

void load(ContactState& s, const double* in) {
  s.touching = in[0] != 0, s.sliding = in[1] != 0, s.impact_rate = in[2], s.start = in[3],
  s.max_penetration = in[4];
  s.peak_force = in[5], s.impulse_start = in[6], s.depth_scale = in[7], s.depth_scale_high = in[8];
  s.stick.sticking = in[9] != 0, s.stick.armed = in[10] != 0, s.stick.direction = {in[11], in[12]};
  s.branch = static_cast<int>(in[13]);
  s.direction = {in[14], in[15], in[16]};
  s.tangent = {in[17], in[18], in[19]};
}

}  // namespace tappet
