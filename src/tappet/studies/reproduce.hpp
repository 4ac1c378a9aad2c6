// Makes the figures of documents anew: data, pictures, and whether the document's observations are ours too.
#pragma once

#include <string>
#include <vector>

#include "tappet/studies/reproduction.hpp"

namespace tappet {

/// "seen", "partly seen", …
const char* text_of(Verdict verdict);

/// The verdict that follows from the judgements; a claim without a condition counts as one that does not
/// hold.
Verdict verdict_of(const std::vector<FigureClaim>& claims, const std::vector<Judgement>& judgements);

/// Why a claim does not hold, as the catalogue says; "" where it does, or nobody knows.
std::string reason_of(const FigureClaim& claim, const Judgement& judgement);

/// "58 figures: 46 seen, 8 partly seen, 4 not made; 5 tables: 5 seen".
std::string counts_text(const std::vector<Reproduction>& all);

/// All figures asked for, in the catalogues' order. What goes wrong with a figure is said in it. Throws
/// InputError if a figure is asked for that no catalogue has, or the folder cannot be made.
std::vector<Reproduction> reproduce(const std::vector<Catalogue>& documents, const ReproduceOptions& options);
/// What it returns points into the catalogues: they must live on.
std::vector<Reproduction> reproduce(std::vector<Catalogue>&& documents,
                                    const ReproduceOptions& options) = delete;

/// Compiles what the catalogue names and reads its numbers, plots and claims. Throws InputError with all
/// faults.
void check_catalogue(const Catalogue& document);

/// One line per claim: document, figure, verdict of the figure, claim, "holds" or not, the condition, its
/// terms.
std::string verdict_table(const std::vector<Reproduction>& figures);
/// The same as one JSON object, with the name of the page.
std::string verdict_json(const std::vector<Reproduction>& figures, const std::string& page);

}  // namespace tappet
