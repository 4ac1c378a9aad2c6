// Contacts that are followed: clearance joints, and pairs of surfaces with a place each.
#include <algorithm>
#include <cmath>

#include "tappet/contact/relative_radii.hpp"
#include "tappet/model/stability.hpp"
#include "tappet/run/signals/contact_signals.hpp"

namespace tappet::signals::contacts {
namespace {

const ContactPoint& point(SignalContext& c, int i) {
  return *c.model.mechanism.contacts[i];
}

const Touch& touch_of(SignalContext& c, int i) {
  if (c.touch_of != i) c.touch = point(c, i).touch(c.k), c.touch_of = i;
  return c.touch;
}

const ContactForce& force_of(SignalContext& c, int i) {
  if (c.force_of == i) return c.force;
  const ContactPoint& p = point(c, i);
  const Touch& touch = touch_of(c, i);
  c.force = p.rigid ? c.w->contacts[i].force : p.force(c.k, touch);
  // Friction of a contact that sticks is the force that holds it.
  if (p.stick && c.k.contacts[i].stick.sticking)
    c.force.tangential = holding_force(c.model.mechanism, *c.w, i, touch);
  c.force_of = i;
  return c.force;
}

// In the plane signed: along the normal turned by +90°.
double along_tangent(const SignalContext& c, const Touch& touch, const Vec3& v) {
  return c.k.dimension == Dimension::planar ? v.dot(Vec3(-touch.normal.y(), touch.normal.x(), 0)) : v.norm();
}

double offset(SignalContext& c, const SignalDefinition& s) {
  return touch_of(c, s.index).offset[s.component];
}

struct FollowedContact {
  static constexpr bool geometry_needs_forces = false;
  static double gap(SignalContext& c, int i) { return touch_of(c, i).gap; }
  static double normal(SignalContext& c, int i) { return force_of(c, i).normal; }
  static double tangential(SignalContext& c, int i) {
    return along_tangent(c, touch_of(c, i), force_of(c, i).tangential);
  }
  static double speed(SignalContext& c, int i) {
    return along_tangent(c, touch_of(c, i), touch_of(c, i).slip);
  }
  static Vec3 force(SignalContext& c, int i) {
    const ContactForce& f = force_of(c, i);
    return f.normal * touch_of(c, i).normal + f.tangential;
  }
  static int touching(SignalContext& c, int i) { return force_of(c, i).normal > 0; }
  static double normal_loss(SignalContext& c, int i) {
    return c.z[point(c, i).aux_offset + ContactPoint::aux_normal_loss];
  }
  static double friction_loss(SignalContext& c, int i) {
    return c.z[point(c, i).aux_offset + ContactPoint::aux_friction_loss];
  }
};

// The ellipse in which two convex surfaces touch, and the pressure in its middle and its mean, by Hertz from the normal force alone
// (contact/relative_radii.hpp). `patch_radius` is √(ab), which of a circle is its radius. They are offered where materials and radii of both are known, whatever the law of the force.

bool has_patch(const ContactPoint& p) {
  std::string missing;
  const bool convex = p.pair.radius[0] > 0 && p.pair.radius[1] > 0;
  return !p.rigid && (convex || has_ellipse(p.pair)) && std::isnan(p.pair.length) &&
         hertz_stiffness(p.pair, missing);
}

EllipticContact::Patch patch(SignalContext& c, const SignalDefinition& s) {
  const ContactPair& pair = point(c, s.index).pair;
  const double modulus = 1 / (compliance(*pair.material[0]) + compliance(*pair.material[1]));
  return elliptic_contact(pair).patch(force_of(c, s.index).normal, modulus);
}

double patch_radius(SignalContext& c, const SignalDefinition& s) {
  const EllipticContact::Patch p = patch(c, s);
  return std::sqrt(p.a * p.b);
}
double patch_major(SignalContext& c, const SignalDefinition& s) {
  return patch(c, s).a;
}
double patch_minor(SignalContext& c, const SignalDefinition& s) {
  return patch(c, s).b;
}
double peak_pressure(SignalContext& c, const SignalDefinition& s) {
  return patch(c, s).peak;
}
double mean_pressure(SignalContext& c, const SignalDefinition& s) {
  return patch(c, s).mean;
}

void offer(const Model& model, std::vector<SignalDefinition>& out) {
  const Mechanism& m = model.mechanism;
  const int dimensions = m.dimension == Dimension::planar ? 2 : 3;
  for (int i = 0; i < static_cast<int>(m.contacts.size()); ++i) {
    const ContactPoint& p = *m.contacts[i];
    offer_contact_geometry<FollowedContact>(p.name, i, out);
    // The journal's centre in its bearing, or the common point of two surfaces.
    for (int d = 0; d < dimensions; ++d)
      out.push_back({p.name + "." + p.offset_prefix() + axis_names[d], "m", false, i, d, 0, offset});
    offer_contact_forces<FollowedContact>(p.name, i, dimensions, out);
    if (!has_patch(p)) continue;
    out.push_back({p.name + ".patch_radius", "m", true, i, 0, 0, patch_radius});
    out.push_back({p.name + ".patch_major", "m", true, i, 0, 0, patch_major});
    out.push_back({p.name + ".patch_minor", "m", true, i, 0, 0, patch_minor});
    out.push_back({p.name + ".peak_pressure", "Pa", true, i, 0, 0, peak_pressure});
    out.push_back({p.name + ".mean_pressure", "Pa", true, i, 0, 0, mean_pressure});
  }
}

// The stability margin of what stands on the ground: [model/stability.hpp] of the supports and the centre of mass as seen along
// gravity.

bool stands_on_ground(const Mechanism& m) {
  return m.dimension == Dimension::spatial && m.gravity.norm() > 0 &&
         std::any_of(m.contacts.begin(), m.contacts.end(),
                     [&](const auto& c) { return c->bodies[0] == m.ground() || c->bodies[1] == m.ground(); });
}

Vec3 centre_of_mass(const Mechanism& m, const Kinematics& k) {
  Vec3 sum = Vec3::Zero();
  double mass = 0;
  for (int b = 0; b < m.body_count(); ++b) {
    sum += m.bodies[b].mass * k.spatial[b].r;
    mass += m.bodies[b].mass;
  }
  return sum / mass;
}

double margin(SignalContext& context, const SignalDefinition&) {
  // A wall carries no weight: its normal is level to within this cosine.
  constexpr double level = 1e-6;
  // Rigid supports share the load in many ways: what is closed, to this part of its size, supports even if just now others carry.
  constexpr double closed = 1e-3;
  const Mechanism& m = context.model.mechanism;
  const Vec3 down = m.gravity.normalized(), t1 = any_perpendicular(down), t2 = down.cross(t1);
  const auto seen = [&](const Vec3& p) { return Vec2(p.dot(t1), p.dot(t2)); };
  std::vector<Vec2> supports;
  for (int c = 0; c < static_cast<int>(m.contacts.size()); ++c) {
    const bool on_first = m.contacts[c]->bodies[0] == m.ground();
    if (!on_first && m.contacts[c]->bodies[1] != m.ground()) continue;
    const Touch& touch = touch_of(context, c);
    if ((on_first ? -1 : 1) * touch.normal.dot(down) < level) continue;
    if (force_of(context, c).normal > 0 || touch.gap <= closed * m.contacts[c]->length_scale)
      supports.push_back(seen(touch.at));
  }
  return stability_margin(std::move(supports), seen(centre_of_mass(m, context.k)));
}

void offer_margin(const Model& model, std::vector<SignalDefinition>& out) {
  if (stands_on_ground(model.mechanism)) out.push_back({"ground.margin", "m", true, 0, 0, 0, margin});
}

const Registration<SignalProvider> registered{{.name = "contacts", .order = 40, .offer = offer}};
const Registration<SignalProvider> registered_margin{{.name = "ground", .order = 80, .offer = offer_margin}};

}  // namespace
}  // namespace tappet::signals::contacts
