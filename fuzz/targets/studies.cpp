// Studies over a small model: read, and the settings of their first runs made.
#include <algorithm>
#include <string>

#include "names.hpp"
#include "tappet/studies/study.hpp"
#include "target.hpp"

namespace tappet::fuzz::study_target {
namespace {

constexpr char model_text[] =
    "tappet: 1\ndimension: planar\nbodies: {rod: {mass: 1, inertia: 0.1, position: [0.5, 0]}}\n"
    "joints: {pin: {type: revolute, bodies: [ground, rod], points: [[0, 0], [-0.5, 0]]}}\n"
    "simulation: {duration: 0.1}\noutput: {step: 0.01}\n";

void run(std::string_view text) {
  try {
    static const Value model = read_yaml_text(model_text, "model.yaml");
    const Study study =
        study_of_model(read_yaml_text(std::string(text), "fuzz.yaml"), "fuzz.yaml", model, "model.yaml");
    for (std::size_t i = 0; i < std::min<std::size_t>(study.runs(), 3); ++i) {
      static_cast<void>(study.settings_of(i));
      study.revolution_of(i);
    }
    static_cast<void>(study.fingerprint());
  } catch (const InputError&) {
  }
}

const Registration<FuzzTarget> registered{
    {.name = "study", .help = "studies", .examples = {}, .names = true, .run = run}};

}  // namespace
}  // namespace tappet::fuzz::study_target
