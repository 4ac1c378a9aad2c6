#include "tappet/results/gnuplot.hpp"

#include <algorithm>
#include <cctype>
#include <cerrno>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <filesystem>
#include <fstream>
#include <set>
#include <spawn.h>
#include <sstream>
#include <sys/wait.h>
#include <unistd.h>

#include <fmt/format.h>

#include "tappet/results/output_file.hpp"
#include "tappet/results/refuse.hpp"

extern char** environ;

namespace tappet::gnuplot {

namespace fs = std::filesystem;

std::string literal(const std::string& text) {
  // Two apostrophes within stand for one; but where a text begins with some, gnuplot takes the first two for an empty text. In double
  // quotes a backslash says what is meant, and a backquote would run a program.
  std::string out = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') out += '\\';
    if (c == '`')
      out += "\\140";
    else if (c == '@')  // a macro
      out += "\\100";
    else
      out += static_cast<unsigned char>(c) < ' ' ? ' ' : c;
  }
  return out + "\"";
}

Scale scale_for(const std::string& unit, double size) {
  static const std::pair<double, const char*> prefixes[] = {{1e9, "G"},  {1e6, "M"},  {1e3, "k"}, {1, ""},
                                                            {1e-3, "m"}, {1e-6, "µ"}, {1e-9, "n"}};
  static const std::set<std::string> prefixed = {"m", "s", "N", "J", "W", "N m", "m/s", "N s", "Pa"};
  if (!prefixed.contains(unit) || !(size > 0) || !std::isfinite(size)) return {1, unit};
  for (const auto& [factor, letter] : prefixes) {
    // Nobody speaks of kiloseconds and kilometres a second.
    if (factor > 1 && (unit == "s" || unit == "m/s")) continue;
    if (size >= 0.999999 * factor) return {factor, letter + unit};
  }
  return {1, unit};
}

namespace {

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

}  // namespace

std::string with_unit(const std::string& name, const std::string& unit) {
  if (unit.empty() || unit == "1") return name;
  return name.empty() ? fmt::format("[{}]", typeset(unit)) : fmt::format("{} [{}]", name, typeset(unit));
}

namespace {

struct Terminal {
  const char* ending;
  const char* command;  ///< to be filled in: width, height, font size, linewidth
  double per_inch;      ///< its unit of length
  double font;          ///< its unit of letters, in points
};

// Names of signals hold underscores, which gnuplot's "enhanced" text would make subscripts of.
const Terminal terminals[] = {{".svg",
                               "set terminal svg noenhanced size {0:.0f},{1:.0f} font 'system-ui,Segoe "
                               "UI,Roboto,Helvetica,Arial,sans-serif,{2:.4g}' "
                               "linewidth {3:.3g} background rgb 'white'",
                               90, 0.8},
                              {".png",
                               "set terminal pngcairo noenhanced size {0:.0f},{1:.0f} font 'sans,{2:.4g}' "
                               "linewidth {3:.3g} background rgb 'white'",
                               90, 0.92},
                              {".pdf",
                               "set terminal pdfcairo noenhanced size {0:.3f}in,{1:.3f}in font "
                               "'sans,{2:.4g}' linewidth {3:.3g} background rgb "
                               "'white'",
                               1, 1}};

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

void write_file(const fs::path& path, const std::string& contents) {
  std::ofstream out(path, std::ios::binary);
  out << contents;
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

}  // namespace

void check_file_name(const std::string& file) {
  terminal_for(file);
  check_output(file, OutputKind::picture);
}

void draw(const Job& job, const std::string& file) {
  const Terminal& terminal = terminal_for(file);
  const TemporaryFolder folder;
  const std::string picture = std::string("picture") + terminal.ending;
  // A PNG of a higher resolution has larger letters and lines in its own pixels.
  const double finer = std::string(terminal.ending) == ".png" ? job.resolution / 90 : 1;
  const double size = terminal.per_inch / 90 * finer;
  std::string script = fmt::format(fmt::runtime(terminal.command), job.width * size, job.height * size,
                                   job.font / terminal.font * finer, finer);
  script += fmt::format("\nset output '{}'\nset encoding utf8\n{}set output\n", picture, job.script);
  for (const auto& [name, contents] : job.data) write_file(folder.path() / name, contents);
  write_file(folder.path() / "script", script);

  run_gnuplot(folder.path());
  const std::string drawn = contents(folder.path() / picture);
  if (drawn.empty()) refuse("gnuplot", "drew nothing: " + contents(folder.path() / "messages"));
  write_output(file, OutputKind::picture, marked_picture(drawn));
}

}  // namespace tappet::gnuplot
