// Film tables on disk: text with a version and a checksum, so that a table that another version wrote, or that is not what was written, is
// made anew.
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <iomanip>
#include <map>
#include <mutex>
#include <sstream>
#include <thread>
#include <tuple>
#include <unistd.h>

#include <fmt/format.h>

#include "tappet/base/input_file.hpp"
#include "tappet/lubrication/film_table.hpp"

namespace tappet::lubrication {

namespace {
constexpr const char* format_line = "tappet film table 2";
/// A refined table is a megabyte.
constexpr std::uint64_t most_bytes = 16 << 20;
constexpr int most_nodes = 1000;  ///< in a row
}  // namespace

struct FilmTableFile {
  static void write(std::ostream& out, const FilmTable& t) {
    out << format_line << '\n'
        << std::hexfloat << t.ratio_ << ' ' << static_cast<int>(t.supply_) << ' ' << t.size_.eccentricities
        << ' ' << t.size_.directions << ' ' << t.size_.around << ' ' << t.size_.along << ' ' << t.error_
        << '\n';
    for (const FilmTable::Node& node : t.nodes_)
      for (const auto& f : node)
        for (double number : f) out << number << '\n';
  }

  static bool number(std::istream& in, double& out) {
    std::string word;
    if (!(in >> word)) return false;
    char* end = nullptr;
    out = std::strtod(word.c_str(), &end);
    return end != word.c_str() && *end == '\0' && std::isfinite(out);
  }

  static bool read(const std::string& text, FilmTable& t, std::string& why) {
    std::istringstream in(text);
    std::string line;
    if (!std::getline(in, line) || line != format_line) {
      why = "it is not a film table of this version";
      return false;
    }
    why = "it is damaged";
    // The last line is the checksum of all before it.
    const std::size_t last = text.rfind('\n', text.size() - std::min<std::size_t>(text.size(), 2));
    if (last == std::string::npos || text.substr(last + 1) != end_of(text.substr(0, last + 1))) return false;
    int supply = 0;
    if (!number(in, t.ratio_) ||
        !(in >> supply >> t.size_.eccentricities >> t.size_.directions >> t.size_.around >> t.size_.along) ||
        !number(in, t.error_))
      return false;
    const auto sane = [&](int n) { return n >= 4 && n <= most_nodes; };
    if ((supply != 0 && supply != 1) || !sane(t.size_.eccentricities) || !sane(t.size_.directions))
      return false;
    t.supply_ = static_cast<Supply>(supply);
    t.reach_ = std::atanh(FilmTable::largest);
    const std::size_t nodes =
        static_cast<std::size_t>(t.size_.eccentricities) * static_cast<std::size_t>(t.size_.directions);
    // Each of its numbers has a digit and a line's end at least.
    if (nodes > text.size() / (2 * sizeof(FilmTable::Node) / sizeof(double))) return false;
    t.nodes_.resize(nodes);
    for (FilmTable::Node& node : t.nodes_)
      for (auto& f : node)
        for (double& value : f)
          if (!number(in, value)) return false;
    return in >> line && line == "end";
  }

  static std::string end_of(const std::string& text) { return fmt::format("end {}\n", content_hash(text)); }
};

void FilmTable::save(const std::filesystem::path& file) const {
  std::ostringstream text;
  FilmTableFile::write(text, *this);
  const std::string bytes = text.str() + FilmTableFile::end_of(text.str());
  // Under a name first that nobody has: who reads it meanwhile finds all of it or none, and no link is followed.
  std::string made = file.string() + ".XXXXXX";
  const int descriptor = ::mkstemp(made.data());
  const auto fail = [&] {
    const std::string why = std::strerror(errno);
    if (descriptor >= 0) ::unlink(made.c_str());
    throw std::runtime_error(fmt::format("{} cannot be written: {}", file.string(), why));
  };
  if (descriptor < 0) fail();
  std::size_t done = 0;
  while (done < bytes.size()) {
    const ssize_t written = ::write(descriptor, bytes.data() + done, bytes.size() - done);
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) break;
    done += static_cast<std::size_t>(written);
  }
  const bool whole = done == bytes.size();
  if (::close(descriptor) < 0 || !whole || std::rename(made.c_str(), file.c_str()) < 0) fail();
}

std::unique_ptr<FilmTable> FilmTable::load(const std::filesystem::path& file, std::string& why) {
  const std::optional<std::string> text = read_named_file(file.string(), why, most_bytes);
  if (!text) {
    why = "it " + why;
    return nullptr;
  }
  return of_text(*text, why);
}

std::unique_ptr<FilmTable> FilmTable::of_text(const std::string& text, std::string& why) {
  auto table = std::make_unique<FilmTable>();
  return FilmTableFile::read(text, *table, why) ? std::move(table) : nullptr;
}

std::filesystem::path film_cache() {
  if (const char* cache = std::getenv("XDG_CACHE_HOME"); cache && *cache)
    return std::filesystem::path(cache) / "tappet" / "films";
  if (const char* home = std::getenv("HOME"); home && *home)
    return std::filesystem::path(home) / ".cache" / "tappet" / "films";
  return {};
}

namespace {

std::string words(const FilmTable& table) {
  return fmt::format("film table λ = {:.6g}{}: {} × {}, worst {:.2g} %", table.ratio(),
                     table.supply() == Supply::none ? "" : " (supplied at the widest gap)",
                     table.size().eccentricities, table.size().directions, 100 * table.error());
}

std::filesystem::path file_of(double ratio, Supply supply, bool refined) {
  const std::filesystem::path folder = film_cache();
  if (folder.empty()) return {};
  return folder / fmt::format("{:.17g}-{}{}.film", ratio, supply == Supply::none ? "none" : "widest-gap",
                              refined ? "-fine" : "");
}

// From the cache; a file that is there and does not serve is named.
std::unique_ptr<FilmTable> cached(const std::filesystem::path& file, double ratio, Supply supply,
                                  std::vector<std::string>& notes) {
  std::error_code ignored;
  if (file.empty() || !std::filesystem::exists(file, ignored)) return nullptr;
  std::string why;
  auto table = FilmTable::load(file, why);
  if (table && (table->ratio() != ratio || table->supply() != supply)) {
    why = "it is of another bearing";
    table = nullptr;
  }
  if (!table) notes.push_back(fmt::format("film table {}: {}; it is made anew", file.string(), why));
  return table;
}

}  // namespace

std::shared_ptr<const FilmTable> film_table(double ratio, Supply supply, double tolerance,
                                            std::vector<std::string>& notes) {
  // One at a time: models that are compiled side by side ask for the same table.
  static std::mutex lock;
  static std::map<std::tuple<double, Supply, bool>, std::shared_ptr<const FilmTable>> kept;
  const std::lock_guard guard(lock);
  std::shared_ptr<const FilmTable> out;
  for (const bool refined : {false, true}) {
    std::shared_ptr<const FilmTable>& table = kept[{ratio, supply, refined}];
    const std::filesystem::path file = file_of(ratio, supply, refined);
    if (!table) table = cached(file, ratio, supply, notes);
    if (!table) {
      FilmTableSize size;
      if (refined) size.eccentricities = 57, size.directions = 65;
      const int threads = std::max(1u, std::thread::hardware_concurrency());
      table = std::make_shared<const FilmTable>(FilmTable::made(ratio, supply, size, threads));
      try {
        if (!file.empty()) std::filesystem::create_directories(file.parent_path()), table->save(file);
      } catch (const std::exception& error) {
        notes.push_back(fmt::format("the film table is not kept for the next run: {}", error.what()));
      }
    }
    out = table;
    if (out->error() <= tolerance) break;
  }
  notes.push_back(words(*out));
  return out;
}

}  // namespace tappet::lubrication
