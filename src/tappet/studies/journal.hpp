// What a study has computed so far, in a file that only grows: a killed study goes on from there.
//
// A first line that says which study it belongs to and which build of the program computed it; then one record per run: length, checksum, bytes. A record
// that was being written when the program died fails its checksum, and ends what is read.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "tappet/results/owned_file.hpp"

namespace tappet {

class Journal {
 public:
  struct Owner {
    std::string fingerprint;        ///< of the study
    std::string build = "unknown";  ///< build_identity() of the program
    bool any_build = false;         ///< what another build has computed is taken as well
  };
  /// Opens or creates the file and locks it. One that belongs to another study or build is refused (InputError), unless `restart` throws
  /// it away; a file that is no journal always is.
  Journal(const std::string& path, const Owner& owner, bool restart);

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
