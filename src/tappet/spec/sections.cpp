// The sections of the model file. Rooms below announce what theirs may hold, before main(); the table of the
// whole file is put together when it is first asked for.
#include "tappet/base/sections.hpp"

#include "tappet/spec/spec.hpp"

namespace tappet {

namespace {

struct Section {
  const char* name;
  Kind kind;
  const char* help;
};

constexpr Section sections[] = {
    {"inputs", Kind::objects,
     "numbers that are set from outside between steps, by name; forces, speeds and accelerations of motions "
     "and "
     "the force of a normal law may use them"},
    {"tables", Kind::objects, "functions given by points, by name; expressions may call them"},
    {"states", Kind::objects,
     "variables of the model's own, by name: rates or transfer functions, of signals and of each other"},
    {"materials", Kind::objects, "elastic and other constants, by name"},
    {"material_pairs", Kind::objects, "friction and restitution of two materials, by name"},
    {"bodies", Kind::objects, "the moving parts, by name"},
    {"ground", Kind::object, "what is fixed; it always exists and may carry shapes"},
    {"joints", Kind::objects, "connections between bodies, by name"},
    {"motions", Kind::objects, "prescribed motions, by name"},
    {"forces", Kind::objects, "springs, dampers, applied forces and moments, by name"},
    {"contacts", Kind::objects, "surfaces that may touch, by name"},
    {"controllers", Kind::objects, "FMUs that read signals and set inputs at steps of their own, by name"},
    {"events", Kind::objects, "what happens at given times or conditions, by name"},
    {"simulation", Kind::object, "method, duration, accuracy"},
    {"output", Kind::object, "what is recorded, and how often"},
};

Table build_model_table() {
  Table table{.name = "the model", .help = "A Tappet model.", .parameters = {}};
  auto& rows = table.parameters;
  rows.push_back({.name = "tappet",
                  .kind = Kind::integer,
                  .help = "version of the model language",
                  .required = true,
                  .range = {.low = 1, .high = 1}});
  rows.push_back({.name = "title", .kind = Kind::text, .help = "one line that says what the model is"});
  rows.push_back({.name = "dimension",
                  .kind = Kind::choice,
                  .help = "motion in the plane or in space",
                  .fallback = "planar",
                  .choices = {"planar", "spatial"}});
  rows.push_back({.name = "gravity",
                  .kind = Kind::vector,
                  .unit = "m/s^2",
                  .help = "acceleration of gravity",
                  .fallback = "0"});
  rows.push_back({.name = "define",
                  .kind = Kind::definitions,
                  .help = "constants and functions for the expressions of this file: `rise: 170 mm`, "
                          "`lift(u): u^2*(1-u)^2`"});
  for (const Section& section : sections) {
    const Family* family = find_family(section.name);
    const Table* shape = find_table(section.name);
    if (!family && !shape) continue;
    rows.push_back({.name = section.name,
                    .kind = section.kind,
                    .help = section.help,
                    .table = family ? nullptr : shape,
                    .family = family});
  }
  return table;
}

}  // namespace

const Table& model_table() {
  static const Table table = build_model_table();
  return table;
}

}  // namespace tappet
