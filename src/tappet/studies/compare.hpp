// One model in several variants side by side: contact laws, methods, integrators.
#pragma once

#include <string>
#include <vector>

#include "tappet/base/registry.hpp"
#include "tappet/spec/value.hpp"
#include "tappet/studies/recording.hpp"

namespace tappet {

/// A variant of a model: its name, and what it sets ("path=value").
struct Variant {
  std::string name;
  std::vector<std::string> settings;
};

/// What can be varied. `tappet compare --NAME a,b,c` follows from the registration.
struct VariationType {
  std::string name;  ///< "laws", also the option's name
  std::string help;  ///< one line
  /// The names that it knows, for `all` and for messages.
  std::vector<std::string> (*names)() = nullptr;
  /// The variant of this name. Throws InputError if the model has nothing to vary in this way.
  Variant (*make)(const Value& model, const std::string& name) = nullptr;
  std::vector<std::string> caveats = {};  ///< sentences for the page: where the variants cannot agree
};

using VariationRegistry = Registry<VariationType>;

struct ComparedVariant {
  std::string name, reason;               ///< reason: why it failed, or ""
  std::vector<double> values;             ///< of Comparison::figures; NaN: none
  std::vector<std::string> missing = {};  ///< figures that the variant cannot have: sentences
  RunSummary summary = {};
  Recording recording = {};  ///< of Comparison::signals
};

struct Comparison {
  std::string title, model;
  struct Figure {
    std::string name, unit;
  };
  std::vector<Figure> figures;
  std::vector<std::string> signals;  ///< to be overlaid
  std::vector<ComparedVariant> variants;
  std::vector<std::string> caveats;  ///< of the variation
};

/// Runs the variants `names` ("all": every one) of the variation, in threads. `signals` are recorded to be
/// overlaid; none: the first motor's effort and the first contact's force. Throws InputError when a name or
/// the model is wrong; a variant that fails says why, and so does one that the watch ended.
Comparison compare(const std::string& path, const std::vector<std::string>& settings,
                   const VariationType& variation, const std::vector<std::string>& names,
                   std::vector<std::string> signals, Watch* watch = nullptr);

/// All of it, and the names of the files written, as one JSON object.
std::string comparison_json(const Comparison& comparison, const std::vector<std::string>& files);

/// One line a figure, one column a variant, aligned for people.
std::string comparison_text(const Comparison& comparison);
/// One line a variant: its name, the figures, steps, evaluations, seconds, "done" or "failed", and why.
std::string comparison_table(const Comparison& comparison);
/// The signals of all variants over each other, from `from` s on.
void draw(const Comparison& comparison, double from, const std::string& file);
/// One page (HTML): the figures, the picture (SVG text, may be empty), the first impacts, and how long the variants agree.
std::string comparison_page(const Comparison& comparison, const std::string& picture);
/// The last two revolutions, if something turns evenly; otherwise all.
double overlay_start(const Comparison& comparison);

}  // namespace tappet
