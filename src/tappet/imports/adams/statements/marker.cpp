// MARKER/0201, PART = 2, QP = 2, 0, 0, REULER = 180D, 90D, 180D: a point and axes on a part. RM: placed from another marker.
// FLOATING: only its part matters, to which a force reacts.
#include <set>

#include <fmt/format.h>

#include "tappet/base/registry.hpp"
#include "tappet/imports/adams/placement.hpp"

namespace tappet::adams::statements::marker {
namespace {

/// Markers that name no part are on the one that was named last.
std::string part_before(const Given& given, const Conversion& c) {
  std::string found;
  int line = 0;
  for (const auto& [id, part] : c.parts)
    if (part.line < given.statement().line && part.line > line) found = id, line = part.line;
  return found;
}

void read(const Given& given, Conversion& c) {
  std::string part = plain_id(given.text("PART").empty() ? given.text("POINT_MASS") : given.text("PART"));
  if (part.empty()) part = part_before(given, c);
  if (!c.parts.count(part))
    return c.fault(given, part.empty() ? "PART is missing, the part that it is on"
                                       : fmt::format("PART = {}: there is no PART/{}", part, part));
  Marker out{part, read_placement(given, 'P', c)};
  if (given.has("RM")) {
    const std::string reference = plain_id(given.text("RM"));
    const auto found = c.markers.find(reference);
    if (found == c.markers.end() || found->second.part != part)
      return c.fault(given, fmt::format("RM = {}: there is no such marker on its part before it", reference));
    out.place = found->second.place * out.place;
  }
  if (!c.markers.emplace(given.statement().id, out).second) c.fault(given, "there are two of this number");
}

const Registration<StatementType> registered{
    {.name = "MARKER",
     .stage = StatementType::markers,
     .arguments = {"PART", "POINT_MASS", "QP", "REULER", "XP", "ZP", "USEXP", "RM", "FLOATING"},
     .read = read}};

}  // namespace
}  // namespace tappet::adams::statements::marker
