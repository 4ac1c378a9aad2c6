#include "tappet/studies/contact_situation.hpp"

#include <cmath>

#include "tappet/contact/friction_law.hpp"
#include "tappet/contact/normal_law.hpp"
#include "tappet/model/compile.hpp"
#include "tappet/model/model.hpp"
#include "tappet/ode/smooth_system.hpp"

namespace tappet {
namespace {

Object::Entry one_object(Object object) {
  Object::Entry entry;
  entry.given = true;
  entry.objects.push_back(std::move(object));
  return entry;
}

// Puts laws that need nothing in the place of the user's.
void simplify_laws(Object& contact) {
  if (!contact.has("normal")) return;
  Object normal, friction;
  normal.family = &normal_law_family();
  normal.type = "hooke";
  Object::Entry stiffness, damping;
  stiffness.number = 1;
  normal.put("stiffness", stiffness);
  normal.put("damping", damping);
  friction.family = &friction_law_family();
  friction.type = "none";
  contact.put("normal", one_object(normal));
  contact.put("friction", one_object(friction));
}

Spec with_simple_laws(Spec spec) {
  for (Object& contact : spec.contacts) simplify_laws(contact);
  for (Object& joint : spec.joints) {
    if (!joint.has("clearance")) continue;
    Object clearance = joint.object("clearance");
    simplify_laws(clearance);
    joint.put("clearance", one_object(std::move(clearance)));
  }
  Object::Entry smooth;
  smooth.text = "smooth";
  spec.simulation.put("method", smooth);
  return spec;
}

// The assembled model at its start.
class Start {
 public:
  explicit Start(const Model& model) : mechanism(model.mechanism), system_(model) {
    const Assembly assembly = assemble(mechanism, model.q0, model.u0, model.given, model.pos);
    y_.assign(system_.size(), 0.0);
    std::copy(assembly.q.begin(), assembly.q.end(), y_.begin());
    std::copy(assembly.u.begin(), assembly.u.end(), y_.begin() + mechanism.q_size());
    start_auxiliaries(mechanism, system_.frames(0, y_.data()),
                      y_.data() + mechanism.q_size() + mechanism.u_size());
    acceleration_ = system_.evaluate(0, y_.data()).a;
  }

  ContactSituation look_at(const ContactPoint& contact) {
    std::vector<double> y = y_;
    Touch touch = contact.touch(system_.frames(0, y.data()));
    ContactSituation out;
    out.name = contact.name;
    out.pair = contact.pair;
    out.size = contact.length_scale;
    out.gap = touch.gap;
    if (touch.normal.isZero()) {
      nudge(contact, y);
      touch = contact.touch(system_.frames(0, y.data()));
    }
    out.sliding = touch.slip.norm();
    const double mobility = mobility_of(contact, touch, y);
    out.mass = mobility > 0 ? 1 / mobility : 0;
    const double closing = -gap_acceleration(contact, touch, y);
    out.load = std::max(0.0, closing * out.mass);
    if (out.gap <= 0) {
      if (touch.rate < 0 || out.load > 0) out.speed = std::max(0.0, -touch.rate);
      return out;
    }
    const double square = touch.rate * touch.rate + 2 * closing * out.gap;
    if (square > 0 && (touch.rate < 0 || closing > 0)) out.speed = std::sqrt(square);
    return out;
  }

  const Mechanism& mechanism;

 private:
  // Off the middle, so that the surfaces have a direction to each other.
  void nudge(const ContactPoint& contact, std::vector<double>& y) const {
    const bool second = contact.bodies[1] != mechanism.ground();
    const Vec3 direction =
        mechanism.gravity.norm() > 0 ? Vec3(mechanism.gravity.normalized()) : Vec3(Vec3::UnitX());
    double* r =
        y.data() + position_size(mechanism.dimension) * mechanism.body_of(contact.bodies[second ? 1 : 0]);
    for (int i = 0; i < (mechanism.dimension == Dimension::planar ? 2 : 3); ++i)
      r[i] += (second ? 1e-3 : -1e-3) * contact.length_scale * direction[i];
  }

  double mobility_of(const ContactPoint& contact, const Touch& touch, const std::vector<double>& y) {
    const DynamicsWorkspace& w = system_.evaluate(0, y.data());
    std::vector<double> push(mechanism.frame_force_size()), response(mechanism.u_size());
    std::vector<double> zero(w.constraints.rows(), 0.0), lambda(w.constraints.rows());
    push_apart(contact, touch, w.k, mechanism.ground(), push);
    w.constraints.to_bodies(push.data());
    system_.respond(push.data(), zero.data(), response.data(), lambda.data());
    double mobility = 0;
    for (std::size_t n = 0; n < response.size(); ++n) mobility += push[n] * response[n];
    return mobility;
  }

  // By a step so short that nothing else changes.
  double gap_acceleration(const ContactPoint& contact, const Touch& touch, std::vector<double> y) {
    double* q = y.data();
    double* u = y.data() + mechanism.q_size();
    const double step = 1e-6 * std::sqrt(contact.length_scale / std::max(1e-3, largest(acceleration_)));
    std::vector<double> moved(mechanism.u_size());
    for (int n = 0; n < mechanism.u_size(); ++n) moved[n] = step * u[n], u[n] += step * acceleration_[n];
    displace(mechanism, q, moved.data());
    return (contact.touch(system_.frames(0, y.data())).rate - touch.rate) / step;
  }

  static double largest(const std::vector<double>& values) {
    double out = 0;
    for (double value : values) out = std::max(out, std::abs(value));
    return out;
  }

  SmoothSystem system_;
  std::vector<double> y_, acceleration_;
};

}  // namespace

namespace {

FlexibleSituation situation_of(const FlexibleBody& body) {
  FlexibleSituation out;
  out.name = body.name;
  for (const double square : body.stiffness) out.frequencies.push_back(std::sqrt(square) / (2 * M_PI));
  for (const FlexibleInterface& at : body.interfaces)
    for (int i = 0; i < 3 && !at.of_surface(); ++i) {
      std::vector<double>& own = out.compliances.emplace_back();
      for (int k = 0; k < body.modes; ++k)
        own.push_back(body.stiffness[k] > 0 ? at.translation(i, k) * at.translation(i, k) / body.stiffness[k]
                                            : 0);
    }
  return out;
}

}  // namespace

Situations contact_situations(const Spec& spec) {
  Diagnostics diagnostics;
  const std::shared_ptr<const Model> model = compile(with_simple_laws(spec), diagnostics);
  Start start(*model);
  Situations out{.contacts = {}, .flexible = {}, .length = model->mechanism.length};
  for (const FlexibleBody& body : model->mechanism.flexible.bodies)
    out.flexible.push_back(situation_of(body));
  // Stops and bearings of joints have no surfaces whose curvature and material would tell a law.
  for (const auto& contact : model->mechanism.contacts)
    if (!contact->by_rows) out.contacts.push_back(start.look_at(*contact));
  return out;
}

}  // namespace tappet
