#include "solve_mechanism.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "command.hpp"
#include "tappet/equilibrium/linear_modes.hpp"
#include "tappet/equilibrium/statics.hpp"
#include "tappet/model/compile.hpp"
#include "tappet/model/method.hpp"
#include "tappet/model/model.hpp"
#include "tappet/results/matrix_file.hpp"
#include "tappet/results/report.hpp"
#include "tappet/results/solved_report.hpp"
#include "tappet/run/simulation.hpp"
#include "tappet/spec/spec.hpp"

namespace tappet::app {
namespace solve_mechanism_command {
namespace {

using Json = nlohmann::ordered_json;

/// With more than these, an equilibrium is not asked whether it is stable: matrices are dense.
constexpr int many_coordinates = 500;

/// As it is; without a duration, which says nothing here, one of a second.
Spec spec_of(const MechanismSolveOptions& options) {
  try {
    return load_spec(options.model, options.settings);
  } catch (const InputError&) {
    std::vector<std::string> settings = options.settings;
    settings.push_back("simulation.duration=1 s");
    try {
      return load_spec(options.model, settings);
    } catch (const InputError&) {
    }
    throw;
  }
}

int body_named(const Model& model, const std::string& name) {
  if (name.empty() || name == "ground") return -1;
  std::vector<std::string> names;
  for (const Body& body : model.mechanism.bodies) {
    if (body.name == name) return static_cast<int>(names.size());
    names.push_back(body.name);
  }
  const std::string near = nearest_name(name, names);
  throw InputError(
      {{Severity::error, model.pos,
        fmt::format("`--frame` names '{}', which is no body{}; bodies: ground, {}", name,
                    near.empty() ? "" : fmt::format(" (did you mean '{}'?)", near), join_names(names))}});
}

Json list(const Vec3& v) {
  return Json{v.x(), v.y(), v.z()};
}

/// Where a body's centre of mass is.
Vec3 place_of(const Mechanism& m, const std::vector<double>& y, int b) {
  if (m.dimension == Dimension::planar) return {y[3 * b], y[3 * b + 1], 0};
  return {y[7 * b], y[7 * b + 1], y[7 * b + 2]};
}

const char* word(Stability s) {
  return s == Stability::stable ? "stable" : s == Stability::neutral ? "neutral" : "unstable";
}

/// What a mechanism is linearised about.
struct Point {
  State state;
  std::string what;  ///< "static equilibrium", …
  std::optional<StaticSolution> statics;
  State before;  ///< where it was looked for from
};

bool moves(const Model& model, const State& state) {
  const Mechanism& m = model.mechanism;
  return std::any_of(state.y.begin() + m.q_size(), state.y.begin() + m.q_size() + m.u_size(),
                     [](double u) { return u != 0; });
}

/// No velocities but those that motions prescribe.
void bring_to_rest(const Model& model, SmoothSystem& system, double t, std::vector<double>& y) {
  const Mechanism& m = model.mechanism;
  double *q = y.data(), *u = q + m.q_size(), *z = u + m.u_size();
  std::fill(u, z, 0.0);
  DynamicsWorkspace& w = system.workspace();
  update_kinematics(w.k, t, q, u, z);
  w.constraints.evaluate(w.k);
  constexpr double rounding = 1e-15;
  if (w.constraints.rows() > 0) project_velocities(m, u, rounding * model.usual_speed(), false, w);
}

/// The model's start, at the equilibrium if it is to be.
Point point_of(const MechanismSolveOptions& options, const std::shared_ptr<const Model>& model, int frame,
               Simulation& simulation) {
  Point out;
  const double at = options.at.value_or(0);
  out.before = simulation.state();
  const bool moving = moves(*model, out.before);
  const bool from_run = options.at && !options.statics;
  if (from_run) {
    if (at > 0) simulation.advance(at);
    if (at == 0) simulation.begin();
    out.what = fmt::format("the state at t = {:g} s", at);
  } else if (!options.statics && moving && frame < 0 && !model->settings.start_static) {
    simulation.begin();
    out.what = "the state at the start, which moves";
  } else if (model->settings.start_static && frame < 0 && at == 0) {
    SmoothSystem system(*model);
    // Its solution tells how it was found; the state is that of the run.
    std::vector<double> y = out.before.y;
    out.statics = solve_statics(*model, system, y);
    simulation.begin();
    out.what = "static equilibrium";
  } else {
    State state = out.before;
    SmoothSystem system(*model);
    if (frame < 0) bring_to_rest(*model, system, at, state.y);
    out.statics = solve_statics(*model, system, state.y, {.time = at, .axes = frame});
    if (!out.statics->found) throw InputError({{Severity::error, model->pos, out.statics->why}});
    state.t = at;
    simulation.set_state(state);
    simulation.begin();
    out.what =
        frame >= 0 && moving ? fmt::format("steady rotation with '{}'", options.frame) : "static equilibrium";
  }
  out.state = simulation.state();
  return out;
}

/// Why this state cannot be linearised; "": it can.
std::string no_linear_system(const Model& model, const State& state) {
  if (method_type(model.settings).treatment != ContactTreatment::steps) return "";
  const char* instead = "; `--set simulation.method=event-driven` has the same laws and can be linearised";
  if (!model.mechanism.bearings.empty())
    return std::string("method moreau knows friction in joints as impulses of steps") + instead;
  Kinematics k;
  resize(k, model.mechanism);
  const Mechanism& m = model.mechanism;
  k.contacts = state.contacts.data();
  update_kinematics(k, state.t, state.y.data(), state.y.data() + m.q_size(),
                    state.y.data() + m.q_size() + m.u_size());
  for (const auto& contact : m.contacts)
    if (contact->touch(k).gap < 1e-9 * m.length)
      return fmt::format("contact '{}' is closed, whose force method moreau knows as impulses of steps{}",
                         contact->name, instead);
  return m.groups.empty()
             ? ""
             : std::string("method moreau knows forces of groups as impulses of steps") + instead;
}

Json static_json(const Model& model, const Point& point, Simulation& simulation, const std::string& stability,
                 const LinearModes* modes) {
  const Mechanism& m = model.mechanism;
  Json out{{"about", point.what},
           {"time", point.state.t},
           {"steps", point.statics->steps},
           {"imbalance", point.statics->imbalance},
           {"stability", stability}};
  if (modes) out["growth"] = modes->growth;
  for (int b = 0; b < m.body_count(); ++b)
    out["bodies"][m.bodies[b].name] = {
        {"position", list(place_of(m, point.state.y, b))},
        {"moved", list(place_of(m, point.state.y, b) - place_of(m, point.before.y, b))}};
  Json signals = Json::object();
  for (const Signal& s : simulation.signals()) signals[s.name] = simulation.value(s.name);
  out["signals"] = std::move(signals);
  out["notes"] = point.statics->notes;
  return out;
}

void show_static(const Json& s, const Model& model) {
  fmt::print("{} at t = {:g} s, after {} steps: {}\n", s["about"].get<std::string>(), s["time"].get<double>(),
             s["steps"].get<int>(), s["stability"].get<std::string>());
  for (const auto& [name, body] : s["bodies"].items()) {
    const auto x = [&](const char* key, int i) { return body[key][i].get<double>(); };
    if (model.mechanism.dimension == Dimension::planar)
      fmt::print("  {:<22}at [{:.6g}, {:.6g}] m, moved by [{:.6g}, {:.6g}] m\n", name, x("position", 0),
                 x("position", 1), x("moved", 0), x("moved", 1));
    else
      fmt::print("  {:<22}at [{:.6g}, {:.6g}, {:.6g}] m, moved by [{:.6g}, {:.6g}, {:.6g}] m\n", name,
                 x("position", 0), x("position", 1), x("position", 2), x("moved", 0), x("moved", 1),
                 x("moved", 2));
  }
  // Forces of joints, motions and contacts.
  const Mechanism& m = model.mechanism;
  const auto of = [&](const std::string& name, const std::vector<std::string>& parts, const char* unit) {
    std::string numbers;
    for (const std::string& part : parts) {
      const auto at = s["signals"].find(name + part);
      if (at == s["signals"].end() || !at->is_number()) continue;
      numbers += fmt::format("{}{:.6g}", numbers.empty() ? "" : ", ", at->get<double>());
    }
    if (!numbers.empty()) fmt::print("  {:<22}[{}] {}\n", name, numbers, unit);
  };
  for (const std::string& joint : m.joint_names) {
    of(joint, {".fx", ".fy", ".fz"}, "N");
    of(joint, {".tx", ".ty", ".tz", ".torque"}, "N m");
  }
  for (const Motion& motion : m.motions) {
    of(motion.constraint->name, {".torque"}, "N m");
    of(motion.constraint->name, {".force"}, "N");
  }
  for (const auto& contact : m.contacts)
    of(contact->name, {".normal", ".tangential"}, "N, normal and tangential");
  for (const Json& note : s["notes"]) fmt::print("  note: {}\n", note.get<std::string>());
}

/// World displacement of each body in a mode, per unit of its shape.
struct BodyShape {
  Eigen::Vector3cd moved = Eigen::Vector3cd::Zero(), turned = Eigen::Vector3cd::Zero();
};
std::vector<BodyShape> body_shapes(const Mechanism& m, const std::vector<double>& y,
                                   const Eigen::VectorXcd& shape) {
  std::vector<BodyShape> out(m.body_count());
  for (int b = 0; b < m.body_count(); ++b) {
    if (m.dimension == Dimension::planar) {
      out[b].moved.head<2>() = shape.segment<2>(3 * b);
      out[b].turned.z() = shape[3 * b + 2];
    } else {
      out[b].moved = shape.segment<3>(6 * b);
      out[b].turned = rotation_of(y.data() + 7 * b + 3) * shape.segment<3>(6 * b + 3);
    }
  }
  return out;
}

Json modes_json(const Model& model, const Point& point, const LinearSystem& system, const LinearModes& modes,
                const MechanismSolveOptions& options) {
  const Mechanism& m = model.mechanism;
  Json out{{"about", point.what},
           {"time", system.time},
           {"frame", options.frame.empty() ? "ground" : options.frame},
           {"coordinates", system.coordinates},
           {"stability", word(modes.stability)},
           {"growth", modes.growth},
           {"zero", modes.free},
           {"derivative_error", system.derivative_error},
           {"modes", Json::array()}};
  const auto complex = [](std::complex<double> z) { return Json{z.real(), z.imag()}; };
  for (std::size_t n = 0; n < modes.modes.size(); ++n) {
    if (options.most_modes > 0 && static_cast<int>(n) >= options.most_modes) break;
    const LinearMode& mode = modes.modes[n];
    Json one{{"eigenvalue", complex(mode.eigenvalue)},
             {"frequency", mode.frequency},
             {"damped_frequency", mode.damped_frequency},
             {"damping", mode.damping}};
    const std::vector<BodyShape> shapes = body_shapes(m, point.state.y, mode.shape);
    for (int b = 0; b < m.body_count(); ++b) {
      const std::string& name = m.bodies[b].name;
      one["energy"][name] = mode.shares[b];
      Json moved = Json::array(), turned = Json::array();
      for (int i = 0; i < 3; ++i)
        moved.push_back(complex(shapes[b].moved[i])), turned.push_back(complex(shapes[b].turned[i]));
      one["shape"][name] = {{"moved", moved}, {"turned", turned}};
    }
    out["modes"].push_back(std::move(one));
  }
  return out;
}

/// The bodies that have most of a mode's energy.
std::string most_of(const Json& energy) {
  std::vector<std::pair<double, std::string>> parts;
  for (const auto& [name, part] : energy.items()) parts.emplace_back(part.get<double>(), name);
  std::stable_sort(parts.begin(), parts.end(),
                   [](const auto& a, const auto& b) { return a.first > b.first; });
  std::string out;
  for (std::size_t i = 0; i < parts.size() && i < 3 && parts[i].first >= 0.01; ++i)
    out += fmt::format("{}{} {:.0f} %", i ? ", " : "", parts[i].second, 100 * parts[i].first);
  return out;
}

void show_modes(const Json& s) {
  fmt::print("modes about {}: {} independent coordinates, {}\n", s["about"].get<std::string>(),
             s["coordinates"].get<int>(), s["stability"].get<std::string>());
  fmt::print("  mode  frequency Hz   damping      eigenvalue 1/s             energy\n");
  int n = 0;
  for (const Json& mode : s["modes"]) {
    const double re = mode["eigenvalue"][0].get<double>(), im = mode["eigenvalue"][1].get<double>();
    const std::string value = im != 0 ? fmt::format("{:.6g} ± {:.6g}i", re, im) : fmt::format("{:.6g}", re);
    fmt::print("  {:<4}  {:<13.6g}  {:<11.4g}  {:<26} {}\n", ++n, mode["frequency"].get<double>(),
               mode["damping"].get<double>(), value, most_of(mode["energy"]));
  }
  fmt::print("  derivatives by extrapolated differences, to about {:.1g}\n",
             s["derivative_error"].get<double>());
}

SolvedReport page_of(const Model& model, const Point& point, const Diagnostics& diagnostics) {
  const Mechanism& m = model.mechanism;
  SolvedReport out;
  double mass = 0;
  for (int b = 0; b < m.body_count(); ++b) {
    SolvedReport::Body body{.name = m.bodies[b].name, .place = place_of(m, point.state.y, b)};
    if (m.dimension == Dimension::planar) {
      const double half = point.state.y[3 * b + 2] / 2;
      body.turn[0] = std::cos(half), body.turn[3] = std::sin(half);
    } else {
      for (int i = 0; i < 4; ++i) body.turn[i] = point.state.y[7 * b + 3 + i];
    }
    mass += m.bodies[b].mass;
    out.bodies.push_back(std::move(body));
  }
  out.facts = {{"mass", mass, "kg"}};
  for (const Diagnostic& d : diagnostics.all()) out.warnings.push_back(d.text());
  return out;
}

void add_modes(SolvedReport& page, const Model& model, const Point& point, const LinearModes& modes,
               int most) {
  for (std::size_t n = 0; n < modes.modes.size() && (most == 0 || static_cast<int>(n) < most); ++n) {
    const LinearMode& mode = modes.modes[n];
    SolvedCase one;
    one.name = fmt::format("mode {}", n + 1);
    one.frequency = mode.frequency;
    for (const BodyShape& shape : body_shapes(model.mechanism, point.state.y, mode.shape))
      one.moved.push_back(shape.moved.real()), one.turned.push_back(shape.turned.real());
    one.facts = {{"frequency", mode.frequency, "Hz"}, {"damping ratio", mode.damping, ""}};
    page.cases.push_back(std::move(one));
  }
}

void write_matrices(const MechanismSolveOptions& options, const LinearSystem& system) {
  NamedTexts states{"states", {}};
  for (int i = 0; i < system.coordinates; ++i) states.texts.push_back(fmt::format("y{}", i + 1));
  for (int i = 0; i < system.coordinates; ++i) states.texts.push_back(fmt::format("w{}", i + 1));
  states.texts.insert(states.texts.end(), system.auxiliary_names.begin(), system.auxiliary_names.end());
  write_matrix_file(options.output,
                    {{"A", system.A, "states", "states"},
                     {"B", system.B, "states", "inputs"},
                     {"C", system.C, "outputs", "states"},
                     {"D", system.D, "outputs", "inputs"}},
                    {states, {"inputs", options.inputs}, {"outputs", options.outputs}}, {options.model});
}

LinearOptions linear_options(const Model& model, const MechanismSolveOptions& options, int frame,
                             const Simulation& simulation) {
  LinearOptions out{.axes = frame};
  for (const std::string& name : options.inputs) out.inputs.push_back(simulation.input(name));
  const std::vector<SignalDefinition> known = all_signals(model);
  for (const std::string& name : options.outputs) {
    (void)simulation.signal(name);  // or the sentence that it does not exist
    out.outputs.push_back(
        *std::find_if(known.begin(), known.end(), [&](const auto& s) { return s.name == name; }));
  }
  return out;
}

}  // namespace
}  // namespace solve_mechanism_command

int solve_mechanism(const MechanismSolveOptions& options) {
  using namespace solve_mechanism_command;
  if (!options.output.empty()) check_matrix_file(options.output, {options.model});
  const Spec spec = spec_of(options);
  Diagnostics diagnostics;
  const std::shared_ptr<const Model> model = compile(spec, diagnostics);
  if (!options.json) print(diagnostics.all());
  const int frame = body_named(*model, options.frame);
  Simulation simulation(model);
  const LinearOptions linear = linear_options(*model, options, frame, simulation);
  const Point point = point_of(options, model, frame, simulation);

  Json all = Json::object();
  std::optional<LinearSystem> system;
  std::optional<LinearModes> modes;
  const std::string hindrance = no_linear_system(*model, point.state);
  const bool wanted = options.modes || !options.output.empty();
  if (wanted && !hindrance.empty()) throw InputError({{Severity::error, model->pos, hindrance}});
  const bool small = model->mechanism.u_size() <= 3 * many_coordinates;
  if (wanted || (hindrance.empty() && small)) {
    system = linearise(*model, point.state, linear);
    modes = find_modes(model->mechanism, *system);
  }
  if (options.statics) {
    const std::string stability = modes                ? word(modes->stability)
                                  : !hindrance.empty() ? "not known whether stable: " + hindrance
                                                       : "not asked whether stable: the mechanism is large";
    all["static"] = static_json(*model, point, simulation, stability, modes ? &*modes : nullptr);
  }
  if (options.modes) all["modes"] = modes_json(*model, point, *system, *modes, options);
  if (!options.output.empty()) {
    write_matrices(options, *system);
    all["matrices"] = options.output;
  }
  if (!options.report.empty()) {
    SolvedReport page = page_of(*model, point, diagnostics);
    if (options.statics) {
      SolvedCase rest;
      rest.name = point.what;
      for (int b = 0; b < model->mechanism.body_count(); ++b)
        rest.moved.push_back(Vec3::Zero()), rest.turned.push_back(Vec3::Zero());
      page.cases.push_back(std::move(rest));
    }
    if (options.modes) add_modes(page, *model, point, *modes, options.most_modes);
    write_solved_report(page, spec, options.report);
  }
  if (options.json) {
    fmt::print("{}\n", all.dump());
    return Exit::done;
  }
  if (options.statics) show_static(all["static"], *model);
  if (options.modes) show_modes(all["modes"]);
  for (const auto& [what, file] :
       {std::pair<const char*, const std::string&>{"matrices", options.output}, {"report", options.report}})
    if (!file.empty()) fmt::print("  {:<22}{}\n", what, file);
  return Exit::done;
}

}  // namespace tappet::app
