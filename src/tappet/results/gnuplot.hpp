// Pictures by gnuplot: a script and its data in, a picture file out.
#pragma once

#include <string>
#include <utility>
#include <vector>

namespace tappet::gnuplot {

/// Text as a gnuplot literal: between single quotes nothing is special but the quote.
std::string literal(const std::string& text);
/// "slider.vx [m/s]", the unit as a printed page has it: m/s².
std::string with_unit(const std::string& name, const std::string& unit);

/// The metric prefix that suits numbers of this size, as on the report's page: 0.0005 m is {1e-3, "mm"}.
struct Scale {
  double factor = 1;
  std::string unit;
};
Scale scale_for(const std::string& unit, double size);

/// Throws InputError if no picture can have this name: its ending must be .svg, .png or .pdf.
void check_file_name(const std::string& file);

/// A picture. The script begins behind terminal, output and encoding; it finds
/// the data under their names. Throws InputError with a sentence if gnuplot is missing or fails, or the file
/// cannot be written.
struct Job {
  int width = 900, height = 600;  ///< pixels of 1/90 inch
  double font = 11;               ///< points
  double resolution = 90;         ///< pixels to the inch in a PNG
  std::string script;
  std::vector<std::pair<std::string, std::string>> data;  ///< name, contents
};
void draw(const Job& job, const std::string& file);

}  // namespace tappet::gnuplot
