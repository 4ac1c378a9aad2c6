// tappet compare: variants of a model side by side.

#include "tappet/studies/compare.hpp"

#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>

#include <fmt/format.h>

#include "command.hpp"
#include "interruption.hpp"
#include "tappet/results/gnuplot.hpp"
#include "tappet/results/output_file.hpp"

namespace tappet::app::compare_command {
namespace {

struct Options {
  std::string model, output;
  std::vector<std::string> settings, signals;
  std::map<std::string, std::vector<std::string>> variants;  ///< by variation
  double from = -1;
  bool json = false, quiet = false;
};

int run(const Options& options) {
  const VariationType* variation = nullptr;
  for (const auto& [name, names] : options.variants) {
    if (names.empty()) continue;
    if (variation)
      refuse("compare", "one kind of variation at a time: leave all options but one of them out");
    variation = VariationRegistry::instance().find(name);
  }
  if (!variation) {
    std::vector<std::string> known;
    for (const std::string& name : VariationRegistry::instance().names()) known.push_back("--" + name);
    refuse("compare", fmt::format("what is to be compared? {} take names separated by commas, or `all`",
                                  join_names(known)));
  }
  StudyTerminal terminal(!options.quiet && !options.json, "variants");
  const std::string stem = options.output.empty()
                               ? std::filesystem::path(options.model).stem().string() + "_" + variation->name
                               : std::filesystem::path(options.output).replace_extension().string();
  const std::vector<std::string> inputs = {options.model};
  check_output(stem + ".csv", OutputKind::table, inputs);
  check_output(stem + ".svg", OutputKind::picture, inputs);
  check_output(stem + ".html", OutputKind::page, inputs);
  const Comparison comparison =
      compare(options.model, options.settings, *variation, options.variants.at(variation->name),
              options.signals, &terminal.watch());
  terminal.finish();
  if (!options.quiet && !options.json) fmt::print("{}", comparison_text(comparison));
  write_output(stem + ".csv", OutputKind::table, comparison_table(comparison), inputs);
  const bool any = std::any_of(comparison.variants.begin(), comparison.variants.end(),
                               [](const ComparedVariant& variant) { return variant.reason.empty(); });
  if (any) draw(comparison, options.from >= 0 ? options.from : overlay_start(comparison), stem + ".svg");
  std::ifstream drawn(stem + ".svg");
  const std::string picture{std::istreambuf_iterator<char>(drawn), {}};
  if (any) write_output(stem + ".html", OutputKind::page, comparison_page(comparison, picture), inputs);
  std::vector<std::string> files = {stem + ".csv"};
  if (any) files.insert(files.end(), {stem + ".svg", stem + ".html"});
  if (options.json)
    fmt::print("{}\n", comparison_json(comparison, files));
  else if (!options.quiet)
    fmt::print("{}\n", fmt::join(files, "\n"));
  if (!any && options.quiet && !comparison.variants.empty())
    fmt::print(stderr, "{}: no variant could be run; the first: {}\n", options.model,
               comparison.variants[0].reason);
  if (!terminal.watch().stop) return any ? Exit::done : Exit::stopped;
  const auto done = std::count_if(comparison.variants.begin(), comparison.variants.end(),
                                  [](const ComparedVariant& variant) { return variant.reason.empty(); });
  fmt::print(stderr, "{}: {}: {} of {} variants are done and kept in {}\n", options.model, interruption(),
             done, comparison.variants.size(), files[0]);
  return Exit::stopped;
}

std::function<int()> set_up(CLI::App& command) {
  auto options = std::make_shared<Options>();
  command.add_option("MODEL", options->model, "the model file (YAML)")->required();
  for (const VariationType& variation : VariationRegistry::instance().entries())
    command
        .add_option("--" + variation.name, options->variants[variation.name],
                    variation.help + "; names separated by commas, or all")
        ->delimiter(',')
        ->allow_extra_args(false)
        ->type_name("A,B,...");
  command.add_option("--signal", options->signals, "a signal to overlay; may be repeated")
      ->allow_extra_args(false);
  add_quantity(command, "--from", options->from, "s",
               "begin of the overlay; default: the last two revolutions", not_negative());
  add_settings(command, options->settings);
  command.add_option("-o,--output", options->output,
                     "the table to write (CSV; the picture and the page beside it); default: "
                     "MODEL_VARIATION.csv, in this directory");
  command.add_flag("--json", options->json, "print the table as one JSON object, and nothing else");
  command.add_flag("--quiet,-q", options->quiet, "print nothing but errors");
  return [options] { return run(*options); };
}

const Registration<Command> registered{
    {.name = "compare", .help = "run variants of a model side by side", .place = 42, .set_up = set_up}};

}  // namespace
}  // namespace tappet::app::compare_command
