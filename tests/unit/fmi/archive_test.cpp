#include "tappet/fmi/archive.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#ifdef TAPPET_FMI

namespace tappet::fmi::archive_test {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

std::string fault(const std::string& bytes) {
  try {
    const Archive archive(bytes);
    for (const std::string& name : archive.names()) archive.read(name, 1 << 20);
    return "accepted";
  } catch (const ArchiveError& error) {
    return error.what();
  }
}

std::string archive_of(const std::string& name, const std::string& bytes) {
  ArchiveWriter writer;
  writer.add(name, bytes);
  return writer.finish();
}

TEST(Archive, GivesBackWhatWasPutIn) {
  ArchiveWriter writer;
  const std::string large(300'000, 'x');
  writer.add("a.txt", "first", true);
  writer.add("b/c.txt", large);
  writer.add("empty", "");
  const std::string bytes = writer.finish();
  EXPECT_EQ(bytes, writer.finish());  // nothing of the clock
  EXPECT_LT(bytes.size(), 5000u);
  const Archive archive(bytes);
  EXPECT_THAT(archive.names(), ElementsAre("a.txt", "b/c.txt", "empty"));
  EXPECT_EQ(archive.read("a.txt"), "first");
  EXPECT_EQ(archive.read("b/c.txt"), large);
  EXPECT_EQ(archive.read("empty"), "");
  EXPECT_TRUE(archive.has("empty"));
  EXPECT_THROW(archive.read("missing"), ArchiveError);
}

TEST(Archive, NamesThatLeadOutAreRefused) {
  for (const char* name : {"../x", "a/../../x", "/etc/x", "a\\b", "C:x", "a/./b", "a//b"})
    EXPECT_THAT(fault(archive_of(name, "x")), HasSubstr("leads out of the archive's folder")) << name;
  for (const char* name : {"x", "a/b", "a..b/c", "..a"})
    EXPECT_EQ(fault(archive_of(name, "x")), "accepted") << name;
  EXPECT_TRUE(is_safe_name("folder/"));
  EXPECT_FALSE(is_safe_name(""));
  EXPECT_FALSE(is_safe_name(std::string("a\0b", 3)));
}

TEST(Archive, WhatUnpacksToTooMuchIsRefused) {
  EXPECT_THAT(fault(archive_of("x", std::string(3 << 20, 'x'))), HasSubstr("more than 1 MiB"));
}

TEST(Archive, DamageIsSaid) {
  const std::string good = archive_of("x.txt", "some text that is packed");
  EXPECT_THAT(fault(""), HasSubstr("is not a zip archive"));
  EXPECT_THAT(fault("PK\3\4 and so on"), HasSubstr("is not a zip archive"));
  EXPECT_THAT(fault(good.substr(0, good.size() - 10)), HasSubstr("is not a zip archive"));
  // Each bit that flips is seen, or does no harm.
  for (std::size_t i = 0; i < good.size(); ++i) {
    std::string bad = good;
    bad[i] = static_cast<char>(bad[i] ^ 0x10);
    EXPECT_NO_THROW(fault(bad));
  }
}

}  // namespace
}  // namespace tappet::fmi::archive_test

#endif
