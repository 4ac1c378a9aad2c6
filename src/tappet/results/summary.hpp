// A run's summary, for programs (JSON) and for people (text).
#pragma once

#include <string>

#include "tappet/run/simulation.hpp"

namespace tappet {

/// One JSON object; `result` is the result file's name. Numbers that are not finite are null. Longer than
/// `limit` bytes (0: no limit), notes and then warnings are cut from their ends, and the last one kept says
/// how many there were.
std::string summary_json(const RunSummary& summary, const std::string& result, std::size_t limit = 0);

/// Takes what summary_json() wrote; absent keys keep their defaults. Throws InputError if the text is not
/// such a thing.
RunSummary summary_from_json(const std::string& text);

/// "stopped at t = 0.1 s: why".
std::string stop_sentence(const RunSummary& summary);

/// A few aligned lines with units.
std::string summary_text(const RunSummary& summary, const std::string& result);

}  // namespace tappet
