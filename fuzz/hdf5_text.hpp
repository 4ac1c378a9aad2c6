// HDF5 files said in lines. Bytes of such a file carry checksums, so that their neighbours are hardly ever read; a line changes what the file
// says, as somebody does who means harm:
//
//   PATH f 2 3 : 1 2 3       a dataset of numbers, rows and columns; numbers are repeated. Also i (integers), b (bytes)
//   PATH s 8 2 : a b         texts of 8 bytes
//   PATH g                   a group;   PATH d   is taken away
//   PATH r 5 3               another extent;   PATH w 1 : 7   another number at this place
//   PATH a name : text       an attribute of text;   PATH n name : 3   of a number
//   PATH l : OTHER           a link;   PATH e : FILE OTHER   a link into another file
//   PATH x 2 2 : FILE        numbers that lie in another file
#pragma once

#include <string>
#include <string_view>

namespace tappet::fuzz {

/// A file as these lines say it, beginning with `image` where there is one. Lines that cannot be are passed over.
std::string hdf5_of_text(std::string_view lines, const std::string& image = "");

}  // namespace tappet::fuzz
