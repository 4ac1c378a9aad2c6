// tappet laws: what `normal.law` and `friction.law` may be, what each needs, and its curve.

#include <cmath>
#include <memory>
#include <numbers>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "command.hpp"
#include "tappet/contact/curve.hpp"
#include "tappet/contact/film_law.hpp"
#include "tappet/contact/films/finite.hpp"
#include "tappet/contact/friction_law.hpp"
#include "tappet/contact/mixed_film.hpp"
#include "tappet/contact/normal_law.hpp"
#include "tappet/contact/stribeck_curve.hpp"
#include "tappet/contact/wear_law.hpp"
#include "tappet/lubrication/elastic_film.hpp"
#include "tappet/lubrication/reynolds.hpp"
#include "tappet/spec/object.hpp"
#include "tappet/spec/paths.hpp"

namespace tappet::app::laws_command {
namespace {

struct Options {
  std::string name;
  bool curve = false, at_rest = false, json = false, pressure = false;
  std::string radius_i, radius_j, length, speed, mass, load, depth, normal_force, points, film, eccentricity;
  std::vector<std::string> young, poisson, density, settings, rough, surface;
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

using Json = nlohmann::ordered_json;

template <class Type>
Json json_of(const Type& type, const char* kind, const std::vector<Parameter>& common) {
  Json parameters = Json::array();
  std::vector<Parameter> all = type.table.parameters;
  all.insert(all.end(), common.begin(), common.end());
  for (const Parameter& p : all)
    parameters.push_back({{"name", p.name},
                          {"unit", p.unit},
                          {"default", default_of(p)},
                          {"allowed", allowed(p)},
                          {"help", p.help}});
  return {{"name", type.name},         {"kind", kind},
          {"help", type.help},         {"equation", type.equation},
          {"citation", type.citation}, {"parameters", parameters}};
}

int show_json(const std::string& name) {
  Json laws = Json::array();
  for (const NormalLawType& law : NormalLawRegistry::instance().entries())
    if (name.empty() || law.name == name) laws.push_back(json_of(law, "normal", {}));
  for (const FrictionLawType& law : FrictionLawRegistry::instance().entries())
    if (name.empty() || law.name == name)
      laws.push_back(json_of(law, "friction", friction_law_family().common.parameters));
  for (const FilmLawType& law : FilmLawRegistry::instance().entries())
    if (name.empty() || law.name == name) laws.push_back(json_of(law, "film", {}));
  for (const WearLawType& law : WearLawRegistry::instance().entries())
    if (name.empty() || law.name == name) laws.push_back(json_of(law, "wear", {}));
  fmt::print("{}\n", Json{{"laws", laws}}.dump(2));
  return Exit::done;
}

int show(const Options& options) {
  const bool known = NormalLawRegistry::instance().find(options.name) ||
                     FrictionLawRegistry::instance().find(options.name) ||
                     FilmLawRegistry::instance().find(options.name) ||
                     WearLawRegistry::instance().find(options.name);
  if (options.json && (known || options.name.empty())) return show_json(options.name);
  if (options.name.empty()) {
    list<NormalLawType>("normal force, normal: {law: NAME, ...}");
    list<FrictionLawType>("\nfriction, friction: {law: NAME, ...}");
    list<FilmLawType>("\noil film, lubricant: {model: NAME, ...}");
    list<WearLawType>("\nwear, wear: {law: NAME, ...}");
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
  if (const FilmLawType* law = FilmLawRegistry::instance().find(options.name)) {
    print_page("oil film", law->name, law->help, law->equation, law->citation, law->table.parameters);
    return Exit::done;
  }
  if (const WearLawType* law = WearLawRegistry::instance().find(options.name)) {
    print_page("wear", law->name, law->help, law->equation, law->citation, law->table.parameters);
    return Exit::done;
  }
  std::vector<std::string> names = NormalLawRegistry::instance().names();
  for (const std::string& name : FrictionLawRegistry::instance().names()) names.push_back(name);
  for (const std::string& name : FilmLawRegistry::instance().names()) names.push_back(name);
  for (const std::string& name : WearLawRegistry::instance().names()) names.push_back(name);
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
          {.name = "eccentricity", .range = {.low = 0, .high = 1, .high_open = true}},
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
                                  {"eccentricity", options.eccentricity},
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
  for (const std::string& setting : options.settings) set_key(mapping, setting);
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

/// A film as a model file would have it.
Object read_film(const Options& options, const std::string& model, Diagnostics& diagnostics) {
  Value mapping;
  mapping.kind = Value::Kind::mapping;
  put(mapping, "model", scalar(model));
  for (const std::string& setting : options.settings) apply_setting(mapping, setting);
  return read_object(mapping, film_law_family(), {.diagnostics = &diagnostics});
}

/// Friction of a journal that turns under a load, over its speed: film and, with --rough, summits.
int stribeck_curve(const Options& options, const std::string& model) {
  Diagnostics diagnostics;
  const Object curve = read_curve(options, diagnostics);
  const Object film_object = read_film(options, model, diagnostics);
  Value summits;
  summits.kind = Value::Kind::mapping;
  put(summits, "law", scalar("greenwood-tripp"));
  for (const std::string& setting : options.rough) apply_setting(summits, setting);
  const Object rough_object = read_object(summits, mixed_film_family(), {.diagnostics = &diagnostics});
  for (const char* key : {"radius-i", "radius-j", "length"})
    if (!curve.has(key)) diagnostics.error({}, fmt::format("the curve of a film needs --{}", key));
  diagnostics.throw_if_errors();
  const double R = -curve.number("radius-i"), c = R - curve.number("radius-j"), load = curve.number("load");
  if (!(R > 0 && c > 0 && c < R && load > 0))
    refuse("laws",
           "the curve of a film needs a bearing, --radius-i below 0, a journal that fits into it, "
           "--radius-j, and a "
           "--load above 0");
  const AnyParameters rough_parameters = rough_object.parameters();
  const auto& rough = rough_parameters.as<GreenwoodTrippParameters>();
  if (std::isnan(rough.modulus)) refuse("laws", "the curve of a film needs --rough modulus=E*");
  auto film = make_film_law(film_object.parameters(), {R, curve.number("length"), c, 0}, diagnostics);
  diagnostics.throw_if_errors();
  for (const std::string& note : film->traits().notes) fmt::print(stderr, "note: {}\n", note);
  const RoughJournal summit({rough.roughness, rough.density, rough.tip_radius, rough.modulus}, R,
                            curve.number("length"), c);
  const double least = std::isnan(rough.least_film) ? rough.roughness : rough.least_film;
  const auto kept = fading_film(std::move(film), HUGE_VAL, least);
  const int points = curve.integer("points");
  const double fastest = curve.number("speed");
  fmt::print("speed,eccentricity,film_share,coefficient\n");
  // Five decades, evenly by ratio.
  for (int k = 0; k < points; ++k) {
    const double speed = fastest * std::pow(10, 5.0 * k / (points - 1) - 5);
    const StribeckPoint p = stribeck_point(*kept, summit, rough.coefficient, load, speed);
    fmt::print("{},{},{},{}\n", p.speed, p.eccentricity, p.film_share, p.coefficient);
  }
  return Exit::done;
}

/// `--surface`: oil that stiffens under pressure, and surfaces that give way.
struct SurfaceParameters {
  double pressure_viscosity = 0;
  std::string law = "barus";
  double modulus = 0, compliance = 0;
};
const Table& surface_table() {
  using P = SurfaceParameters;
  static const Table table = table_of<P>(
      "--surface", "",
      {{&P::pressure_viscosity,
        {.name = "pressure_viscosity", .unit = "1/Pa", .fallback = "0", .range = not_negative()}},
       {&P::law,
        {.name = "law", .kind = Kind::choice, .fallback = "barus", .choices = {"barus", "roelands"}}},
       {&P::modulus, {.name = "modulus", .unit = "Pa", .fallback = "0", .range = not_negative()}},
       {&P::compliance, {.name = "compliance", .unit = "m/Pa", .fallback = "0", .range = not_negative()}}});
  return table;
}

/// The film under pressure that is so high: pressure, gap, and on standard error the load with its error.
int elastic_field(const SurfaceParameters& surface, lubrication::ElasticFilmProblem problem) {
  problem.pressure_viscosity = surface.pressure_viscosity, problem.roelands = surface.law == "roelands";
  problem.modulus = surface.modulus, problem.compliance = surface.compliance;
  try {
    const auto load = [](const lubrication::ElasticFilm& film) {
      return std::hypot(film.along, film.across);
    };
    lubrication::ElasticFilmProblem coarse = problem;
    coarse.around /= 2, coarse.along /= 2;
    const lubrication::ElasticFilm film = lubrication::solve_elastic_film(problem);
    const double before = load(lubrication::solve_elastic_film(coarse));
    for (std::size_t i = 0; i < film.angles.size(); ++i)
      for (std::size_t j = 0; j < film.places.size(); ++j) {
        const std::size_t cell = i * film.places.size() + j;
        fmt::print("{},{},{},{}\n", film.angles[i], film.places[j], film.pressure[cell], film.gap[cell]);
      }
    fmt::print(stderr,
               "note: it bears {:.5g} N, on a grid twice as wide {:.5g} N; pressure up to {:.4g} Pa, gap "
               "down to {:.4g} m\n",
               load(film), before, film.highest, film.thinnest);
  } catch (const std::runtime_error& error) {
    fmt::print(stderr, "error: {}\n", error.what());
    return Exit::stopped;
  }
  return Exit::done;
}

/// Where the journal turns at an eccentricity: the film's pressure from the thinnest gap on, over one half of the length.
int pressure_field(const Options& options) {
  Diagnostics diagnostics;
  const Object curve = read_curve(options, diagnostics);
  const Object film_object = read_film(options, options.name, diagnostics);
  for (const char* key : {"radius-i", "radius-j", "length", "eccentricity"})
    if (!curve.has(key)) diagnostics.error({}, fmt::format("the pressure of a film needs --{}", key));
  diagnostics.throw_if_errors();
  const double R = -curve.number("radius-i"), c = R - curve.number("radius-j"), L = curve.number("length");
  if (!(R > 0 && c > 0 && c < R))
    refuse("laws",
           "the pressure of a film needs a bearing, --radius-i below 0, and a journal that fits into it, "
           "--radius-j");
  if (options.name != "finite" && options.name != "ocvirk")
    refuse(
        "laws",
        fmt::format("the pressure of film {} is even along the length and is not printed; finite and ocvirk "
                    "have a field",
                    options.name));
  const AnyParameters film = film_object.parameters();
  AnyParameters viscosity;
  if (const auto value = film.get("viscosity")) parameters::put(*value, viscosity);
  const double mu =
      viscosity_of(viscosity.as<Viscosity>(), film.number("temperature"), film.origin, diagnostics);
  diagnostics.throw_if_errors();
  // w = ½ ω e across e, half of the surface's speed times ε c/R.
  const double eps = curve.number("eccentricity"), w = 0.5 * curve.number("speed") / R * eps * c;
  if (!options.surface.empty()) {
    if (options.name != "finite")
      refuse("laws", "--surface is of film finite, whose equation is solved for it");
    Value mapping;
    mapping.kind = Value::Kind::mapping;
    for (const std::string& setting : options.surface) apply_setting(mapping, setting);
    const Object surface = read_object(mapping, surface_table(), {.diagnostics = &diagnostics});
    diagnostics.throw_if_errors();
    fmt::print("angle,z,pressure,gap\n");
    return elastic_field(
        surface.parameters().as<SurfaceParameters>(),
        {.eccentricity = eps,
         .radius = R,
         .length = L,
         .clearance = c,
         .viscosity = mu,
         .speed = curve.number("speed") / R,
         .supply = film.as<FiniteFilmParameters>().supply == "widest-gap" ? lubrication::Supply::widest_gap
                                                                          : lubrication::Supply::none});
  }
  fmt::print("angle,z,pressure\n");
  if (options.name == "ocvirk") {
    constexpr int around = 180, along = 10;
    for (int i = 0; i < around; ++i)
      for (int j = 0; j <= along; ++j) {
        const double angle = 2 * std::numbers::pi * i / around - std::numbers::pi, z = 0.5 * L * j / along;
        const double h = c * (1 - eps * std::cos(angle));
        const double p = 6 * mu * (-w * std::sin(angle)) * (L * L / 4 - z * z) / (h * h * h);
        fmt::print("{},{},{}\n", angle, z, std::max(0.0, p));
      }
    return Exit::done;
  }
  lubrication::ReynoldsSolver solver;
  const bool supplied = film.as<FiniteFilmParameters>().supply == "widest-gap";
  solver.solve({.eccentricity = eps,
                .direction = -0.5 * std::numbers::pi,
                .ratio = 0.5 * L / R,
                .supply = supplied ? lubrication::Supply::widest_gap : lubrication::Supply::none,
                .around = 240,
                .along = 16});
  const double unit = 12 * mu * R * R * w / (c * c * c);
  const auto &angles = solver.angles(), &places = solver.places(), &P = solver.pressure();
  for (std::size_t i = 0; i < angles.size(); ++i)
    for (std::size_t j = 0; j < places.size(); ++j)
      fmt::print("{},{},{}\n", angles[i], places[j] * R, unit * P[i * places.size() + j]);
  return Exit::done;
}

int run(const Options& options) {
  if (options.pressure) {
    if (!FilmLawRegistry::instance().find(options.name))
      refuse("laws", fmt::format("--pressure is of an oil film, {}, not of {}",
                                 join_names(FilmLawRegistry::instance().names()), quote(options.name)));
    return pressure_field(options);
  }
  if (!options.curve) {
    for (const auto& [given, option] : {std::pair{!options.radius_i.empty(), "--radius-i"},
                                        {!options.radius_j.empty(), "--radius-j"},
                                        {!options.length.empty(), "--length"},
                                        {!options.speed.empty(), "--speed"},
                                        {!options.settings.empty(), "--set"}})
      if (given) refuse("laws", fmt::format("{} requires --curve or --pressure", option));
    return show(options);
  }
  if (options.name.empty()) refuse("laws", "--curve needs the NAME of a law");
  if (!options.film.empty()) {
    if (options.name != "stribeck")
      refuse("laws",
             fmt::format("--film is of `tappet laws stribeck --curve`, not of {}", quote(options.name)));
    if (!FilmLawRegistry::instance().find(options.film))
      refuse("laws", fmt::format("there is no film {}; the films are {}", quote(options.film),
                                 join_names(FilmLawRegistry::instance().names())));
    return stribeck_curve(options, options.film);
  }
  if (FilmLawRegistry::instance().find(options.name)) return stribeck_curve(options, options.name);
  if (!options.rough.empty()) refuse("laws", "--rough is for the curve of an oil film");
  if (WearLawRegistry::instance().find(options.name))
    refuse("laws", fmt::format("{} is a law of wear, which has no curve", options.name));
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
  auto* pressure =
      command
          .add_flag("--pressure", options->pressure,
                    "print the pressure of an oil film at an --eccentricity as comma-separated text")
          ->excludes(curve);
  // What both print goes by.
  const auto shared = [&](const char* name, auto& value, const char* help) {
    return command.add_option(name, value, help);
  };
  const auto add = [&](const char* name, auto& value, const char* help) {
    return command.add_option(name, value, help)->needs(curve);
  };
  command.add_flag("--static", options->at_rest, "the force at rest up to --depth instead of an impact")
      ->needs(curve);
  shared("--radius-i", options->radius_i, "radius of the first surface, negative if concave; default: plane");
  shared("--radius-j", options->radius_j,
         "radius of the second surface, negative if concave; default: plane");
  shared("--length", options->length, "length of a line of contact");
  add("--young", options->young, "Young's modulus, one for both surfaces or two")->delimiter(',');
  add("--poisson", options->poisson, "Poisson's ratio, one or two")->delimiter(',');
  add("--density", options->density, "density, one or two, for Love's limit")->delimiter(',');
  shared("--speed", options->speed, "speed of the impact, 1 m/s; of a friction law: the fastest sliding");
  add("--mass", options->mass, "effective mass of the impact, 1 kg");
  add("--load", options->load, "constant force that presses the surfaces together, 0 N");
  add("--depth", options->depth, "largest penetration of --static");
  add("--normal-force", options->normal_force, "normal force of a friction law, 1 N");
  shared("--eccentricity", options->eccentricity, "of --pressure: of the journal, over the clearance")
      ->needs(pressure);
  shared("--surface", options->surface,
         "of --pressure of film finite: pressure_viscosity (1/Pa) with law=barus or roelands, modulus (E*, "
         "Pa) of surfaces "
         "that give way, compliance (m/Pa) of a liner, as key=value; may be repeated")
      ->needs(pressure)
      ->allow_extra_args(false);
  add("--film", options->film,
      "of `stribeck --curve`: the oil film of the joint whose friction over speed is printed, from boundary "
      "friction to the full film");
  add("--points", options->points, "points of each phase, 101");
  shared("--set", options->settings, "a parameter of the law, as key=value; may be repeated")
      ->allow_extra_args(false);
  add("--rough", options->rough,
      "of a film's curve, friction over speed: a key of `mixed: {law: greenwood-tripp}`, as key=value; may "
      "be repeated")
      ->allow_extra_args(false);
  command.add_flag("--json", options->json, "the laws as one JSON object")->excludes(curve);
  return [options] { return run(*options); };
}

const Registration<Command> registered{
    {.name = "laws",
     .help = "list contact and friction laws, explain one, print its curve",
     .place = 65,
     .set_up = set_up}};

}  // namespace
}  // namespace tappet::app::laws_command
