#include "tappet/base/input_file.hpp"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <filesystem>
#include <sys/stat.h>
#include <unistd.h>

#include <fmt/format.h>

#include "tappet/base/diagnostics.hpp"

namespace tappet {
namespace {

namespace fs = std::filesystem;

thread_local FilesRead* innermost = nullptr;

std::vector<fs::path>& allowed_folders() {
  static std::vector<fs::path> folders;
  return folders;
}

bool lies_in(const fs::path& file, const fs::path& folder) {
  const auto [end, at] = std::mismatch(folder.begin(), folder.end(), file.begin(), file.end());
  return end == folder.end() && at != file.end();
}

/// Closes itself.
struct Descriptor {
  int number = -1;
  ~Descriptor() {
    if (number >= 0) ::close(number);
  }
};

/// Where an open file is, links followed, as the kernel knows it.
fs::path place_of(int descriptor) {
  std::error_code ignored;
  return fs::read_symlink(fmt::format("/proc/self/fd/{}", descriptor), ignored);
}

/// "" if a file of this place may be read for a model.
std::string fault_of_place(const fs::path& file) {
  const auto& folders = allowed_folders();
  if (folders.empty() ||
      std::any_of(folders.begin(), folders.end(), [&](const fs::path& f) { return lies_in(file, f); }))
    return "";
  return fmt::format("lies outside {}, and no other files are read here", quote(folders.front().string()));
}

/// Opens an ordinary file for reading; a sentence if that cannot be. A pipe without a writer does not hold it up.
std::string open_ordinary(const std::string& path, std::uint64_t most, bool of_a_model, Descriptor& out,
                          std::uint64_t& size) {
  std::error_code ignored;
  const bool bound = of_a_model && !allowed_folders().empty();
  if (bound)
    if (std::string fault = fault_of_place(fs::weakly_canonical(path, ignored)); !fault.empty()) return fault;
  out.number = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (out.number < 0)
    return errno == ENOENT ? "does not exist" : fmt::format("cannot be read: {}", std::strerror(errno));
  // A link may have been turned elsewhere after it was looked at.
  if (bound)
    if (std::string fault = fault_of_place(place_of(out.number)); !fault.empty()) return fault;
  struct stat found {};
  if (::fstat(out.number, &found) < 0) return fmt::format("cannot be read: {}", std::strerror(errno));
  if (S_ISDIR(found.st_mode)) return "is a directory";
  if (!S_ISREG(found.st_mode)) return "is not an ordinary file";
  size = static_cast<std::uint64_t>(found.st_size);
  if (size > most) return fmt::format("is larger than {} MiB, which is the most that is read", most >> 20);
  return "";
}

std::optional<std::string> read_all(const std::string& path, std::string& why, std::uint64_t most,
                                    bool of_a_model) {
  Descriptor file;
  std::uint64_t size = 0;
  why = open_ordinary(path, most, of_a_model, file, size);
  if (!why.empty()) return std::nullopt;
  std::string out;
  out.resize(size);
  std::size_t done = 0;
  while (true) {
    // One byte more than there should be shows a file that grows while it is read.
    if (done == out.size()) out.resize(out.size() + 1);
    const ssize_t got = ::read(file.number, out.data() + done, out.size() - done);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return why = fmt::format("cannot be read: {}", std::strerror(errno)), std::nullopt;
    if (got == 0) break;
    done += static_cast<std::size_t>(got);
    if (done > size) return why = "grows while it is read", std::nullopt;
  }
  out.resize(done);
  return out;
}

}  // namespace

std::string content_hash(std::string_view bytes) {
  // Two lanes of 64 bits, word by word.
  std::uint64_t a = 0x6a09e667f3bcc908u ^ bytes.size(), b = 0xbb67ae8584caa73bu;
  for (std::size_t at = 0; at < bytes.size(); at += sizeof(std::uint64_t)) {
    std::uint64_t word = 0;
    std::memcpy(&word, bytes.data() + at, std::min(sizeof word, bytes.size() - at));
    a = (a ^ word) * 0x9e3779b97f4a7c15u;
    a ^= a >> 32;
    b = (b + word) * 0xc2b2ae3d27d4eb4fu;
    b ^= b >> 29;
  }
  return fmt::format("{:016x}{:016x}", a, b);
}

std::optional<std::string> read_input_file(const std::string& path, std::string& why, std::uint64_t most) {
  std::optional<std::string> out = read_all(path, why, most, true);
  if (out) remember_input_file(path, *out);
  return out;
}

std::optional<std::string> read_named_file(const std::string& path, std::string& why, std::uint64_t most) {
  return read_all(path, why, most, false);
}

FilesRead::FilesRead() : outer_(innermost) {
  innermost = this;
}

FilesRead::~FilesRead() {
  innermost = outer_;
}

void remember_input_file(const std::string& path, std::string_view bytes) {
  if (!innermost) return;
  const InputFile file{path, content_hash(bytes)};
  for (FilesRead* reader = innermost; reader; reader = reader->outer_) {
    auto& files = reader->files_;
    const auto at =
        std::lower_bound(files.begin(), files.end(), path,
                         [](const InputFile& one, const std::string& name) { return one.path < name; });
    if (at != files.end() && at->path == path)
      *at = file;
    else
      files.insert(at, file);
  }
}

void read_only_from(const std::vector<std::string>& folders) {
  allowed_folders().clear();
  for (const std::string& folder : folders)
    allowed_folders().push_back(fs::weakly_canonical(folder.empty() ? "." : folder));
}

std::string changed_file(const std::vector<InputFile>& before, const std::vector<InputFile>& now) {
  const auto named = [](const std::vector<InputFile>& files, const std::string& path) {
    return std::find_if(files.begin(), files.end(), [&](const InputFile& f) { return f.path == path; });
  };
  for (const InputFile& file : now) {
    const auto old = named(before, file.path);
    if (old == before.end()) return fmt::format("the file {} was not read then", quote(file.path));
    if (old->hash != file.hash) return fmt::format("the file {} has changed since then", quote(file.path));
  }
  for (const InputFile& file : before)
    if (named(now, file.path) == now.end())
      return fmt::format("the file {} is not read any more", quote(file.path));
  return "";
}

}  // namespace tappet
