// The tables of the sections `inputs`, `simulation`, `output`, `events` and `ground`.
#include "tappet/base/sections.hpp"

#include "tappet/model/method.hpp"
#include "tappet/model/run_parameters.hpp"

namespace tappet {
namespace {

const Table& stabilisation_table() {
  using P = StabilisationParameters;
  static const Table table =
      table_of<P>("`stabilisation`", "How constraints are kept from drifting",
                  {{&P::type,
                    {.name = "type",
                     .kind = Kind::choice,
                     .help = "projection onto the constraints after each step, Baumgarte's "
                             "feedback, or nothing",
                     .fallback = "projection",
                     .choices = {"projection", "baumgarte", "none"}}},
                   {&P::alpha,
                    {.name = "alpha",
                     .unit = "1/s",
                     .help = "Baumgarte's α, velocity feedback",
                     .fallback = "5",
                     .range = not_negative()}},
                   {&P::beta,
                    {.name = "beta",
                     .unit = "1/s",
                     .help = "Baumgarte's β, position feedback",
                     .fallback = "5",
                     .range = not_negative()}}});
  return table;
}

const Table& detection_table() {
  using P = ContactDetectionParameters;
  static const Table table = table_of<P>(
      "`contact_detection`", "How the instants of first touch are found",
      {{&P::strategy,
        {.name = "strategy",
         .kind = Kind::choice,
         .help = "events located on dense output, or steps rejected until the first penetration is small",
         .fallback = "events",
         .choices = {"events", "step-rejection"}}},
       {&P::penetration,
        {.name = "penetration",
         .unit = "m",
         .help = "step-rejection: largest first penetration",
         .fallback = "1e-9",
         .range = positive()}}});
  return table;
}

const Table& simulation_table() {
  using P = SimulationParameters;
  static const Table table = table_of<P>(
      "`simulation`", "How the model is run",
      {{&P::method,
        {.name = "method",
         .kind = Kind::choice,
         .help = "how contact is treated",
         .fallback = "smooth",
         .choices = MethodRegistry::instance().names()}},
       {&P::impact_law,
        {.name = "impact_law",
         .kind = Kind::choice,
         .help = "methods moreau and event-driven: what restitution relates, velocities (newton) or impulses "
                 "(poisson)",
         .fallback = "newton",
         .choices = {"newton", "poisson"}}},
       {&P::duration,
        {.name = "duration", .unit = "s", .help = "simulated time", .required = true, .range = positive()}},
       {&P::tolerance,
        {.name = "tolerance",
         .help = "local error of a step, relative to the mechanism's size and speeds; moreau: residual of "
                 "the contact "
                 "problems, relative to their velocities",
         .fallback = "1e-8",
         .range = {.low = 1e-14, .high = 1e-2}}},
       {&P::integrator,
        {.name = "integrator",
         .kind = Kind::text,
         .help = "auto, or a name that `tappet integrators` lists",
         .fallback = "auto"}},
       {&P::step,
        {.name = "step",
         .unit = "s",
         .help = "fixed step without error control (moreau, which needs it; explicit Runge-Kutta)",
         .range = positive()}},
       {&P::solver,
        {.name = "solver",
         .kind = Kind::text,
         .help = "moreau: solver of the contact problems: auto, apgd, lemke, newton, nsgs, nsgs-split, pgs, "
                 "principal-pivoting",
         .fallback = "auto"}},
       {&P::theta,
        {.name = "theta",
         .help = "moreau: part of a step that moves with the velocity at its end; 0.5 is the midpoint rule",
         .fallback = "0.5",
         .range = {.low = 0.5, .high = 1}}},
       {&P::facets,
        {.name = "facets",
         .help = "moreau in space: friction by a polygon with so many corners, as a linear problem; "
                 "absent: the cone",
         .range = {.low = 3, .high = 64}}},
       {&P::max_step, {.name = "max_step", .unit = "s", .help = "longest step", .range = positive()}},
       {&P::stabilisation,
        {.name = "stabilisation",
         .kind = Kind::object,
         .help = "how constraints are kept from drifting",
         .table = &stabilisation_table()}},
       {&P::contact_detection,
        {.name = "contact_detection",
         .kind = Kind::object,
         .help = "how the instants of first touch are found",
         .table = &detection_table()}}});
  return table;
}

const Table& output_table() {
  using P = OutputParameters;
  static const Table table =
      table_of<P>("`output`", "What is recorded",
                  {{&P::step,
                    {.name = "step",
                     .unit = "s",
                     .help = "time between samples; absent: a thousandth of the duration",
                     .range = positive()}},
                   {&P::signals,
                    {.name = "signals",
                     .kind = Kind::names,
                     .help = "names or patterns such as `crank.*`; absent: all signals",
                     .count = 0}},
                   {&P::fields,
                    {.name = "fields",
                     .unit = "s",
                     .help = "time between records of whole structures (displacement, velocity, "
                             "stress, contact force), in whole samples; 0: none; absent: 200 in "
                             "the run, fewer if they would take more than 64 MB",
                     .range = not_negative()}}});
  return table;
}

const Table& event_table() {
  using P = EventParameters;
  static const Table table = table_of<P>(
      "an event", "A moment to be located: a body's signal passes a level",
      {{&P::signal,
        {.name = "signal",
         .kind = Kind::text,
         .help = "position or velocity signal of a body, such as `crank.angle`",
         .required = true}},
       {&P::level,
        {.name = "level",
         .kind = Kind::text,
         .help = "value that is passed, in the signal's unit",
         .fallback = "0"}},
       {&P::direction,
        {.name = "direction",
         .kind = Kind::choice,
         .help = "the passages that count",
         .fallback = "both",
         .choices = {"rising", "falling", "both"}}},
       {&P::stop,
        {.name = "stop", .kind = Kind::boolean, .help = "end the run there", .fallback = "false"}}});
  return table;
}

const Table& input_table() {
  using P = InputParameters;
  static const Table table = table_of<P>(
      "an input", "A number that is set from outside between steps; expressions may use it by its name",
      {{&P::unit,
        {.name = "unit",
         .kind = Kind::text,
         .help = "unit of the SI, such as N, N m or rad/s; absent: a plain number"}},
       {&P::default_value,
        {.name = "default",
         .help = "its value as long as nobody sets another",
         .fallback = "0",
         .unit_from = "unit"}}});
  return table;
}

const bool registered =
    (register_table("inputs", &input_table()), register_table("simulation", &simulation_table()),
     register_table("output", &output_table()), register_table("events", &event_table()), true);

}  // namespace
}  // namespace tappet
