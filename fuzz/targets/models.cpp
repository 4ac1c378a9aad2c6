// Models, as the commands check and run take them: read, checked, assembled, and some steps by their method. What was accepted is
// stored with results as a text that reads as the same model.
#include <cmath>
#include <set>
#include <string>

#include "names.hpp"
#include "seeds.hpp"
#include "tappet/model/compile.hpp"
#include "tappet/model/model.hpp"
#include "tappet/run/simulation.hpp"
#include "tappet/spec/spec.hpp"
#include "target.hpp"

namespace tappet::fuzz::model_targets {
namespace {

constexpr int steps = 3;
/// Numbers of a state beyond which a run's cost is the model's own wish.
constexpr std::size_t max_unknowns = 2000;

/// Ends a run, and looks for numbers that are not numbers.
struct Watch final : Observer {
  int asked = 0;
  bool stop_requested() override { return ++asked >= steps; }
  void sample(std::span<const double> row) override {
    if (!std::isfinite(row[0])) throw Contradiction("a sample's time is not finite");
  }
};

/// The model's own text is the model.
void check_text(const Spec& spec) {
  Spec again;
  try {
    again = spec_from_text(spec.model_text, spec.file);
  } catch (const InputError& error) {
    throw Contradiction(std::string("the text kept of an accepted model is refused: ") + error.what());
  }
  if (again.model_text != spec.model_text)
    throw Contradiction("the text kept of a model differs from the text kept of that text");
}

/// What the film tables of a model follow from: each takes seconds to make, and their solver has tests of its own.
void gather_films(const Value& value, std::set<std::string>& out) {
  for (const auto& [key, item] : value.map) {
    const Value* const lubricant = item.find("lubricant");
    if (lubricant) {
      std::string film;
      for (const char* name : {"bearing_radius", "length"})
        if (const Value* number = item.find(name)) film += number->text + "/";
      for (const char* name : {"model", "supply", "table_tolerance"})
        if (const Value* part = lubricant->find(name)) film += part->text + "/";
      if (film.find("finite") != std::string::npos) out.insert(film);
    }
    gather_films(item, out);
  }
  for (const Value& item : value.items) gather_films(item, out);
}
std::set<std::string>& known_films() {
  static std::set<std::string> films;
  return films;
}
bool needs_another_film(std::string_view text) {
  std::set<std::string> films;
  gather_films(read_yaml_text(std::string(text), "fuzz.yaml"), films);
  for (const std::string& film : films)
    if (!known_films().count(film)) return true;
  return false;
}

/// Those of the models to begin with, from the cache or made.
void prepare() {
  for (const std::string& text :
       seeds_of({.name = "check", .help = "", .examples = {".yaml"}, .names = true}))
    try {
      std::set<std::string> films;
      gather_films(read_yaml_text(text, "fuzz.yaml"), films);
      if (films.empty()) continue;
      Diagnostics diagnostics;
      compile(spec_from_text(text, name_of_text(text, "fuzz.yaml")), diagnostics);
      known_films().merge(films);
    } catch (const InputError&) {
      // its film has not been made, and will not be
    }
}

void check(std::string_view text) {
  try {
    const Spec spec = spec_from_text(std::string(text), name_of_text(text, "fuzz.yaml"));
    check_text(spec);
    if (needs_another_film(text)) return;
    Diagnostics diagnostics;
    const auto model = compile(spec, diagnostics);
    const Simulation simulation(model);
    simulation.describe();
  } catch (const InputError&) {
  } catch (const SimulationError&) {
  }
}

void run(std::string_view text) {
  try {
    const Spec spec = spec_from_text(std::string(text), name_of_text(text, "fuzz.yaml"));
    if (needs_another_film(text)) return;
    Diagnostics diagnostics;
    const auto model = compile(spec, diagnostics);
    Simulation simulation(model);
    if (simulation.state().y.size() > max_unknowns) return;
    Watch watch;
    const RunSummary summary = simulation.run(watch);
    if (!summary.completed && summary.stop_reason.empty())
      throw Contradiction("a run stopped and does not say why");
  } catch (const InputError&) {
  } catch (const SimulationError&) {
  }
}

const Registration<FuzzTarget> checked{{.name = "check",
                                        .help = "models: read, checked, assembled; their text kept",
                                        .examples = {".yaml"},
                                        .names = true,
                                        .run = check,
                                        .prepare = prepare}};
const Registration<FuzzTarget> ran{{.name = "run",
                                    .help = "models: some steps of a run",
                                    .examples = {".yaml"},
                                    .names = true,
                                    .run = run,
                                    .prepare = prepare}};

}  // namespace
}  // namespace tappet::fuzz::model_targets
