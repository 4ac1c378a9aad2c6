// The descriptor that a writer holds beside HDF5's own: who writes, whether there is room, and how the run
// ended.
#pragma once

#include <cstdint>
#include <string>

namespace tappet {

class OwnedFile {
 public:
  /// Opens or creates `path` and locks it: two runs must not write one file. The kernel drops the lock when
  /// the process dies, however it dies. Throws InputError about `name_in_messages`.
  OwnedFile(const std::string& path, const std::string& name_in_messages);
  ~OwnedFile();
  OwnedFile(const OwnedFile&) = delete;
  OwnedFile& operator=(const OwnedFile&) = delete;

  /// Makes sure that the first `end` bytes have their place on the disk, so that a full disk shows here,
  /// where nothing is half done. False, with errno, if there is no room. File systems that cannot promise are
  /// taken at their luck.
  bool reserve(std::uint64_t end);
  /// Gives back what was reserved and not used.
  void trim();

  bool write_at(std::uint64_t offset, const std::string& bytes);
  bool sync();

 private:
  int descriptor_ = -1;
  std::uint64_t reserved_ = 0;
};

}  // namespace tappet
