#include "tappet/results/owned_file.hpp"

#include <filesystem>
#include <sys/stat.h>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/folder_test.hpp"
#include "tappet/base/diagnostics.hpp"

namespace tappet::owned_file_test {
namespace {

using ::testing::HasSubstr;
using ::testing::StartsWith;
using ::testing::ThrowsMessage;
using Opening = OwnedFile::Opening;

class OwnedFileTest : public FolderTest {};

// Whatever stands beside a result, its unfinished successor has a name that nobody had.
TEST_F(OwnedFileTest, AFileBesideHasANameOfItsOwn) {
  write("a.h5.part", "foreign");
  const OwnedFile one(path("a.h5"), "a.h5", Opening::beside), two(path("a.h5"), "a.h5", Opening::beside);
  EXPECT_NE(one.name(), two.name());
  EXPECT_THAT(one.name(), StartsWith(path("a.h5.")));
  EXPECT_EQ(text("a.h5.part"), "foreign");
  EXPECT_FALSE(std::filesystem::exists(path("a.h5")));
}

TEST_F(OwnedFileTest, LinksPipesAndFoldersAreNotOpened) {
  write("diary", "dear diary");
  std::filesystem::create_symlink("diary", path("link"));
  ASSERT_EQ(::mkfifo(path("pipe").c_str(), 0600), 0);
  for (const Opening opening : {Opening::existing, Opening::either}) {
    EXPECT_THAT(
        [&] { OwnedFile(path("link"), "link", opening); },
        ThrowsMessage<InputError>(HasSubstr("link: error: is a symbolic link, which is not followed")));
    EXPECT_THAT([&] { OwnedFile(path("pipe"), "pipe", opening); },
                ThrowsMessage<InputError>(HasSubstr("not an ordinary file")));
    EXPECT_THAT([&] { OwnedFile(path("."), "folder", opening); },
                ThrowsMessage<InputError>(HasSubstr("folder: error: cannot be written")));
  }
  EXPECT_THAT([&] { OwnedFile(path("none"), "none", Opening::existing); },
              ThrowsMessage<InputError>(HasSubstr("No such file")));
  EXPECT_EQ(text("diary"), "dear diary");
}

TEST_F(OwnedFileTest, OneAtATime) {
  const OwnedFile mine(path("a"), "a", Opening::either);
  EXPECT_THAT([&] { OwnedFile(path("a"), "a", Opening::existing); },
              ThrowsMessage<InputError>(HasSubstr("is being written by another run")));
}

}  // namespace
}  // namespace tappet::owned_file_test
