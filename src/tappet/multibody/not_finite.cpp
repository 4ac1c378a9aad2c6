#include "tappet/multibody/not_finite.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include <fmt/format.h>

namespace tappet {
namespace {

bool finite(const Kinematics& k) {
  const auto planar = [](const PlanarFrame& f) {
    return f.r.allFinite() && f.v.allFinite() && std::isfinite(f.theta) && std::isfinite(f.w);
  };
  const auto spatial = [](const SpatialFrame& f) {
    return f.r.allFinite() && f.v.allFinite() && f.R.allFinite() && f.w.allFinite();
  };
  return std::all_of(k.planar.begin(), k.planar.end(), planar) &&
         std::all_of(k.spatial.begin(), k.spatial.end(), spatial);
}

bool finite(const Powers& p) {
  return std::isfinite(p.input + p.damping + p.normal + p.friction + p.film + p.wear);
}

std::string of_motion(const Constraint& motion, const Kinematics& k) {
  const double t = k.t;
  for (const Expression* f : motion.functions()) {
    const Jet jet = f->jet(t, k.inputs);
    if (std::isfinite(jet.value) && std::isfinite(jet.d1) && std::isfinite(jet.d2)) continue;
    const char* what = !std::isfinite(jet.value) ? ""
                       : !std::isfinite(jet.d1)  ? "the rate of "
                                                 : "the second rate of ";
    const double value = !std::isfinite(jet.value) ? jet.value : !std::isfinite(jet.d1) ? jet.d1 : jet.d2;
    return fmt::format("motion '{}': {}'{}' is {:g} at t = {:.9g}", motion.name, what, f->text(), value, t);
  }
  return "";
}

std::string of_force(const ForceElement& force, const Mechanism& m, const Kinematics& k) {
  std::vector<double> h(velocity_size(m.dimension) * m.frame_count(), 0.0);
  ForceSum sum{h.data(), m.ground(), {}};
  force.apply(k, sum);
  const bool forces = std::all_of(h.begin(), h.end(), [](double each) { return std::isfinite(each); });
  if (forces && finite(sum.powers)) return "";
  const std::string formula = force.formula(k);
  return fmt::format("{} of force '{}' is not a finite number at t = {:.9g} s{}{}",
                     forces ? "the power" : "the value", force.name, k.t, formula.empty() ? "" : ": ",
                     formula);
}

std::string of_contact(const ContactPoint& contact, const Kinematics& k) {
  if (contact.rigid || !k.contacts || !k.contacts[contact.index].touching) return "";
  const Touch touch = contact.touch(k);
  const ContactForce force = contact.force(k, touch);
  if (std::isfinite(force.normal) && force.tangential.allFinite() &&
      std::isfinite(force.stored + force.normal_loss + force.friction_loss))
    return "";
  return fmt::format(
      "the {} of contact '{}' is not a finite number at t = {:.9g} s: depth = {:.9g} m, rate = {:.9g} m/s, "
      "speed at first touch = {:.9g} "
      "m/s, sliding speed = {:.9g} m/s",
      std::isfinite(force.normal) ? (force.tangential.allFinite() ? "energy" : "friction") : "normal force",
      contact.name, k.t, -touch.gap, -touch.rate, k.contacts[contact.index].impact_rate, touch.slip.norm());
}

}  // namespace

std::string not_finite_cause(const Mechanism& m, const Kinematics& k) {
  if (!finite(k)) return "";
  if (k.feed)
    if (std::string found = k.feed->not_finite(k); !found.empty()) return found;
  for (const Motion& motion : m.motions)
    if (const std::string found = of_motion(*motion.constraint, k); !found.empty()) return found;
  for (const auto& force : m.forces)
    if (is_off(k, force->with_switch))
      continue;
    else if (const std::string found = of_force(*force, m, k); !found.empty())
      return found;
  for (const auto& contact : m.contacts)
    if (const std::string found = of_contact(*contact, k); !found.empty()) return found;
  return "";
}

std::string component_name(const Mechanism& m, int i) {
  const bool planar = m.dimension == Dimension::planar;
  const int places = position_size(m.dimension), width = velocity_size(m.dimension), linear = planar ? 2 : 3;
  const auto of = [&](const char* what, int body) {
    return fmt::format("the {} of body '{}'", what, m.bodies[body].name);
  };
  const auto bends = [&](const char* what, int mode) {
    for (const FlexibleBody& body : m.flexible.bodies)
      if (mode >= body.first && mode < body.first + body.modes)
        return fmt::format("{} of mode {} of flexible body '{}'", what, mode - body.first + 1, body.name);
    return std::string();
  };
  const int elastic = m.flexible.modes;
  if (i >= m.q_size() - elastic && i < m.q_size()) return bends("the amplitude", i - m.q_size() + elastic);
  if (i < m.q_size()) return of(i % places < linear ? "position" : "orientation", i / places);
  i -= m.q_size();
  if (i >= m.u_size() - elastic && i < m.u_size()) return bends("the rate", i - m.u_size() + elastic);
  if (i < m.u_size()) return of(i % width < linear ? "velocity" : "angular velocity", i / width);
  i -= m.u_size();
  constexpr const char* ledger[] = {"work done on the mechanism", "energy lost in dampers",
                                    "energy lost along contacts' normals", "energy lost to friction"};
  if (i < ledger_size) return fmt::format("the {}", ledger[i]);
  if (i == m.ledger_film) return "the energy lost in oil films";
  if (i == m.ledger_wear) return "the energy given up by wear";
  for (const auto& contact : m.contacts)
    if (contact->aux_offset <= i && i < contact->aux_offset + contact->aux_count())
      return fmt::format("the memory of contact '{}'", contact->name);
  for (const auto& force : m.forces)
    if (force->aux_offset >= 0 && force->aux_offset <= i && i < force->aux_offset + force->aux_count())
      return fmt::format("the memory of force '{}'", force->name);
  return "";
}

}  // namespace tappet
