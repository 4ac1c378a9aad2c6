// Nodes and elements that an .inp file makes from others: *NGEN, *NFILL, *NCOPY, *ELGEN, *ELCOPY. Private to readers/.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "tappet/fem/readers/inp_parts.hpp"

namespace tappet::fem::inp {

using Options = std::map<std::string, std::string>;

/// What a keyword and its data lines make of a part; `lines` are its fields.
struct Generation {
  Parts& parts;
  Part& part;
  const Options& options;
  const std::vector<std::vector<std::string>>& lines;
  FilePlace place;
};

/// False when there is no such keyword. Faults are thrown with the keyword's place.
bool generate(const std::string& keyword, const Generation& g);
bool is_generation(const std::string& keyword);

/// Of a data line. An exponent may be written with D, as FORTRAN does.
double number(const std::string& text, const FilePlace& place);
long whole(const std::string& text, const FilePlace& place);

}  // namespace tappet::fem::inp
