// Zip archives, by libzip: FMUs as strangers wrote them, and archives that we write.
//
// What is read is read in memory and in bounds: so many entries, so many bytes unpacked; names that lead out of the archive's own
// folder are refused. Built without libzip, reading and writing throw a sentence that says so.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace tappet::fmi {

inline constexpr std::uint64_t most_archive_bytes = std::uint64_t{256} << 20;  ///< of the archive itself
inline constexpr std::uint64_t most_unpacked_bytes = std::uint64_t{1} << 30;  ///< of all its entries together
inline constexpr std::uint64_t most_entries = 20'000;
inline constexpr std::uint64_t most_description_bytes = std::uint64_t{64} << 20;

/// What is wrong with an archive or with what is in it: a sentence that goes on after the file's name.
class ArchiveError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// Whether this build can read and write archives; if not, why, and what to install.
bool archives_available();
inline constexpr const char* archives_missing =
    "this Tappet was built without libzip and pugixml, which FMUs need: install libzip-dev and "
    "libpugixml-dev "
    "(packages.txt, group fmi) and build it again";

class Archive {
 public:
  /// Throws ArchiveError for bytes that are no archive, or one out of bounds.
  explicit Archive(std::string bytes);
  ~Archive();
  Archive(const Archive&) = delete;
  Archive& operator=(const Archive&) = delete;

  /// Of files, not of folders; in the archive's order.
  const std::vector<std::string>& names() const;
  bool has(const std::string& name) const;
  /// Unpacked. Throws ArchiveError for a name that is not there, a damaged entry or one of more bytes than `most`.
  std::string read(const std::string& name, std::uint64_t most = most_unpacked_bytes) const;
  const std::string& bytes() const;

 private:
  struct Data;
  std::unique_ptr<Data> data_;
};

/// True for "resources/model.yaml", false for what leads out of its folder ("../x", "/x", "a\\b", "C:x") or is no name at all.
bool is_safe_name(std::string_view name);

class ArchiveWriter {
 public:
  /// The first entry may be left as it is (`stored`), so that the archive's beginning tells whose it is.
  void add(std::string name, std::string bytes, bool stored = false);
  /// The archive. Equal entries give equal bytes: all have the same date.
  std::string finish() const;

 private:
  struct Entry {
    std::string name, bytes;
    bool stored;
  };
  std::vector<Entry> entries_;
};

}  // namespace tappet::fmi
