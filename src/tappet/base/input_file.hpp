// Files that a model names, read whole: which they were, whether they may be read, and how large they may be.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace tappet {

/// A file as it was when it was read.
struct InputFile {
  std::string path;
  std::string hash;  ///< content_hash() of its bytes

  bool operator==(const InputFile&) const = default;
};

/// 32 hexadecimal digits. Tells accidents, not forgeries.
std::string content_hash(std::string_view bytes);

inline constexpr std::uint64_t most_input_bytes = std::uint64_t{1} << 30;

/// The file's bytes, or nothing: `why` then goes on after the file's name, such as "cannot be read: Permission denied". Only ordinary
/// files are read, within read_only_from(), and of at most `most` bytes.
std::optional<std::string> read_input_file(const std::string& path, std::string& why,
                                           std::uint64_t most = most_input_bytes);
/// The same of a file that the user named, or that is our own, and no model: wherever it is, and not remembered.
std::optional<std::string> read_named_file(const std::string& path, std::string& why,
                                           std::uint64_t most = most_input_bytes);
/// While it lives, the files that its thread reads are remembered. The innermost one and all around it hear of each.
class FilesRead {
 public:
  FilesRead();
  ~FilesRead();
  FilesRead(const FilesRead&) = delete;
  FilesRead& operator=(const FilesRead&) = delete;

  /// By path, each once: as it was read last.
  const std::vector<InputFile>& files() const { return files_; }

 private:
  friend void remember_input_file(const std::string& path, std::string_view bytes);
  FilesRead* outer_;
  std::vector<InputFile> files_;
};

/// For what is not read by read_input_file().
void remember_input_file(const std::string& path, std::string_view bytes);

/// From here on this process reads files that a model names only where one of these folders holds them, links followed.
void read_only_from(const std::vector<std::string>& folders);

/// What has changed between two lists: "the file 'rod.inp' has changed", or ""; of several files the first.
std::string changed_file(const std::vector<InputFile>& before, const std::vector<InputFile>& now);

}  // namespace tappet
