// The descriptor that a writer holds beside HDF5's own: who writes, whether there is room, and how the run
// ended.
#pragma once

#include <cstdint>
#include <string>

namespace tappet {

class OwnedFile {
 public:
  enum class Opening {
    existing,  ///< it is there
    beside,    ///< a new file beside `path`, which has a name of its own
    either     ///< it is made when it is not there
  };
  /// Opens an ordinary file and locks it: two runs must not write one file. The kernel drops the lock when the process dies, however it
  /// dies. Links are not followed. Throws InputError about `name_in_messages`.
  OwnedFile(const std::string& path, const std::string& name_in_messages, Opening opening);
  ~OwnedFile();
  OwnedFile(const OwnedFile&) = delete;
  OwnedFile& operator=(const OwnedFile&) = delete;

  const std::string& name() const { return name_; }

  /// Makes sure that the first `end` bytes have their place on the disk, so that a full disk shows here,
  /// where nothing is half done. False, with errno, if there is no room. File systems that cannot promise are
  /// taken at their luck.
  bool reserve(std::uint64_t end);
  /// Gives back what was reserved and not used.
  void trim();

  /// All of it, or false with errno.
  bool write_at(std::uint64_t offset, const std::string& bytes);
  bool cut(std::uint64_t length);
  /// What this and all other descriptors of the file wrote is on the disk when this returns.
  bool sync();

 private:
  void open(const std::string& path, Opening opening);
  /// Whether the name still leads to this file.
  bool has_its_name() const;

  std::string name_;
  int descriptor_ = -1;
  std::uint64_t reserved_ = 0;
};

}  // namespace tappet
