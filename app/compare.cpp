// tappet compare: variants of a model side by side.

#include "tappet/studies/compare.hpp"

#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>

#include <fmt/format.h>

#include "command.hpp"
#include "tappet/results/gnuplot.hpp"
#include "tappet/studies/sweep_output.hpp"

namespace tappet::app::compare_command {
namespace {

struct Options {
  std::string model, output;
  std::vector<std::string> settings, signals;
  std::map<std::string, std::vector<std::string>> variants;  ///< by variation
  double from = -1;
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
  const Comparison comparison = compare(options.model, options.settings, *variation,
                                        options.variants.at(variation->name), options.signals);
  const std::string stem = options.output.empty()
                               ? std::filesystem::path(options.model).stem().string() + "_" + variation->name
                               : std::filesystem::path(options.output).replace_extension().string();
  fmt::print("{}", comparison_text(comparison));
  write_whole(stem + ".csv", comparison_table(comparison));
  const bool any = std::any_of(comparison.variants.begin(), comparison.variants.end(),
                               [](const ComparedVariant& variant) { return variant.reason.empty(); });
  if (any) draw(comparison, options.from >= 0 ? options.from : overlay_start(comparison), stem + ".svg");
  std::ifstream drawn(stem + ".svg");
  const std::string picture{std::istreambuf_iterator<char>(drawn), {}};
  if (any) write_whole(stem + ".html", comparison_page(comparison, picture));
  fmt::print("{0}.csv\n{1}", stem, any ? fmt::format("{0}.svg\n{0}.html\n", stem) : "");
  return any ? Exit::done : Exit::stopped;
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
  command.add_option("--from", options->from, "begin of the overlay, s; default: the last two revolutions")
      ->check(CLI::NonNegativeNumber);
  add_settings(command, options->settings);
  command.add_option("-o,--output", options->output,
                     "the table to write (CSV; the picture and the page beside it); default: "
                     "MODEL_VARIATION.csv, in this directory");
  return [options] { return run(*options); };
}

const Registration<Command> registered{
    {.name = "compare", .help = "run variants of a model side by side", .place = 42, .set_up = set_up}};

}  // namespace
}  // namespace tappet::app::compare_command
