// COUPLER/1, JOINTS = 1, 2, TYPE = R:R, SCALES = 1, -2: r₁ q₁ + r₂ q₂ (+ r₃ q₃) = 0, the change of each since the start.
#include <fmt/format.h>

#include "tappet/base/registry.hpp"
#include "tappet/imports/adams/coupling.hpp"

namespace tappet::adams::statements::coupler {
namespace {

/// T or R, for a cylindrical joint; others have one coordinate.
bool turns(const JointRecord& joint, const Argument* types, std::size_t n) {
  if (joint.turns && joint.slides && types && n < types->values.size())
    return types->values[n].starts_with("R") || types->values[n].starts_with("r");
  return joint.turns;
}

void read(const Given& given, Conversion& c) {
  const Argument* ids = given.find("JOINTS");
  const std::size_t count = ids ? ids->values.size() : 0;
  if (count < 2 || count > 3) return c.fault(given, "JOINTS takes the numbers of two or three joints");
  if (given.text("FUNCTION") != "") return c.lost(given, "couplers by a user's function are not translated");
  std::vector<double> r = c.numbers(given, "SCALES", count - 1, count);
  if (r.size() < count) r.insert(r.begin(), 1.0);
  const Argument* types = given.find("TYPE");
  std::vector<Coupled> coupled;
  for (std::size_t n = 0; n < count; ++n) {
    const JointRecord* joint = c.joint(given, ids->values[n]);
    if (!joint) return;
    if (r[n] == 0) return c.fault(given, "SCALES must not be 0");
    coupled.push_back({joint->name, turns(*joint, types, n), r[n]});
  }
  if (count == 2)
    couple(given, coupled[0], coupled[1], c);
  else
    couple(given, {coupled[0], coupled[1], coupled[2]}, c);
}

const Registration<StatementType> registered{{.name = "COUPLER",
                                              .stage = StatementType::couplings,
                                              .arguments = {"JOINTS", "TYPE", "SCALES", "FUNCTION"},
                                              .read = read}};

}  // namespace
}  // namespace tappet::adams::statements::coupler
