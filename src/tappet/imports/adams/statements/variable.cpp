// VARIABLE/1, FUNCTION = DM(204, 205) - 2: a name for a function; VARVAL(1) in others stands for it. Those that nobody uses are no part of
// the motion.
#include "tappet/base/registry.hpp"
#include "tappet/imports/adams/conversion.hpp"

namespace tappet::adams::statements::variable {
namespace {

void read(const Given& given, Conversion& c) {
  c.variables[given.statement().id] = given.text("FUNCTION");
}

const Registration<StatementType> registered{
    {.name = "VARIABLE", .stage = StatementType::parts, .arguments = {"FUNCTION", "IC"}, .read = read}};

}  // namespace
}  // namespace tappet::adams::statements::variable
