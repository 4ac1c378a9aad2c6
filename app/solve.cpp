// tappet solve: statics and natural modes, of structures here, of mechanisms in solve_mechanism.cpp.

#include <algorithm>
#include <cmath>
#include <numbers>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "command.hpp"
#include "solve_mechanism.hpp"
#include "tappet/fem/body.hpp"
#include "tappet/fem/corotational_statics.hpp"
#include "tappet/fem/modes.hpp"
#include "tappet/fem/statics.hpp"
#include "tappet/model/compile.hpp"
#include "tappet/model/model.hpp"
#include "tappet/results/output_file.hpp"
#include "tappet/results/report.hpp"
#include "tappet/results/solved_report.hpp"
#include "tappet/results/vtk.hpp"
#include "tappet/spec/spec.hpp"
#include "tappet/structures/coupled_modes.hpp"
#include "tappet/structures/static_contact.hpp"

namespace tappet::app::solve_command {
namespace {

using Json = nlohmann::ordered_json;

struct Options {
  std::string model, vtk, report;
  std::vector<std::string> settings;
  bool statics = false, json = false;
  int modes = 0, increments = 1;
  MechanismSolveOptions mechanism;       // what else mechanisms know
  std::vector<std::string> given_modes;  // after --modes: a number, or the model
  double at = 0;

  bool draws() const { return !vtk.empty() || !report.empty(); }
};

/// Displacement and stress for displacements of all unknowns.
fem::Fields fields_of(const fem::Structure& s, const std::vector<double>& all,
                      const std::vector<double>& contact_force = {}) {
  return {.displacement = fem::node_vectors(s, all),
          .velocity = {},
          .contact_force = contact_force,
          .stress = fem::element_stress(s, all)};
}

std::string vtk_name(const Options& options, const fem::Body& body, const std::string& what) {
  return fmt::format("{}_{}_{}.vtu", options.vtk, body.structure.name, what);
}

/// Displacements of all unknowns under weight and loads, and with moved supports, at t = 0; empty after what
/// is wrong was said. `s`: the structure with these supports held.
std::vector<double> equilibrium(const Model& model, const fem::Body& body, const fem::Structure& s,
                                const fem::StructureMatrices& m, int increments) {
  fem::StaticSolution solution;
  if (s.turns) {
    fem::TurnedStatics turned = fem::solve_turned_static(body, s, model.mechanism.gravity, increments);
    if (turned.converged) return turned.all;
    solution.mechanisms = std::move(turned.mechanisms);
    if (solution.mechanisms.empty()) {
      print({{Severity::error, body.pos,
              fmt::format("no equilibrium of structure '{}' was found beyond {:.4g} of its load: it buckles "
                          "there, or elements are bent by more than they can be; take less load, or "
                          "more elements",
                          s.name, turned.reached)}});
      return {};
    }
  } else {
    const std::vector<double> f = fem::static_forces(body, s, m, model.mechanism.gravity);
    solution = fem::solve_static(s, m, f);
    if (solution.mechanisms.empty()) return fem::spread_with_motions(body, s, solution.q.data(), 0);
  }
  const bool floats = solution.mechanisms.size() == 6 && s.supports.empty();
  print(
      {{Severity::error, body.pos,
        floats
            ? fmt::format("structure '{}' is not held at all: it can move and turn as a whole in all six "
                          "ways; hold it with `fix`",
                          s.name)
            : fmt::format(
                  "structure '{}' is not held: its supports leave {} free: {}; hold more with `fix`", s.name,
                  solution.mechanisms.size() == 1 ? "one motion"
                                                  : fmt::format("{} motions", solution.mechanisms.size()),
                  join_names(solution.mechanisms))}});
  return {};
}

Json static_json(const Options& options, const fem::Body& body, const fem::Structure& s,
                 const std::vector<double>& all, const fem::Fields& fields, const Vec3& gravity) {
  Json out{{"structure", s.name}, {"unknowns", s.free}, {"mass", body.mass}};
  std::vector<Vec3> moved;
  for (std::size_t n = 0; n < s.mesh.nodes.size(); ++n)
    moved.emplace_back(fields.displacement[3 * n], fields.displacement[3 * n + 1],
                       fields.displacement[3 * n + 2]);
  std::size_t most = 0;
  for (std::size_t n = 0; n < moved.size(); ++n)
    if (moved[n].norm() > moved[most].norm()) most = n;
  double highest = 0;
  for (std::size_t e = 0; e < s.elements.size(); ++e)
    highest = std::max(highest, fields.stress[fem::stress_numbers * e]);
  const auto list = [](const Vec3& v) { return Json{v.x(), v.y(), v.z()}; };
  out["max_displacement"] = moved[most].norm();
  out["at_node"] = s.mesh.label_of_node(static_cast<int>(most));
  out["at"] = list(s.mesh.nodes[most]);
  out["max_von_mises"] = highest;
  out["reaction"] = list(fem::support_force(body, s, all, gravity));
  for (const fem::NamedPoint& p : body.points) out["points"][p.name] = list(moved[p.node]);
  if (!options.vtk.empty()) {
    const std::string file = vtk_name(options, body, "static");
    write_vtu(file, fem::field_mesh(s), fields);
    out["vtk"] = file;
  }
  return out;
}

double hertz(double omega2) {
  return std::sqrt(std::max(0.0, omega2)) / (2 * std::numbers::pi);
}

Json modes_json(const std::string& name, int unknowns, double mass, double residual,
                const std::vector<double>& omega2) {
  Json out{{"structure", name},
           {"unknowns", unknowns},
           {"mass", mass},
           {"residual", residual},
           {"frequencies", Json::array()}};
  for (double w2 : omega2) out["frequencies"].push_back(hertz(w2));
  return out;
}

/// Modes as the page shows them: one case each, of some structures.
struct ModeShapes {
  std::vector<double> omega2;
  std::vector<std::vector<fem::Fields>> fields;  ///< of each mode, of each structure
  std::vector<std::vector<Vec3>> moved, turned;  ///< of each mode, of each body of the mechanism
};

void write_modes(const Options& options, const fem::Body& body, const fem::Structure& s,
                 const ModeShapes& shapes, std::size_t structure, Json& out) {
  for (std::size_t k = 0; !options.vtk.empty() && k < shapes.fields.size(); ++k) {
    const std::string file = vtk_name(options, body, fmt::format("mode{}", k + 1));
    write_vtu(file, fem::field_mesh(s), shapes.fields[k][structure]);
    out["vtk"].push_back(file);
  }
}

/// Of one structure without rigid bodies.
Json solve_modes(const Options& options, const fem::Body& body, const fem::Structure& s,
                 const fem::StructureMatrices& m, ModeShapes& shapes) {
  const fem::Modes modes = fem::lowest_modes(m.K, m.M, options.modes);
  Json out = modes_json(s.name, s.free, body.mass, modes.residual, modes.omega2);
  shapes.omega2 = modes.omega2;
  for (std::size_t k = 0; k < modes.omega2.size() && options.draws(); ++k)
    shapes.fields.push_back({fields_of(s, fem::spread(s, modes.shapes.col(static_cast<int>(k)).data()))});
  write_modes(options, body, s, shapes, 0, out);
  return out;
}

/// All structures and the rigid bodies that hang on them, together.
Json solve_modes_with_bodies(const Options& options, const Model& model, ModeShapes& shapes) {
  const CoupledModes modes = solve_coupled_modes(model, options.modes);
  std::vector<std::string> names;
  double mass = 0;
  for (const auto& body : model.structures) names.push_back(body->structure.name), mass += body->mass;
  for (int b : modes.bodies)
    names.push_back(model.mechanism.bodies[b].name), mass += model.mechanism.bodies[b].mass;
  Json out = modes_json(fmt::format("{}", fmt::join(names, " + ")), modes.unknowns, mass, modes.residual,
                        modes.omega2);
  shapes.omega2 = modes.omega2;
  shapes.fields.resize(options.draws() ? modes.omega2.size() : 0);
  for (std::size_t s = 0; s < model.structures.size(); ++s) {
    const fem::Structure held = fem::with_motions_held(*model.structures[s]);
    for (std::size_t k = 0; k < shapes.fields.size(); ++k)
      shapes.fields[k].push_back(fields_of(held, fem::spread(held, modes.structures[k][s].data())));
    write_modes(options, *model.structures[s], held, shapes, s, out);
  }
  const std::vector<Vec3> still(model.mechanism.body_count(), Vec3::Zero());
  for (std::size_t k = 0; k < modes.omega2.size(); ++k) {
    auto &moved = shapes.moved.emplace_back(still), &turned = shapes.turned.emplace_back(still);
    for (std::size_t i = 0; i < modes.bodies.size(); ++i)
      moved[modes.bodies[i]] = modes.moved[k][i], turned[modes.bodies[i]] = modes.turned[k][i];
  }
  return out;
}

/// The page's meshes and rigid bodies.
SolvedReport empty_report(const Model& model, const Diagnostics& diagnostics) {
  SolvedReport out;
  double mass = 0, unknowns = 0;
  for (const auto& body : model.structures) {
    out.meshes.push_back(fem::field_mesh(body->structure));
    mass += body->mass, unknowns += body->structure.free;
  }
  for (int b = 0; b < model.mechanism.body_count(); ++b) {
    const double* q = model.q0.data() + 7 * b;
    out.bodies.push_back({model.mechanism.bodies[b].name, Vec3(q[0], q[1], q[2]), {q[3], q[4], q[5], q[6]}});
    mass += model.mechanism.bodies[b].mass;
  }
  out.facts = {{"unknowns", unknowns, ""}, {"mass", mass, "kg"}};
  for (const Diagnostic& d : diagnostics.all()) out.warnings.push_back(d.text());
  return out;
}

/// Modes become cases; the others stand still in those of one structure.
void add_modes(SolvedReport& report, const ModeShapes& shapes, const std::string& name, int only) {
  for (std::size_t k = 0; k < shapes.fields.size(); ++k) {
    SolvedCase one;
    one.name = fmt::format("{}mode {}", report.meshes.size() > 1 && only >= 0 ? name + ", " : "", k + 1);
    one.frequency = hertz(shapes.omega2[k]);
    if (only < 0) {
      one.structures = shapes.fields[k], one.moved = shapes.moved[k], one.turned = shapes.turned[k];
    } else {
      for (std::size_t s = 0; s < report.meshes.size(); ++s)
        one.structures.push_back(
            static_cast<int>(s) == only
                ? shapes.fields[k][0]
                : fem::Fields{
                      .displacement = std::vector<double>(report.meshes[s].nodes.size()),
                      .velocity = {},
                      .contact_force = {},
                      .stress = std::vector<double>(fem::stress_numbers * report.meshes[s].element_count())});
    }
    one.facts = {{"frequency", one.frequency, "Hz"}};
    if (one.frequency > 0) one.facts.push_back({"period", 1 / one.frequency, "s"});
    report.cases.push_back(std::move(one));
  }
}

/// What the terminal says of an equilibrium, for the page.
void add_facts(SolvedCase& out, const Json& one, bool several) {
  const std::string of = several ? one["structure"].get<std::string>() + ": " : "";
  out.facts.push_back({of + "largest displacement", one["max_displacement"].get<double>(), "m"});
  out.facts.push_back({of + "largest von Mises stress", one["max_von_mises"].get<double>(), "Pa"});
  const char* axes[] = {"x", "y", "z"};
  double most = 0;
  for (int d = 0; d < 3; ++d) most = std::max(most, std::abs(one["reaction"][d].get<double>()));
  for (int d = 0; d < 3; ++d) {
    const double force = one["reaction"][d].get<double>();  // rounding noise is nothing
    out.facts.push_back({fmt::format("{}supports carry along {}", of, axes[d]),
                         std::abs(force) < 1e-9 * most ? 0 : force, "N"});
  }
}

void show(const Json& one) {
  if (one.contains("contact")) {
    fmt::print("{}: {:.6g} N on {} nodes\n", one["contact"].get<std::string>(), one["normal"].get<double>(),
               one["nodes"].get<int>());
    return;
  }
  if (one.contains("body")) {
    fmt::print("{}: moved by [{:.6g}, {:.6g}, {:.6g}] m\n", one["body"].get<std::string>(),
               one["moved"][0].get<double>(), one["moved"][1].get<double>(), one["moved"][2].get<double>());
    return;
  }
  fmt::print("{}: {} unknowns, {:.6g} kg\n", one["structure"].get<std::string>(), one["unknowns"].get<int>(),
             one["mass"].get<double>());
  if (one.contains("max_displacement")) {
    fmt::print("  {:<22}{:.6g} m at node {} [{:.4g}, {:.4g}, {:.4g}]\n", "largest displacement",
               one["max_displacement"].get<double>(), one["at_node"].get<long>(), one["at"][0].get<double>(),
               one["at"][1].get<double>(), one["at"][2].get<double>());
    fmt::print("  {:<22}{:.6g} Pa (von Mises)\n", "largest stress", one["max_von_mises"].get<double>());
    fmt::print("  {:<22}[{:.6g}, {:.6g}, {:.6g}] N\n", "supports carry", one["reaction"][0].get<double>(),
               one["reaction"][1].get<double>(), one["reaction"][2].get<double>());
    if (one.contains("points"))
      for (const auto& [name, u] : one["points"].items())
        fmt::print("  {:<22}[{:.6g}, {:.6g}, {:.6g}] m\n", name, u[0].get<double>(), u[1].get<double>(),
                   u[2].get<double>());
  }
  if (one.contains("frequencies"))
    for (std::size_t k = 0; k < one["frequencies"].size(); ++k)
      fmt::print("  mode {:<17}{:.6g} Hz\n", k + 1, one["frequencies"][k].get<double>());
}

/// --modes may stand without its number, and then before the model.
void sort_out_modes(Options& options) {
  if (options.given_modes.empty() || options.given_modes.front().empty()) return;
  const std::string& text = options.given_modes.front();
  if (text.find_first_not_of("0123456789") == std::string::npos && text.size() < 6) {
    options.modes = std::stoi(text);
  } else if (options.model.empty()) {
    options.model = text;
  } else {
    refuse("--modes", fmt::format("takes a number of modes, and not '{}'", text));
  }
}

/// How many modes, where no number is given.
constexpr int usual_modes = 10;

int solve(Options options, bool wants_modes, bool has_time) {
  sort_out_modes(options);
  if (options.model.empty()) {
    fmt::print(stderr, "tappet solve: say which model\n");
    return Exit::bad_input;
  }
  if (!options.statics && !wants_modes && options.mechanism.output.empty()) {
    fmt::print(stderr, "tappet solve: say what to solve: --static, --modes or both\n");
    return Exit::bad_input;
  }
  if (!options.report.empty()) {  // said before the work, not after
    require_viewer();
    check_output(options.report, OutputKind::page, {options.model});
  }
  // A structure can be solved before anything is said about simulating it.
  std::vector<std::string> settings = options.settings;
  settings.insert(settings.end(),
                  {"simulation.method=moreau", "simulation.duration=1 s", "simulation.step=1 s"});
  const Spec spec = load_spec(options.model, settings);
  if (std::none_of(spec.bodies.begin(), spec.bodies.end(),
                   [](const Object& b) { return b.has("structure"); })) {
    MechanismSolveOptions mechanism = options.mechanism;
    mechanism.model = options.model, mechanism.report = options.report, mechanism.settings = options.settings;
    mechanism.statics = options.statics, mechanism.modes = wants_modes, mechanism.json = options.json;
    mechanism.most_modes = options.modes;
    if (has_time) mechanism.at = options.at;
    if (!options.vtk.empty() || options.increments != 1)
      refuse(options.vtk.empty() ? "--increments" : "--vtk", "is for models with structures");
    return solve_mechanism(mechanism);
  }
  const MechanismSolveOptions& other = options.mechanism;
  if (has_time || !other.frame.empty() || !other.output.empty() || !other.inputs.empty() ||
      !other.outputs.empty())
    refuse(options.model,
           "has structures: --at, --frame, --inputs, --outputs and -o are for mechanisms without");
  if (wants_modes && options.modes <= 0) options.modes = usual_modes;
  Diagnostics diagnostics;
  const auto model = compile(spec, diagnostics);
  for (const Object& controller : spec.controllers)
    diagnostics.warning(
        controller.name_pos,
        fmt::format("controller '{}' acts while a model runs: here inputs have their defaults",
                    controller.name));
  if (!options.json) print(diagnostics.all());
  Json all = Json::array();
  bool good = true;
  // With contacts, or springs of any law, all structures find their equilibrium together.
  StaticContact together;
  const bool coupled = !model->mechanism.bodies.empty() || !model->structure_contacts.empty() ||
                       !model->structure_forces.empty() ||
                       std::any_of(model->structures.begin(), model->structures.end(),
                                   [](const auto& b) { return !b->springs.empty(); });
  const auto turns = std::find_if(model->structures.begin(), model->structures.end(),
                                  [](const auto& b) { return b->structure.turns; });
  if (options.statics && coupled && turns != model->structures.end()) {
    print(
        {{Severity::error, (*turns)->pos,
          fmt::format("structure '{}' has `large_rotations`: --static finds its equilibrium under supports, "
                      "weight, moved supports and loads alone, without contacts, rigid bodies and forces "
                      "between bodies",
                      (*turns)->structure.name)}});
    return Exit::bad_input;
  }
  if (options.statics && coupled) {
    together = solve_static_contact(*model, {.increments = options.increments});
    if (!together.converged) {
      fmt::print(stderr,
                 "{}: error: no equilibrium was found in {} steps: displacements still change by {:.2g} of "
                 "themselves and {:.2g} of the forces is not balanced; supports and contacts "
                 "do not hold the structures, friction is needed, or more --increments\n",
                 options.model, together.steps, together.moved, together.imbalance);
      return Exit::bad_input;
    }
  }
  SolvedReport page = empty_report(*model, diagnostics);
  SolvedCase rest;
  rest.name = "static equilibrium";
  std::vector<ModeShapes> shapes(model->structures.size());
  for (std::size_t i = 0; i < model->structures.size(); ++i) {
    const fem::Body& body = *model->structures[i];
    const fem::Structure held = fem::with_motions_held(body);
    const fem::StructureMatrices m = fem::assemble(held);
    if (options.statics) {
      const std::vector<double> q = coupled ? fem::spread(body.structure, together.q[i].data())
                                            : equilibrium(*model, body, held, m, options.increments);
      good = good && !q.empty();
      if (!q.empty()) {
        rest.structures.push_back(
            fields_of(held, q, coupled ? together.contact_force[i] : std::vector<double>{}));
        all.push_back(static_json(options, body, held, q, rest.structures.back(), model->mechanism.gravity));
        add_facts(rest, all.back(), model->structures.size() > 1);
      }
    }
    if (options.modes > 0 && model->spiders.empty())
      all.push_back(solve_modes(options, body, held, m, shapes[i]));
  }
  if (options.modes > 0 && !model->spiders.empty())
    all.push_back(solve_modes_with_bodies(options, *model, shapes[0]));
  for (std::size_t b = 0; b < together.bodies.size(); ++b) {
    const Vec3& moved = together.bodies[b];
    all.push_back(
        {{"body", model->mechanism.bodies[b].name}, {"moved", Json{moved.x(), moved.y(), moved.z()}}});
  }
  if (options.statics && coupled)
    for (std::size_t c = 0; c < model->structure_contacts.size(); ++c)
      all.push_back({{"contact", model->structure_contacts[c].name},
                     {"normal", together.normal[c]},
                     {"nodes", together.nodes[c].size()}});
  if (options.statics && good) {
    rest.moved = together.bodies, rest.turned = together.turned;
    for (std::size_t c = 0; c < together.normal.size(); ++c)
      rest.facts.push_back(
          {fmt::format("{}: normal force", model->structure_contacts[c].name), together.normal[c], "N"});
    page.cases.push_back(std::move(rest));
  }
  for (std::size_t i = 0; i < shapes.size(); ++i)
    add_modes(page, shapes[i], model->structures[i]->structure.name,
              model->spiders.empty() ? static_cast<int>(i) : -1);
  if (!options.report.empty() && !page.cases.empty()) write_solved_report(page, spec, options.report);
  if (options.json)
    fmt::print("{}\n", all.dump());
  else
    for (const Json& one : all) show(one);
  if (!options.json && !options.report.empty() && good) fmt::print("  {:<22}{}\n", "report", options.report);
  return good ? Exit::done : Exit::bad_input;
}

std::function<int()> set_up(CLI::App& command) {
  auto options = std::make_shared<Options>();
  command.add_option("MODEL", options->model, "the model file (YAML)");
  command.add_flag("--static", options->statics,
                   "equilibrium under weight and the loads at t = 0, or at --at");
  command
      .add_option(
          "--increments", options->increments,
          "with --static: weight, loads and moved supports grow in this many steps; for contacts that "
          "slide or roll far on the way, and for `large_rotations`")
      ->check(CLI::Range(1, 10000));
  auto* modes =
      command
          .add_option("--modes", options->given_modes,
                      "natural frequencies, damping and modes: this many, the lowest; without a number "
                      "all, of structures 10")
          ->type_name("[N]")
          ->expected(0, 1);
  auto* at =
      add_quantity(command, "--at", options->at, "s",
                   "mechanisms: linearise about the state that a run has at this time, with --static about "
                   "the equilibrium under the loads of this time");
  command
      .add_option(
          "--frame", options->mechanism.frame,
          "mechanisms: displacements in the axes of this body; with it, --static finds a steady rotation")
      ->type_name("BODY");
  command
      .add_option("--inputs", options->mechanism.inputs, "mechanisms: inputs of the linear system, for -o")
      ->delimiter(',')
      ->allow_extra_args(false);
  command
      .add_option("--outputs", options->mechanism.outputs, "mechanisms: signals of the linear system, for -o")
      ->delimiter(',')
      ->allow_extra_args(false);
  command.add_option("-o,--output", options->mechanism.output,
                     "mechanisms: write A, B, C, D of the linear system to a file .mat, .npz or .csv");
  add_settings(command, options->settings);
  command
      .add_option("--vtk", options->vtk,
                  "write displacement and stress for ParaView: files that begin with this name")
      ->type_name("PREFIX");
  command
      .add_option("--report", options->report,
                  "write a page that draws the deformed structures and their stress, and lets modes swing")
      ->type_name("FILE.html");
  command.add_flag("--json", options->json, "print one JSON list, and nothing else");
  return [options, modes, at] { return solve(*options, modes->count() > 0, at->count() > 0); };
}

const Registration<Command> registered{{.name = "solve",
                                        .help = "statics and modes of mechanisms and structures",
                                        .place = 15,
                                        .set_up = set_up}};

}  // namespace
}  // namespace tappet::app::solve_command
