// What a study has computed so far, in a file that only grows: a killed study goes on from there.
//
// A first line that says which study it belongs to; then one record per run: length, checksum, bytes. A record
// that was being written when the program died fails its checksum, and ends what is read.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "tappet/results/owned_file.hpp"

namespace tappet {

class Journal {
 public:
  /// Opens or creates the file and locks it. One that belongs to another study is refused (InputError),
  /// unless `restart` throws it away.
  Journal(const std::string& path, const std::string& fingerprint, bool restart);

  /// Records found when it was opened.
  const std::vector<std::string>& found() const { return found_; }
  /// In the file when this returns, whatever happens to the program. Throws SimulationError if that is
  /// impossible.
  void append(const std::string& record);
  void remove();

 private:
  std::string path_;
  std::unique_ptr<OwnedFile> file_;
  std::uint64_t end_ = 0;
  std::vector<std::string> found_;
};

}  // namespace tappet
