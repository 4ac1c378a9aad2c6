#include "tappet/base/input_file.hpp"

#include <atomic>
#include <filesystem>
#include <sys/stat.h>
#include <thread>
#include <unistd.h>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/folder_test.hpp"

namespace tappet::input_file_test {
namespace {

using ::testing::HasSubstr;

class InputFileTest : public FolderTest {
 protected:
  ~InputFileTest() override { read_only_from({}); }
  std::string fault(const std::string& file, std::uint64_t most = most_input_bytes) {
    std::string why = "?";
    return read_input_file(file, why, most) ? "read" : why;
  }
};

// Devices without an end, pipes without a writer, folders: nothing is waited for, nothing is filled.
TEST_F(InputFileTest, OnlyOrdinaryFilesOfAPossibleSizeAreRead) {
  EXPECT_EQ(fault("/dev/zero"), "is not an ordinary file");
  EXPECT_EQ(fault("/dev/null"), "is not an ordinary file");
  ASSERT_EQ(::mkfifo(path("pipe").c_str(), 0600), 0);
  EXPECT_EQ(fault(path("pipe")), "is not an ordinary file");
  EXPECT_EQ(fault(path(".")), "is a directory");
  EXPECT_EQ(fault(path("none")), "does not exist");
  // A terabyte of nothing takes no room on the disk.
  write("sparse", "");
  ASSERT_EQ(::truncate(path("sparse").c_str(), off_t{1} << 40), 0);
  EXPECT_EQ(fault(path("sparse")), "is larger than 1024 MiB, which is the most that is read");
  write("a", "text");
  EXPECT_EQ(fault(path("a")), "read");
  EXPECT_EQ(fault(path("a"), 3), "is larger than 0 MiB, which is the most that is read");
}

TEST_F(InputFileTest, FilesAreRememberedByWhoAsked) {
  write("a", "one"), write("b", "two");
  std::string why;
  const FilesRead outer;
  read_input_file(path("a"), why);
  {
    const FilesRead inner;
    read_input_file(path("b"), why);
    ASSERT_EQ(inner.files().size(), 1u);
    EXPECT_EQ(inner.files()[0], (InputFile{path("b"), content_hash("two")}));
  }
  write("a", "three");
  read_input_file(path("a"), why);
  ASSERT_EQ(outer.files().size(), 2u);
  EXPECT_EQ(outer.files()[0].hash, content_hash("three"));
}

TEST_F(InputFileTest, AnyChangeChangesTheHash) {
  const std::string text(1000, 'a');
  const std::string hash = content_hash(text);
  for (std::size_t bit = 0; bit < 8 * text.size(); ++bit) {
    std::string other = text;
    other[bit / 8] = static_cast<char>(other[bit / 8] ^ 1 << bit % 8);
    ASSERT_NE(content_hash(other), hash) << bit;
  }
  EXPECT_NE(content_hash(text + '\0'), hash);
  EXPECT_NE(content_hash(""), content_hash(std::string(1, '\0')));
}

TEST_F(InputFileTest, FilesElsewhereAreNotReadWhereThatIsAsked) {
  std::filesystem::create_directories(path("model/meshes"));
  std::filesystem::create_directories(path("model2"));
  write("model/meshes/rod", "x"), write("secret", "x"), write("model2/a", "x");
  std::filesystem::create_symlink("../secret", path("model/link"));
  read_only_from({path("model")});
  EXPECT_EQ(fault(path("model/meshes/rod")), "read");
  for (const char* outside : {"secret", "model/../secret", "model/link", "model2/a"})
    EXPECT_THAT(fault(path(outside)), HasSubstr("lies outside")) << outside;
  read_only_from({path("model"), path("model2")});
  EXPECT_EQ(fault(path("model2/a")), "read");
}

TEST_F(InputFileTest, WhatChangedIsNamed) {
  const std::vector<InputFile> before = {{"rod.inp", "1"}, {"wall.csv", "2"}};
  EXPECT_EQ(changed_file(before, before), "");
  EXPECT_EQ(changed_file(before, {{"rod.inp", "1"}, {"wall.csv", "3"}}),
            "the file 'wall.csv' has changed since then");
  EXPECT_EQ(changed_file(before, {{"rod.inp", "1"}}), "the file 'wall.csv' is not read any more");
  EXPECT_EQ(changed_file({}, before), "the file 'rod.inp' was not read then");
}

// Somebody turns a link to and fro while files are read: what was looked at and what is opened is one.
TEST_F(InputFileTest, ALinkThatIsTurnedMeanwhileLeadsNowhereElse) {
  std::filesystem::create_directories(path("model"));
  write("model/mine", "mine"), write("secret", "secret");
  std::filesystem::create_symlink("mine", path("model/a"));
  read_only_from({path("model")});
  std::atomic<bool> done = false;
  std::thread other([&] {
    for (int i = 0; !done; ++i) {
      std::filesystem::create_symlink(i % 2 ? "mine" : "../secret", path("model/b"));
      std::filesystem::rename(path("model/b"), path("model/a"));
    }
  });
  int read = 0, refused = 0;
  std::string why;
  for (int i = 0; i < 100'000 && (read < 300 || refused < 300); ++i) {
    const auto text = read_input_file(path("model/a"), why);
    EXPECT_NE(text, "secret");
    ++(text ? read : refused);
  }
  done = true;
  other.join();
  EXPECT_GT(read, 0);
  EXPECT_GT(refused, 0);
}

}  // namespace
}  // namespace tappet::input_file_test
