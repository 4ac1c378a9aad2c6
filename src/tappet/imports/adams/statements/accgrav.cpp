// ACCGRAV/ IGRAV = 0, JGRAV = -9806.65, KGRAV = 0: gravity along the world's axes.
#include "tappet/base/registry.hpp"
#include "tappet/imports/adams/conversion.hpp"

namespace tappet::adams::statements::accgrav {
namespace {

void read(const Given& given, Conversion& c) {
  const double unit = c.units.length / (c.units.time * c.units.time);
  c.gravity = {c.number(given, "IGRAV", unit, 0), c.number(given, "JGRAV", unit, 0),
               c.number(given, "KGRAV", unit, 0)};
}

const Registration<StatementType> registered{{.name = "ACCGRAV",
                                              .stage = StatementType::parts,
                                              .arguments = {"IGRAV", "JGRAV", "KGRAV"},
                                              .read = read}};

}  // namespace
}  // namespace tappet::adams::statements::accgrav
