#include "tappet/imports/adams/line_of_action.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "tappet/imports/values.hpp"

namespace tappet::adams {
namespace {

using namespace values;

std::string in_units(double factor, const std::string& what) {
  return factor == 1 ? what : fmt::format("({}*{})", factor, what);
}

[[noreturn]] void unknown(const std::string& name, const std::vector<std::string>& ids, const char* known) {
  std::string all;
  for (const std::string& id : ids) all += (all.empty() ? "" : ", ") + id;
  throw Untranslatable(
      fmt::format("{}({}) is not something that this force can see; it sees {} and TIME", name, all, known));
}

}  // namespace

Measures along_line(const Given& given, const Conversion& c) {
  const std::string i = plain_id(given.text("I")), j = plain_id(given.text("J"));
  const double length = c.units.length, time = c.units.time;
  return [=](const std::string& name, const std::vector<std::string>& ids) -> std::string {
    const bool ours = ids.size() >= 2 && ((ids[0] == i && ids[1] == j) || (ids[0] == j && ids[1] == i));
    if (ours && name == "DM" && ids.size() == 2) return in_units(1 / length, "x");
    if (ours && name == "VR" && ids.size() == 2) return in_units(time / length, "v");
    unknown(name, ids, fmt::format("DM({0}, {1}), VR({0}, {1})", i, j).c_str());
  };
}

Measures about_axis(const Given& given, const Turn& turn, const Conversion& c) {
  const std::string i = plain_id(given.text("I")), j = plain_id(given.text("J"));
  const double time = c.units.time;
  return [=](const std::string& name, const std::vector<std::string>& ids) -> std::string {
    const bool straight = ids.size() >= 2 && ids[0] == i && ids[1] == j;
    const bool reverse = ids.size() >= 2 && ids[0] == j && ids[1] == i;
    // The z axes of I and J are parallel for good, so that it does not matter whose it is.
    const bool own_axis = ids.size() == 2 ? name == "AZ" : ids.size() > 2 && (ids[2] == i || ids[2] == j);
    const double sign = turn.sign * (straight ? 1 : -1);
    if ((straight || reverse) && name == "AZ" && ids.size() == 2)
      return turn.offset == 0 ? in_units(sign, "x")
                              : fmt::format("({}*x + {})", sign, straight ? turn.offset : -turn.offset);
    if ((straight || reverse) && name == "WZ" && own_axis) return in_units(sign * time, "v");
    unknown(name, ids, fmt::format("AZ({0}, {1}), WZ({0}, {1}, {1})", i, j).c_str());
  };
}

void add_line_force(const Given& given, const Marker& i, const Marker& j, const std::string& pull,
                    Conversion& c) {
  Value out = mapping();
  add(out, "type", scalar("spring-damper"));
  const Value ends = c.between(j, i);
  for (const auto& [key, value] : ends.map) add(out, key, value);
  add(out, "length", scalar("0"));
  add(out, "force", scalar(pull));
  c.add("forces", c.name_of(given, "force"), std::move(out));
}

std::optional<Turn> turn_of(const Given& given, const Marker& i, const Marker& j, Conversion& c) {
  const std::optional<Turn> turn = c.turn(i, j);
  if (!turn) c.lost(given, "it turns parts about an axis about which no joint of the data set turns them");
  return turn;
}

}  // namespace tappet::adams
