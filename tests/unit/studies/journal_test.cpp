#include "tappet/studies/journal.hpp"

#include <filesystem>
#include <sys/stat.h>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/folder_test.hpp"
#include "tappet/base/diagnostics.hpp"

namespace tappet::journal_test {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::ThrowsMessage;

class JournalTest : public FolderTest {};

TEST_F(JournalTest, KeepsRecordsInOrder) {
  Journal(path("j"), {"study"}, false).append("one");
  {
    Journal journal(path("j"), {"study"}, false);
    EXPECT_THAT(journal.found(), ElementsAre("one"));
    journal.append("");
    journal.append(std::string("t\0wo\n", 5));
  }
  EXPECT_THAT(Journal(path("j"), {"study"}, false).found(),
              ElementsAre("one", "", std::string("t\0wo\n", 5)));
}

TEST_F(JournalTest, ForgetsARecordThatWasCutShort) {
  {
    Journal journal(path("j"), {"study"}, false);
    journal.append("one");
    journal.append("a longer second record");
  }
  const std::string whole = text("j");
  // Wherever the writer died, the first record is there, and the next one can be appended.
  for (std::size_t cut = 1; cut < 22 + 16; ++cut) {
    write("j", whole.substr(0, whole.size() - cut));
    {
      Journal journal(path("j"), {"study"}, false);
      ASSERT_THAT(journal.found(), ElementsAre("one")) << cut;
      journal.append("again");
    }
    ASSERT_THAT(Journal(path("j"), {"study"}, false).found(), ElementsAre("one", "again")) << cut;
  }
}

TEST_F(JournalTest, ForgetsARecordWhoseBytesChanged) {
  Journal(path("j"), {"study"}, false).append("one");
  std::string bytes = text("j");
  bytes.back() ^= 1;
  write("j", bytes);
  EXPECT_THAT(Journal(path("j"), {"study"}, false).found(), IsEmpty());
}

TEST_F(JournalTest, AnotherStudysJournalIsRefused) {
  Journal(path("j"), {"study"}, false).append("one");
  EXPECT_THROW(Journal(path("j"), {"other"}, false), InputError);
  EXPECT_THAT(Journal(path("j"), {"other"}, true).found(), IsEmpty());
  EXPECT_THAT(Journal(path("j"), {"other"}, false).found(), IsEmpty());
}

TEST_F(JournalTest, AnotherBuildsJournalIsRefusedUnlessAnyWillDo) {
  Journal(path("j"), {"study", "one"}, false).append("row");
  EXPECT_THAT(
      [&] {
        Journal(path("j"), {"study", "two"}, false);
      },
      ThrowsMessage<InputError>(HasSubstr("another build of the program")));
  EXPECT_THAT(Journal(path("j"), {"study", "two", true}, false).found(), ElementsAre("row"));
  EXPECT_THAT(Journal(path("j"), {"study", "one"}, false).found(), ElementsAre("row"));
}

TEST_F(JournalTest, WhatIsNoJournalIsNotOverwritten) {
  for (const char* foreign : {"my diary of the year\n", "tappet: 1\n", "tappet study journal? no"}) {
    write("j", foreign);
    for (const bool restart : {false, true})
      EXPECT_THAT([&] { Journal(path("j"), {"study"}, restart); },
                  ThrowsMessage<InputError>(HasSubstr("is not a journal of Tappet: it is not overwritten")))
          << foreign;
    EXPECT_EQ(text("j"), foreign);
  }
}

TEST_F(JournalTest, LinksAndDevicesAreRefused) {
  write("diary", "");
  std::filesystem::create_symlink(path("diary"), path("link"));
  EXPECT_THAT([&] { Journal(path("link"), {"study"}, true); },
              ThrowsMessage<InputError>(HasSubstr("is a symbolic link")));
  EXPECT_EQ(text("diary"), "");
  ASSERT_EQ(::mkfifo(path("pipe").c_str(), 0600), 0);
  EXPECT_THAT([&] { Journal(path("pipe"), {"study"}, true); },
              ThrowsMessage<InputError>(HasSubstr("not an ordinary file")));
  EXPECT_THROW(Journal(path("."), {"study"}, true), InputError);
}

TEST_F(JournalTest, TwoWritersAreRefused) {
  Journal journal(path("j"), {"study"}, false);
  EXPECT_THROW(Journal(path("j"), {"study"}, false), InputError);
}

}  // namespace
}  // namespace tappet::journal_test
