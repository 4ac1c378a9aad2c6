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
  c.force = p.rigid || p.bearing ? c.w->contacts[i].force : p.force(c.k, touch);
  // Friction of a contact that sticks is the force that holds it.
  if (c.w && p.stick && c.k.contacts[i].stick.sticking)
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
  static Vec3 force(SignalContext& c, int i) { return point(c, i).resultant(touch_of(c, i), force_of(c, i)); }
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

// A contact of several places by their total (SignalContext::Total):
//
//   x, y, z      m    centre of pressure, Σ n_i x_i/Σ n_i of the normal forces n_i; without load the place of the smallest gap
//   mx, my, mz   N m  moment of all forces on the second surface about it; in the plane mz
//
// and what every contact has, sums and extremes over the places (contact_signals.hpp).

/// The element of the file that a place belongs to: up to the first dot, which names do not have.
std::string owner_of(const std::string& place) {
  return place.substr(0, place.find('.'));
}

/// How many places from this one on belong to one element.
int places_from(const Mechanism& m, int first) {
  int count = 1;
  const std::string owner = owner_of(m.contacts[first]->name);
  while (first + count < static_cast<int>(m.contacts.size()) &&
         owner_of(m.contacts[first + count]->name) == owner)
    ++count;
  return count;
}

const SignalContext::Total& total_of(SignalContext& c, int first, int count) {
  if (c.total_of == first) return c.total;
  SignalContext::Total t;
  t.gap = HUGE_VAL;
  double weight = 0;
  Vec3 nearest = Vec3::Zero();
  for (int i = first; i < first + count; ++i) {
    const Touch& touch = touch_of(c, i);
    const ContactForce& f = force_of(c, i);
    if (touch.gap < t.gap) t.gap = touch.gap, nearest = touch.at;
    t.normal_loss += FollowedContact::normal_loss(c, i),
        t.friction_loss += FollowedContact::friction_loss(c, i);
    if (!(f.normal > 0)) continue;
    ++t.touching;
    t.normal += f.normal, t.tangential += f.tangential.norm();
    t.speed = std::max(t.speed, touch.slip.norm());
    const Vec3 force = f.normal * touch.normal + f.tangential;
    t.force += force, t.moment += touch.at.cross(force);
    t.at += f.normal * touch.at, weight += f.normal;
  }
  t.at = weight > 0 ? Vec3(t.at / weight) : nearest;
  t.moment -= t.at.cross(t.force);
  c.total = t, c.total_of = first;
  return c.total;
}

template <double SignalContext::Total::*member>
double total(SignalContext& c, const SignalDefinition& s) {
  return total_of(c, s.index, s.part).*member;
}
template <Vec3 SignalContext::Total::*member>
double total_part(SignalContext& c, const SignalDefinition& s) {
  return (total_of(c, s.index, s.part).*member)[s.component];
}

void offer_total(const std::string& name, int first, int count, int dimensions,
                 std::vector<SignalDefinition>& out) {
  using T = SignalContext::Total;
  const std::string n = name + ".";
  const auto add = [&](const std::string& what, const char* unit, int component,
                       double (*evaluate)(SignalContext&, const SignalDefinition&)) {
    out.push_back({n + what, unit, true, first, component, count, evaluate});
  };
  add("gap", "m", 0, total<&T::gap>);
  add("penetration", "m", 0, [](SignalContext& c, const SignalDefinition& s) {
    return std::max(0.0, -total_of(c, s.index, s.part).gap);
  });
  add("normal", "N", 0, total<&T::normal>);
  add("tangential", "N", 0, total<&T::tangential>);
  add("speed", "m/s", 0, total<&T::speed>);
  for (int d = 0; d < dimensions; ++d) add(axis_names[d], "m", d, total_part<&T::at>);
  for (int d = 0; d < dimensions; ++d) add(std::string("f") + axis_names[d], "N", d, total_part<&T::force>);
  for (int d = dimensions == 2 ? 2 : 0; d < 3; ++d)
    add(std::string("m") + axis_names[d], "N m", d, total_part<&T::moment>);
  add("touching", "1", 0, [](SignalContext& c, const SignalDefinition& s) -> double {
    return total_of(c, s.index, s.part).touching;
  });
  add("normal_loss", "J", 0, total<&T::normal_loss>);
  add("friction_loss", "J", 0, total<&T::friction_loss>);
}

// Friction in an ideal joint: its load, its force on the sliding surface and what it lost.
void offer_bearing(const std::string& n, int i, std::vector<SignalDefinition>& out) {
  using C = SignalContext;
  using S = SignalDefinition;
  out.push_back({n + "normal", "N", true, i, 0, 0,
                 [](C& c, const S& s) { return FollowedContact::normal(c, s.index); }});
  out.push_back({n + "tangential", "N", true, i, 0, 0,
                 [](C& c, const S& s) { return FollowedContact::tangential(c, s.index); }});
  out.push_back({n + "speed", "m/s", false, i, 0, 0,
                 [](C& c, const S& s) { return FollowedContact::speed(c, s.index); }});
  out.push_back({n + "friction_loss", "J", false, i, 0, 0,
                 [](C& c, const S& s) { return FollowedContact::friction_loss(c, s.index); }});
}

void offer(const Model& model, std::vector<SignalDefinition>& out) {
  const Mechanism& m = model.mechanism;
  const int dimensions = m.dimension == Dimension::planar ? 2 : 3;
  std::size_t asked = 0;  // places from here on are recorded on request alone
  for (int i = 0, end = 0; i < static_cast<int>(m.contacts.size()); ++i) {
    const ContactPoint& p = *m.contacts[i];
    // The few places of a joint with play or limits are what is looked at there.
    const std::string owner = owner_of(p.name);
    const bool of_joint = std::find(m.joint_names.begin(), m.joint_names.end(), owner) != m.joint_names.end();
    if (i == end) {
      const int count = places_from(m, i);
      end = i + count;
      if (count > 1 && !of_joint) offer_total(owner, i, count, dimensions, out);
    }
    asked = out.size();
    if (p.bearing) {
      offer_bearing(p.name + ".", i, out);
      continue;
    }
    offer_contact_geometry<FollowedContact>(p.name, i, out);
    // The journal's centre in its bearing, or the common point of two surfaces.
    for (int d = 0; d < (p.by_rows ? 0 : dimensions); ++d)
      out.push_back({p.name + "." + p.offset_prefix() + axis_names[d], "m", false, i, d, 0, offset});
    offer_contact_forces<FollowedContact>(p.name, i, dimensions, out);
    if (has_patch(p)) {
      out.push_back({p.name + ".patch_radius", "m", true, i, 0, 0, patch_radius});
      out.push_back({p.name + ".patch_major", "m", true, i, 0, 0, patch_major});
      out.push_back({p.name + ".patch_minor", "m", true, i, 0, 0, patch_minor});
      out.push_back({p.name + ".peak_pressure", "Pa", true, i, 0, 0, peak_pressure});
      out.push_back({p.name + ".mean_pressure", "Pa", true, i, 0, 0, mean_pressure});
    }
    // Forces by laws: all of them, or where what holds a contact at rest is none, that along the normal.
    if (!p.rigid && !p.bearing)
      for (std::size_t s = asked; s < out.size(); ++s)
        out[s].by_law = !p.stick || out[s].name == p.name + ".normal";
    const bool one_of_many = p.name != owner && !of_joint;
    if (one_of_many && !model.settings.output_places)
      for (std::size_t k = asked; k < out.size(); ++k) out[k].on_request = true;
  }
}

// The stability margin of what stands on the ground: [model/stability.hpp] of the supports and the centre of mass as seen along
// gravity.

bool stands_on_ground(const Mechanism& m) {
  return m.dimension == Dimension::spatial && m.gravity.norm() > 0 &&
         std::any_of(m.contacts.begin(), m.contacts.end(), [&](const auto& c) {
           return !c->bearing && !c->by_rows && (c->bodies[0] == m.ground() || c->bodies[1] == m.ground());
         });
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
