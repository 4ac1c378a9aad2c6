#include "tappet/model/compile.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include <fmt/format.h>

#include "tappet/base/definitions.hpp"
#include "tappet/base/units.hpp"
#include "tappet/lcp/solver.hpp"
#include "tappet/model/compile_events.hpp"
#include "tappet/model/compile_flexible.hpp"
#include "tappet/model/compile_structures.hpp"
#include "tappet/model/compile_wear.hpp"
#include "tappet/model/controller.hpp"
#include "tappet/model/expression_signals.hpp"
#include "tappet/model/flexible_surfaces.hpp"
#include "tappet/model/joint_contacts.hpp"
#include "tappet/model/measures.hpp"
#include "tappet/model/method.hpp"
#include "tappet/model/signals.hpp"
#include "tappet/multibody/clearance.hpp"

namespace tappet {
namespace {

// Mass and inertia from the body's shapes, which must have their common centre in the body's origin.
void weigh_shapes(const Origin& o, double density, const std::vector<Surface>& shapes, bool planar,
                  Body& body, Diagnostics& diagnostics) {
  double volume = 0, size = 0;
  Vec3 moment = Vec3::Zero();
  Mat3 inertia = Mat3::Zero();
  for (const Surface& surface : shapes) {
    const SolidProperties s = surface.shape->solid();
    volume += s.volume;
    moment += s.volume * s.centre;
    inertia +=
        s.inertia + s.volume * (s.centre.squaredNorm() * Mat3::Identity() - s.centre * s.centre.transpose());
    size = std::max(size, surface.shape->size());
  }
  if (!(volume > 0) || !std::isfinite(volume)) {
    diagnostics.error(
        o.where("density"),
        fmt::format("body '{}' has `density` but no shape that encloses a volume; give `mass`", o.name));
    return;
  }
  const Vec3 centre = moment / volume;
  if (centre.norm() > 1e-6 * size)
    diagnostics.error(
        o.where("density"),
        fmt::format("the shapes of body '{}' have their centre of mass at [{:.6g}, {:.6g}, {:.6g}] m of its "
                    "coordinates, whose origin must be there: move the shapes by the opposite",
                    o.name, centre.x(), centre.y(), centre.z()));
  body.mass = density * volume;
  body.has_inertia = true;
  if (planar)
    body.inertia(2, 2) = density * inertia(2, 2);
  else
    body.inertia = density * inertia;
}

// A body that has its mass from one mesh alone is where that mesh's centre of mass is: the mesh is moved there.
NamedParameters centred_shapes(const BodyParameters& p, const std::string& body, Model& model) {
  if (std::isnan(p.density) || p.shapes.size() != 1) return p.shapes;
  const AnyParameters& shape = p.shapes[0].second;
  if (shape.origin.type != "mesh" || shape.origin.given("position") || shape.origin.given("centred"))
    return p.shapes;
  NamedParameters out = p.shapes;
  out[0].second.set("centred", 1);
  model.notes.push_back(
      fmt::format("mesh '{}.{}' is moved so that its centre of mass is the body's origin, as its "
                  "`density` wants",
                  body, p.shapes[0].first));
  return out;
}

// What the body weighs, as given or from its shapes.
void compile_mass(const BodyParameters& p, const Origin& o, const std::vector<Surface>& shapes, bool planar,
                  Body& body, Diagnostics& diagnostics) {
  const bool by_mass = !std::isnan(p.mass), by_density = !std::isnan(p.density);
  if (by_mass == by_density) {
    diagnostics.error(o.name_pos, fmt::format("body '{}' has {} `mass` {} `density`; give one of them",
                                              o.name, by_mass ? "both" : "neither", by_mass ? "and" : "nor"));
    return;
  }
  if (by_density) {
    if (p.inertia)
      diagnostics.error(
          o.where("inertia"),
          fmt::format("body '{}' has `density`, from which its inertia follows; leave `inertia` out, or "
                      "give `mass`",
                      o.name));
    return weigh_shapes(o, p.density, shapes, planar, body, diagnostics);
  }
  body.mass = p.mass;
  body.has_inertia = p.inertia.has_value();
  if (p.inertia) body.inertia = *p.inertia;
}

// Where the body is at the start and how it moves, as written.
void compile_start(const BodyParameters& p, const Origin& o, bool planar, GivenVelocity& given, Model& model,
                   Diagnostics& diagnostics) {
  given.linear = !std::isnan(p.velocity.x());
  given.angular = !std::isnan(p.angular_velocity.x());
  const Vec3 r = std::isnan(p.position.x()) ? Vec3(Vec3::Zero()) : p.position;
  const Vec3 v = given.linear ? p.velocity : Vec3(Vec3::Zero());
  const Vec3 world = given.angular ? p.angular_velocity : Vec3(Vec3::Zero());
  if (planar) {
    if (p.orientation)
      diagnostics.error(
          o.where("orientation"),
          fmt::format("`orientation` of body '{}' has no meaning in a planar model; use `angle`", o.name));
    model.q0.insert(model.q0.end(), {r[0], r[1], p.angle});
    model.u0.insert(model.u0.end(), {v[0], v[1], world.z()});
    return;
  }
  if (o.given("angle"))
    diagnostics.error(
        o.where("angle"),
        fmt::format("`angle` of body '{}' has no meaning in a spatial model; use `orientation`", o.name));
  const std::array<double, 4> e = p.orientation.value_or(std::array<double, 4>{1, 0, 0, 0});
  const Vec3 w = rotation_of(e.data()).transpose() * world;
  model.q0.insert(model.q0.end(), {r[0], r[1], r[2], e[0], e[1], e[2], e[3]});
  model.u0.insert(model.u0.end(), {v[0], v[1], v[2], w[0], w[1], w[2]});
}

// Bodies, and their coordinates as written.
void compile_bodies(const Spec& spec, Model& model, Diagnostics& diagnostics) {
  Mechanism& m = model.mechanism;
  const bool planar = spec.dimension == Dimension::planar;
  std::vector<double> elastic_q, elastic_u;  // behind those of all bodies
  for (const Object& object : spec.bodies) {
    if (object.has("structure") && !object.has("flexible")) continue;
    const AnyParameters parameters = object.parameters();
    const auto& p = parameters.as<BodyParameters>();
    Body body;
    body.name = object.name;
    const std::vector<Surface> shapes =
        make_surfaces(centred_shapes(p, body.name, model), body.name, static_cast<int>(m.bodies.size()),
                      spec.dimension, diagnostics);
    m.surfaces.insert(m.surfaces.end(), shapes.begin(), shapes.end());
    if (!object.has("flexible")) compile_mass(p, parameters.origin, shapes, planar, body, diagnostics);
    GivenVelocity given;
    compile_start(p, parameters.origin, planar, given, model, diagnostics);
    // A point mass does not turn, so its angular velocity is known.
    if (!body.has_inertia && !object.has("flexible")) given.angular = true;
    model.given.push_back(given);
    m.bodies.push_back(body);
    if (object.has("flexible")) compile_flexible(object, spec, model, elastic_q, elastic_u, diagnostics);
  }
  model.q0.insert(model.q0.end(), elastic_q.begin(), elastic_q.end());
  model.u0.insert(model.u0.end(), elastic_u.begin(), elastic_u.end());
  add_face_frames(spec, model);
  m.inverse_mass = InverseMass::of(m.bodies);
  m.flexible.rigid = m.body_count();
  int frame = m.body_count();
  for (FlexibleBody& body : m.flexible.bodies) {
    body.interface = frame;
    frame += static_cast<int>(body.interfaces.size());
    m.inverse_mass.linear.resize(frame, m.inverse_mass.linear[body.body]);
    m.inverse_mass.angular.resize(frame, m.inverse_mass.angular[body.body]);
  }
  compile_flexible_surfaces(spec, model, diagnostics);
  if (!spec.ground.has("shapes")) return;
  const AnyParameters ground = spec.ground.parameters();
  const std::vector<Surface> fixed =
      make_surfaces(ground.as<GroundParameters>().shapes, "ground", m.ground(), spec.dimension, diagnostics);
  m.surfaces.insert(m.surfaces.end(), fixed.begin(), fixed.end());
}

std::vector<std::string> body_names(const Mechanism& m) {
  std::vector<std::string> names;
  for (int frame = 0; frame <= m.ground(); ++frame) names.push_back(m.frame_name(frame));
  return names;
}

// The joint's body on this side; −1 after an error was reported.
int find_body(const std::array<std::string, 2>& bodies, int side, const Origin& of,
              const std::vector<std::string>& names, Diagnostics& diagnostics) {
  auto at = std::find(names.begin(), names.end(), bodies[side]);
  if (at != names.end()) return static_cast<int>(at - names.begin());
  const std::string near = nearest_name(bodies[side], names);
  diagnostics.error(
      of.where("bodies", side),
      fmt::format("joint '{}' connects body '{}', which does not exist{}; bodies: {}", of.name, bodies[side],
                  near.empty() ? "" : fmt::format(" (did you mean '{}'?)", near), join_names(names)));
  return -1;
}

void compile_contacts(const Spec& spec, Model& model, const Kinematics& start, const Materials& materials,
                      Diagnostics& diagnostics) {
  Mechanism& m = model.mechanism;
  const bool rigid = method_type(model.settings).rigid();
  // A method that locates events keeps a state per place.
  const bool follow = method_type(model.settings).treatment == ContactTreatment::events;
  for (const Object& o : spec.contacts) {
    if (!o.has("between") || o.names("between").size() != 2 || !o.has("normal")) continue;
    if (compile_structure_contact(o, materials, model, diagnostics) ||
        compile_face_contact(o, materials, model, diagnostics))
      continue;
    if (o.given("lift"))
      diagnostics.error(
          o.where("lift"),
          fmt::format("contact '{}' has `lift`, which is for structures on the ground; move a rigid body "
                      "by `motions`",
                      o.name));
    SurfaceContacts made = make_surface_contacts(
        {o.parameters(), m.surfaces, materials, start, diagnostics, rigid, follow}, model.notes);
    if (rigid && o.given("rolling_velocity"))
      model.notes.push_back(fmt::format(
          "`rolling_velocity` of contact '{}' is not used by method {}, whose couples hold at rest", o.name,
          model.settings.method));
    add_contacts(std::move(made.points), m);
    if (!made.group) continue;
    m.groups.push_back(std::move(*made.group));
  }
}

// Contacts whose friction can stick get rows that hold them while they do.
void compile_sticks(Model& model) {
  Mechanism& m = model.mechanism;
  double mass = 0;
  for (const Body& body : m.bodies) mass += body.mass;
  for (auto& contact : m.contacts) {
    if (contact->friction_law->traits().kind != FrictionKind::stick) continue;
    auto stick = std::make_unique<StickConstraint>();
    stick->name = contact->name;
    stick->bodies = {contact->bodies[0], contact->bodies[1]};
    stick->rows =
        m.dimension == Dimension::planar || (contact->bearing && contact->sliding_directions() == 1) ? 1 : 2;
    stick->level = ConstraintLevel::acceleration;
    stick->compliant = true;
    stick->contact = contact.get();
    stick->reference_force = mass * std::max(m.gravity.norm(), 1.0);
    contact->stick = stick.get();
    m.sticks.push_back(std::move(stick));
  }
}

// What joints share, where this one has it.
template <class T>
void take(const AnyParameters& parameters, const char* key, T& out) {
  if (const auto value = parameters.get(key)) parameters::put(*value, out);
}

// Joints in file order, couplings after the joints they couple.
void compile_joints(const Spec& spec, Model& model, const Kinematics& start, const Materials& materials,
                    Diagnostics& diagnostics) {
  Mechanism& m = model.mechanism;
  const std::vector<std::string> names = body_names(m);
  for (const bool couplings : {false, true}) {
    for (const Object& o : spec.joints) {
      const JointType* type = JointRegistry::instance().find(o.type);
      if (!type || type->couples != couplings) continue;
      const AnyParameters parameters = o.parameters();
      const Origin& origin = parameters.origin;
      JointInput in{origin, spec.dimension, 0, 0, start, diagnostics, m.joints, m.joint_names};
      take(parameters, "points", in.points);
      take(parameters, "axis", in.axis);
      take(parameters, "axes", in.axes);
      if (!couplings) {
        std::array<std::string, 2> bodies;
        take(parameters, "bodies", bodies);
        in.i = find_body(bodies, 0, origin, names, diagnostics);
        in.j = find_body(bodies, 1, origin, names, diagnostics);
        if (in.i < 0 || in.j < 0) continue;
        if (in.i == in.j) {
          diagnostics.error(origin.where("bodies"),
                            fmt::format("joint '{}' connects '{}' with itself; two different bodies are "
                                        "needed",
                                        origin.name, bodies[0]));
          continue;
        }
      }
      Joint joint = type->make(parameters, in);
      if (!joint.constraint) continue;
      if (!couplings)
        check_frames(joint.constraint->bodies, fmt::format("joint '{}'", o.name), origin.where("bodies"), m,
                     diagnostics);
      joint.points = in.points;
      // Joints that act away from a point mass's centre, or keep its direction, would turn it.
      for (int b : joint.constraint->bodies) {
        if (b == m.ground() || m.bodies[m.body_of(b)].has_inertia) continue;
        bool turns = couplings || joint.constraint->rows > (spec.dimension == Dimension::planar ? 2 : 3);
        if (!couplings)
          for (int p = 0; p < 2; ++p)
            if ((p == 0 ? in.i : in.j) == b) turns = turns || !in.points[p].isZero(0);
        if (turns)
          diagnostics.error(
              o.pos,
              fmt::format("joint '{}' turns body '{}', which has no `inertia`; a point mass can only be "
                          "held at its centre",
                          o.name, m.bodies[b].name));
      }
      compile_joint_contacts(*type, in, parameters, joint, materials, model);
      m.joint_names.push_back(o.name);
      m.joints.push_back(std::move(joint));
    }
  }
}

void compile_forces(const Spec& spec, Model& model, const Kinematics& start, Diagnostics& diagnostics) {
  Mechanism& m = model.mechanism;
  const std::vector<std::string> names = body_names(m);
  for (const Object& o : spec.forces) {
    const ForceType* type = ForceRegistry::instance().find(o.type);
    if (!type || compile_structure_force(o, start, model, diagnostics)) continue;
    const AnyParameters parameters = o.parameters();
    auto force = type->make(
        parameters, {parameters.origin, spec.dimension, names, m.joints, m.joint_names, start, diagnostics});
    if (!force) continue;
    check_frames(force->bodies, fmt::format("force '{}'", o.name), o.pos, m, diagnostics);
    for (int b : force->bodies)
      if (b != m.ground() && !m.bodies[m.body_of(b)].has_inertia && force->turns_bodies)
        diagnostics.error(
            o.pos, fmt::format("force '{}' turns body '{}', which has no `inertia`; a point mass can only be "
                               "pushed at its centre",
                               o.name, m.bodies[b].name));
    m.forces.push_back(std::move(force));
  }
}

// Numbers that are set from outside.
void compile_inputs(const Spec& spec, Model& model) {
  if (!spec.definitions) return;
  for (const DefinedNames::Input& input : spec.definitions->inputs())
    model.inputs.push_back({input.name, input.unit, input.default_value});
}

// What uses them: when all expressions have been read.
void check_inputs(const Spec& spec, Model& model, Diagnostics& diagnostics) {
  for (std::size_t i = 0; i < model.inputs.size(); ++i)
    if (!*spec.definitions->inputs()[i].used)
      diagnostics.warning(
          spec.inputs[i].name_pos,
          fmt::format("the input '{}' is used nowhere: setting it has no effect", model.inputs[i].name));
  for (const StructureForce& force : model.structure_forces)
    if (force.force.uses_signals())
      diagnostics.error(
          spec.pos, fmt::format("the `force` of '{}', which acts on a node of a structure, reads signals or "
                                "states of the model, which it cannot; it may read inputs",
                                force.name));
  Mechanism& m = model.mechanism;
  for (const Motion& motion : m.motions) {
    const auto functions = motion.constraint->functions();
    const bool jumps =
        motion.constraint->level == ConstraintLevel::velocity &&
        std::any_of(functions.begin(), functions.end(), [](const Expression* f) { return f->uses_inputs(); });
    if (!jumps) continue;
    m.speeds_jump = true;
    if (!model.spiders.empty())
      diagnostics.error(
          spec.pos, fmt::format("the `speed` of motion '{}' uses an input or a signal and can jump, which a "
                                "structure that is attached to bodies cannot follow; "
                                "prescribe its `acceleration`",
                                motion.constraint->name));
  }
}

// A typical distance of joints from centres of mass; without such, of bodies from the origin, or a radius in
// contact.
double typical_length(const Model& model, const Kinematics& start) {
  const Mechanism& m = model.mechanism;
  double sum = 0;
  int count = 0;
  auto centre = [&](int frame) -> Vec3 {
    const int b = m.body_of(frame);
    if (m.dimension == Dimension::spatial) return start.spatial[b].r;
    return Vec3(start.planar[b].r.x(), start.planar[b].r.y(), 0);
  };
  for (const Constraint* c : m.assembly_constraints) {
    const std::optional<Vec3> point = c->reaction_point(start);
    if (!point) continue;
    for (int b : c->bodies) {
      const double distance = b == m.ground() ? 0 : (*point - centre(b)).norm();
      if (distance > 0) sum += distance, ++count;
    }
  }
  // A flexible body that is held nowhere is as large as its interfaces are apart.
  if (!count)
    for (const FlexibleBody& body : m.flexible.bodies)
      for (const FlexibleInterface& interface : body.interfaces)
        if (const double distance = interface.position.norm(); distance > 0) sum += distance, ++count;
  if (!count)
    for (int b = 0; b < m.body_count(); ++b) {
      const double distance = centre(b).norm();
      if (distance > 0) sum += distance, ++count;
    }
  // Nothing but bodies at the origin: the surfaces in contact are what there is to measure by.
  if (!count)
    for (const auto& contact : m.contacts)
      for (double radius : contact->pair.radius)
        if (std::isfinite(radius)) sum += std::abs(radius), ++count;
  return count ? sum / count : 1.0;
}

// What Moreau's method needs of `simulation`: a step, and a solver that can do what the contacts ask.
void compile_moreau(const Object& o, Model& model, Diagnostics& diagnostics) {
  RunSettings& s = model.settings;
  s.solver = o.text("solver");
  s.theta = o.number("theta");
  if (!(s.step > 0))
    diagnostics.error(o.pos, "method moreau needs `simulation.step`: it takes steps of one length");
  const bool spatial = model.mechanism.dimension == Dimension::spatial;
  if (o.has("facets")) {
    s.facets = static_cast<int>(o.number("facets"));
    if (s.facets != o.number("facets"))
      diagnostics.error(o.where("facets"),
                        fmt::format("`facets` is {:g}; it must be a whole number", o.number("facets")));
    if (!spatial)
      diagnostics.error(o.where("facets"),
                        "`facets` has no meaning in a planar model, where friction is linear as it is");
  }

  const lcp::SolverRegistry& registry = lcp::SolverRegistry::instance();
  const lcp::SolverType* type = registry.find(s.solver);
  if (!type) {
    diagnostics.error(o.where("solver"), fmt::format("`solver` is '{}', which does not exist; solvers: {}",
                                                     s.solver, join_names(registry.names())));
    return;
  }
  const bool rough = std::any_of(model.mechanism.contacts.begin(), model.mechanism.contacts.end(),
                                 [](const auto& c) { return c->rigid && c->rigid->friction > 0; }) ||
                     std::any_of(model.mechanism.groups.begin(), model.mechanism.groups.end(),
                                 [](const ContactGroup& g) { return g.rigid && g.rigid->friction > 0; }) ||
                     std::any_of(model.structure_contacts.begin(), model.structure_contacts.end(),
                                 [](const StructureContact& c) { return c.law.friction > 0; });
  if (!rough) return;
  // With friction the problem is one of cones, or linear with a copositive matrix.
  const bool cones = (type->claims & lcp::cone) && s.facets == 0;
  const bool linear = (type->claims & lcp::lcp_copositive) && (!spatial || s.facets > 0);
  if (cones || linear) return;
  const bool other = s.facets == 0 && (type->claims & lcp::lcp_copositive);
  diagnostics.error(
      o.where("solver"),
      other ? fmt::format("`solver: {}` solves linear problems: friction in space needs `facets` with it",
                          s.solver)
            : fmt::format("`solver: {}` does not solve contact problems with friction{}", s.solver,
                          s.facets > 0 ? " by `facets`; auto and lemke do" : "; auto, nsgs and newton do"));
}

void compile_settings(const Spec& spec, Model& model, Diagnostics& diagnostics) {
  RunSettings& s = model.settings;
  const Object& o = spec.simulation;
  s.impact_law = o.text("impact_law") == "poisson" ? ImpactLaw::poisson : ImpactLaw::newton;
  if (!method_type(s).rigid() && o.given("impact_law"))
    diagnostics.warning(
        o.where("impact_law"),
        fmt::format("`simulation.impact_law` is for methods moreau and event-driven: {} does not use it",
                    s.method));
  s.start_static = o.text("start") == "static";
  s.start_pos = o.where("start");
  s.integrator = o.text("integrator");
  s.integrator_pos = o.where("integrator");
  s.duration = o.number_or("duration", 1);
  s.tolerance = o.number_or("tolerance", 1e-8);
  s.step = o.number_or("step", 0);
  s.step_pos = o.where("step");
  if (s.step > 0 && s.duration / s.step > most_steps)
    diagnostics.error(
        s.step_pos,
        fmt::format("`simulation.step` of {:g} s makes {:.3g} steps in {:g} s; at most 1e12 are allowed",
                    s.step, s.duration / s.step, s.duration));
  s.max_step = o.number_or("max_step", 0);
  if (s.max_step > 0 && s.duration / s.max_step > most_steps)
    diagnostics.error(o.where("max_step"),
                      fmt::format("`simulation.max_step` of {:g} s makes at least {:.3g} steps in {:g} s; at "
                                  "most 1e12 are allowed",
                                  s.max_step, s.duration / s.max_step, s.duration));
  if (method_type(s).treatment == ContactTreatment::steps) compile_moreau(o, model, diagnostics);
  if (o.has("stabilisation")) {
    const Object& st = o.object("stabilisation");
    const std::string& type = st.text("type");
    s.stabilisation.type = type == "baumgarte" ? Stabilisation::Type::baumgarte
                           : type == "none"    ? Stabilisation::Type::none
                                               : Stabilisation::Type::projection;
    s.stabilisation.alpha = st.number("alpha");
    s.stabilisation.beta = st.number("beta");
  }
  if (o.has("contact_detection")) {
    const Object& detection = o.object("contact_detection");
    s.reject_steps = detection.text("strategy") == "step-rejection";
    s.first_penetration = detection.number("penetration");
  }
  s.output_step = spec.output.number_or("step", s.duration / 1000);
  if (s.duration / s.output_step > 1e9)
    diagnostics.error(
        spec.output.where("step"),
        fmt::format("`output.step` of {:g} s makes {:.3g} samples in {:g} s; at most 1e9 are allowed",
                    s.output_step, s.duration / s.output_step, s.duration));
  s.output_places = spec.output.boolean("places");
  std::vector<SignalDefinition> signals = all_signals(model);
  if (spec.output.has("measures")) {
    NamedParameters given;
    for (const Object& measure : spec.output.objects("measures"))
      given.emplace_back(measure.name, measure.parameters());
    model.measures =
        std::make_shared<const Measures>(make_measures(given, signals, spec.definitions.get(), diagnostics));
    signals = all_signals(model);
  }
  if (!spec.output.has("signals")) return;
  std::vector<std::string> names;
  for (const SignalDefinition& signal : signals) names.push_back(signal.name);
  for (const Name& pattern : spec.output.names("signals")) {
    const auto matched = [&](const std::string& p) {
      return std::any_of(names.begin(), names.end(), [&](const std::string& n) { return matches(p, n); });
    };
    const std::string renamed = renamed_signal(pattern.text);
    if (!matched(pattern.text) && !renamed.empty() && matched(renamed)) {
      s.output_signals.push_back(renamed);
      diagnostics.warning(pattern.pos, fmt::format("`output.signals` names '{}', which is now '{}'; the "
                                                   "former name goes with the next version",
                                                   pattern.text, renamed));
      continue;
    }
    s.output_signals.push_back(pattern.text);
    if (!matched(pattern.text)) {
      const std::string near = nearest_name(pattern.text, names);
      diagnostics.error(
          pattern.pos,
          fmt::format("`output.signals` names '{}', which no signal of this model matches{}; "
                      "signals: {}",
                      pattern.text, near.empty() ? "" : fmt::format(" (did you mean '{}'?)", near),
                      join_names(names, 12)));
    }
  }
}

}  // namespace

std::shared_ptr<const Model> compile(const Spec& spec, Diagnostics& diagnostics) {
  const FilesRead read;
  auto out = std::make_shared<Model>();
  Model& model = *out;
  Mechanism& m = model.mechanism;
  model.title = spec.title;
  model.notes = spec.notes;
  model.file = spec.file;
  model.text = spec.model_text;
  model.pos = spec.pos;
  m.dimension = spec.dimension;
  for (std::size_t i = 0; i < spec.gravity.size(); ++i) m.gravity[i] = spec.gravity[i];
  model.settings.method = spec.simulation.text("method");

  compile_inputs(spec, model);
  compile_bodies(spec, model, diagnostics);
  compile_structures(spec, model, diagnostics);
  if (spec.bodies.empty())
    diagnostics.error(spec.pos, "the model has no bodies; at least one is needed under `bodies`");

  // The frames as written, which joints take their relative directions from.
  Kinematics start;
  resize(start, m);
  update_kinematics(start, 0, model.q0.data(), model.u0.data(), nullptr);
  const Materials materials =
      make_materials(parameters_of(spec.materials), parameters_of(spec.material_pairs), diagnostics);
  compile_joints(spec, model, start, materials, diagnostics);
  compile_contacts(spec, model, start, materials, diagnostics);
  const std::vector<std::string> names = [&] {
    auto all = body_names(m);
    all.pop_back();
    return all;
  }();
  for (const AnyParameters& parameters : parameters_of(spec.motions)) {
    Motion motion = make_motion({parameters.as<MotionParameters>(), parameters.origin, spec.dimension,
                                 m.joints, m.joint_names, names, diagnostics});
    if (!motion.constraint) continue;
    const auto same = [&](const Motion& other) {
      return motion.constraint->drives && other.constraint->drives == motion.constraint->drives &&
             other.effort == motion.effort;
    };
    if (const auto other = std::find_if(m.motions.begin(), m.motions.end(), same); other != m.motions.end())
      diagnostics.error(
          parameters.origin.name_pos,
          fmt::format("motion '{}' moves the same coordinate as motion '{}'; leave one of them out",
                      parameters.origin.name, other->constraint->name));
    if (parameters.as<MotionParameters>().joint.empty())
      check_frames(motion.constraint->bodies, fmt::format("motion '{}'", parameters.origin.name),
                   parameters.origin.pos, m, diagnostics);
    m.motions.push_back(std::move(motion));
  }
  compile_forces(spec, model, start, diagnostics);

  compile_wear(spec, model, diagnostics);

  // One list of constraints, and a place in the state for everyone's auxiliary variables.
  compile_sticks(model);
  for (std::size_t j = 0; j < m.joints.size(); ++j) {
    const Constraint* moving = m.has_play[j] ? m.replaced[j].get() : m.joints[j].constraint.get();
    if (moving) m.constraints.push_back(moving);
    if (!turns_in_play(model, j)) m.assembly_constraints.push_back(m.joints[j].constraint.get());
  }
  m.joint_constraint_count = static_cast<int>(m.constraints.size());
  find_loaded_joints(model);
  for (const Motion& motion : m.motions) {
    m.constraints.push_back(motion.constraint.get());
    m.assembly_constraints.push_back(motion.constraint.get());
  }
  for (const auto& stick : m.sticks) m.constraints.push_back(stick.get());
  auto place = [&](auto& element) {
    if (element.aux_count() == 0) return;
    element.aux_offset = m.aux_size;
    m.aux_size += element.aux_count();
  };
  for (Joint& joint : m.joints) place(*joint.constraint);
  for (Motion& motion : m.motions) place(*motion.constraint);
  for (auto& force : m.forces) place(*force);
  for (auto& contact : m.contacts) place(*contact);
  if (!m.films.empty()) m.ledger_film = m.aux_size++;
  const auto worn = [](const Foundation* f) { return f->wears(0) || f->wears(1); };
  if (std::any_of(m.foundations.begin(), m.foundations.end(), worn)) m.ledger_wear = m.aux_size++;
  for (ContactGroup& group : m.groups) place(group);
  for (StructureContact& contact : model.structure_contacts) place(contact);
  m.length = typical_length(model, start);

  if (spec.definitions) compile_states(spec.states, *spec.definitions, model, diagnostics);
  compile_settings(spec, model, diagnostics);
  compile_controllers(spec, model, diagnostics);
  for (auto& contact : m.contacts) contact->rest = model.settings.tolerance * model.usual_speed();
  refuse_for_flexible(spec, model, diagnostics);
  compile_fields(spec, model, diagnostics);
  compile_events(spec, model, diagnostics);
  check_inputs(spec, model, diagnostics);
  if (spec.definitions) compile_expression_signals(*spec.definitions, spec.pos, model, diagnostics);
  diagnostics.throw_if_errors();
  model.files = spec.files;
  model.files.insert(model.files.end(), read.files().begin(), read.files().end());
  return out;
}

}  // namespace tappet
