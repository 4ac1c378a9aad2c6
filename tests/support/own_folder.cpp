// A folder of temporary files for each process of tests, gone afterwards: ctest runs several at once, and what one writes under a fixed name
// must not be what another reads.
#include <cstdlib>
#include <filesystem>
#include <stdexcept>
#include <string>
#include <unistd.h>

namespace tappet::testing {
namespace {

class OwnFolder {
 public:
  OwnFolder() : owner_(::getpid()) {
    std::string pattern = (std::filesystem::temp_directory_path() / "tappet-tests-XXXXXX").string();
    if (!::mkdtemp(pattern.data())) throw std::runtime_error("no temporary folder");
    folder_ = pattern;
    // ::testing::TempDir() and std::filesystem::temp_directory_path(), here and in programs that a test starts
    ::setenv("TEST_TMPDIR", (pattern + '/').c_str(), 1);
    ::setenv("TMPDIR", pattern.c_str(), 1);
  }
  ~OwnFolder() {
    if (::getpid() != owner_) return;  // a fork of it
    std::error_code ignored;
    std::filesystem::remove_all(folder_, ignored);
  }

 private:
  pid_t owner_;
  std::filesystem::path folder_;
};

const OwnFolder own_folder;

}  // namespace
}  // namespace tappet::testing
