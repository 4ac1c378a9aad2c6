// Settings (`--set PATH=VALUE`) and the text of signal patterns, applied to a small model.
#include <string>

#include "tappet/model/compile.hpp"
#include "tappet/model/model.hpp"
#include "tappet/spec/spec.hpp"
#include "target.hpp"

namespace tappet::fuzz::setting_target {
namespace {

constexpr char model_text[] =
    "tappet: 1\ndimension: planar\nbodies: {rod: {mass: 1, inertia: 0.1, position: [0.5, 0]}}\n"
    "joints: {pin: {type: revolute, bodies: [ground, rod], points: [[0, 0], [-0.5, 0]]}}\n"
    "forces: {pull: {type: force, body: rod, force: [0, 1]}}\n"
    "simulation: {duration: 0.1}\noutput: {step: 0.01}\n";

void run(std::string_view setting) {
  try {
    const Spec spec = spec_from_text(model_text, "fuzz.yaml", {std::string(setting)});
    Diagnostics diagnostics;
    compile(spec, diagnostics);
  } catch (const InputError&) {
  }
}

const Registration<FuzzTarget> registered{
    {.name = "setting",
     .help = "--set PATH=VALUE on a small model",
     .examples = {},
     .run = run,
     .words = {"bodies.rod.", "joints.pin.", "points.0", "simulation.", "method", "duration", "output.",
               "=",           ".",           "[0, 1]",   "{type: ",     "}",      "*",        "&a",
               "<<",          "!!",          "|",        ">",           "'",      "\"",       "- ",
               ": ",          "#",           "~",        "1 mm",        "moreau"}}};

}  // namespace
}  // namespace tappet::fuzz::setting_target
