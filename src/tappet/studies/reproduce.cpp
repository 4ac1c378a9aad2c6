#include "tappet/studies/reproduce.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <filesystem>
#include <mutex>
#include <thread>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "tappet/results/csv.hpp"
#include "tappet/results/output_file.hpp"
#include "tappet/results/refuse.hpp"
#include "tappet/studies/figure_pictures.hpp"
#include "tappet/studies/figure_plots.hpp"
#include "tappet/studies/figure_runs.hpp"
#include "tappet/studies/parallel.hpp"

namespace tappet {

namespace fs = std::filesystem;

namespace {

// ---- numbers

NumberTable numbers_of(const CatalogueFigure& figure, const PreparedFigure& prepared,
                       const std::vector<Recording>& recordings, const std::vector<std::string>& reasons,
                       std::vector<std::string>& faults) {
  NumberTable out;
  for (const FigureNumber& number : figure.numbers) out.names.push_back(number.name);
  out.units.resize(out.names.size());
  for (std::size_t i = 0; i < figure.runs.size(); ++i) {
    out.runs.push_back(figure.runs[i].name);
    out.groups.push_back(figure.runs[i].group);
    out.failed.push_back(!reasons[i].empty());
    out.values.emplace_back(out.names.size(), nothing);
    if (out.failed.back()) continue;
    for (std::size_t j = 0; j < out.names.size(); ++j) {
      const std::optional<Metric>& metric = prepared.runs[i].numbers[j];
      if (!metric) continue;
      out.units[j] = metric->unit;
      try {
        out.values[i][j] = metric->value(recordings[i], prepared.runs[i].revolution);
      } catch (const SimulationError& error) {
        faults.push_back(fmt::format("{} of {}: {}", out.names[j], out.runs[i], error.what()));
      }
    }
  }
  return out;
}

/// A run's numbers become the means of its ensemble.
void take_means(std::vector<std::vector<std::vector<double>>> further, NumberTable& table) {
  for (std::size_t i = 0; i < further.size(); ++i)
    for (std::size_t j = 0; j < further[i].size(); ++j) {
      std::vector<double>& all = further[i][j];
      all.insert(all.begin(), table.values[i][j]);
      double sum = 0;
      for (const double value : all) sum += value;
      table.values[i][j] = sum / static_cast<double>(all.size());
    }
  if (std::any_of(further.begin(), further.end(), [](const auto& run) { return !run.empty(); }))
    table.members = std::move(further);
}

std::string numbers_csv(const NumberTable& table, const std::vector<std::string>& reasons) {
  std::string out = "run";
  for (std::size_t j = 0; j < table.names.size(); ++j)
    out += fmt::format(",{}", csv_heading(table.names[j], table.units[j]));
  const bool ensembles = !table.members.empty();
  for (std::size_t j = 0; ensembles && j < table.names.size(); ++j)
    out += fmt::format(",{}", csv_heading(table.names[j] + " +-", table.units[j]));
  out += ",status,reason\n";
  for (std::size_t i = 0; i < table.runs.size(); ++i) {
    out += csv_field(table.runs[i]);
    for (const double value : table.values[i]) out += fmt::format(",{}", csv_field(value));
    for (std::size_t j = 0; ensembles && j < table.names.size(); ++j)
      out += fmt::format(",{}", csv_field(table.half_width(i, j)));
    out += fmt::format(",{},{}\n", reasons[i].empty() ? "done" : "failed", csv_field(reasons[i]));
  }
  return out;
}

// ---- a figure

/// The table without values, to read conditions by.
NumberTable empty_table(const CatalogueFigure& figure) {
  NumberTable out;
  for (const FigureNumber& number : figure.numbers) out.names.push_back(number.name);
  for (const FigureRun& run : figure.runs) {
    out.runs.push_back(run.name);
    out.groups.push_back(run.group);
    out.failed.push_back(false);
    out.values.emplace_back(out.names.size(), nothing);
  }
  return out;
}

Judgement judged(const FigureClaim& claim, const NumberTable& table) {
  if (claim.holds.empty()) return {};
  try {
    return judge(claim.holds, table);
  } catch (const ExpressionError& error) {
    refuse_figure(fmt::format("claim '{}' holds if {}: {}", claim.name, quote(claim.holds), error.what()));
  }
}

void make(const FigureFiles& files, std::size_t threads, Reproduction& out) {
  const CatalogueFigure& figure = files.figure;
  const PreparedFigure prepared = prepare(figure, out.quick);
  for (const PreparedRun& run : prepared.runs) out.run_reasons.push_back(run.reason);
  const std::vector<Recording> recordings =
      record_all(figure, prepared, threads, files.options.watch, out.run_reasons);
  if (stopped(files.options.watch)) throw StudyStopped();
  if (std::none_of(out.run_reasons.begin(), out.run_reasons.end(),
                   [](const std::string& reason) { return reason.empty(); }))
    refuse_figure(out.run_reasons[0]);

  out.numbers = numbers_of(figure, prepared, recordings, out.run_reasons, out.faults);
  take_means(
      member_numbers(figure, prepared, recordings, out.run_reasons, threads, files.options.watch, out.faults),
      out.numbers);
  if (stopped(files.options.watch)) throw StudyStopped();
  for (const FigureClaim& claim : figure.claims) out.judgements.push_back(judged(claim, out.numbers));
  out.verdict = verdict_of(figure.claims, out.judgements);

  out.tables.push_back(files.inside("numbers", ".csv"));
  write_output(files.path(out.tables.back()), OutputKind::table, numbers_csv(out.numbers, out.run_reasons));
  // A picture that cannot be drawn takes nothing away from the numbers.
  const auto draw = [&](const std::string& what, auto make) {
    try {
      make();
    } catch (const InputError& error) {
      out.faults.push_back(sentence(error));
    } catch (const SimulationError& error) {
      out.faults.push_back(fmt::format("{}: {}", what, error.what()));
    }
  };
  for (std::size_t i = 0; i < figure.pictures.size(); ++i)
    draw(fmt::format("picture '{}'", figure.pictures[i].name),
         [&] { make_picture(i, prepared, recordings, files, out); });
  for (std::size_t i = 0; i < figure.plots.size(); ++i)
    draw(fmt::format("plot '{}'", figure.plots[i].name),
         [&] { make_plot(i, prepared, recordings, files, out); });
}

Reproduction reproduce_one(const FigureFiles& files, std::size_t threads) {
  Reproduction out;
  out.document = &files.document;
  out.figure = &files.figure;
  if (!files.figure.missing.empty()) return out;
  if (files.options.quick && files.figure.slow && files.figure.quick.empty()) {
    out.verdict = Verdict::left_out;
    return out;
  }
  out.quick = files.options.quick && !files.figure.quick.empty();
  const auto start = std::chrono::steady_clock::now();
  try {
    if (stopped(files.options.watch)) throw StudyStopped();
    make(files, threads, out);
  } catch (const InputError& error) {
    out.verdict = Verdict::failed;
    out.reason = sentence(error);
  } catch (const StudyStopped& stop) {
    out.verdict = Verdict::failed;
    out.reason = stop.what();
    out.interrupted = true;
  } catch (const std::exception& error) {
    out.verdict = Verdict::failed;
    out.reason = error.what();
  }
  out.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  return out;
}

void check_numbers(const std::vector<Catalogue>& documents, const std::vector<std::string>& asked) {
  std::vector<std::string> known;
  for (const Catalogue& document : documents)
    for (const CatalogueFigure& figure : document.figures) known.push_back(figure.number);
  for (const std::string& number : asked) {
    if (std::find(known.begin(), known.end(), number) != known.end()) continue;
    // 1 where the document has 1a to 1d, 12a where it has 12.
    std::vector<std::string> near;
    const auto digits = [](const std::string& text) {
      return text.substr(0, text.find_first_not_of("0123456789"));
    };
    for (const std::string& one : known)
      if (!digits(number).empty() && digits(one) == digits(number)) near.push_back(one);
    refuse_figure(fmt::format("there is no figure {}{}; known: {}", quote(number),
                              near.empty() ? "" : fmt::format(", did you mean {}?", join_names(near)),
                              join_names(known)));
  }
}

}  // namespace

const char* text_of(Verdict verdict) {
  switch (verdict) {
    case Verdict::seen:
      return "seen";
    case Verdict::partly:
      return "partly seen";
    case Verdict::not_seen:
      return "not seen";
    case Verdict::failed:
      return "failed";
    case Verdict::missing:
      return "not made";
    case Verdict::left_out:
      return "left out";
  }
  return "";
}

Verdict verdict_of(const std::vector<FigureClaim>& claims, const std::vector<Judgement>& judgements) {
  std::size_t holding = 0;
  for (std::size_t i = 0; i < claims.size(); ++i) holding += !claims[i].holds.empty() && judgements[i].holds;
  if (holding == claims.size()) return Verdict::seen;
  return holding > 0 ? Verdict::partly : Verdict::not_seen;
}

std::string reason_of(const FigureClaim& claim, const Judgement& judgement) {
  return claim.holds.empty() ? claim.unchecked : judgement.holds ? "" : claim.because;
}

std::string counts_text(const std::vector<Reproduction>& all) {
  std::string out;
  for (const bool tables : {false, true}) {
    std::vector<Verdict> verdicts;
    for (const Reproduction& r : all)
      if (r.figure->table == tables) verdicts.push_back(r.verdict);
    if (verdicts.empty()) continue;
    out += fmt::format("{}{} {}{}:", out.empty() ? "" : "; ", verdicts.size(), tables ? "table" : "figure",
                       verdicts.size() == 1 ? "" : "s");
    bool first = true;
    for (const Verdict verdict : {Verdict::seen, Verdict::partly, Verdict::not_seen, Verdict::failed,
                                  Verdict::missing, Verdict::left_out})
      if (const auto of = std::count(verdicts.begin(), verdicts.end(), verdict); of > 0) {
        out += fmt::format("{} {} {}", first ? "" : ",", of, text_of(verdict));
        first = false;
      }
  }
  return out;
}

std::vector<Reproduction> reproduce(const std::vector<Catalogue>& documents,
                                    const ReproduceOptions& options) {
  check_numbers(documents, options.figures);
  std::vector<FigureFiles> wanted;
  for (const Catalogue& document : documents) {
    const fs::path folder = fs::path(options.folder) / document.name;
    std::error_code fault;
    fs::create_directories(folder, fault);
    if (fault) refuse(folder.string(), fmt::format("cannot be made: {}", fault.message()));
    for (const CatalogueFigure& figure : document.figures)
      if (options.figures.empty() ||
          std::find(options.figures.begin(), options.figures.end(), figure.number) != options.figures.end())
        wanted.push_back({options, document, figure});
  }
  const std::size_t threads = options.threads > 0 ? static_cast<std::size_t>(options.threads)
                                                  : std::max(1u, std::thread::hardware_concurrency());
  const auto computed = static_cast<std::size_t>(std::count_if(
      wanted.begin(), wanted.end(), [](const FigureFiles& files) { return files.figure.missing.empty(); }));
  std::vector<Reproduction> out(wanted.size());
  std::mutex mutex;
  in_parallel(wanted.size(), threads, [&](std::size_t i) {
    out[i] = reproduce_one(wanted[i], std::max<std::size_t>(1, threads / std::max<std::size_t>(1, computed)));
    const std::lock_guard lock(mutex);
    if (options.done) options.done(out[i]);
  });
  return out;
}

void check_catalogue(const Catalogue& document) {
  Diagnostics diagnostics;
  const auto file = std::make_shared<const std::string>(document.file);
  for (const CatalogueFigure& figure : document.figures) {
    if (!figure.missing.empty()) continue;
    try {
      for (const bool quick : {false, true})
        if (!quick || !figure.quick.empty()) prepare(figure, quick);
      for (const FigureClaim& claim : figure.claims) judged(claim, empty_table(figure));
    } catch (const InputError& error) {
      for (const Diagnostic& fault : error.diagnostics())
        diagnostics.error({file, 0, 0}, fmt::format("{}: {}", figure.called(),
                                                    fault.pos.file ? fault.text() : fault.message));
    }
  }
  diagnostics.throw_if_errors();
}

std::string verdict_table(const std::vector<Reproduction>& figures) {
  std::string out = "document,figure,verdict,claim,holds,confidence,condition,terms,because\n";
  for (const Reproduction& r : figures) {
    const std::string begin = fmt::format("{},{},{}", r.document->name, r.figure->number, text_of(r.verdict));
    if (r.judgements.empty()) out += fmt::format("{},,,,,,\n", begin);
    for (std::size_t i = 0; i < r.judgements.size(); ++i) {
      const FigureClaim& claim = r.figure->claims[i];
      std::vector<std::string> terms;
      for (const auto& [name, value] : r.judgements[i].terms)
        terms.push_back(fmt::format("{} = {}", name, value));
      out += fmt::format("{},{},{},{},{},{},{}\n", begin, csv_field(claim.name),
                         r.judgements[i].open()  ? "open"
                         : r.judgements[i].holds ? "yes"
                                                 : "no",
                         csv_field(r.judgements[i].confidence), csv_field(claim.holds),
                         csv_field(fmt::format("{}", fmt::join(terms, "; "))),
                         csv_field(reason_of(claim, r.judgements[i])));
    }
  }
  return out;
}

std::string verdict_json(const std::vector<Reproduction>& figures, const std::string& page) {
  using Json = nlohmann::ordered_json;
  Json all = Json::array();
  for (const Reproduction& r : figures) {
    Json claims = Json::array();
    for (std::size_t i = 0; i < r.judgements.size(); ++i)
      claims.push_back({{"claim", r.figure->claims[i].name},
                        {"holds", r.judgements[i].holds},
                        {"open", r.judgements[i].open()},
                        {"condition", r.figure->claims[i].holds},
                        {"because", reason_of(r.figure->claims[i], r.judgements[i])}});
    all.push_back({{"document", r.document->name},
                   {"figure", r.figure->number},
                   {"verdict", text_of(r.verdict)},
                   {"reason", r.reason},
                   {"claims", claims},
                   {"seconds", r.seconds}});
  }
  return Json{{"figures", all}, {"page", page}}.dump(2, ' ', false, Json::error_handler_t::replace);
}

}  // namespace tappet
