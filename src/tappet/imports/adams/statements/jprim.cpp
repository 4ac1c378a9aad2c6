// JPRIM/1, INLINE, I = 102, J = 202: a part of a joint.
//
//   ATPOINT         a point in common                        INPLANE         the origin of I stays in the x–y plane of J
//   INLINE          ... on the z axis of J                   PARALLEL_AXES   the z axes stay parallel
//   PERPENDICULAR   the z axes stay square                   ORIENTATION     all axes stay parallel: z with z, and x of J square to y of I
#include <fmt/format.h>

#include "tappet/base/registry.hpp"
#include "tappet/imports/adams/conversion.hpp"
#include "tappet/imports/values.hpp"

namespace tappet::adams::statements::jprim {
namespace {

using namespace values;

/// A joint between the markers; `axis` on the body of J, or `axes` on both.
void add_joint(const Given& given, const char* type, const Marker& i, const Marker& j, const char* key,
               Value axes, Conversion& c) {
  Value out = mapping();
  add(out, "type", scalar(type));
  const Value ends = c.between(j, i);
  const bool turns_alone = std::string(type) == "parallel" || std::string(type) == "perpendicular";
  for (const auto& [name, value] : ends.map)
    if (name != "points" || !turns_alone) add(out, name, value);
  if (key) add(out, key, std::move(axes));
  c.add("joints", c.name_of(given, "primitive"), std::move(out));
}

void read(const Given& given, Conversion& c) {
  const Marker *i, *j;
  if (!c.pair(given, i, j)) return;
  const Eigen::Matrix3d A = c.axes(*j), B = c.axes(*i);
  const auto both = [](const Eigen::Vector3d& a, const Eigen::Vector3d& b) {
    return list({values::vector(a), values::vector(b)});
  };
  const Value z = both(A.col(2), B.col(2));
  if (given.has("ATPOINT")) return add_joint(given, "spherical", *i, *j, nullptr, {}, c);
  if (given.has("INLINE"))
    return add_joint(given, "point-on-line", *i, *j, "axis", values::vector(A.col(2)), c);
  if (given.has("INPLANE")) return add_joint(given, "in-plane", *i, *j, "axis", values::vector(A.col(2)), c);
  if (given.has("PERPENDICULAR")) return add_joint(given, "perpendicular", *i, *j, "axes", z, c);
  if (!given.has("PARALLEL_AXES") && !given.has("ORIENTATION"))
    return c.fault(given, "what kind of primitive it is is missing, such as INLINE");
  add_joint(given, "parallel", *i, *j, "axes", z, c);
  if (given.has("ORIENTATION"))
    add_joint(given, "perpendicular", *i, *j, "axes", both(A.col(0), B.col(1)), c);
}

const Registration<StatementType> registered{
    {.name = "JPRIM",
     .stage = StatementType::joints,
     .arguments = {"ATPOINT", "INLINE", "INPLANE", "ORIENTATION", "PARALLEL_AXES", "PERPENDICULAR", "I", "J"},
     .read = read}};

}  // namespace
}  // namespace tappet::adams::statements::jprim
