#include "tappet/imports/adams/conversion.hpp"

#include <cctype>
#include <cmath>

#include <fmt/format.h>

#include "tappet/imports/values.hpp"

namespace tappet::adams {

using namespace values;

namespace {

/// What an expression of a model may have at most.
constexpr std::size_t longest_expression = 10000;

}  // namespace

Given::Given(const Statement& statement, const std::vector<std::string>& arguments) : statement_(&statement) {
  for (const Argument& argument : statement.arguments) {
    const std::string* full = nullptr;
    for (const std::string& name : arguments)
      if (name == argument.name || (!full && name.starts_with(argument.name))) {
        full = &name;
        if (name == argument.name) break;
      }
    if (full)
      arguments_.emplace(*full, argument);
    else
      unknown_.push_back(argument);
  }
}

std::string Given::label() const {
  return statement_->id.empty() ? statement_->name : statement_->name + "/" + statement_->id;
}

const Argument* Given::find(const std::string& argument) const {
  const auto found = arguments_.find(argument);
  return found == arguments_.end() ? nullptr : &found->second;
}

std::string Given::text(const std::string& argument) const {
  const Argument* a = find(argument);
  return a && !a->values.empty() ? a->values.front() : "";
}

SourcePos Conversion::at(const Given& given) const {
  return {file_.file, given.statement().line, 0};
}

void Conversion::fault(const Given& given, const std::string& words) {
  diagnostics_.error(at(given), fmt::format("{}: {}", given.label(), words));
}

void Conversion::lost(const Given& given, const std::string& words) {
  if (partial_)
    notes.push_back(fmt::format("line {}: {} is left out, and the motion with it: {}", given.statement().line,
                                given.label(), words));
  else
    fault(given, words + "; --partial leaves it out and goes on");
}

void Conversion::note(const Given& given, const std::string& words) {
  notes.push_back(fmt::format("line {}: {}: {}", given.statement().line, given.label(), words));
}

void Conversion::note(int line, const std::string& words) {
  notes.push_back(fmt::format("line {}: {}", line, words));
}

std::vector<double> Conversion::numbers(const Given& given, const std::string& argument, std::size_t least,
                                        std::size_t most) {
  const Argument* a = given.find(argument);
  std::vector<double> out;
  if (a)
    for (const std::string& text : a->values) {
      const std::optional<double> value = read_number(text);
      if (!value) {
        fault(given, fmt::format("{} = {} is not a number", argument, quote(text)));
        return std::vector<double>(least, 0.0);
      }
      out.push_back(*value);
    }
  if (out.size() >= least && out.size() <= most) return out;
  fault(given, fmt::format("{} takes {} numbers, not {}", argument,
                           least == most ? fmt::format("{}", least) : fmt::format("{} to {}", least, most),
                           out.size()));
  out.resize(least, 0.0);
  return out;
}

double Conversion::number(const Given& given, const std::string& argument, double unit, double fallback) {
  return given.has(argument) ? numbers(given, argument, 1, 1).front() * unit : fallback;
}

Eigen::Vector3d Conversion::vector(const Given& given, const std::string& argument, double unit) {
  if (!given.has(argument)) return Eigen::Vector3d::Zero();
  const std::vector<double> n = numbers(given, argument, 3, 3);
  return unit * Eigen::Vector3d(n[0], n[1], n[2]);
}

const Marker* Conversion::marker(const Given& given, const std::string& argument) {
  const std::string id = plain_id(given.text(argument));
  if (id.empty()) {
    fault(given, fmt::format("{} is missing, the number of a marker", argument));
    return nullptr;
  }
  const auto found = markers.find(id);
  if (found == markers.end()) {
    fault(given, fmt::format("{} = {}: there is no MARKER/{}", argument, id, id));
    return nullptr;
  }
  return &found->second;
}

bool Conversion::pair(const Given& given, const Marker*& i, const Marker*& j) {
  i = marker(given, "I"), j = marker(given, "J");
  if (!i || !j) return false;
  if (i->part != j->part) return true;
  fault(given, "its markers I and J are on one part");
  return false;
}

const JointRecord* Conversion::joint(const Given& given, const std::string& id) {
  const auto found = joints.find(plain_id(id));
  if (found != joints.end()) return &found->second;
  fault(given, fmt::format("there is no JOINT/{} that a model can have", id));
  return nullptr;
}

Eigen::Vector3d Conversion::point(const Marker& m) const {
  const Part& p = part(m);
  if (p.ground) return p.place * m.place.translation();
  return m.place.translation() - p.centre;
}

Eigen::Matrix3d Conversion::axes(const Marker& m) const {
  const Part& p = part(m);
  if (p.ground) return p.place.linear() * m.place.linear();
  return m.place.linear();
}

Eigen::Isometry3d Conversion::in_world(const Marker& m) const {
  return part(m).place * m.place;
}

Value Conversion::between(const Marker& first, const Marker& second) const {
  Value out = mapping();
  values::add(out, "bodies", list({scalar(part(first).name), scalar(part(second).name)}));
  values::add(out, "points", list({values::vector(point(first)), values::vector(point(second))}));
  return out;
}

double Conversion::angle(const Marker& i, const Marker& j) const {
  const Eigen::Vector3d x = in_world(j).linear().transpose() * in_world(i).linear().col(0);
  return std::atan2(x.y(), x.x());
}

std::optional<Turn> Conversion::turn(const Marker& i, const Marker& j) const {
  for (const auto& [id, record] : joints) {
    if (!record.turns) continue;
    const Marker &ji = markers.at(record.i), &jj = markers.at(record.j);
    const bool same = ji.part == i.part && jj.part == j.part,
               swapped = ji.part == j.part && jj.part == i.part;
    const double along = in_world(jj).linear().col(2).dot(in_world(j).linear().col(2));
    if ((!same && !swapped) || std::abs(std::abs(along) - 1) > 1e-6) continue;
    Turn out{record.name, (same ? 1.0 : -1.0) * (along > 0 ? 1 : -1), 0};
    out.offset = angle(i, j) - out.sign * angle(ji, jj);
    if (std::abs(out.offset) < 1e-15) out.offset = 0;
    return out;
  }
  return std::nullopt;
}

std::optional<std::string> Conversion::function(const Given& given, const std::string& argument, double unit,
                                                const Measures& measures) {
  const std::string text = given.text(argument);
  if (text.empty()) {
    fault(given, fmt::format("{} is missing, a function", argument));
    return std::nullopt;
  }
  FunctionContext context;
  if (units.time != 1) context.time = fmt::format("(t/{})", units.time);
  if (measures)
    context.measures = [&](const std::string& name, const std::vector<std::string>& ids) {
      try {
        return measures(name, ids);
      } catch (const Untranslatable&) {
        try {
          if (signals) return signals(name, ids);
        } catch (const Untranslatable&) {
        }
        throw;
      }
    };
  context.variables = &variables;
  context.arrays = &arrays;
  context.rates = &rates;
  context.spline = [&](const std::string& id, bool akima) { return table_of(id, akima); };
  try {
    const std::string plain = translate(text, context);
    const std::string said = unit == 1 ? plain : fmt::format("{}*({})", unit, plain);
    if (said.size() > longest_expression)
      throw Untranslatable(fmt::format("written out it has {} characters, and an expression may have {}",
                                       said.size(), longest_expression));
    return said;
  } catch (const Untranslatable& why) {
    lost(given, fmt::format("{} cannot be said in a model: {}", argument, why.what()));
    return std::nullopt;
  }
}

// In the units of the data set, as functions are.
std::string Conversion::table_of(const std::string& id, bool akima) {
  const auto found = splines.find(id);
  if (found == splines.end()) throw Untranslatable(fmt::format("there is no SPLINE/{} of one variable", id));
  const std::string name = fmt::format("spline_{}{}", id, akima ? "_akima" : "");
  const Value& known = sections["tables"];
  if (known.find(name)) return name;
  Value points, out = mapping();
  points.kind = Value::Kind::sequence;
  for (std::size_t i = 0; i < found->second.x.size(); ++i)
    points.items.push_back(list({exact(found->second.x[i]), exact(found->second.y[i])}));
  values::add(out, "points", std::move(points));
  if (!found->second.linear)
    note(found->second.line, fmt::format("SPLINE/{}: beyond its points it goes on straight, where Adams goes "
                                         "on as a parabola",
                                         id));
  values::add(out, "interpolate", scalar(akima ? "akima" : "cubic"));
  add("tables", name, std::move(out));
  return name;
}

std::string Conversion::name_of(const Given& given, const std::string& kind) {
  const Statement& s = given.statement();
  std::string plain = s.title.empty() ? fmt::format("{}_{}", kind, s.id) : s.title;
  for (char& c : plain)
    if (!std::isalnum(static_cast<unsigned char>(c))) c = '_';  // a '-' would be a minus in expressions
  std::string name = plain;
  for (int n = 2; !taken_.insert(name).second; ++n) name = fmt::format("{}_{}", plain, n);
  return name;
}

void Conversion::add(const std::string& section, const std::string& name, Value value) {
  Value& into = sections[section];
  into.kind = Value::Kind::mapping;
  values::add(into, name, std::move(value));
}

}  // namespace tappet::adams
