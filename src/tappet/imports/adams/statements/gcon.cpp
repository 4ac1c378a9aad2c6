// GCON/1, FUNCTION = DM(202, 102) - 2: a constraint, function = 0. A constant distance between two markers is a `distance`.
#include <optional>

#include <fmt/format.h>

#include "tappet/base/registry.hpp"
#include "tappet/imports/adams/conversion.hpp"
#include "tappet/imports/values.hpp"

namespace tappet::adams::statements::gcon {
namespace {

using namespace values;

void read(const Given& given, Conversion& c) {
  std::vector<std::string> ids;
  const auto distance = [&](const std::string& name, const std::vector<std::string>& of) -> std::string {
    if (name != "DM" || of.size() != 2 || !ids.empty()) throw Untranslatable("only one DM(I, J) can be held");
    ids = of;
    return "x";
  };
  const std::optional<std::string> function = c.function(given, "FUNCTION", 1, distance);
  if (!function) return;
  const std::string head = "x - ";
  const std::optional<double> length =
      function->starts_with(head) ? read_number(function->substr(head.size())) : std::nullopt;
  if (!length || !(*length > 0))
    return c.lost(given, fmt::format("of constraints only DM(I, J) - length can be said, not {}",
                                     given.text("FUNCTION")));
  for (const std::string& id : ids)
    if (!c.markers.count(id)) return c.fault(given, fmt::format("there is no MARKER/{}", id));
  Value out = mapping();
  add(out, "type", scalar("distance"));
  const Value ends = c.between(c.markers.at(ids[1]), c.markers.at(ids[0]));
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
