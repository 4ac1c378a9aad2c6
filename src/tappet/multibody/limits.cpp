#include "tappet/multibody/limits.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include <fmt/format.h>

#include "tappet/multibody/contact_laws.hpp"

namespace tappet {
namespace {

using CoordinateTerms = std::vector<std::pair<std::shared_ptr<const Coordinate>, double>>;

// Of a coordinate that has one stop only, the length that gaps are compared with: of an angle a radian by its arm.
constexpr double one_sided_length = 0.1;

// Whole turns of angles in space, and where coordinates were at the start: z is one winding per term, then c₀.
class CoordinateMemory final : public ForceElement {
 public:
  CoordinateTerms terms;
  double middle = 0;        // the turn that counts at the start is the one nearest to this
  bool from_start = false;  // c₀ is the value at the start; else 0

  void apply(const Kinematics&, ForceSum&) const override {}
  int aux_count() const override { return static_cast<int>(terms.size()) + 1; }
  void start_aux(const Kinematics& k, double* z) const override {
    double sum = 0;
    for (const auto& [coordinate, weight] : terms) {
      const double value = coordinate->evaluate(k).value;
      *z = coordinate->wrapped && !from_start ? unwrap(value, middle) : value;
      sum += weight * *z++;
    }
    *z = from_start ? sum : 0;
  }
  void aux_rates(const Kinematics& k, double* zdot) const override {
    for (const auto& [coordinate, weight] : terms)
      *zdot++ = coordinate->wrapped ? coordinate->evaluate(k).rate : 0;
    *zdot = 0;
  }
};

class CoordinateStop final : public ContactPoint {
 public:
  const CoordinateMemory* memory = nullptr;
  double end = 0, side = 1;  // gap = side (c − end)
  std::string words;         // "joint 'hinge' stands {} beyond its limit `to` of 60 deg": {} takes the depth
  double unit = 1;           // of that depth, per m

  Touch find_touch(const Kinematics& k) const override {
    const double* z = k.z ? k.z + memory->aux_offset : nullptr;
    Touch out;
    double sum = z ? -z[memory->terms.size()] : 0;
    for (std::size_t n = 0; n < memory->terms.size(); ++n) {
      const auto& [coordinate, weight] = memory->terms[n];
      const CoordinateValue c = coordinate->evaluate(k);
      sum += weight * (coordinate->wrapped ? unwrap(c.value, z ? z[n] : memory->middle) : c.value);
      out.rate += weight * c.rate;
      if (!turns) out.normal = side * direction(k, c);
    }
    out.gap = side * (sum - end);
    out.rate *= side;
    if (turns) out.normal = side * Vec3::UnitZ();
    out.at = place(k);
    return out;
  }
  TouchMotion motion(const Kinematics&) const override { return {}; }
  void row(const Kinematics& k, int axis, CoordinateRow& out) const override {
    if (axis != 0) return;
    for (const auto& [coordinate, weight] : memory->terms) {
      const CoordinateValue c = coordinate->evaluate(k);
      out.bias += side * weight * c.bias;
      for (int b = 0; b < 2; ++b) add(coordinate->bodies[b], side * weight, c.J[b], out);
    }
  }
  std::string beyond(double depth) const override {
    return words.empty() ? "" : fmt::format(fmt::runtime(words), fmt::format("{:.4g}", unit * depth));
  }

 private:
  static void add(int body, double weight, const double* J, CoordinateRow& out) {
    int n = 0;
    while (n < out.count && out.bodies[n] != body) ++n;
    if (n == out.count) out.bodies[out.count++] = body;
    for (int i = 0; i < 6; ++i) out.J[n][i] += weight * J[i];
  }
  // Of a displacement, in the world.
  static Vec3 direction(const Kinematics& k, const CoordinateValue& c) {
    if (k.dimension == Dimension::planar) return {c.J[1][0], c.J[1][1], 0};
    return {c.J[1][0], c.J[1][1], c.J[1][2]};
  }
  Vec3 place(const Kinematics& k) const {
    if (k.dimension == Dimension::spatial) return k.spatial[bodies[1]].r;
    return {k.planar[bodies[1]].r.x(), k.planar[bodies[1]].r.y(), 0};
  }
};

struct StopRange {
  double from, to;   // m; not a number: no stop
  std::string unit;  // in which it is told
  double per_metre;
};

Clearance make_stops(const StopInput& in, std::unique_ptr<CoordinateMemory> memory, const StopRange& range,
                     double length, const AnyParameters& law, bool turns, const std::string& word) {
  const JointInput& joint = in.joint;
  Clearance out;
  std::vector<std::unique_ptr<ContactPoint>> points;
  for (const bool first : {true, false}) {
    const double end = first ? range.from : range.to;
    if (std::isnan(end)) continue;
    auto stop = std::make_unique<CoordinateStop>();
    const char* side = first ? "from" : "to";
    stop->name = fmt::format("{}.{}{}", joint.name(), word, side);
    const Coordinate& c = *memory->terms.front().first;
    stop->bodies[0] = memory->terms.size() > 1 ? memory->terms.back().first->bodies[1] : c.bodies[0];
    stop->bodies[1] = c.bodies[1];
    stop->memory = memory.get();
    stop->end = end;
    stop->side = first ? 1 : -1;
    stop->by_rows = true;
    stop->turns = turns;
    stop->length_scale = length;
    stop->unit = range.per_metre;
    if (!memory->from_start)
      stop->words = fmt::format("joint '{}' stands {{}} {} beyond its limit `{}` of {:.6g} {} at the start",
                                joint.name(), range.unit, side, range.per_metre * end, range.unit);
    points.push_back(std::move(stop));
  }
  memory->name = joint.name();
  out.forces.push_back(std::move(memory));
  ContactLawParameters laws;
  laws.normal = law;
  laws.origin = law.origin;
  const ContactLawsInput given{laws, fmt::format("joint '{}'", joint.name()), in.materials, joint.diagnostics,
                               in.rigid};
  if (give_laws(given, points, out.notes)) out.contacts = std::move(points);
  return out;
}

const Table& angle_limits_table() {
  using P = AngleLimitsParameters;
  static const Table table = table_of<P>(
      "`limits` of an angle", "Where a joint's angle ends in stops",
      {{&P::from, {.name = "from", .unit = "rad", .help = "smallest angle; absent: no stop there"}},
       {&P::to, {.name = "to", .unit = "rad", .help = "largest angle; absent: no stop there"}},
       {&P::arm,
        {.name = "arm",
         .unit = "m",
         .help = "distance of the stops from the axis, at which the law acts; 1 m: a stiffness in N/m is one "
                 "in N m/rad",
         .fallback = "1",
         .range = positive()}},
       {&P::normal, normal_parameter()}});
  return table;
}

const Table& displacement_limits_table() {
  using P = DisplacementLimitsParameters;
  static const Table table = table_of<P>(
      "`limits` of a displacement", "Where a joint's displacement ends in stops",
      {{&P::from, {.name = "from", .unit = "m", .help = "smallest displacement; absent: no stop there"}},
       {&P::to, {.name = "to", .unit = "m", .help = "largest displacement; absent: no stop there"}},
       {&P::normal, normal_parameter()}});
  return table;
}

}  // namespace

Parameter angle_limits_parameter() {
  return {.name = "limits",
          .kind = Kind::object,
          .help = "stops of the angle, as contacts JOINT.from and JOINT.to; absent: none",
          .table = &angle_limits_table()};
}

Parameter displacement_limits_parameter(const std::string& name) {
  return {.name = name,
          .kind = Kind::object,
          .help = "stops of the displacement, as contacts; absent: none",
          .table = &displacement_limits_table()};
}

Parameter backlash_parameter(const std::string& help) {
  return {.name = "backlash", .unit = "m", .help = help, .range = positive()};
}

Parameter tooth_law_parameter() {
  return {.name = "normal",
          .kind = Kind::object,
          .help = "law of the teeth's force, with `backlash`",
          .family = &normal_law_family()};
}

Clearance make_limits(const StopInput& in, const AnyParameters& limits,
                      std::shared_ptr<const Coordinate> coordinate, const std::string& word) {
  const bool angular = coordinate->angular;
  const double from = limits.number("from"), to = limits.number("to"),
               arm = angular ? limits.number("arm") : 1;
  const std::string key = word.empty() ? "limits" : "limits_displacement";
  if (std::isnan(from) && std::isnan(to)) {
    in.joint.diagnostics.error(
        limits.origin.pos,
        fmt::format("`{}` of joint '{}' needs `from` or `to`, or both", key, in.joint.name()));
    return {};
  }
  if (from >= to) {
    in.joint.diagnostics.error(
        limits.origin.where("to"),
        fmt::format("`{}` of joint '{}' go from {:.6g} to {:.6g} {}: `to` must be larger than `from`", key,
                    in.joint.name(), from, to, angular ? "rad" : "m"));
    return {};
  }
  const bool both = !std::isnan(from) && !std::isnan(to);
  auto memory = std::make_unique<CoordinateMemory>();
  memory->middle = both ? 0.5 * (from + to) : std::isnan(from) ? to : from;
  memory->terms = {{std::move(coordinate), arm}};
  const double length = both      ? arm * std::min(to - from, angular ? 1.0 : HUGE_VAL)
                        : angular ? arm
                                  : one_sided_length;
  const double degrees = 180 / std::numbers::pi;
  const StopRange range =
      angular ? StopRange{arm * from, arm * to, "deg", degrees / arm} : StopRange{from, to, "m", 1};
  const AnyParameters law = limits.get("normal") ? limits.get("normal")->parts.at(0).second : AnyParameters();
  return make_stops(in, std::move(memory), range, length, law, angular, word);
}

Clearance make_backlash(const StopInput& in, double backlash, double arm, const AnyParameters& normal,
                        const CoordinateTerms& combination) {
  auto memory = std::make_unique<CoordinateMemory>();
  memory->from_start = true;
  for (const auto& [coordinate, weight] : combination) memory->terms.emplace_back(coordinate, arm * weight);
  return make_stops(in, std::move(memory), StopRange{-0.5 * backlash, 0.5 * backlash, "m", 1}, backlash,
                    normal, true, "");
}

}  // namespace tappet
