#include "tappet/imports/adams.hpp"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "tappet/base/registry.hpp"
#include "tappet/imports/adams/conversion.hpp"
#include "tappet/imports/adams/measures.hpp"
#include "tappet/imports/values.hpp"

namespace tappet::adams {
namespace {

using namespace values;

/// Statements may be cut short, to four letters at least.
const StatementType* find_type(const std::string& name) {
  const StatementType* found = nullptr;
  for (const StatementType& type : Registry<StatementType>::instance().entries()) {
    if (type.name == name) return &type;
    if (name.size() >= 4 && type.name.starts_with(name) && !found) found = &type;
  }
  return found;
}

/// Markers of one part become markers of another that it is fixed to.
void join(const std::string& piece, const std::string& carrier, Conversion& c) {
  const Eigen::Isometry3d place = c.parts.at(carrier).place.inverse() * c.parts.at(piece).place;
  for (auto& [id, marker] : c.markers)
    if (marker.part == piece) marker = {carrier, place * marker.place};
  c.parts.at(piece).carrier = carrier;
}

/// Parts without mass that a FIXED joint holds to another are pieces of that other.
void join_massless_parts(const std::vector<Given>& all, Conversion& c) {
  std::map<std::string, const Given*> massless;
  std::vector<const Given*> fixed;
  for (const Given& given : all) {
    const StatementType* type = find_type(given.statement().name);
    if (type && type->name == "PART" && !given.has("GROUND") &&
        !(read_number(given.text("MASS")).value_or(0) > 0))
      massless.emplace(given.statement().id, &given);
    if (type && type->name == "JOINT" && given.has("FIXED")) fixed.push_back(&given);
  }
  for (bool again = true; again;) {
    again = false;
    for (const Given* joint : fixed) {
      const auto i = c.markers.find(plain_id(joint->text("I"))),
                 j = c.markers.find(plain_id(joint->text("J")));
      if (i == c.markers.end() || j == c.markers.end() || i->second.part == j->second.part) continue;
      std::string piece = i->second.part, carrier = j->second.part;
      if (!massless.count(piece)) std::swap(piece, carrier);
      if (!massless.count(piece) || massless.count(carrier)) continue;
      c.note(*massless.at(piece),
             fmt::format("has no mass and is fixed to PART/{}: it is a piece of that", carrier));
      c.dissolved.insert(joint->statement().id);
      join(piece, carrier, c);
      again = true;
    }
  }
}

struct Rates {
  Eigen::Vector3d v = Eigen::Vector3d::Zero(), w = Eigen::Vector3d::Zero();
};

/// Where joints say how fast they move at the start, the velocity of one part follows from that of the other:
///
///   ω_I = ω_J + z φ̇,   v_I = v_J + ω_J × (r_I − r_J) + z φ̇ × (r_I − o) + z ṡ      r: centres of mass, o: the marker of J
void apply_initial_rates(Conversion& c) {
  std::map<std::string, Rates> found;
  const auto known = [&](const std::string& id) {
    const Part& p = c.parts.at(id);
    return p.ground || p.velocity || p.angular_velocity || found.count(id);
  };
  const auto rates = [&](const std::string& id) {
    if (found.count(id)) return found.at(id);
    const Part& p = c.parts.at(id);
    const Eigen::Vector3d rest = Eigen::Vector3d::Zero();
    return Rates{p.velocity.value_or(rest), p.angular_velocity.value_or(rest)};
  };
  const auto centre = [&](const std::string& id) {
    return Eigen::Vector3d(c.parts.at(id).place * c.parts.at(id).centre);
  };
  std::vector<InitialRates> open = c.initial_rates;
  while (!open.empty()) {
    // Joints next to what is known come first; without any, the first whose part J no other moves.
    const auto next = [&] {
      for (auto it = open.begin(); it != open.end(); ++it)
        if (known(c.markers.at(it->i).part) || known(c.markers.at(it->j).part)) return it;
      return open.begin();
    }();
    const InitialRates r = *next;
    open.erase(next);
    const std::string i = c.markers.at(r.i).part, j = c.markers.at(r.j).part;
    if (known(i) && known(j)) {
      c.note(r.line, "the joint's velocity at the start is not used: the velocities of its parts are given");
      continue;
    }
    const Eigen::Isometry3d at = c.in_world(c.markers.at(r.j));
    const Eigen::Vector3d z = at.linear().col(2), o = at.translation();
    const bool forward = !known(i);
    const std::string &from = forward ? j : i, &to = forward ? i : j;
    const double sign = forward ? 1 : -1;
    const Rates a = rates(from);
    const Eigen::Vector3d turn = sign * r.turn * z;
    const Rates b{
        a.v + a.w.cross(centre(to) - centre(from)) + turn.cross(centre(to) - o) + sign * r.slide * z,
        a.w + turn};
    found[to] = b;
    Value* body = c.sections["bodies"].find(c.parts.at(to).name);
    if (!body) continue;
    add(*body, "velocity", values::vector(b.v));
    add(*body, "angular_velocity", values::vector(b.w));
  }
}

void read_all(const DataSet& data, Conversion& into) {
  struct Step {
    StatementType::Stage stage;
    void (*read)(const Given&, Conversion&);
    std::size_t given;
  };
  std::vector<Given> all;
  std::vector<Step> steps;
  for (const Statement& statement : data.statements) {
    const StatementType* type = find_type(statement.name);
    all.emplace_back(statement, type ? type->arguments : std::vector<std::string>{});
    const Given& given = all.back();
    if (!type) {
      const std::string near = nearest_name(statement.name, Registry<StatementType>::instance().names());
      into.lost(given, near.empty() ? "statements of this kind are not translated"
                                    : fmt::format("there is no such statement; did you mean {}?", near));
      continue;
    }
    for (const Argument& unknown : given.unknown()) {
      const std::string words =
          fmt::format("argument {} in line {} is not translated", unknown.name, unknown.line);
      if (type->moves)
        into.lost(given, words);
      else if (!type->arguments.empty())
        into.note(given, words + ", and the motion does not depend on it");
    }
    steps.push_back({type->stage, type->read, all.size() - 1});
    if (type->finish) steps.push_back({type->finishing, type->finish, all.size() - 1});
  }
  std::stable_sort(steps.begin(), steps.end(),
                   [](const Step& a, const Step& b) { return a.stage < b.stage; });
  // Whose mass it is has to be known before parts become bodies.
  bool joined = false;
  for (const Step& step : steps) {
    if (step.stage > StatementType::markers && !std::exchange(joined, true)) join_massless_parts(all, into);
    step.read(all[step.given], into);
  }
  apply_initial_rates(into);
}

Value model_of(const DataSet& data, Conversion& from) {
  Value model = mapping();
  add(model, "tappet", scalar("1"));
  if (!data.title.empty()) {
    Value title = scalar(data.title);
    title.quoted = true;
    add(model, "title", std::move(title));
  }
  add(model, "dimension", scalar("spatial"));
  add(model, "gravity", values::vector(from.gravity));
  if (!from.sections["tables"].map.empty()) add(model, "tables", from.sections["tables"]);
  Value bodies = from.sections["bodies"];
  bodies.kind = Value::Kind::mapping;
  for (const auto& [id, part] : from.parts) {
    if (part.shapes.map.empty()) continue;
    if (part.ground) {
      Value ground = mapping();
      add(ground, "shapes", part.shapes);
      add(model, "ground", std::move(ground));
    } else if (Value* body = bodies.find(part.name)) {
      add(*body, "shapes", part.shapes);
    }
  }
  add(model, "bodies", std::move(bodies));
  for (const char* section : {"states", "joints", "motions", "forces", "contacts", "events"})
    if (!from.sections[section].map.empty()) add(model, section, from.sections[section]);
  Value simulation = mapping(), output = mapping();
  add(simulation, "duration", scalar("5 s"));
  add(simulation, "tolerance", scalar("1e-9"));
  add(output, "step", scalar("10 ms"));
  if (!from.sections["measures"].map.empty()) add(output, "measures", from.sections["measures"]);
  add(model, "simulation", std::move(simulation));
  add(model, "output", std::move(output));
  return model;
}

}  // namespace
}  // namespace tappet::adams

namespace tappet {

namespace {

constexpr std::size_t most_data_set_bytes = 64 << 20;

}  // namespace

ImportedModel import_adams_text(const std::string& text, const std::string& name,
                                const RobotOptions& options) {
  Diagnostics diagnostics;
  const SourcePos file{std::make_shared<const std::string>(name), 0, 0};
  if (text.size() > most_data_set_bytes)
    diagnostics.error(file, fmt::format("is larger than {} MiB, which is the most that is read of a data set",
                                        most_data_set_bytes >> 20));
  diagnostics.throw_if_errors();
  const adams::DataSet data = adams::read_data_set(text, file, diagnostics);
  if (!diagnostics.has_errors() && data.statements.empty())
    diagnostics.error(file,
                      "this is no Adams Solver data set: it has no statements such as PART/2, MASS = 1");
  diagnostics.throw_if_errors();
  adams::Conversion conversion(file, options.partial, diagnostics);
  conversion.signals = adams::of_places_and_speeds(conversion);
  adams::read_all(data, conversion);
  diagnostics.throw_if_errors();
  Value model = adams::model_of(data, conversion);
  conversion.notes.push_back(
      "how long Adams simulates stands in its commands, not in the data set: duration and output step are 5 "
      "s and "
      "10 ms until you set them");
  return {std::move(model), std::move(conversion.notes)};
}

std::vector<std::string> adams_statements() {
  return Registry<adams::StatementType>::instance().names();
}

namespace {

const Registration<Importer> registered{
    {.name = "adm", .help = "Adams Solver data sets", .import = import_adams_text}};

}  // namespace

}  // namespace tappet
