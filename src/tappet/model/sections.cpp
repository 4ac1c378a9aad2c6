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
       {&P::start,
        {.name = "start",
         .kind = Kind::choice,
         .help = "where bodies are at the start: as they are given, or in the static equilibrium that they "
                 "come to from there",
         .fallback = "given",
         .choices = {"given", "static"}}},
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
       {&P::inactive,
        {.name = "inactive",
         .kind = Kind::names,
         .help = "joints, motions, forces and contacts that are off at the start; events switch them on",
         .count = 0}},
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

const Table& measure_table() {
  using P = MeasureParameters;
  static const Table table = table_of<P>(
      "a measure", "A signal of your own, made of others",
      {{&P::value,
        {.name = "value",
         .kind = Kind::text,
         .help = "expression of signals, such as `motor.torque*crank.omega`; numbers in it are SI",
         .required = true}},
       {&P::unit,
        {.name = "unit", .kind = Kind::text, .help = "unit of the SI, such as W; absent: a plain number"}}});
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
                   {&P::places,
                    {.name = "places",
                     .kind = Kind::boolean,
                     .help = "record each place of a contact that has several, besides their total",
                     .fallback = "false"}},
                   {&P::measures,
                    {.name = "measures",
                     .kind = Kind::objects,
                     .help = "signals of your own, by name: expressions of others",
                     .table = &measure_table()}},
                   {&P::fields,
                    {.name = "fields",
                     .unit = "s",
                     .help = "time between records of whole structures (displacement, velocity, "
                             "stress, contact force), in whole samples; 0: none; absent: 200 in "
                             "the run, fewer if they would take more than 64 MB",
                     .range = not_negative()}}});
  return table;
}

const Table& action_table() {
  using P = ActionParameters;
  static const Table table = table_of<P>(
      "`action`", "What an event does",
      {{&P::deactivate,
        {.name = "deactivate",
         .kind = Kind::names,
         .help = "joints, motions, forces and contacts that are switched off",
         .count = 0}},
       {&P::activate,
        {.name = "activate", .kind = Kind::names, .help = "those that are switched on", .count = 0}},
       {&P::set,
        {.name = "set", .kind = Kind::numbers, .help = "inputs and what they become, in their units"}},
       {&P::record,
        {.name = "record",
         .kind = Kind::boolean,
         .help = "a row of all signals at that instant",
         .fallback = "false"}},
       {&P::restart,
        {.name = "restart",
         .kind = Kind::boolean,
         .help = "the integrator begins anew there, as where something is switched",
         .fallback = "false"}},
       {&P::once,
        {.name = "once", .kind = Kind::boolean, .help = "at the first passage alone", .fallback = "false"}}});
  return table;
}

const Table& event_table() {
  using P = EventParameters;
  static const Table table = table_of<P>(
      "an event",
      "A moment to be located: a signal or an expression passes a level, where something may be done",
      {{&P::signal,
        {.name = "signal", .kind = Kind::text, .help = "position or velocity signal, such as `crank.angle`"}},
       {&P::when,
        {.name = "when",
         .kind = Kind::text,
         .help = "instead of `signal`: an expression of t, inputs, states and such signals; a comparison, "
                 "`crank.angle > pi`, counts where it becomes true"}},
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
       {&P::stop, {.name = "stop", .kind = Kind::boolean, .help = "end the run there", .fallback = "false"}},
       {&P::action,
        {.name = "action",
         .kind = Kind::object,
         .help = "what happens there: something is switched, set or recorded",
         .table = &action_table()}}});
  return table;
}

const Table& transfer_function_table() {
  using P = TransferFunctionParameters;
  static const Table table =
      table_of<P>("`transfer_function`", "A linear response: numerator over denominator, polynomials in s",
                  {{&P::numerator,
                    {.name = "numerator",
                     .kind = Kind::vector,
                     .help = "coefficients, those of the highest power first",
                     .required = true,
                     .length = any_length}},
                   {&P::denominator,
                    {.name = "denominator",
                     .kind = Kind::vector,
                     .help = "likewise; of no lower degree than the numerator",
                     .required = true,
                     .length = any_length}},
                   {&P::input,
                    {.name = "input",
                     .kind = Kind::text,
                     .help = "expression of t, inputs, signals and states",
                     .required = true}}});
  return table;
}

const Table& state_table() {
  using P = StateParameters;
  static const Table table = table_of<P>(
      "a state", "A variable of the model's own, by its rate or as a response; expressions may use its name",
      {{&P::derivative,
        {.name = "derivative",
         .kind = Kind::text,
         .help = "its rate, in its unit per second: expression of t, inputs, signals and states"}},
       {&P::transfer_function,
        {.name = "transfer_function",
         .kind = Kind::object,
         .help = "instead of `derivative`",
         .table = &transfer_function_table()}},
       {&P::unit,
        {.name = "unit", .kind = Kind::text, .help = "unit of the SI, such as m; absent: a plain number"}},
       {&P::initial,
        {.name = "initial",
         .help = "its value at the start; of a transfer function, where it rests then",
         .fallback = "0",
         .unit_from = "unit"}},
       {&P::scale,
        {.name = "scale",
         .help = "what is much for it: its error in a step is held to the tolerance times this, or times "
                 "its value where that is larger",
         .fallback = "1",
         .range = positive(),
         .unit_from = "unit"}}});
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
     register_table("output", &output_table()), register_table("events", &event_table()),
     register_table("states", &state_table()), true);

}  // namespace
}  // namespace tappet
