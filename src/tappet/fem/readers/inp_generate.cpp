#include "tappet/fem/readers/inp_generate.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include <fmt/format.h>

namespace tappet::fem::inp {
namespace {

/// More than this from one line is a slip of the pen.
constexpr long most_made = 20'000'000;

const std::string& option(const Generation& g, const char* name) {
  static const std::string none;
  const auto at = g.options.find(name);
  return at == g.options.end() ? none : at->second;
}

long field(const Generation& g, const std::vector<std::string>& line, std::size_t k, long otherwise) {
  return k < line.size() && !line[k].empty() ? whole(line[k], g.place) : otherwise;
}

Vec3 node_at(const Generation& g, long label) {
  const auto at = g.part.node_of.find(label);
  if (at == g.part.node_of.end()) fault_at(g.place, fmt::format("there is no node {} so far", label));
  return g.part.nodes[at->second];
}

Vec3 point(const Generation& g, const std::vector<std::string>& line, std::size_t first) {
  Vec3 out = Vec3::Zero();
  for (std::size_t k = 0; k < 3; ++k)
    if (first + k < line.size()) out[k] = number(line[first + k], g.place);
  return out;
}

void put(const Generation& g, const char* set, bool nodes, long label) {
  if (const std::string& name = option(g, set); !name.empty())
    g.part.set_of(name, nodes).members.push_back({"", std::to_string(label), g.place});
}

// first, last, increment, [extra node or its coordinates, normal]: nodes between two, on a line, a circle or a parabola.
void ngen(const Generation& g, const std::vector<std::string>& line) {
  if (line.size() < 2) fault_at(g.place, "*NGEN needs the first and the last node");
  const long first = whole(line[0], g.place), last = whole(line[1], g.place), step = field(g, line, 2, 1);
  if (step == 0 || (last - first) % step != 0 || (last - first) / step < 1 ||
      (last - first) / step > most_made)
    fault_at(g.place, fmt::format("*NGEN cannot go from {} to {} by {}", first, last, step));
  const long count = (last - first) / step;
  const Vec3 a = node_at(g, first), b = node_at(g, last);
  const std::string kind = upper(option(g, "LINE"));
  if (!kind.empty() && kind != "P" && kind != "C")
    fault_at(g.place, fmt::format("*NGEN has lines P and C, not {}", quote(kind)));
  const bool has_node = line.size() > 3 && !line[3].empty() && whole(line[3], g.place) != 0;
  const Vec3 extra = has_node ? node_at(g, whole(line[3], g.place)) : point(g, line, 4);
  Vec3 normal = (a - extra).cross(b - extra);
  if (line.size() > 7 && normal.norm() < 1e-9 * (a - extra).squaredNorm()) normal = point(g, line, 7);
  if (kind == "C" && !(normal.norm() > 0))
    fault_at(g.place, "*NGEN, LINE=C goes half round and needs the normal of its circle");
  const double angle = std::atan2((a - extra).cross(b - extra).norm(), (a - extra).dot(b - extra));
  for (long k = 0; k <= count; ++k) {
    const double s = static_cast<double>(k) / static_cast<double>(count);
    Vec3 x = a + s * (b - a);
    if (kind == "C") {
      const double radius = (1 - s) * (a - extra).norm() + s * (b - extra).norm();
      x = extra + radius * (Eigen::AngleAxisd(s * angle, normal.normalized()) * (a - extra).normalized());
    } else if (kind == "P") {
      x = (1 - s) * (1 - 2 * s) * a + 4 * s * (1 - s) * extra + s * (2 * s - 1) * b;
    }
    const long label = first + k * step;
    if (k > 0 && k < count) g.part.put_node(label, x);
    put(g, "NSET", true, label);
  }
}

// set, set, intervals, increment: nodes between those of two sets.
void nfill(const Generation& g, const std::vector<std::string>& line) {
  if (line.size() < 3) fault_at(g.place, "*NFILL needs two node sets and the number of intervals");
  if (!option(g, "BIAS").empty() && number(option(g, "BIAS"), g.place) != 1)
    fault_at(g.place, "*NFILL with a BIAS is not read");
  if (g.options.count("SINGULAR")) fault_at(g.place, "*NFILL with SINGULAR is not read");
  std::vector<long> from = g.parts.labels(g.part, line[0], true, g.place),
                    to = g.parts.labels(g.part, line[1], true, g.place);
  for (auto* list : {&from, &to}) {
    std::sort(list->begin(), list->end());
    list->erase(std::unique(list->begin(), list->end()), list->end());
  }
  const long count = whole(line[2], g.place), step = field(g, line, 3, 1);
  if (from.size() != to.size() || count < 1 || count > most_made)
    fault_at(g.place, fmt::format("*NFILL cannot go from {} nodes to {} in {} intervals", from.size(),
                                  to.size(), count));
  for (std::size_t n = 0; n < from.size(); ++n) {
    const Vec3 a = node_at(g, from[n]), b = node_at(g, to[n]);
    for (long k = 0; k <= count; ++k) {
      const long label = k == count ? to[n] : from[n] + k * step;
      if (k > 0 && k < count)
        g.part.put_node(label, a + (b - a) * (static_cast<double>(k) / static_cast<double>(count)));
      put(g, "NSET", true, label);
    }
  }
}

// Data lines: the shift; two points of an axis and an angle in degrees.
void ncopy(const Generation& g) {
  if (!g.options.count("SHIFT") || g.options.count("REFLECT") || g.options.count("POLE"))
    fault_at(g.place, "*NCOPY is read with SHIFT only");
  const long change = whole(option(g, "CHANGE NUMBER"), g.place);
  const long times = option(g, "MULTIPLE").empty() ? 1 : whole(option(g, "MULTIPLE"), g.place);
  Eigen::Isometry3d shift = Eigen::Isometry3d::Identity();
  if (!g.lines.empty()) shift.translation() = point(g, g.lines[0], 0);
  if (g.lines.size() > 1 && g.lines[1].size() > 6) {
    const Vec3 a = point(g, g.lines[1], 0), axis = point(g, g.lines[1], 3) - a;
    if (!(axis.norm() > 0)) fault_at(g.place, "*NCOPY turns about an axis without length");
    const double angle = number(g.lines[1][6], g.place) * std::numbers::pi / 180;
    shift = Eigen::Translation3d(a) * Eigen::AngleAxisd(angle, axis.normalized()) * Eigen::Translation3d(-a) *
            shift;
  }
  const std::vector<long> old = g.parts.labels(g.part, option(g, "OLD SET"), true, g.place);
  if (times < 1 || times * static_cast<long>(old.size()) > most_made)
    fault_at(g.place, fmt::format("*NCOPY cannot copy {} times", times));
  for (long label : old) {
    Vec3 x = node_at(g, label);
    for (long k = 1; k <= times; ++k) {
      x = shift * x;
      g.part.put_node(label + k * change, x);
      put(g, "NEW SET", true, label + k * change);
    }
  }
}

const RawElement& element_at(const Generation& g, long label) {
  const auto at = g.part.element_of.find(label);
  if (at == g.part.element_of.end()) fault_at(g.place, fmt::format("there is no element {} so far", label));
  return g.part.elements[at->second];
}

void copy_element(const Generation& g, const RawElement& from, long label, long shift, const char* set) {
  RawElement made = from;
  made.label = label;
  made.place = g.place;
  for (long& n : made.nodes) n += shift;
  g.part.put_element(std::move(made));
  put(g, set, false, label);
}

// master, then up to three times: how many, increment of nodes, increment of elements.
void elgen(const Generation& g, const std::vector<std::string>& line) {
  if (line.empty()) return;
  const RawElement master = element_at(g, whole(line[0], g.place));
  long count[3], nodes[3], elements[3], all = 1;
  for (std::size_t k = 0; k < 3; ++k) {
    count[k] = std::max(1L, field(g, line, 1 + 3 * k, 1));
    nodes[k] = field(g, line, 2 + 3 * k, 1), elements[k] = field(g, line, 3 + 3 * k, 1);
    if (count[k] > most_made || (all *= count[k]) > most_made)
      fault_at(g.place, "*ELGEN makes too many elements");
  }
  for (long c = 0; c < count[2]; ++c)
    for (long b = 0; b < count[1]; ++b)
      for (long a = 0; a < count[0]; ++a)
        copy_element(g, master, master.label + a * elements[0] + b * elements[1] + c * elements[2],
                     a * nodes[0] + b * nodes[1] + c * nodes[2], "ELSET");
}

void elcopy(const Generation& g) {
  if (g.options.count("REFLECT")) fault_at(g.place, "*ELCOPY with REFLECT is not read");
  const long shift = whole(option(g, "ELEMENT SHIFT"), g.place),
             nodes = whole(option(g, "SHIFT NODES"), g.place);
  for (long label : g.parts.labels(g.part, option(g, "OLD SET"), false, g.place)) {
    const RawElement from = element_at(g, label);
    copy_element(g, from, label + shift, nodes, "NEW SET");
  }
}

}  // namespace

bool is_generation(const std::string& keyword) {
  return keyword == "NGEN" || keyword == "NFILL" || keyword == "NCOPY" || keyword == "ELGEN" ||
         keyword == "ELCOPY";
}

bool generate(const std::string& keyword, const Generation& g) {
  if (!is_generation(keyword)) return false;
  if (keyword == "NCOPY") ncopy(g);
  if (keyword == "ELCOPY") elcopy(g);
  for (const std::vector<std::string>& line : g.lines) {
    if (keyword == "NGEN") ngen(g, line);
    if (keyword == "NFILL") nfill(g, line);
    if (keyword == "ELGEN") elgen(g, line);
  }
  return true;
}

long whole(const std::string& text, const FilePlace& place) {
  try {
    std::size_t used = 0;
    const long out = std::stol(text, &used);
    if (used == text.size()) return out;
    // "12." is a whole number as well.
    if (used + 1 == text.size() && text.back() == '.') return out;
  } catch (const std::exception&) {
  }
  fault_at(place, fmt::format("{} stands where a whole number should be", quote(text)));
}

double number(const std::string& text, const FilePlace& place) {
  if (text.empty()) return 0;
  std::string plain = text;
  for (char& c : plain)
    if (c == 'd' || c == 'D') c = 'e';
  try {
    std::size_t used = 0;
    const double out = std::stod(plain, &used);
    if (used == plain.size() && std::isfinite(out)) return out;
  } catch (const std::exception&) {
  }
  fault_at(place, fmt::format("{} stands where a number should be", quote(text)));
}

}  // namespace tappet::fem::inp
