#include "tappet/model/signals.hpp"

#include <algorithm>
#include <cmath>

#include "tappet/fem/body.hpp"
#include "tappet/model/stability.hpp"

namespace tappet {

using Kind_ = SignalSource::Kind;

// Weight and something that can carry it.
static bool stands_on_ground(const Mechanism& m) {
  return m.dimension == Dimension::spatial && m.gravity.norm() > 0 &&
         std::any_of(m.contacts.begin(), m.contacts.end(),
                     [&](const auto& c) { return c->bodies[0] == m.ground() || c->bodies[1] == m.ground(); });
}

static Vec3 centre_of_mass(const Mechanism& m, const Kinematics& k) {
  Vec3 sum = Vec3::Zero();
  double mass = 0;
  for (int b = 0; b < m.body_count(); ++b) {
    sum += m.bodies[b].mass * k.spatial[b].r;
    mass += m.bodies[b].mass;
  }
  return sum / mass;
}

std::vector<SignalSource> all_signals(const Model& model) {
  const Mechanism& m = model.mechanism;
  const bool planar = m.dimension == Dimension::planar;
  std::vector<SignalSource> out;
  auto add = [&](const std::string& name, const char* unit, Kind_ kind, int index, int component) {
    out.push_back({name, unit, kind, index, component});
  };
  const char* axes[] = {"x", "y", "z"};
  const int dimensions = planar ? 2 : 3;

  for (int b = 0; b < m.body_count(); ++b) {
    const std::string n = m.bodies[b].name + ".";
    for (int i = 0; i < dimensions; ++i) add(n + axes[i], "m", Kind_::position, b, i);
    if (planar) {
      add(n + "angle", "rad", Kind_::angle, b, 0);
    } else {
      const char* parts[] = {"qw", "qx", "qy", "qz"};
      for (int i = 0; i < 4; ++i) add(n + parts[i], "1", Kind_::quaternion, b, i);
    }
    for (int i = 0; i < dimensions; ++i) add(n + "v" + axes[i], "m/s", Kind_::velocity, b, i);
    if (planar)
      add(n + "omega", "rad/s", Kind_::omega, b, 2);
    else
      for (int i = 0; i < 3; ++i) add(n + "w" + axes[i], "rad/s", Kind_::omega, b, i);
    for (int i = 0; i < dimensions; ++i) add(n + "a" + axes[i], "m/s^2", Kind_::acceleration, b, i);
    if (planar)
      add(n + "alpha", "rad/s^2", Kind_::alpha, b, 2);
    else
      for (int i = 0; i < 3; ++i) add(n + "alpha" + axes[i], "rad/s^2", Kind_::alpha, b, i);
  }

  for (int j = 0; j < static_cast<int>(m.joints.size()); ++j) {
    const Joint& joint = m.joints[j];
    const std::string n = m.joint_names[j] + ".";
    if (joint.angle) add(n + "angle", "rad", Kind_::joint_angle, j, 0);
    if (joint.displacement) add(n + "displacement", "m", Kind_::joint_displacement, j, 0);
  }
  // Constraints are those of joints, then those of motions.
  const int joint_constraints = m.joint_constraint_count;
  for (int c = 0; c < joint_constraints; ++c) {
    const std::string n = m.constraints[c]->name + ".";
    if (m.constraints[c]->bodies.size() != 2 || m.constraints[c]->aux_count() == 3) {
      add(n + "torque", "N m", Kind_::multiplier, c, 0);  // a coupling
      continue;
    }
    for (int i = 0; i < dimensions; ++i) add(n + "f" + axes[i], "N", Kind_::reaction_force, c, i);
    if (planar)
      add(n + "torque", "N m", Kind_::reaction_torque, c, 2);
    else
      for (int i = 0; i < 3; ++i) add(n + "t" + axes[i], "N m", Kind_::reaction_torque, c, i);
  }
  for (int i = 0; i < static_cast<int>(m.motions.size()); ++i) {
    const int c = joint_constraints + i;
    const Motion& motion = m.motions[i];
    const std::string n = motion.constraint->name + ".";
    if (!motion.effort.empty()) {
      add(n + motion.effort, motion.effort == "torque" ? "N m" : "N", Kind_::multiplier, c, 0);
    } else {
      for (int r = 0; r < motion.constraint->rows; ++r)
        add(n + "f" + axes[motion.axes[r]], "N", Kind_::multiplier, c, r);
    }
    add(n + "power", "W", Kind_::power, c, motion.constraint->rows);
  }

  for (int c = 0; c < static_cast<int>(m.contacts.size()); ++c) {
    const std::string n = m.contacts[c]->name + ".";
    add(n + "gap", "m", Kind_::gap, c, 0);
    add(n + "penetration", "m", Kind_::penetration, c, 0);
    add(n + "normal", "N", Kind_::normal, c, 0);
    add(n + "tangential", "N", Kind_::tangential, c, 0);
    add(n + "speed", "m/s", Kind_::speed, c, 0);
    for (int i = 0; i < dimensions; ++i)
      add(n + m.contacts[c]->offset_prefix() + axes[i], "m", Kind_::offset, c, i);
    for (int i = 0; i < dimensions; ++i) add(n + "f" + axes[i], "N", Kind_::contact_force, c, i);
    add(n + "normal_loss", "J", Kind_::contact_normal_loss, c, 0);
    add(n + "friction_loss", "J", Kind_::contact_friction_loss, c, 0);
  }

  for (int s = 0; s < static_cast<int>(model.structures.size()); ++s) {
    const fem::Body& body = *model.structures[s];
    const std::string n = body.structure.name + ".";
    for (int i = 0; i < 3; ++i) add(n + axes[i], "m", Kind_::centre, s, i);
    for (int i = 0; i < 3; ++i) add(n + "v" + axes[i], "m/s", Kind_::centre_velocity, s, i);
    for (int p = 0; p < static_cast<int>(body.points.size()); ++p) {
      const std::string at = n + body.points[p].name + ".";
      const struct {
        const char *prefix, *unit;
        Kind_ kind;
      } all[] = {{"", "m", Kind_::point_position},
                 {"u", "m", Kind_::point_displacement},
                 {"v", "m/s", Kind_::point_velocity},
                 {"a", "m/s^2", Kind_::point_acceleration}};
      for (const auto& one : all)
        for (int i = 0; i < 3; ++i) out.push_back({at + one.prefix + axes[i], one.unit, one.kind, s, i, p});
    }
  }
  int motion_number = 0;
  for (const auto& body : model.structures)
    for (const fem::SupportMotion& motion : body->motions) {
      const bool turns = motion.direction >= 3;
      const std::string n = body->structure.name + "." + motion.group + (turns ? ".t" : ".f");
      add(n + axes[motion.direction % 3], turns ? "N m" : "N", Kind_::support_force, motion_number++, 0);
    }
  for (int i = 0; i < static_cast<int>(model.spiders.size()); ++i) {
    const Spider& spider = model.spiders[i];
    const std::string n = model.structures[spider.structure]->structure.name + "." + spider.group + ".";
    for (int d = 0; d < 3; ++d) add(n + "f" + axes[d], "N", Kind_::spider_force, i, d);
    for (int d = 0; d < 3; ++d) add(n + "t" + axes[d], "N m", Kind_::spider_torque, i, d);
  }
  for (int c = 0; c < static_cast<int>(model.structure_contacts.size()); ++c) {
    const std::string n = model.structure_contacts[c].name + ".";
    const std::pair<const char*, const char*> all[] = {
        {"gap", "m"},     {"normal", "N"}, {"fx", "N"},          {"fy", "N"},           {"fz", "N"},
        {"speed", "m/s"}, {"nodes", "1"},  {"normal_loss", "J"}, {"friction_loss", "J"}};
    for (int k = 0; k < 9; ++k) add(n + all[k].first, all[k].second, Kind_::nodes_contact, c, k);
  }
  for (int g = 0; g < static_cast<int>(m.groups.size()); ++g) {
    const std::string n = m.groups[g].name + ".";
    add(n + "touching", "1", Kind_::group_touching, g, 0);
    add(n + "normal", "N", Kind_::group_normal, g, 0);
    add(n + "penetration", "m", Kind_::group_penetration, g, 0);
    add(n + "normal_loss", "J", Kind_::group_normal_loss, g, 0);
    add(n + "friction_loss", "J", Kind_::group_friction_loss, g, 0);
  }
  if (stands_on_ground(m)) add("ground.margin", "m", Kind_::margin, 0, 0);

  add("energy.kinetic", "J", Kind_::kinetic, 0, 0);
  add("energy.potential", "J", Kind_::potential, 0, 0);
  add("energy.input", "J", Kind_::input, 0, 0);
  add("energy.damping_loss", "J", Kind_::damping_loss, 0, 0);
  add("energy.normal_loss", "J", Kind_::normal_loss, 0, 0);
  add("energy.friction_loss", "J", Kind_::friction_loss, 0, 0);
  add("energy.residual", "J", Kind_::residual, 0, 0);
  return out;
}

double state_signal(const SignalSource& s, const Kinematics& k, const double* q) {
  const bool planar = k.dimension == Dimension::planar;
  switch (s.kind) {
    case Kind_::position:
      return planar ? k.planar[s.index].r[s.component] : k.spatial[s.index].r[s.component];
    case Kind_::angle:
      return k.planar[s.index].theta;
    case Kind_::quaternion:
      return q[7 * s.index + 3 + s.component];
    case Kind_::velocity:
      return planar ? k.planar[s.index].v[s.component] : k.spatial[s.index].v[s.component];
    case Kind_::omega:
      return planar ? k.planar[s.index].w : k.spatial[s.index].w[s.component];
    default:
      return NAN;
  }
}

double ledger_residual(double energy_now, double energy_at_start, const double* z) {
  return energy_now - energy_at_start - z[ledger_input] + z[ledger_damping] + z[ledger_normal] +
         z[ledger_friction];
}

void evaluate_signals(const Model& model, const std::vector<SignalSource>& sources,
                      const DynamicsWorkspace& w, const double* q, const double* z, double energy_at_start,
                      double* out) {
  const Mechanism& m = model.mechanism;
  const bool planar = m.dimension == Dimension::planar;
  const double kinetic = kinetic_energy(m, w.k), potential = stored_energy(m, w);
  // A constraint's reaction is worked out once for its components, which follow each other.
  int last = -1;
  Reaction r;
  // So is a contact, whether it touches or not.
  int last_contact = -1;
  Touch touch;
  ContactForce contact;
  Vec3 contact_sum = Vec3::Zero();
  auto look_at = [&](int c) {
    if (c == last_contact) return;
    last_contact = c;
    const ContactPoint& point = *m.contacts[c];
    touch = point.touch(w.k);
    contact = point.rigid ? w.contacts[c].force : point.force(w.k, touch);
    // Friction of a contact that sticks is the force that holds it.
    if (point.stick && w.k.contacts[c].stick.sticking) contact.tangential = holding_force(m, w, c, touch);
    contact_sum = contact.normal * touch.normal + contact.tangential;
  };
  auto reaction_of = [&](int c) -> const Reaction& {
    if (c != last) r = reaction(w, c), last = c;
    return r;
  };
  // Supports and centre of mass as seen along gravity.
  auto margin = [&] {
    const Vec3 down = m.gravity.normalized(), t1 = any_perpendicular(down), t2 = down.cross(t1);
    const auto seen = [&](const Vec3& p) { return Vec2(p.dot(t1), p.dot(t2)); };
    std::vector<Vec2> supports;
    for (int c = 0; c < static_cast<int>(m.contacts.size()); ++c) {
      const bool on_first = m.contacts[c]->bodies[0] == m.ground();
      if (!on_first && m.contacts[c]->bodies[1] != m.ground()) continue;
      look_at(c);
      // A wall carries no weight.
      if ((on_first ? -1 : 1) * touch.normal.dot(down) < 1e-6) continue;
      // Rigid supports share the load in many ways: what is closed supports, even if just now others carry.
      if (contact.normal > 0 || touch.gap <= 1e-3 * m.contacts[c]->length_scale)
        supports.push_back(seen(touch.at));
    }
    return stability_margin(std::move(supports), seen(centre_of_mass(m, w.k)));
  };
  for (const SignalSource& s : sources) {
    double value = 0;
    switch (s.kind) {
      case Kind_::acceleration:
        value = w.a[velocity_size(m.dimension) * s.index + s.component];
        break;
      case Kind_::alpha:
        if (planar) {
          value = w.a[3 * s.index + 2];
        } else {
          const double* a = w.a.data() + 6 * s.index + 3;
          value = w.k.spatial[s.index].R.row(s.component).dot(Vec3(a[0], a[1], a[2]));
        }
        break;
      case Kind_::reaction_force:
        value = reaction_of(s.index).force[s.component];
        break;
      case Kind_::reaction_torque:
        value = reaction_of(s.index).torque[s.component];
        break;
      case Kind_::multiplier:
        value = w.lambda[w.constraints.row_of(s.index) + s.component];
        break;
      case Kind_::power:
        for (int row = w.constraints.row_of(s.index), end = row + s.component; row < end; ++row)
          value -= w.lambda[row] * w.constraints.phi_t()[row];
        break;
      case Kind_::joint_angle:
        value = m.joints[s.index].angle->evaluate(w.k).value;
        break;
      case Kind_::joint_displacement:
        value = m.joints[s.index].displacement->evaluate(w.k).value;
        break;
      case Kind_::gap:
        look_at(s.index), value = touch.gap;
        break;
      case Kind_::penetration:
        look_at(s.index), value = std::max(0.0, -touch.gap);
        break;
      case Kind_::normal:
        look_at(s.index), value = contact.normal;
        break;
      case Kind_::tangential:
        look_at(s.index);
        // Signed in the plane: along the normal turned by +90°.
        value = planar ? contact.tangential.dot(Vec3(-touch.normal.y(), touch.normal.x(), 0))
                       : contact.tangential.norm();
        break;
      case Kind_::speed:
        look_at(s.index);
        value = planar ? touch.slip.dot(Vec3(-touch.normal.y(), touch.normal.x(), 0)) : touch.slip.norm();
        break;
      case Kind_::offset:
        look_at(s.index), value = touch.offset[s.component];
        break;
      case Kind_::contact_force:
        look_at(s.index), value = contact_sum[s.component];
        break;
      case Kind_::contact_normal_loss:
        value = z[m.contacts[s.index]->aux_offset + ContactPoint::aux_normal_loss];
        break;
      case Kind_::contact_friction_loss:
        value = z[m.contacts[s.index]->aux_offset + ContactPoint::aux_friction_loss];
        break;
      case Kind_::group_touching:
        value = w.groups[s.index].touching;
        break;
      case Kind_::group_normal:
        value = w.groups[s.index].normal;
        break;
      case Kind_::group_penetration:
        value = w.groups[s.index].penetration;
        break;
      case Kind_::group_normal_loss:
        value = z[m.groups[s.index].aux_offset + ContactPoint::aux_normal_loss];
        break;
      case Kind_::group_friction_loss:
        value = z[m.groups[s.index].aux_offset + ContactPoint::aux_friction_loss];
        break;
      case Kind_::margin:
        value = margin();
        break;
      case Kind_::kinetic:
        value = kinetic;
        break;
      case Kind_::potential:
        value = potential;
        break;
      case Kind_::input:
        value = z[ledger_input];
        break;
      case Kind_::damping_loss:
        value = z[ledger_damping];
        break;
      case Kind_::normal_loss:
        value = z[ledger_normal];
        break;
      case Kind_::friction_loss:
        value = z[ledger_friction];
        break;
      case Kind_::residual:
        value = ledger_residual(kinetic + potential, energy_at_start, z);
        break;
      default:
        value = state_signal(s, w.k, q);
    }
    *out++ = value;
  }
}

}  // namespace tappet
