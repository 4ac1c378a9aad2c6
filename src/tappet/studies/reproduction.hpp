// A figure of a document made anew, as data; and what is asked for.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "tappet/studies/catalogue.hpp"
#include "tappet/studies/claim.hpp"
#include "tappet/studies/watch.hpp"

namespace tappet {

enum class Verdict {
  seen,      ///< every claim holds
  partly,    ///< some do
  not_seen,  ///< none does
  failed,    ///< no run could be made
  missing,   ///< not made: the catalogue says why
  left_out,  ///< too slow for what was asked
};
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
  bool interrupted = false;  ///< by the watch; its verdict is Verdict::failed
};

struct ReproduceOptions {
  std::string folder = ".";               ///< for DOCUMENT/figure_N_PLOT.csv and .svg
  std::vector<std::string> figures = {};  ///< numbers; empty: all
  bool quick = false;
  int threads = 0;         ///< 0: as many as there are cores
  Watch* watch = nullptr;  ///< ends it early: figures that are not finished then are `interrupted`
  /// Called with each figure as it is finished, by one thread at a time.
  std::function<void(const Reproduction&)> done = nullptr;
};

}  // namespace tappet
