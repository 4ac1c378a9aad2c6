// tappet laws: what `normal.law` and `friction.law` may be, what each needs, and its curve.

#include <cmath>
#include <memory>

#include <fmt/format.h>

#include "command.hpp"
#include "tappet/contact/curve.hpp"
#include "tappet/contact/friction_law.hpp"
#include "tappet/contact/normal_law.hpp"
#include "tappet/spec/object.hpp"

namespace tappet::app::laws_command {
namespace {

struct Options {
  std::string name;
  bool curve = false, at_rest = false;
  std::string radius_i, radius_j, length, speed, mass, load, depth, normal_force, points;
  std::vector<std::string> young, poisson, density, settings;
};

// ---- the list and the page of one law
// ------------------------------------------------------------------------------

template <class Type>
void list(const char* title) {
  std::size_t longest = 0;
  for (const Type& type : Registry<Type>::instance().entries()) longest = std::max(longest, type.name.size());
  fmt::print("{}\n", title);
  for (const Type& type : Registry<Type>::instance().entries())
    fmt::print("  {:<{}}  {}\n", type.name, longest, type.help);
}

/// "0.1 mm/s", "required", "from materials", "optional"
std::string default_of(const Parameter& parameter) {
  if (!parameter.fallback.empty()) return parameter.fallback;
  if (!parameter.supplied_by.empty()) return "from materials";
  return parameter.required ? "required" : "optional";
}

std::string allowed(const Parameter& parameter) {
  if (parameter.kind == Kind::choice) return join_names(parameter.choices);
  if (parameter.kind == Kind::text && !std::isfinite(parameter.range.low)) return "expression";
  if (parameter.kind == Kind::numbers) return "names and numbers";
  return parameter.range.text();
}

/// As `{:<width}`, counting characters and not bytes.
std::string padded(const std::string& text, std::size_t width) {
  std::size_t length = 0;
  for (char c : text) length += (c & 0xC0) != 0x80;
  return text + std::string(width > length ? width - length : 0, ' ');
}

void print_parameters(const std::vector<Parameter>& parameters) {
  std::array<std::size_t, 4> width{};
  const auto cells = [](const Parameter& p) {
    return std::array<std::string, 4>{p.name, p.unit.empty() ? "–" : p.unit, default_of(p), allowed(p)};
  };
  for (const Parameter& parameter : parameters)
    for (int k = 0; k < 4; ++k) width[k] = std::max(width[k], cells(parameter)[k].size());
  for (const Parameter& parameter : parameters) {
    std::string line = "  ";
    for (int k = 0; k < 4; ++k) line += padded(cells(parameter)[k], width[k] + 2);
    fmt::print("{}{}\n", line, parameter.help);
  }
}

void print_page(const std::string& kind, const std::string& name, const std::string& help,
                std::string equation, const std::string& citation, const std::vector<Parameter>& parameters) {
  for (auto at = equation.find('\n'); at != std::string::npos; at = equation.find('\n', at + 1))
    equation.replace(at, 1, "\n  ");
  fmt::print("{}: {} ({})\n\n  {}\n", name, help, kind, equation);
  if (!parameters.empty()) {
    fmt::print("\nparameters: name, SI unit, default, allowed\n");
    print_parameters(parameters);
  }
  if (!citation.empty()) fmt::print("\nreference: {}\n", citation);
}

int show(const Options& options) {
  if (options.name.empty()) {
    list<NormalLawType>("normal force, normal: {law: NAME, ...}");
    list<FrictionLawType>("\nfriction, friction: {law: NAME, ...}");
    fmt::print("\ntappet laws NAME prints equation, parameters and reference; --curve its force.\n");
    return Exit::done;
  }
  if (const NormalLawType* law = NormalLawRegistry::instance().find(options.name)) {
    print_page("normal force", law->name, law->help, law->equation, law->citation, law->table.parameters);
    return Exit::done;
  }
  if (const FrictionLawType* law = FrictionLawRegistry::instance().find(options.name)) {
    std::vector<Parameter> parameters = law->table.parameters;
    for (const Parameter& common : friction_law_family().common.parameters) parameters.push_back(common);
    print_page("friction", law->name, law->help, law->equation, law->citation, parameters);
    return Exit::done;
  }
  std::vector<std::string> names = NormalLawRegistry::instance().names();
  for (const std::string& name : FrictionLawRegistry::instance().names()) names.push_back(name);
  const std::string near = nearest_name(options.name, names);
  refuse("laws", fmt::format("there is no law {}; {}the laws are {}", quote(options.name),
                             near.empty() ? "" : "did you mean '" + near + "'? ", join_names(names)));
}

// ---- curves
// --------------------------------------------------------------------------------------------------------

/// The options of the curve as a mapping, so that they are read, converted and checked as a model file is.
const Table& curve_table() {
  const auto length = [](const char* name, const Range& range = any_number()) {
    return Parameter{.name = name, .unit = "m", .range = range};
  };
  static const Table table{
      .name = "a curve",
      .help = "",
      .parameters = {
          length("radius-i"),
          length("radius-j"),
          length("length", positive()),
          length("depth", positive()),
          {.name = "speed", .unit = "m/s", .fallback = "1", .range = positive()},
          {.name = "mass", .unit = "kg", .fallback = "1", .range = positive()},
          {.name = "load", .unit = "N", .fallback = "0", .range = not_negative()},
          {.name = "normal-force", .unit = "N", .fallback = "1", .range = positive()},
          {.name = "points", .kind = Kind::integer, .fallback = "101", .range = {.low = 2, .high = 1e6}},
          {.name = "young", .kind = Kind::vector, .unit = "Pa", .range = positive(), .length = any_length},
          {.name = "poisson",
           .kind = Kind::vector,
           .range = {.low = -1, .high = 0.5, .low_open = true},
           .length = any_length},
          {.name = "density",
           .kind = Kind::vector,
           .unit = "kg/m^3",
           .range = positive(),
           .length = any_length},
      }};
  return table;
}

Value scalar(const std::string& text) {
  Value value;
  value.kind = Value::Kind::scalar;
  value.text = text;
  return value;
}

void put(Value& mapping, const std::string& key, Value value) {
  mapping.map.emplace_back(key, std::move(value));
  mapping.key_pos.emplace_back();
}

Object read_curve(const Options& options, Diagnostics& diagnostics) {
  Value mapping;
  mapping.kind = Value::Kind::mapping;
  for (const auto& [key, text] : {std::pair{"radius-i", options.radius_i},
                                  {"radius-j", options.radius_j},
                                  {"length", options.length},
                                  {"depth", options.depth},
                                  {"speed", options.speed},
                                  {"mass", options.mass},
                                  {"load", options.load},
                                  {"normal-force", options.normal_force},
                                  {"points", options.points}})
    if (!text.empty()) put(mapping, key, scalar(text));
  for (const auto& [key, items] :
       {std::pair{"young", options.young}, {"poisson", options.poisson}, {"density", options.density}}) {
    if (items.empty()) continue;
    Value list;
    list.kind = Value::Kind::sequence;
    for (const std::string& item : items) list.items.push_back(scalar(item));
    put(mapping, key, std::move(list));
  }
  return read_object(mapping, curve_table(), {.diagnostics = &diagnostics});
}

/// One value for both surfaces, or one for each.
double of_surface(const Object& curve, const std::string& key, int surface) {
  if (!curve.has(key)) return 0;
  const std::vector<double>& values = curve.vector(key);
  return values[std::min<std::size_t>(surface, values.size() - 1)];
}

ContactPair pair_of(const Object& curve, Diagnostics& diagnostics) {
  ContactPair pair{.radius = {curve.number_or("radius-i", ContactPair::plane),
                              curve.number_or("radius-j", ContactPair::plane)},
                   .length = curve.number_or("length", ContactPair::unknown)};
  for (const char* key : {"young", "poisson", "density"})
    if (curve.has(key) && curve.vector(key).size() > 2)
      diagnostics.error({}, fmt::format("--{} takes one value for both surfaces or two", key));
  if (curve.has("young") != curve.has("poisson"))
    diagnostics.error({}, "a material needs both --young and --poisson");
  if (curve.has("young"))
    for (int k : {0, 1})
      pair.material[k] = Material{.name = "given",
                                  .young = of_surface(curve, "young", k),
                                  .poisson = of_surface(curve, "poisson", k),
                                  .density = of_surface(curve, "density", k)};
  return pair;
}

/// The law as a model file would have it: `--set key=value` are its keys.
Object read_law(const Options& options, const Family& family, Diagnostics& diagnostics) {
  Value mapping;
  mapping.kind = Value::Kind::mapping;
  put(mapping, "law", scalar(options.name));
  for (const std::string& setting : options.settings) apply_setting(mapping, setting);
  return read_object(mapping, family, {.diagnostics = &diagnostics});
}

int friction_curve(const Options& options) {
  Diagnostics diagnostics;
  const Object curve = read_curve(options, diagnostics);
  const Object object = read_law(options, friction_law_family(), diagnostics);
  diagnostics.throw_if_errors();
  const auto law = make_friction_law(object.parameters(), diagnostics);
  diagnostics.throw_if_errors();
  const int points = curve.integer("points");
  const double fastest = curve.number("speed"), normal_force = curve.number("normal-force");
  fmt::print("velocity,tangential\n");
  for (int k = 0; k < points; ++k) {
    const double velocity = fastest * (2.0 * k / (points - 1) - 1);
    const double force = velocity == 0 ? 0 : law->evaluate(std::abs(velocity)).coefficient * normal_force;
    fmt::print("{},{}\n", velocity, velocity > 0 ? -force : force);
  }
  return Exit::done;
}

int normal_curve(const Options& options) {
  Diagnostics diagnostics;
  const Object curve = read_curve(options, diagnostics);
  const Object object = read_law(options, normal_law_family(), diagnostics);
  const ContactPair pair = pair_of(curve, diagnostics);
  diagnostics.throw_if_errors();
  const auto law = make_normal_law(object.parameters(), pair, diagnostics);
  diagnostics.throw_if_errors();
  for (const std::string& note : law->traits().notes) fmt::print(stderr, "note: {}\n", note);

  const int points = curve.integer("points");
  if (options.at_rest) {
    if (!curve.has("depth")) refuse("laws", "--static needs --depth, the largest penetration to print");
    const auto forces = static_curve(*law, curve.number("depth"), points);
    fmt::print("penetration,force\n");
    for (const CurvePoint& point : forces) fmt::print("{},{}\n", point.depth, point.force);
    return Exit::done;
  }
  const ImpactOptions impact{
      .mass = curve.number("mass"), .speed = curve.number("speed"), .load = curve.number("load")};
  const auto result = single_impact(*law, impact);
  const auto forces = impact_curve(*law, impact, points);
  fmt::print("phase,time,penetration,rate,force\n");
  for (const CurvePoint& point : forces)
    fmt::print("{},{},{},{},{}\n", point.loading ? "loading" : "unloading", point.time, point.depth,
               point.rate, point.force);
  fmt::print(stderr,
             "note: impact of {} kg at {} m/s: restitution {:.6g}, penetration {:.6g} m, force {:.6g} N, "
             "{:.6g} s{}\n",
             impact.mass, impact.speed, result.restitution, result.max_depth, result.max_force,
             result.duration, result.separated ? "" : "; it does not leave again");
  if (const double ratio = love_ratio(pair, impact.speed); ratio > 1)
    fmt::print(stderr, "note: {:.3g} times Love's limit of {:.4g} m/s: beyond the theory of elastic impact\n",
               ratio, love_limit(pair));
  return Exit::done;
}

int run(const Options& options) {
  if (!options.curve) return show(options);
  if (options.name.empty()) refuse("laws", "--curve needs the NAME of a law");
  if (FrictionLawRegistry::instance().find(options.name)) return friction_curve(options);
  if (!NormalLawRegistry::instance().find(options.name)) return show(options);
  try {
    return normal_curve(options);
  } catch (const LawDomainError& error) {
    fmt::print(stderr, "error: {}\n", error.what());
    return Exit::stopped;
  }
}

std::function<int()> set_up(CLI::App& command) {
  auto options = std::make_shared<Options>();
  command.add_option("NAME", options->name, "a law; default: list them all");
  auto* curve = command.add_flag("--curve", options->curve,
                                 "print its force as comma-separated text: an impact, loading and unloading");
  const auto add = [&](const char* name, auto& value, const char* help) {
    return command.add_option(name, value, help)->needs(curve);
  };
  command.add_flag("--static", options->at_rest, "the force at rest up to --depth instead of an impact")
      ->needs(curve);
  add("--radius-i", options->radius_i, "radius of the first surface, negative if concave; default: plane");
  add("--radius-j", options->radius_j, "radius of the second surface, negative if concave; default: plane");
  add("--length", options->length, "length of a line of contact");
  add("--young", options->young, "Young's modulus, one for both surfaces or two")->delimiter(',');
  add("--poisson", options->poisson, "Poisson's ratio, one or two")->delimiter(',');
  add("--density", options->density, "density, one or two, for Love's limit")->delimiter(',');
  add("--speed", options->speed, "speed of the impact, 1 m/s; of a friction law: the fastest sliding");
  add("--mass", options->mass, "effective mass of the impact, 1 kg");
  add("--load", options->load, "constant force that presses the surfaces together, 0 N");
  add("--depth", options->depth, "largest penetration of --static");
  add("--normal-force", options->normal_force, "normal force of a friction law, 1 N");
  add("--points", options->points, "points of each phase, 101");
  add("--set", options->settings, "a parameter of the law, as key=value; may be repeated")
      ->allow_extra_args(false);
  return [options] { return run(*options); };
}

const Registration<Command> registered{
    {.name = "laws",
     .help = "list contact and friction laws, explain one, print its curve",
     .place = 65,
     .set_up = set_up}};

}  // namespace
}  // namespace tappet::app::laws_command
