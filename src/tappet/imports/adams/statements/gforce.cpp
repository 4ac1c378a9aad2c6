// GFORCE/1, I = 204, JFLOAT = 105, RM = 101, FX = ..\ FY = ..\ FZ = ..\ TX = .. …: force and torque on I along the axes of marker RM (the
// world's without one), the opposite on the part of JFLOAT at the same place. VFORCE has the force alone, VTORQUE the torque.
// The functions are of TIME and of what places and speeds tell.
#include <array>

#include <fmt/format.h>

#include "tappet/base/registry.hpp"
#include "tappet/imports/adams/conversion.hpp"
#include "tappet/imports/values.hpp"

namespace tappet::adams::statements::gforce {
namespace {

using namespace values;

/// Components along the axes R, turned into those that R stands in.
std::array<std::string, 3> turned(const Eigen::Matrix3d& R, const std::array<std::string, 3>& along) {
  std::array<std::string, 3> out;
  for (int r = 0; r < 3; ++r) {
    for (int s = 0; s < 3; ++s) {
      if (std::abs(R(r, s)) < 1e-15 || along[s] == "0") continue;
      const std::string term =
          std::abs(R(r, s) - 1) < 1e-15 ? along[s] : fmt::format("{}*({})", R(r, s), along[s]);
      out[r] += (out[r].empty() ? "" : " + ") + term;
    }
    if (out[r].empty()) out[r] = "0";
  }
  return out;
}

void add_vector(const Given& given, const Marker& i, char letter, double unit, Conversion& c) {
  std::array<std::string, 3> along = {"0", "0", "0"};
  bool any = false;
  for (int n = 0; n < 3; ++n) {
    const std::string name{letter, "XYZ"[n]};
    if (!given.has(name)) continue;
    const auto function = c.function(given, name, unit, c.signals);
    if (!function) return;
    along[n] = *function, any = true;
  }
  if (!any) return;
  Eigen::Matrix3d R = Eigen::Matrix3d::Identity();
  const Marker* reference = nullptr;
  if (given.has("RM") && plain_id(given.text("RM")) != "0") {
    reference = c.marker(given, "RM");
    if (!reference) return;
    R = c.axes(*reference);
  }
  const std::array<std::string, 3> components = turned(R, along);
  Value out = mapping();
  const bool force = letter == 'F';
  add(out, "type", scalar(force ? "force" : "torque"));
  add(out, "body", scalar(c.part(i).name));
  if (force) add(out, "point", values::vector(c.point(i)));
  add(out, force ? "force" : "vector",
      list({scalar(components[0]), scalar(components[1]), scalar(components[2])}));
  if (reference && !c.part(*reference).ground)
    reference->part == i.part ? add(out, "axes", scalar("body"))
                              : add(out, "axes_of", scalar(c.part(*reference).name));
  const std::string floating = given.has("JFLOAT") ? "JFLOAT" : "J";
  if (given.has(floating)) {
    const Marker* j = c.marker(given, floating);
    if (!j) return;
    if (!c.part(*j).ground) add(out, "reaction", scalar(c.part(*j).name));
  }
  c.add("forces", c.name_of(given, force ? "force" : "torque"), std::move(out));
}

void read(const Given& given, Conversion& c) {
  const Marker* i = c.marker(given, "I");
  if (!i) return;
  if (given.has("FUNCTION")) return c.lost(given, "forces by a user's subroutine are not translated");
  if (c.part(*i).ground) return c.lost(given, "it acts on the ground: name the other part's marker as I");
  add_vector(given, *i, 'F', c.units.force, c);
  add_vector(given, *i, 'T', c.units.force * c.units.length, c);
}

StatementType type(const char* name) {
  return {.name = name,
          .stage = StatementType::forces,
          .arguments = {"I", "JFLOAT", "J", "RM", "FX", "FY", "FZ", "TX", "TY", "TZ", "FUNCTION"},
          .read = read};
}
const Registration<StatementType> general{type("GFORCE")};
const Registration<StatementType> force{type("VFORCE")};
const Registration<StatementType> torque{type("VTORQUE")};

}  // namespace
}  // namespace tappet::adams::statements::gforce
