// GCON/1, FUNCTION = DM(202, 102) - 2: a constraint, function = 0. A constant distance between two markers is a `distance`, a constant DX, DY or DZ
// along the axes of J's part an `in-plane`.
#include <optional>

#include <fmt/format.h>

#include "tappet/base/registry.hpp"
#include "tappet/imports/adams/conversion.hpp"
#include "tappet/imports/values.hpp"

namespace tappet::adams::statements::gcon {
namespace {

using namespace values;

/// The origin of I keeps a distance from a plane of J, along an axis of RM, which is on the part of J: `in-plane`.
void in_plane(const Marker& i, const Marker& j, const Marker& axes, int axis, double at,
              const std::string& name, Conversion& c) {
  const Eigen::Vector3d normal = c.axes(axes).col(axis);
  Value out = mapping();
  add(out, "type", scalar("in-plane"));
  add(out, "bodies", list({scalar(c.part(j).name), scalar(c.part(i).name)}));
  add(out, "points", list({values::vector(c.point(j) + at * normal), values::vector(c.point(i))}));
  add(out, "axis", values::vector(normal));
  c.add("joints", name, std::move(out));
}

void read(const Given& given, Conversion& c) {
  std::vector<std::string> ids;
  std::string measured;
  const auto one = [&](const std::string& name, const std::vector<std::string>& of) -> std::string {
    const bool distance = name == "DM" && of.size() == 2,
               along = (name == "DX" || name == "DY" || name == "DZ") && of.size() >= 2 && of.size() <= 3;
    if ((!distance && !along) || !ids.empty())
      throw Untranslatable("only one DM(I, J) or DX, DY, DZ(I, J, RM) can be held");
    ids = of, measured = name;
    return "x";
  };
  const std::optional<std::string> function = c.function(given, "FUNCTION", 1, one);
  if (!function) return;
  std::optional<double> length;
  if (*function == "x") length = 0;
  if (function->starts_with("x - ")) length = read_number(function->substr(4));
  if (function->starts_with("x + ")) length = read_number("-" + function->substr(4));
  if (!length || (measured == "DM" && !(*length > 0)))
    return c.lost(given,
                  fmt::format("of constraints only DM(I, J) - length and DX, DY or DZ(I, J, RM) - place "
                              "can be said, not {}",
                              given.text("FUNCTION")));
  for (const std::string& id : ids)
    if (!c.markers.count(id)) return c.fault(given, fmt::format("there is no MARKER/{}", id));
  const Marker &i = c.markers.at(ids[0]), &j = c.markers.at(ids[1]);
  if (measured != "DM") {
    const Marker world{j.part, c.part(j).place.inverse()};
    const Marker& axes = ids.size() > 2 ? c.markers.at(ids[2]) : world;
    if (axes.part != j.part || (ids.size() < 3 && !c.part(j).ground))
      return c.lost(given, "the axes of a plane have to be on the part of J");
    const std::string name = c.name_of(given, "constraint");
    in_plane(i, j, axes, measured[1] - 'X', *length * c.units.length, name, c);
    return;
  }
  Value out = mapping();
  add(out, "type", scalar("distance"));
  const Value ends = c.between(j, i);
  for (const auto& [key, value] : ends.map) add(out, key, value);
  add(out, "length", exact(*length * c.units.length));
  const std::string name = c.name_of(given, "constraint");
  c.joints.emplace("gcon " + given.statement().id,
                   JointRecord{name, "distance", ids[0], ids[1], false, false});
  c.add("joints", name, std::move(out));
}

const Registration<StatementType> registered{
    {.name = "GCON", .stage = StatementType::joints, .arguments = {"FUNCTION", "I"}, .read = read}};

}  // namespace
}  // namespace tappet::adams::statements::gcon
