// Where a text of YAML comes from: its first line may be "#@ FOLDER", seen from the sources, in which the files that it names lie.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace tappet::fuzz {

/// The name under which a text is read: in its folder, where it says one.
std::string name_of_text(std::string_view text, const char* name);
/// "#@ FOLDER\n", or "".
std::string_view folder_line(std::string_view text);

/// Every word that model files, studies and catalogues know: keys, choices, names of types and laws, units.
const std::vector<std::string>& known_words();

/// A neighbour of a model: names with typing errors, references exchanged, sections and values put where they do not belong, values
/// of the wrong kind, entries left out or doubled. Empty where the text is no YAML. The same seed, the same neighbour.
std::string name_neighbour(std::string_view text, unsigned seed);

}  // namespace tappet::fuzz
