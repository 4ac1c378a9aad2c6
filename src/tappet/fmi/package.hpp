// An FMU as a file: its archive and its description, read and checked. Nothing of it is run.
#pragma once

#include <memory>
#include <string>

#include "tappet/fmi/archive.hpp"
#include "tappet/fmi/description.hpp"

namespace tappet::fmi {

struct Package {
  std::string file;  ///< as messages name it
  std::string hash;  ///< of its bytes
  Description description;
  std::string binary;  ///< name of its shared object for this platform, in the archive
  std::shared_ptr<const Archive> archive;
};

/// Where FMUs of a version keep shared objects for this platform: "binaries/linux64/", "binaries/x86_64-linux/"; "" where the standard knows
/// no name for it.
std::string binary_folder(int version);

/// Null: it cannot be used, and `fault` says why, in words that go on after the file's name: it cannot be read, is no FMU, has no co-simulation,
/// no binary for this platform.
std::shared_ptr<const Package> open_package(const std::string& file, std::string& fault);
/// The same of bytes.
std::shared_ptr<const Package> open_package_bytes(std::string bytes, const std::string& file,
                                                  std::string& fault);

}  // namespace tappet::fmi
