#include "tappet/imports/adams/coupling.hpp"

#include "tappet/imports/values.hpp"

namespace tappet::adams {

using namespace values;

void couple(const Given& given, const Coupled& a, const Coupled& b, Conversion& c) {
  Value out = mapping();
  const double ratio = -b.factor / a.factor;  // Δc_a = ratio Δc_b
  if (a.turns == b.turns) {
    add(out, "type", scalar(a.turns ? "gear" : "coupler"));
    add(out, "joints", list({scalar(a.joint), scalar(b.joint)}));
    add(out, "ratio", exact(ratio));
  } else {
    const Coupled &pinion = a.turns ? a : b, &rack = a.turns ? b : a;
    add(out, "type", scalar("rack"));
    add(out, "joints", list({scalar(pinion.joint), scalar(rack.joint)}));
    add(out, "radius", exact(-pinion.factor / rack.factor * c.units.length));
  }
  c.add("joints", c.name_of(given, "coupling"), std::move(out));
}

void couple(const Given& given, const std::array<Coupled, 3>& joints, Conversion& c) {
  Value out = mapping();
  add(out, "type", scalar("coupler"));
  std::vector<Value> names, scales;
  for (const Coupled& one : joints) {
    names.push_back(scalar(one.joint));
    scales.push_back(exact(one.turns ? one.factor : one.factor / c.units.length));
  }
  add(out, "joints", list(std::move(names)));
  add(out, "scales", list(std::move(scales)));
  c.add("joints", c.name_of(given, "coupling"), std::move(out));
}

}  // namespace tappet::adams
