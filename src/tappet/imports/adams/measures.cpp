#include "tappet/imports/adams/measures.hpp"

#include <cmath>
#include <optional>
#include <set>

#include <fmt/format.h>

#include "tappet/imports/values.hpp"

namespace tappet::adams {
namespace {

constexpr const char* axis_names[] = {"x", "y", "z"};

bool zero(const std::string& a) {
  return a == "0";
}
bool plain(const std::string& a) {
  return a.find(' ') == std::string::npos || (a.front() == '(' && a.find(')') == a.size() - 1);
}
std::string wrapped(const std::string& a) {
  return plain(a) && a.front() != '-' ? a : "(" + a + ")";
}
std::string sum(const std::string& a, const std::string& b) {
  return zero(a) ? b : zero(b) ? a : a + " + " + b;
}
std::string minus(const std::string& a, const std::string& b) {
  return zero(b) ? a : (zero(a) ? "" : a + " ") + (zero(a) ? "-" : "- ") + wrapped(b);
}
std::string times(double factor, const std::string& a) {
  if (zero(a) || factor == 0) return "0";
  return factor == 1 ? a : fmt::format("{}*{}", factor, wrapped(a));
}
std::string product(const std::string& a, const std::string& b) {
  return zero(a) || zero(b) ? "0" : wrapped(a) + "*" + wrapped(b);
}

Words cross(const Words& a, const Words& b) {
  Words out;
  for (int n = 0; n < 3; ++n)
    out[n] = minus(product(a[(n + 1) % 3], b[(n + 2) % 3]), product(a[(n + 2) % 3], b[(n + 1) % 3]));
  return out;
}
Words sum(const Words& a, const Words& b) {
  return {sum(a[0], b[0]), sum(a[1], b[1]), sum(a[2], b[2])};
}
Words constant(const Eigen::Vector3d& v) {
  Words out;
  for (int n = 0; n < 3; ++n) out[n] = std::abs(v[n]) < 1e-15 ? "0" : fmt::format("{}", v[n]);
  return out;
}
Words signals(const std::string& body, const char* prefix) {
  Words out;
  for (int n = 0; n < 3; ++n) out[n] = fmt::format("{}.{}{}", body, prefix, axis_names[n]);
  return out;
}
std::string norm(const Words& a) {
  std::string squares = "0";
  for (const std::string& one : a)
    if (!zero(one)) squares = sum(squares, "(" + one + ")^2");
  return zero(squares) ? "0" : "sqrt(" + squares + ")";
}
std::string dot(const Words& a, const Words& b) {
  return sum(sum(product(a[0], b[0]), product(a[1], b[1])), product(a[2], b[2]));
}

/// R v of a body, by its Euler parameters: R = (2e₀² − 1) 1 + 2 e eᵀ + 2 e₀ ẽ.
Words turned(const std::string& body, const Eigen::Vector3d& v) {
  if (v.norm() < 1e-15) return {"0", "0", "0"};
  const std::string w = body + ".qw", e[3] = {body + ".qx", body + ".qy", body + ".qz"};
  Words out;
  for (int r = 0; r < 3; ++r) {
    out[r] = "0";
    for (int s = 0; s < 3; ++s) {
      if (std::abs(v[s]) < 1e-15) continue;
      std::string entry;
      if (r == s) {
        entry = fmt::format("(1 - 2*({0}^2 + {1}^2))", e[(r + 1) % 3], e[(r + 2) % 3]);
      } else {
        const int third = 3 - r - s;
        const char sign = (r + 1) % 3 == s ? '-' : '+';
        entry = fmt::format("2*({}*{} {} {}*{})", e[r], e[s], sign, w, e[third]);
      }
      out[r] = sum(out[r], v[s] == 1 ? entry : fmt::format("{}*{}", v[s], entry));
    }
  }
  return out;
}

bool still(const Marker& m, const Conversion& c) {
  return c.part(m).ground;
}
Words arm(const Marker& m, const Conversion& c) {
  return turned(c.part(m).name, c.point(m));
}

/// The direction of an axis of a marker, in the world.
Words axis_of(const Marker& m, int n, const Conversion& c) {
  return still(m, c) ? constant(c.in_world(m).linear().col(n)) : turned(c.part(m).name, c.axes(m).col(n));
}

const Marker& known(const std::string& id, const Conversion& c) {
  const auto found = c.markers.find(id);
  if (found == c.markers.end()) throw Untranslatable(fmt::format("there is no MARKER/{}", id));
  return found->second;
}

}  // namespace

Words position_of(const Marker& m, const Conversion& c) {
  if (still(m, c)) return constant(c.in_world(m).translation());
  return sum(signals(c.part(m).name, ""), arm(m, c));
}
Words velocity_of(const Marker& m, const Conversion& c) {
  if (still(m, c)) return {"0", "0", "0"};
  return sum(signals(c.part(m).name, "v"), cross(turning_of(m, c), arm(m, c)));
}
Words acceleration_of(const Marker& m, const Conversion& c) {
  if (still(m, c)) return {"0", "0", "0"};
  const Words w = turning_of(m, c), s = arm(m, c);
  return sum(signals(c.part(m).name, "a"),
             sum(cross(turning_acceleration_of(m, c), s), cross(w, cross(w, s))));
}
Words turning_of(const Marker& m, const Conversion& c) {
  return still(m, c) ? Words{"0", "0", "0"} : signals(c.part(m).name, "w");
}
Words turning_acceleration_of(const Marker& m, const Conversion& c) {
  return still(m, c) ? Words{"0", "0", "0"} : signals(c.part(m).name, "alpha");
}

Words difference(const Words& a, const Words& b) {
  return {minus(a[0], b[0]), minus(a[1], b[1]), minus(a[2], b[2])};
}

Words along(const Words& a, const Marker* axes, const Conversion& c) {
  if (!axes) return a;
  Words out;
  for (int n = 0; n < 3; ++n) {
    const Words axis = axis_of(*axes, n, c);
    out[n] = dot(a, axis);
    // A component along one of the world's axes is that signal itself.
    for (int k = 0; k < 3; ++k)
      if (axis[k] == "1" && zero(axis[(k + 1) % 3]) && zero(axis[(k + 2) % 3])) out[n] = a[k];
  }
  return out;
}

std::array<std::string, 4> euler_parameters(const Marker& m, const Marker& against, const Conversion& c) {
  using Four = std::array<std::string, 4>;
  const auto fixed = [](const Eigen::Matrix3d& R) -> Four {
    const Eigen::Quaterniond q(R);
    Four out;
    const double parts[] = {q.w(), q.x(), q.y(), q.z()};
    for (int n = 0; n < 4; ++n) out[n] = std::abs(parts[n]) < 1e-15 ? "0" : fmt::format("{}", parts[n]);
    return out;
  };
  const auto multiply = [](const Four& a, const Four& b) -> Four {
    const Words u = {a[1], a[2], a[3]}, v = {b[1], b[2], b[3]};
    const Words vector = cross(u, v);
    Four out;
    out[0] = minus(product(a[0], b[0]), dot(u, v));
    for (int n = 0; n < 3; ++n) out[n + 1] = sum(sum(product(a[0], v[n]), product(b[0], u[n])), vector[n]);
    return out;
  };
  const auto of = [&](const Marker& one) -> Four {
    if (still(one, c)) return fixed(c.in_world(one).linear());
    const std::string b = c.part(one).name;
    return multiply({b + ".qw", b + ".qx", b + ".qy", b + ".qz"}, fixed(c.axes(one)));
  };
  Four back = of(against);
  for (int n = 1; n < 4; ++n) back[n] = minus("0", back[n]);
  return multiply(back, of(m));
}

Wrench wrench_of_joint(const std::string& id, bool on_j, const Conversion& c) {
  const auto found = c.joints.find(plain_id(id));
  if (found == c.joints.end())
    throw Untranslatable(fmt::format("there is no JOINT/{} that the model has", id));
  const std::string n = found->second.name + ".";
  Wrench out;
  for (int k = 0; k < 3; ++k) {
    out.force[k] = fmt::format("{}{}f{}", on_j ? "-" : "", n, axis_names[k]);
    out.torque[k] = fmt::format("{}{}t{}{}", on_j ? "-" : "", n, axis_names[k], on_j ? "_at_first" : "");
  }
  return out;
}

/// A force's function as an expression. Throws Untranslatable where it asks for the force itself.
std::string function_of(const SingleForce& force, Conversion& c) {
  if (!c.open_forces.insert(&force).second)
    throw Untranslatable(fmt::format("{}/{} depends on itself", force.kind, force.id));
  struct Closed {
    Conversion& c;
    const SingleForce& force;
    ~Closed() { c.open_forces.erase(&force); }
  } const closed{c, force};
  return translate(force.function, context_of_measures(c));
}

/// On its marker I, or on J.
Wrench wrench_of_force(const SingleForce& force, bool on_j, Conversion& c) {
  const Marker &i = known(force.i, c), &j = known(force.j, c);
  if (on_j && force.alone) throw Untranslatable(fmt::format("{}/{} acts on I alone", force.kind, force.id));
  const double unit = force.turns ? c.units.force * c.units.length : c.units.force;
  const std::string push = times(on_j ? -unit : unit, "(" + function_of(force, c) + ")");
  Wrench out{{"0", "0", "0"}, {"0", "0", "0"}};
  if (force.turns || force.alone) {
    Words& into = force.turns ? out.torque : out.force;
    const Words z = axis_of(j, 2, c);
    for (int k = 0; k < 3; ++k) into[k] = product(push, z[k]);
    return out;
  }
  const Words arm = difference(position_of(i, c), position_of(j, c));
  for (int k = 0; k < 3; ++k)
    out.force[k] = zero(arm[k]) ? "0" : fmt::format("{}*{}/{}", push, wrapped(arm[k]), norm(arm));
  return out;
}

Wrench wrench_on(const std::string& i, const std::string& j, Conversion& c) {
  for (const auto& [id, joint] : c.joints) {
    if (joint.i == i && joint.j == j) return wrench_of_joint(id, false, c);
    if (joint.i == j && joint.j == i) return wrench_of_joint(id, true, c);
  }
  for (const SingleForce& force : c.single_forces)
    if ((force.i == i && force.j == j) || (force.i == j && force.j == i))
      return wrench_of_force(force, force.i == j, c);
  throw Untranslatable(fmt::format("there is no joint and no force between markers {} and {}", i, j));
}

namespace {

/// The component that a name ends with: X, Y, Z, or M for the magnitude.
std::string component(const Words& a, char which) {
  return which == 'M' ? norm(a) : a[static_cast<std::size_t>(which - 'X')];
}

/// Cosine of the angle between axis m of I and axis n of J; the world's for null.
std::string cosine(const Marker& i, int m, const Marker* j, int n, const Conversion& c) {
  const Words a = axis_of(i, m, c);
  return j ? dot(a, axis_of(*j, n, c)) : a[static_cast<std::size_t>(n)];
}

/// A joint's angle with its whole turns, which its signal does not count: the one of its values that is nearest to the integral of its rate.
std::string counted_angle(const Turn& turn, Conversion& c) {
  const std::string state = "turns_of_" + turn.joint, angle = turn.joint + ".angle";
  if (!c.sections["states"].find(state)) {
    Value out = values::mapping();
    values::add(out, "derivative", values::scalar(angle + "_rate"));
    for (const auto& [id, joint] : c.joints)
      if (joint.name == turn.joint)
        values::add(out, "initial", values::exact(c.angle(c.markers.at(joint.i), c.markers.at(joint.j))));
    values::add(out, "unit", values::scalar("rad"));
    c.add("states", state, std::move(out));
  }
  return fmt::format("({0} + 2*pi*anint(({1} - {0})/(2*pi)))", angle, state);
}

/// AX, AY, AZ: how far I is turned about an axis of J, as if about that alone. About z a joint that turns them counts whole turns.
std::string turn_about(const Marker& i, const Marker* j, char axis, Conversion& c) {
  if (axis == 'Z' && j) {
    if (const std::optional<Turn> turn = c.turn(i, *j)) {
      const std::string angle = counted_angle(*turn, c);
      return sum(turn->sign > 0 ? angle : "-" + angle,
                 turn->offset == 0 ? "0" : fmt::format("({})", turn->offset));
    }
  }
  const auto of = [&](int m, int n) { return cosine(i, m, j, n, c); };
  if (axis == 'X') return fmt::format("atan2(-({}), {})", of(2, 1), of(2, 2));
  if (axis == 'Y') return fmt::format("atan2({}, {})", of(2, 0), of(2, 2));
  return fmt::format("atan2({}, {})", of(0, 1), of(0, 0));
}

/// Turns about z, the new x and the new z: R₁₃ = sin ψ sin θ, R₂₃ = −cos ψ sin θ, R₃₃ = cos θ, R₃₁ = sin θ sin φ, R₃₂ = sin θ cos φ.
/// Where θ is 0 all is in ψ.
std::string euler_angle(const Marker& i, const Marker* j, const std::string& name, const Conversion& c) {
  const auto R = [&](int row, int column) { return "(" + cosine(i, column, j, row, c) + ")"; };
  const std::string sine = fmt::format("({}^2 + {}^2)", R(0, 2), R(1, 2));
  if (name == "THETA") return fmt::format("atan2(sqrt({}), {})", sine, R(2, 2));
  if (name == "PHI") return fmt::format("if({} < 1e-24, 0, atan2({}, {}))", sine, R(2, 0), R(2, 1));
  return fmt::format("if({} < 1e-24, atan2({}, {}), atan2({}, -{}))", sine, R(1, 0), R(0, 0), R(0, 2),
                     R(1, 2));
}

/// A rate as who turns with the frame sees it: less ω × r and so on.
struct Seen {
  const Marker* frame;  ///< null, or on the ground: the world
  Words r, w;
};
Seen seen_from(const Marker* frame, const Marker& i, const Marker* j, const Conversion& c) {
  if (frame && still(*frame, c)) frame = nullptr;
  if (!frame) return {nullptr, {}, {}};
  const Words to = position_of(i, c);
  return {frame, j ? difference(to, position_of(*j, c)) : to, turning_of(*frame, c)};
}
Words velocity_seen(const Words& v, const Seen& s) {
  return s.frame ? difference(v, cross(s.w, s.r)) : v;
}
Words acceleration_seen(const Words& a, const Words& v, const Seen& s, const Conversion& c) {
  if (!s.frame) return a;
  const Words twice = cross(s.w, velocity_seen(v, s));
  return difference(difference(difference(a, cross(turning_acceleration_of(*s.frame, c), s.r)),
                               cross(s.w, cross(s.w, s.r))),
                    sum(twice, twice));
}

/// The component `k` of a force and torque as JOINT, SFORCE and MOTION count them: magnitude, X, Y, Z, and 5 to 8 of the torque.
std::string component_of(const Wrench& w, int k, const Marker* axes, const Conversion& c) {
  const Words& of = k <= 4 ? w.force : w.torque;
  const double unit = k <= 4 ? 1 / c.units.force : 1 / (c.units.force * c.units.length);
  if (k == 1 || k == 5) return times(unit, norm(of));
  return times(unit, along(of, axes, c)[static_cast<std::size_t>((k - 2) % 4)]);
}

/// The magnitude of a single force without its direction, which is much shorter; "" where it is no such force or no magnitude.
std::string magnitude_of_single_force(const std::string& name, const std::string& id, int k, Conversion& c) {
  for (const SingleForce& force : c.single_forces)
    if (force.id == id && (force.kind == "SFORCE") == (name == "SFORCE") && k == (force.turns ? 5 : 1))
      return "abs(" + function_of(force, c) + ")";
  return "";
}

/// The element that a function such as SFORCE(id, on J?, component, axes) names.
std::optional<Wrench> wrench_of_element(const std::string& name, const std::string& id, bool on_j,
                                        Conversion& c) {
  if (name == "JOINT") return wrench_of_joint(id, on_j, c);
  if (name == "SFORCE" || name == "SPDP") {
    for (const SingleForce& force : c.single_forces)
      if (force.id == id && (force.kind == "SFORCE") == (name == "SFORCE"))
        return wrench_of_force(force, on_j, c);
    throw Untranslatable(fmt::format("there is no {}/{}", name == "SPDP" ? "SPRINGDAMPER" : name, id));
  }
  if (name == "MOTION") {
    const auto found = c.motions.find(id);
    if (found == c.motions.end()) throw Untranslatable(fmt::format("there is no MOTION/{} of a joint", id));
    const Words z = axis_of(known(c.joints.at(found->second.joint).j, c), 2, c);
    const std::string effort = fmt::format("{}{}.{}", on_j ? "-" : "", found->second.name,
                                           found->second.rotation ? "torque" : "force");
    Wrench out{{"0", "0", "0"}, {"0", "0", "0"}};
    for (std::size_t k = 0; k < 3; ++k)
      (found->second.rotation ? out.torque : out.force)[k] = product(effort, z[k]);
    return out;
  }
  if (name == "CONTACT") {
    const auto found = c.contacts.find(id);
    if (found == c.contacts.end()) throw Untranslatable(fmt::format("there is no CONTACT/{}", id));
    Wrench out{{"0", "0", "0"}, {"0", "0", "0"}};
    for (const std::string& contact : found->second) out.force = sum(out.force, signals(contact, "f"));
    if (on_j) out.force = difference({"0", "0", "0"}, out.force);
    return out;
  }
  return std::nullopt;
}

std::string measure(const std::string& name, const std::vector<std::string>& ids, Conversion& c) {
  const auto marker = [&](std::size_t n) -> const Marker* {
    if (n >= ids.size() || ids[n].empty() || ids[n] == "0") return nullptr;
    return &known(ids[n], c);
  };
  const auto first = [&]() -> const Marker& {
    const Marker* i = marker(0);
    if (!i) throw Untranslatable(fmt::format("{} needs a marker", name));
    return *i;
  };
  const auto relative = [&](Words (*of)(const Marker&, const Conversion&)) {
    const Words a = of(first(), c);
    const Marker* j = marker(1);
    return j ? difference(a, of(*j, c)) : a;
  };
  const double length = 1 / c.units.length, time = c.units.time, force = 1 / c.units.force;
  const char last = name.back();
  const std::string head = name.substr(0, name.size() - 1);
  const bool directed = last == 'X' || last == 'Y' || last == 'Z' || last == 'M';
  // Components are along the axes of a third marker; the rates are those that a fourth sees, of magnitudes a third.
  const auto axes = [&] { return last == 'M' ? nullptr : marker(2); };
  const auto seen = [&] { return seen_from(marker(last == 'M' ? 2 : 3), first(), marker(1), c); };
  const auto put = [&](double unit, const Words& a) {
    return times(unit, component(along(a, axes(), c), last));
  };
  if (directed && head == "D") return put(length, relative(position_of));
  if (directed && head == "V") return put(length * time, velocity_seen(relative(velocity_of), seen()));
  if (directed && head == "W") return put(time, relative(turning_of));
  if (directed && head == "ACC")
    return put(length * time * time,
               acceleration_seen(relative(acceleration_of), relative(velocity_of), seen(), c));
  if (directed && head == "WDT") {
    const Seen s = seen();
    const Words w = relative(turning_of), a = relative(turning_acceleration_of);
    return put(time * time, s.frame ? difference(a, cross(s.w, w)) : a);
  }
  if (name == "VR") {
    const Words d = relative(position_of), v = relative(velocity_of);
    return times(length * time, fmt::format("({})/{}", dot(d, v), norm(d)));
  }
  if (head == "A" && directed && last != 'M') return turn_about(first(), marker(1), last, c);
  if (name == "PSI" || name == "THETA" || name == "PHI") return euler_angle(first(), marker(1), name, c);
  if (name == "ORIENT" && ids.size() >= 4 && ids[0] == "27") {
    const int k = std::atoi(ids[1].c_str());
    if (k >= 1 && k <= 4) return euler_parameters(known(ids[2], c), known(ids[3], c), c)[k - 1];
  }
  if (name == "DIF") {
    const auto found = c.states.find(ids[0]);
    if (found == c.states.end()) throw Untranslatable(fmt::format("there is no DIFF/{}", ids[0]));
    return found->second;
  }
  if (ids.size() >= 3) {
    const int k = std::atoi(ids[2].c_str());
    if (name == "SFORCE" || name == "SPDP")
      if (const std::string said = magnitude_of_single_force(name, ids[0], k, c); !said.empty()) return said;
    if (k >= 1 && k <= 8)
      if (const auto w = wrench_of_element(name, ids[0], ids[1] == "1", c))
        return component_of(*w, k, marker(3), c);
  }
  if (directed && (head == "F" || head == "T") && ids.size() >= 2) {
    const Wrench w = wrench_on(ids[0], ids[1], c);
    return put(head == "F" ? force : force * length, head == "F" ? w.force : w.torque);
  }
  throw Untranslatable(fmt::format("{} is not measured", name));
}

}  // namespace

Measures of_places_and_speeds(Conversion& c) {
  return [&c](const std::string& name, const std::vector<std::string>& ids) {
    static const std::set<std::string> known = {"DX", "DY", "DZ",  "DM",  "VX",    "VY",     "VZ",
                                                "VM", "VR", "WX",  "WY",  "WZ",    "WM",     "AX",
                                                "AY", "AZ", "PSI", "PHI", "THETA", "ORIENT", "DIF"};
    if (!known.count(name)) throw Untranslatable(fmt::format("{} is not what places and speeds tell", name));
    return "(" + measure(name, ids, c) + ")";
  };
}

Measures of_motion(Conversion& c) {
  return [&c](const std::string& name, const std::vector<std::string>& ids) {
    return "(" + measure(name, ids, c) + ")";
  };
}

FunctionContext context_of_measures(Conversion& c) {
  return {.time = c.units.time == 1 ? "time" : fmt::format("(time/{})", c.units.time),
          .measures = of_motion(c),
          .variables = &c.variables,
          .arrays = &c.arrays,
          .rates = &c.rates,
          .spline = [&c](const std::string& id, bool akima) { return c.table_of(id, akima); }};
}

}  // namespace tappet::adams
