// Results as comma-separated text, every number with all its digits.
#pragma once

#include <cstdio>
#include <string>
#include <vector>

#include "tappet/results/result_file.hpp"

namespace tappet {

/// A text as one field: in quotes only when it needs them.
std::string csv_field(const std::string& text);
/// A number with all its digits; empty where there is none.
std::string csv_field(double value);
/// "name [unit]", as a field.
std::string csv_heading(const std::string& name, const std::string& unit);

/// Time and the chosen signals (patterns allowed; none: all). The first line holds the names as they are.
/// With `between` also rows between samples. Returns false when `out` cannot be written.
bool export_samples(const ResultFile& result, const std::vector<std::string>& signals, std::FILE* out,
                    bool between = false);
/// contact,start,end,speed_in,speed_out,restitution,requested,max_penetration,peak_force,impulse
bool export_impacts(const ResultFile& result, std::FILE* out);
/// event,time
bool export_events(const ResultFile& result, std::FILE* out);

}  // namespace tappet
