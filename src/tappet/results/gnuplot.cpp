#include "tappet/results/gnuplot.hpp"

#include <algorithm>
#include <cctype>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <filesystem>
#include <fstream>
#include <spawn.h>
#include <sstream>
#include <sys/wait.h>
#include <unistd.h>

#include <fmt/format.h>

#include "tappet/results/refuse.hpp"

extern char** environ;

namespace tappet::gnuplot {

namespace fs = std::filesystem;

std::string literal(const std::string& text) {
  std::string out = "'";
  for (const char c : text) {
    if (c == '\'') out += '\'';
    out += static_cast<unsigned char>(c) < ' ' ? ' ' : c;
  }
  return out + "'";
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
  const char* command;  ///< with the height in pixels (PDF: inches at 90 to the inch) to be filled in
};

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
  if (fs::is_directory(file)) refuse(file, "is a directory: give the name of a picture");
}

void draw(const Job& job, const std::string& file) {
  const Terminal& terminal = terminal_for(file);
  const TemporaryFolder folder;
  const std::string picture = std::string("picture") + terminal.ending;
  std::string script =
      fmt::format(fmt::runtime(terminal.command), job.width, job.height, job.width / 90.0, job.height / 90.0);
  script += fmt::format("\nset output '{}'\nset encoding utf8\n{}set output\n", picture, job.script);
  for (const auto& [name, contents] : job.data) write_file(folder.path() / name, contents);
  write_file(folder.path() / "script", script);

  run_gnuplot(folder.path());
  const std::string drawn = contents(folder.path() / picture);
  if (drawn.empty()) refuse("gnuplot", "drew nothing: " + contents(folder.path() / "messages"));
  std::ofstream out(file, std::ios::binary | std::ios::trunc);
  out << drawn;
  if (!out.flush()) refuse(file, fmt::format("cannot be written: {}", std::strerror(errno)));
}

}  // namespace tappet::gnuplot
