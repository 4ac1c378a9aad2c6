// Makes the figures of documents anew: data, pictures, and whether the document's observations are ours too.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "tappet/studies/catalogue.hpp"
#include "tappet/studies/claim.hpp"

namespace tappet {

enum class Verdict {
  seen,      ///< every claim holds
  partly,    ///< some do
  not_seen,  ///< none does
  failed,    ///< no run could be made
  missing,   ///< not made: the catalogue says why
  left_out,  ///< too slow for what was asked
};
/// "seen", "partly seen", …
const char* text_of(Verdict verdict);

struct MadePicture {
  std::string file;    ///< from the gallery's folder
  std::string alt;     ///< in words
  bool small = false;  ///< one of several of a kind, which go side by side
};

struct Reproduction {
  const Catalogue* document = nullptr;
  const CatalogueFigure* figure = nullptr;
  Verdict verdict = Verdict::missing;
  bool quick = false;                    ///< made with the settings `quick`
  std::string reason;                    ///< of Verdict::failed, a sentence
  std::vector<std::string> run_reasons;  ///< by run: why it failed, or ""
  std::vector<std::string> faults;       ///< what else went wrong, sentences
  NumberTable numbers;
  std::vector<Judgement> judgements;  ///< by claim
  std::vector<MadePicture> pictures;
  std::vector<std::string> tables;  ///< files, from the gallery's folder
  double seconds = 0;
};

struct ReproduceOptions {
  std::string folder = ".";               ///< for DOCUMENT/figure_N_PLOT.csv and .svg
  std::vector<std::string> figures = {};  ///< numbers; empty: all
  bool quick = false;
  int threads = 0;  ///< 0: as many as there are cores
  /// Called with each figure as it is finished, by one thread at a time.
  std::function<void(const Reproduction&)> done = nullptr;
};

/// The verdict that follows from the judgements; a claim without a condition counts as one that does not
/// hold.
Verdict verdict_of(const std::vector<FigureClaim>& claims, const std::vector<Judgement>& judgements);

/// All figures asked for, in the catalogues' order. What goes wrong with a figure is said in it. Throws
/// InputError if a figure is asked for that no catalogue has, or the folder cannot be made.
std::vector<Reproduction> reproduce(const std::vector<Catalogue>& documents, const ReproduceOptions& options);
/// What it returns points into the catalogues: they must live on.
std::vector<Reproduction> reproduce(std::vector<Catalogue>&& documents,
                                    const ReproduceOptions& options) = delete;

/// Compiles what the catalogue names and reads its numbers, plots and claims. Throws InputError with all
/// faults.
void check_catalogue(const Catalogue& document);

/// One line a claim: document, figure, verdict of the figure, claim, "holds" or not, the condition, its
/// terms.
std::string verdict_table(const std::vector<Reproduction>& figures);

}  // namespace tappet
