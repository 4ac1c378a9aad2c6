// tappet reproduce: the figures of published documents, made anew.

#include "tappet/studies/reproduce.hpp"

#include <algorithm>
#include <cmath>
#include <filesystem>

#include <fmt/format.h>

#include "command.hpp"
#include "interruption.hpp"
#include "tappet/results/output_file.hpp"
#include "tappet/studies/gallery.hpp"

namespace tappet::app::reproduce_command {
namespace {

namespace fs = std::filesystem;

struct Options {
  std::vector<std::string> documents, figures;
  std::string folder = "figures";
  int threads = 0;
  bool quick = false, quiet = false, json = false;
};

std::string file_of(const std::string& name) {
  return (fs::path(catalogue_folder()) / (name + ".yaml")).string();
}

/// The files that were asked for; a name with an ending is a catalogue of the user's own.
std::vector<std::string> files_of(const std::vector<std::string>& asked) {
  std::vector<std::string> out;
  for (const std::string& name : asked) {
    if (const std::string ending = fs::path(name).extension().string();
        ending == ".yaml" || ending == ".yml") {
      out.push_back(name);
      continue;
    }
    const std::vector<std::string> known = catalogue_names();
    if (name == "all") {
      for (const std::string& each : known) out.push_back(file_of(each));
    } else if (std::find(known.begin(), known.end(), name) != known.end()) {
      out.push_back(file_of(name));
    } else {
      const std::string near = nearest_name(name, known);
      refuse("reproduce",
             fmt::format("there is no document {}; {}known: {} and all; a file of your own ends with .yaml",
                         quote(name), near.empty() ? "" : fmt::format("did you mean '{}'? ", near),
                         fmt::join(known, ", ")));
    }
  }
  return out;
}

int list() {
  for (const std::string& name : catalogue_names()) {
    const Catalogue document = load_catalogue(file_of(name));
    fmt::print("{}: {}: {}\n", name, document.authors, document.title);
    for (const CatalogueFigure& figure : document.figures)
      fmt::print("  {:>{}}  {}{}\n", figure.number, figure.table ? 7 : 3, figure.title,
                 figure.missing.empty() ? "" : fmt::format(" (not made: {})", figure.missing));
    fmt::print("\n");
  }
  fmt::print("tappet reproduce DOCUMENT makes the figures of one, tappet reproduce all those of all.\n");
  return Exit::done;
}

/// Numbers of ensembles with their confidence intervals, and what follows for the claims.
void say_ensembles(const Reproduction& r) {
  const NumberTable& table = r.numbers;
  if (table.members.empty()) return;
  for (std::size_t i = 0; i < table.runs.size(); ++i)
    for (std::size_t j = 0; j < table.names.size(); ++j)
      if (const double half = table.half_width(i, j); !std::isnan(half))
        fmt::print("  {}[{}] = {:.5g} ± {:.2g}{}\n", table.names[j], table.runs[i], table.values[i][j], half,
                   table.units[j].empty() ? "" : " " + table.units[j]);
  for (std::size_t i = 0; i < r.judgements.size(); ++i)
    if (const Judgement& judgement = r.judgements[i]; !std::isnan(judgement.confidence))
      fmt::print("  {}: {}, in {:.1f} % of the ensembles drawn anew\n", r.figure->claims[i].name,
                 judgement.open()  ? "open"
                 : judgement.holds ? "holds"
                                   : "does not hold",
                 100 * judgement.confidence);
}

/// What went wrong, where nothing else is said.
void say_faults(const Reproduction& r) {
  const std::string figure = fmt::format("{} {}", r.document->name, r.figure->called());
  if (r.verdict == Verdict::failed) fmt::print(stderr, "{}: {}\n", figure, r.reason);
  for (const std::string& fault : r.faults) fmt::print(stderr, "{}: {}\n", figure, fault);
}

void say(const Reproduction& r) {
  if (r.verdict == Verdict::missing) return;
  fmt::print("{} {}: {}", r.document->name, r.figure->called(), text_of(r.verdict));
  if (r.verdict == Verdict::failed) fmt::print(": {}", r.reason);
  if (!r.judgements.empty()) {
    const auto holding =
        std::count_if(r.judgements.begin(), r.judgements.end(), [](const Judgement& j) { return j.holds; });
    fmt::print(", {} of {} claims hold", holding, r.judgements.size());
  }
  if (r.seconds > 0) fmt::print(" ({:.1f} s)", r.seconds);
  fmt::print("\n");
  for (std::size_t i = 0; i < r.run_reasons.size(); ++i)
    if (!r.run_reasons[i].empty())
      fmt::print("  run {} failed: {}\n", r.figure->runs[i].name, r.run_reasons[i]);
  for (const std::string& fault : r.faults) fmt::print("  {}\n", fault);
  for (std::size_t i = 0; i < r.judgements.size(); ++i)
    if (const std::string why = reason_of(r.figure->claims[i], r.judgements[i]); !why.empty())
      fmt::print("  {} does not hold: {}\n", r.figure->claims[i].name, why);
  say_ensembles(r);
  std::fflush(stdout);
}

int run(const Options& options) {
  if (options.documents.empty()) {
    if (!options.figures.empty()) refuse("reproduce", "--figure needs a document");
    return list();
  }
  std::vector<Catalogue> documents;
  for (const std::string& file : files_of(options.documents)) documents.push_back(load_catalogue(file));
  const fs::path folder = options.folder;
  const std::string table = (folder / "verdicts.csv").string(), page = (folder / "index.html").string();
  // Said before the work, not after.
  std::error_code fault;
  fs::create_directories(folder, fault);
  if (fault) refuse(folder.string(), fmt::format("cannot be made: {}", fault.message()));
  check_output(table, OutputKind::table);
  check_output(page, OutputKind::page);
  StudyTerminal terminal(!options.quiet && !options.json, "runs of the figures begun");
  const auto figures = reproduce(documents, {.folder = options.folder,
                                             .figures = options.figures,
                                             .quick = options.quick,
                                             .threads = options.threads,
                                             .watch = &terminal.watch(),
                                             .done = [&](const Reproduction& r) {
                                               if (!options.quiet && !options.json && !r.interrupted)
                                                 terminal.aside([&] { say(r); });
                                               if (options.quiet) say_faults(r);
                                             }});
  terminal.finish();
  write_output(table, OutputKind::table, verdict_table(figures));
  write_output(page, OutputKind::page, gallery_page(figures, options.folder));
  const auto of = [&](Verdict verdict) {
    return std::count_if(figures.begin(), figures.end(),
                         [&](const Reproduction& r) { return r.verdict == verdict; });
  };
  if (options.json) fmt::print("{}\n", verdict_json(figures, page));
  if (!options.quiet && !options.json) fmt::print("{}\n{}\n{}\n", counts_text(figures), table, page);
  if (terminal.watch().stop) {
    const auto unfinished =
        std::count_if(figures.begin(), figures.end(), [](const Reproduction& r) { return r.interrupted; });
    fmt::print(stderr, "reproduce: {}: {} figures are not finished; the others are kept in {}\n",
               interruption(), unfinished, options.folder);
    return Exit::stopped;
  }
  const auto made = of(Verdict::seen) + of(Verdict::partly) + of(Verdict::not_seen);
  // A table or a picture that could not be written is missed.
  const bool whole =
      std::all_of(figures.begin(), figures.end(), [](const Reproduction& r) { return r.faults.empty(); });
  return (of(Verdict::failed) > 0 && made == 0) || !whole ? Exit::stopped : Exit::done;
}

std::function<int()> set_up(CLI::App& command) {
  auto options = std::make_shared<Options>();
  command.add_option("DOCUMENT", options->documents,
                     "documents by citation, such as flores-2006, or all, or a catalogue of your own (YAML); "
                     "default: list documents and figures");
  command.add_option("--figure", options->figures, "only this figure; may be repeated")
      ->allow_extra_args(false)
      ->type_name("N");
  command.add_option("-o,--output", options->folder, "the folder for data, pictures and the page index.html")
      ->capture_default_str();
  command.add_flag(
      "--quick", options->quick,
      "short runs instead of slow ones, where the catalogue has them; slow figures without are left out");
  command.add_option("--threads,-j", options->threads, "figures at a time; default: one for each core")
      ->check(CLI::Range(1, 4096));
  command.add_flag("--json", options->json, "print the verdicts as one JSON object, and nothing else");
  command.add_flag("--quiet,-q", options->quiet, "print nothing but errors");
  return [options] { return run(*options); };
}

const Registration<Command> registered{
    {.name = "reproduce",
     .help = "make the figures of published documents anew, and say what is seen in them",
     .place = 48,
     .set_up = set_up}};

}  // namespace
}  // namespace tappet::app::reproduce_command
