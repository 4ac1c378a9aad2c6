// Curves and points in panels below each other, and maps of a quantity over two others.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace tappet {

struct Series {
  enum class Style { line, points, line_points };

  std::string name;
  std::vector<double> x, y;
  Style style = Style::line;
};

/// Series that share an axis.
struct Panel {
  std::string label;  ///< of the axis, used when there is one series without a name of its own
  std::string unit;
  std::vector<Series> series;
};

struct Figure {
  std::string title, x_name, x_unit;
  std::vector<Panel> panels;
  bool fill_x = false;                ///< the curves reach from edge to edge (time)
  bool same_scale = false;            ///< one metre is as long on both axes (an orbit), if there is one panel
  int width = 900;                    ///< pixels of 1/90 inch; letters are as large whatever it is
  int height = 0;                     ///< likewise; 0: what the panels need
  double font = 11;                   ///< points
  double resolution = 90;             ///< pixels to the inch of a PNG
  bool log_x = false, log_y = false;  ///< logarithmic axes: numbers that are not positive are gaps
};

/// A quantity over a plane: coloured cells where the points form a grid, coloured points otherwise.
struct Map {
  std::string title, x_name, x_unit, y_name, y_unit, z_name, z_unit;
  std::vector<double> x, y, z;
};

/// Curves as one can see them, however long the run was. Over time: the first, lowest, highest and last value
/// of each of some thousand intervals, so that no peak is lost. In the plane: points that nobody could tell
/// from the one before are left out. `intervals`: along each axis; fewer make a smaller picture.
Series thin_over_time(const std::vector<double>& x, const std::vector<double>& y,
                      std::size_t intervals = 2000);
Series thin_in_plane(const std::vector<double>& x, const std::vector<double>& y,
                     std::size_t intervals = 2000);

/// Draws to `file`, whose ending chooses SVG, PNG or PDF. Values that are not finite are gaps. Throws
/// InputError as gnuplot::draw() does.
void draw(const Figure& figure, const std::string& file);
void draw(const Map& map, const std::string& file);

}  // namespace tappet
