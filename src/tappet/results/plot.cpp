#include "tappet/results/plot.hpp"

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <limits>
#include <spawn.h>
#include <sstream>
#include <sys/wait.h>
#include <unistd.h>

#include <fmt/format.h>

#include "tappet/base/diagnostics.hpp"
#include "tappet/results/refuse.hpp"

extern char** environ;

namespace tappet {

namespace {

namespace fs = std::filesystem;

struct Range {
  double low = std::numeric_limits<double>::infinity(), high = -low;

  void add(double value) {
    if (!std::isfinite(value)) return;
    low = std::min(low, value);
    high = std::max(high, value);
  }
  bool empty() const { return !(low <= high); }
  double span() const { return high - low; }

  /// With some air around it; a constant gets a band as wide as itself, so that rounding noise looks like
  /// nothing.
  Range padded() const {
    if (empty()) return {-1, 1};
    const double size = std::max(std::abs(low), std::abs(high));
    if (span() <= 1e-12 * size) return size > 0 ? Range{low - 0.5 * size, high + 0.5 * size} : Range{-1, 1};
    return {low - 0.06 * span(), high + 0.06 * span()};
  }
};

/// An orbit is drawn as it is: one metre is as long on both axes, unless one of them would then show nothing.
void equalise(Range& x, Range& y, double width_to_height) {
  const double wide = x.span() / width_to_height, high = y.span();
  if (std::max(wide, high) > 5 * std::min(wide, high)) return;
  const auto widen = [](Range& range, double span) {
    const double middle = 0.5 * (range.low + range.high);
    range = {middle - 0.5 * span, middle + 0.5 * span};
  };
  if (wide > high) widen(y, wide);
  if (high > wide) widen(x, high * width_to_height);
}

struct Curve {
  std::string name;
  std::vector<double> x, y;
};

/// Signals of one unit share a panel.
struct Panel {
  std::string unit;
  std::vector<Curve> curves;
  Range range;
};

/// Over time: the first, lowest, highest and last value of each of some thousand intervals. No peak is lost,
/// and a long run draws as fast as a short one.
Curve thin_over_time(const std::vector<double>& x, const std::vector<double>& y) {
  constexpr std::size_t intervals = 2000;
  Curve out;
  if (x.size() <= 4 * intervals) return {"", x, y};
  for (std::size_t k = 0; k < intervals; ++k) {
    const std::size_t first = k * x.size() / intervals, end = (k + 1) * x.size() / intervals;
    std::size_t low = first, high = first;
    for (std::size_t i = first; i < end; ++i) {
      if (y[i] < y[low]) low = i;
      if (y[i] > y[high]) high = i;
    }
    std::size_t kept[] = {first, low, high, end - 1};
    std::sort(std::begin(kept), std::end(kept));
    for (std::size_t j = 0; j < 4; ++j) {
      if (j > 0 && kept[j] == kept[j - 1]) continue;
      out.x.push_back(x[kept[j]]);
      out.y.push_back(y[kept[j]]);
    }
  }
  return out;
}

/// In the plane: points that nobody could tell from the one before are left out.
Curve thin_in_plane(const std::vector<double>& x, const std::vector<double>& y) {
  if (x.size() <= 8000) return {"", x, y};
  Range rx, ry;
  for (const double value : x) rx.add(value);
  for (const double value : y) ry.add(value);
  const double dx = rx.span() / 2000, dy = ry.span() / 2000;
  Curve out;
  for (std::size_t i = 0; i < x.size(); ++i) {
    const bool last = i + 1 == x.size();
    const bool near =
        !out.x.empty() && std::abs(x[i] - out.x.back()) < dx && std::abs(y[i] - out.y.back()) < dy;
    if (near && !last) continue;
    out.x.push_back(x[i]);
    out.y.push_back(y[i]);
  }
  return out;
}

/// Text as a gnuplot literal: between single quotes nothing is special but the quote.
std::string literal(const std::string& text) {
  std::string out = "'";
  for (const char c : text) {
    if (c == '\'') out += '\'';
    out += static_cast<unsigned char>(c) < ' ' ? ' ' : c;
  }
  return out + "'";
}

/// "m/s^2" as a printed page has it: m/s².
std::string typeset(const std::string& unit) {
  static const char* const raised[] = {"⁰", "¹", "²", "³", "⁴", "⁵", "⁶", "⁷", "⁸", "⁹"};
  std::string out;
  bool exponent = false;
  for (const char c : unit) {
    const bool digit = c >= '0' && c <= '9';
    if (c == '^') {
      exponent = true;
    } else if (exponent && (digit || c == '-')) {
      out += digit ? raised[c - '0'] : "⁻";
    } else {
      exponent = false;
      out += c;
    }
  }
  return out;
}

std::string with_unit(const std::string& name, const std::string& unit) {
  if (unit.empty() || unit == "1") return name;
  return name.empty() ? fmt::format("[{}]", typeset(unit)) : fmt::format("{} [{}]", name, typeset(unit));
}

/// Enough digits that neighbouring tick labels differ.
std::string tick_format(const Range& range) {
  const double size = std::max(std::abs(range.low), std::abs(range.high));
  const double digits = range.span() > 0 ? std::ceil(std::log10(size / range.span())) + 2 : 6;
  return fmt::format("'%.{}g'", static_cast<int>(std::clamp(digits, 6.0, 15.0)));
}

struct Terminal {
  const char* ending;
  const char* command;  ///< with the height in pixels (PDF: inches at 90 to the inch) to be filled in
};

constexpr std::size_t most_curves = 100;
// Names of signals hold underscores, which gnuplot's "enhanced" text would make subscripts of.
const Terminal terminals[] = {
    {".svg",
     "set terminal svg noenhanced size {0},{1} font 'Helvetica,Arial,sans-serif,14' background rgb 'white'"},
    {".png", "set terminal pngcairo noenhanced size {0},{1} font 'sans,12' background rgb 'white'"},
    {".pdf",
     "set terminal pdfcairo noenhanced size {2:.2f}in,{3:.2f}in font 'sans,10' background rgb 'white'"}};

const Terminal& terminal_for(const std::string& file) {
  std::string ending = fs::path(file).extension().string();
  for (char& c : ending) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  for (const auto& terminal : terminals) {
    if (ending == terminal.ending) return terminal;
  }
  refuse(file, "the picture's name must end in .svg, .png or .pdf");
}

/// A directory of our own that goes away with us.
class TemporaryFolder {
 public:
  TemporaryFolder() {
    std::string pattern = (fs::temp_directory_path() / "tappet-plot-XXXXXX").string();
    if (!::mkdtemp(pattern.data())) refuse(pattern, fmt::format("cannot be made: {}", std::strerror(errno)));
    path_ = pattern;
  }
  ~TemporaryFolder() {
    std::error_code ignored;
    fs::remove_all(path_, ignored);
  }
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;
  const fs::path& path() const { return path_; }

 private:
  fs::path path_;
};

std::string contents(const fs::path& path) {
  std::ifstream in(path, std::ios::binary);
  std::ostringstream text;
  text << in.rdbuf();
  return text.str();
}

void write_curve(const fs::path& path, const Curve& curve) {
  std::ofstream out(path, std::ios::binary);
  fmt::memory_buffer text;
  for (std::size_t i = 0; i < curve.x.size(); ++i) {
    fmt::format_to(std::back_inserter(text), "{} {}\n", curve.x[i], curve.y[i]);
  }
  out.write(text.data(), static_cast<std::streamsize>(text.size()));
  if (!out.flush())
    refuse(path.string(), "the data to plot cannot be written: is the temporary directory full?");
}

/// Runs gnuplot on a script in `folder`, without a shell in between.
void run_gnuplot(const fs::path& folder) {
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addchdir_np(&actions, folder.c_str());
  posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
  posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "messages", O_WRONLY | O_CREAT | O_TRUNC, 0600);

  // -d: the user's own gnuplot settings do not change our pictures.
  std::string arguments[] = {"gnuplot", "-d", "script"};
  char* argv[] = {arguments[0].data(), arguments[1].data(), arguments[2].data(), nullptr};
  pid_t child = 0;
  const int failure = ::posix_spawnp(&child, "gnuplot", &actions, nullptr, argv, environ);
  posix_spawn_file_actions_destroy(&actions);
  if (failure != 0) {
    refuse("gnuplot",
           fmt::format("cannot be started ({}): plots need it; install the package gnuplot-nox (or gnuplot)",
                       std::strerror(failure)));
  }
  int status = 0;
  while (::waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  if (WIFEXITED(status) && WEXITSTATUS(status) == 0) return;
  std::string messages = contents(folder / "messages");
  std::replace(messages.begin(), messages.end(), '\n', ' ');
  refuse("gnuplot", fmt::format("the plot could not be drawn: {}", messages));
}

/// Where things are in the picture, in pixels.
struct Frame {
  int width = 900, height = 0;
  double left = 115, right = 40, top = 46, bottom = 62, gap = 22;  ///< margins; gap: between panels
  double panel = 0;                                                ///< height of one

  explicit Frame(const std::vector<Panel>& panels) {
    std::size_t curves = 1, letters = 0;
    for (const auto& one : panels) {
      curves = std::max(curves, one.curves.size());
      if (one.curves.size() == 1) continue;
      for (const auto& curve : one.curves) letters = std::max(letters, curve.name.size());
    }
    // Legends stand right of the curves, never on them, and get the room that the longest name needs.
    if (curves > 1) right = std::min(width / 2.0, 70.0 + 8.5 * static_cast<double>(letters));
    const auto count = static_cast<double>(panels.size());
    panel = std::max(panels.size() == 1 ? 420.0 : 220.0, 20.0 * static_cast<double>(curves) + 20.0);
    height = static_cast<int>(top + bottom + count * panel + (count - 1) * gap);
  }
  double panel_width() const { return width - left - right; }
  /// Gnuplot counts from below, in fractions.
  double upper(std::size_t number) const {
    return 1 - (top + static_cast<double>(number) * (panel + gap)) / height;
  }
  double lower(std::size_t number) const { return upper(number) - panel / height; }
};

/// One panel's commands. Panels lie below each other between fixed margins, so that their axes line up.
std::string panel_script(const Panel& panel, std::size_t number, const Frame& frame,
                         const std::string& x_label, const Range& x_range, bool last) {
  // Colours that colour-blind readers tell apart (Okabe & Ito); further curves repeat them dashed.
  constexpr const char* colours[] = {"#0072B2", "#D55E00", "#009E73", "#CC79A7",
                                     "#E69F00", "#56B4E9", "#000000"};
  const bool legend = panel.curves.size() > 1;
  std::string text = fmt::format("set tmargin at screen {:.5f}\nset bmargin at screen {:.5f}\n",
                                 frame.upper(number), frame.lower(number));
  text += fmt::format("set xrange [{}:{}]\nset yrange [{}:{}]\n", x_range.low, x_range.high, panel.range.low,
                      panel.range.high);
  text += fmt::format("set format y {}\n", tick_format(panel.range));
  // In a stack only the lowest panel names the axis they share.
  text += fmt::format("set format x {}\n", last ? tick_format(x_range) : "''");
  text += last ? fmt::format("set xlabel {}\n", literal(x_label)) : "unset xlabel\n";
  // Not gnuplot's own axis label: that one's place depends on the tick labels, and a stack of them would not
  // line up.
  text += fmt::format("set label 1 {} at screen {:.5f}, screen {:.5f} center rotate by 90\n",
                      literal(with_unit(legend ? "" : panel.curves[0].name, panel.unit)), 24.0 / frame.width,
                      0.5 * (frame.upper(number) + frame.lower(number)));
  text += legend ? "set key outside right top vertical Left reverse samplen 1.5\n" : "unset key\n";
  text += "plot ";
  for (std::size_t i = 0; i < panel.curves.size(); ++i) {
    text += fmt::format(
        "{}'data_{}_{}' using 1:2 with lines linewidth 1.5 linecolor rgb '{}' dashtype {} title {}",
        i ? ", " : "", number, i, colours[i % 7], i / 7 % 4 + 1, literal(panel.curves[i].name));
  }
  return text + "\n";
}

std::vector<Panel> gather(const ResultFile& result, const PlotOptions& options, Range& x_range) {
  const bool over_time = options.x == "time";
  std::vector<std::size_t> chosen = result.select(options.signals);
  if (!over_time || chosen.size() > 1) std::erase(chosen, std::size_t{0});  // `*` means the signals, not time
  if (chosen.empty()) refuse(result.path(), "name at least one signal to plot");
  if (chosen.size() > most_curves) {
    refuse(result.path(), fmt::format("{} signals are too many for one picture: choose at most {}",
                                      chosen.size(), most_curves));
  }
  const std::size_t x_column = result.index(options.x);

  // The rows between --from and --to. Time never decreases.
  const auto time = result.column("time");
  const auto begin = options.from ? std::lower_bound(time.begin(), time.end(), *options.from) : time.begin();
  const auto end = options.to ? std::upper_bound(time.begin(), time.end(), *options.to) : time.end();
  if (time.empty()) refuse(result.path(), "holds no samples yet: there is nothing to plot");
  if (begin >= end) {
    refuse(result.path(),
           fmt::format("there are no samples in that interval: the result reaches from {} s to {} s",
                       time.front(), time.back()));
  }
  const auto first = static_cast<std::size_t>(begin - time.begin()),
             count = static_cast<std::size_t>(end - begin);
  const auto x = result.read(first, count, {&x_column, 1});
  for (const double value : x) x_range.add(value);

  std::vector<Panel> panels;
  for (const std::size_t column : chosen) {
    const Signal& signal = result.columns()[column];
    auto panel =
        std::find_if(panels.begin(), panels.end(), [&](const Panel& p) { return p.unit == signal.unit; });
    if (panel == panels.end()) panel = panels.insert(panels.end(), Panel{signal.unit, {}, {}});
    const auto y = result.read(first, count, {&column, 1});
    for (const double value : y) panel->range.add(value);
    Curve curve = over_time ? thin_over_time(x, y) : thin_in_plane(x, y);
    curve.name = signal.name;
    panel->curves.push_back(std::move(curve));
  }
  return panels;
}

}  // namespace

void plot(const ResultFile& result, const PlotOptions& options, const std::string& file) {
  const Terminal& terminal = terminal_for(file);
  if (fs::is_directory(file)) refuse(file, "is a directory: give the name of a picture");
  Range x_range;
  auto panels = gather(result, options, x_range);
  const Signal& x = result.columns()[result.index(options.x)];
  const Frame frame(panels);
  // Time fills the axis from edge to edge; everything else gets air.
  if (x.name != "time" || x_range.span() == 0) x_range = x_range.padded();
  for (auto& panel : panels) panel.range = panel.range.padded();
  if (panels.size() == 1 && x.name != "time" && x.unit == panels[0].unit) {
    equalise(x_range, panels[0].range, frame.panel_width() / frame.panel);
  }

  const TemporaryFolder folder;
  const std::string picture = std::string("picture") + terminal.ending;
  std::string script = fmt::format(fmt::runtime(terminal.command), frame.width, frame.height,
                                   frame.width / 90.0, frame.height / 90.0);
  script += fmt::format("\nset output '{}'\n", picture);
  script += "set encoding utf8\nset datafile missing 'nan'\nset tics nomirror\n";
  script += "set border linecolor rgb '#444444'\nset grid linecolor rgb '#dddddd' linetype 1 linewidth 1\n";
  script += fmt::format("set lmargin at screen {:.5f}\nset rmargin at screen {:.5f}\n",
                        frame.left / frame.width, 1 - frame.right / frame.width);
  script += fmt::format("set multiplot title {}\n",
                        literal(options.title.empty() ? result.header().title : options.title));
  for (std::size_t i = 0; i < panels.size(); ++i) {
    for (std::size_t j = 0; j < panels[i].curves.size(); ++j) {
      write_curve(folder.path() / fmt::format("data_{}_{}", i, j), panels[i].curves[j]);
    }
    script += panel_script(panels[i], i, frame, with_unit(x.name, x.unit), x_range, i + 1 == panels.size());
  }
  script += "unset multiplot\nset output\n";
  std::ofstream(folder.path() / "script", std::ios::binary) << script;

  run_gnuplot(folder.path());
  const std::string drawn = contents(folder.path() / picture);
  if (drawn.empty()) refuse("gnuplot", "drew nothing: " + contents(folder.path() / "messages"));
  std::ofstream out(file, std::ios::binary | std::ios::trunc);
  out << drawn;
  if (!out.flush()) refuse(file, fmt::format("cannot be written: {}", std::strerror(errno)));
}

}  // namespace tappet
