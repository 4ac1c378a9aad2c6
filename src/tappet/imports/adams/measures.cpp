#include "tappet/imports/adams/measures.hpp"

#include <cmath>

#include <fmt/format.h>

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
    if (!zero(one)) squares = sum(squares, wrapped(one) + "^2");
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
    const Words axis = still(*axes, c) ? constant(c.in_world(*axes).linear().col(n))
                                       : turned(c.part(*axes).name, c.axes(*axes).col(n));
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

Wrench wrench_on(const std::string& i, const std::string& j, const Conversion& c) {
  for (const auto& [id, joint] : c.joints) {
    if (joint.i == i && joint.j == j) return wrench_of_joint(id, false, c);
    if (joint.i == j && joint.j == i) return wrench_of_joint(id, true, c);
  }
  for (const LineForce& force : c.line_forces) {
    if (!((force.i == i && force.j == j) || (force.i == j && force.j == i))) continue;
    const Words arm = difference(position_of(known(i, c), c), position_of(known(j, c), c));
    FunctionContext context;
    context.time = c.units.time == 1 ? "time" : fmt::format("(time/{})", c.units.time);
    context.measures = of_motion(c);
    context.variables = &c.variables;
    const std::string push = times(c.units.force, "(" + translate(force.function, context) + ")");
    Wrench out{{}, {"0", "0", "0"}};
    for (int k = 0; k < 3; ++k)
      out.force[k] = zero(arm[k]) ? "0" : fmt::format("{}*{}/{}", push, wrapped(arm[k]), norm(arm));
    return out;
  }
  throw Untranslatable(fmt::format("there is no joint and no force between markers {} and {}", i, j));
}

namespace {

/// The component that a name ends with: X, Y, Z, or M for the magnitude.
std::string component(const Words& a, char which) {
  return which == 'M' ? norm(a) : a[static_cast<std::size_t>(which - 'X')];
}

std::string measure(const std::string& name, const std::vector<std::string>& ids, const Conversion& c) {
  const auto marker = [&](std::size_t n) -> const Marker* {
    if (n >= ids.size() || ids[n].empty() || ids[n] == "0") return nullptr;
    return &known(ids[n], c);
  };
  const auto relative = [&](Words (*of)(const Marker&, const Conversion&)) {
    const Marker *i = marker(0), *j = marker(1);
    if (!i) throw Untranslatable(fmt::format("{} needs a marker", name));
    const Words a = of(*i, c);
    return j ? difference(a, of(*j, c)) : a;
  };
  const double length = 1 / c.units.length, time = c.units.time, force = 1 / c.units.force;
  const char last = name.back();
  const std::string head = name.substr(0, name.size() - 1);
  const bool directed = last == 'X' || last == 'Y' || last == 'Z' || last == 'M';
  if (directed && head == "D")
    return times(length, component(along(relative(position_of), marker(2), c), last));
  if (directed && head == "V")
    return times(length * time, component(along(relative(velocity_of), marker(2), c), last));
  if (directed && head == "W") return times(time, component(along(relative(turning_of), marker(2), c), last));
  if (directed && head == "ACC")
    return times(length * time * time, component(along(relative(acceleration_of), marker(2), c), last));
  if (directed && head == "WDT")
    return times(time * time, component(along(relative(turning_acceleration_of), marker(2), c), last));
  if (name == "VR") {
    const Words d = relative(position_of), v = relative(velocity_of);
    return times(length * time, fmt::format("({})/{}", dot(d, v), norm(d)));
  }
  if (name == "ORIENT" && ids.size() >= 4 && ids[0] == "27") {
    const int k = std::atoi(ids[1].c_str());
    if (k >= 1 && k <= 4) return euler_parameters(known(ids[2], c), known(ids[3], c), c)[k - 1];
  }
  if (name == "JOINT" && ids.size() >= 3) {
    const Wrench w = wrench_of_joint(ids[0], ids[1] == "1", c);
    const Marker* axes = marker(3);
    const int k = std::atoi(ids[2].c_str());
    const Words& of = k <= 4 ? w.force : w.torque;
    const double unit = k <= 4 ? force : force * length;
    if (k == 1 || k == 5) return times(unit, norm(of));
    if (k >= 2 && k <= 8) return times(unit, along(of, axes, c)[(k - 2) % 4]);
  }
  if (directed && (head == "F" || head == "T") && ids.size() >= 2) {
    const Wrench w = wrench_on(ids[0], ids[1], c);
    return times(head == "F" ? force : force * length,
                 component(along(head == "F" ? w.force : w.torque, marker(2), c), last));
  }
  throw Untranslatable(fmt::format("{} is not measured", name));
}

}  // namespace

Measures of_places_and_speeds(const Conversion& c) {
  return [&c](const std::string& name, const std::vector<std::string>& ids) {
    const std::string head = name.substr(0, name.size() - 1);
    if (head != "D" && head != "V" && head != "W" && name != "ORIENT")
      throw Untranslatable(fmt::format("{} is not what places and speeds tell", name));
    return "(" + measure(name, ids, c) + ")";
  };
}

Measures of_motion(const Conversion& c) {
  return [&c](const std::string& name, const std::vector<std::string>& ids) {
    return "(" + measure(name, ids, c) + ")";
  };
}

}  // namespace tappet::adams
