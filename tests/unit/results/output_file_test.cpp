// What becomes of each kind of output where something is in its place already.
#include "tappet/results/output_file.hpp"

#include <csignal>
#include <filesystem>
#include <sys/resource.h>
#include <sys/stat.h>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/folder_test.hpp"
#include "tappet/base/diagnostics.hpp"

namespace tappet::output_file_test {
namespace {

namespace fs = std::filesystem;
using ::testing::HasSubstr;
using namespace std::string_literals;

/// A kind, what we write as such, and what others write.
struct Kind {
  OutputKind kind;
  std::string ours;
  std::vector<std::string> foreign;
};

std::string png(const std::string& more) {
  return "\x89PNG\r\n\x1a\n\0\0\0\x0dIHDR\0\0\0\1\0\0\0\1\x08\2\0\0\0\x90\x77\x53\xde"s + more;
}

const std::vector<Kind>& kinds() {
  static const std::string diary = "Dear diary,\n";
  static const std::vector<Kind> all = {
      {OutputKind::table,
       "time,crank.x\n0,1\n",
       {diary, "time,force\n0,1\n", "time [s],force [N]\n0,1\n", "time [s],crank.x [m],remark\n", "a,b\n",
        "study: 1\n"}},
      {OutputKind::table, "time [s],crank.x [m],\"f(a.b,c).x\"\n", {"time [s],fx [N],fy [N]\n"}},
      {OutputKind::table, "time [s],fx [N],fy [N],mz [N m]\n0,1,1,1\n", {}},
      {OutputKind::table, "{\"columns\":[{\"name\":\"time\",\"unit\":\"s\"}]", {"{\"columns\": 3}\n"}},
      {OutputKind::table, "contact,start,end,speed_in\n", {"contact,name,street\n"}},
      {OutputKind::table, "contact,start [s],end [s],speed_in [m/s]\n", {"contact,start\n"}},
      {OutputKind::table, "event,time [s]\n", {"event,time,place\n"}},
      {OutputKind::table,
       "run,speed,status,reason\n",
       {"running,shoes\n", "run,shoes,kilometres\n", "run\n", "run,status\n"}},
      {OutputKind::table, "run,speed,time [s],section [m/s]\n", {"run,time [s],shoes,kilometres\n"}},
      {OutputKind::table, "run,wall.penetration,wall.normal/1000\n", {"run,penetration,wall.normal\n"}},
      {OutputKind::table, "variant,peak,status,reason\n", {"variant,price\n"}},
      {OutputKind::page,
       "<!DOCTYPE html>\n<html><meta name=\"generator\" content=\"Tappet\">",
       {diary, "<!doctype html><title>Of tappets</title>"}},
      // Others draw with gnuplot too.
      {OutputKind::picture,
       marked_picture("<svg>\n<desc>Produced by GNUPLOT 5.4</desc>\n</svg>\n"),
       {diary, "<svg><path/></svg>", "<svg>\n<desc>Produced by GNUPLOT 5.4</desc>\n</svg>\n"}},
      {OutputKind::picture, marked_picture(png("IDAT")), {png("IDAT")}},
      {OutputKind::picture, marked_picture("%PDF-1.5\n%%EOF"), {"%PDF-1.5\n%%EOF"}},
      {OutputKind::matrices,
       marked_archive("PK\3\4........time.npy" + "PK\5\6................\0\0"s),
       {"PK\3\4........time.npy" + "PK\5\6................\0\0"s, diary}},
      {OutputKind::vtk,
       "<?xml version=\"1.0\"?>\n<!-- Tappet -->\n<VTKFile>",
       {diary, "<?xml version=\"1.0\"?>\n<VTKFile>"}},
      // Of a model that somebody went on with, nothing is lost either.
      {OutputKind::model,
       marked_model("robot.urdf", "tappet: 1\n"),
       {diary, "tappet: 1\n", "# From 2000 to 8000 rpm\n", "# From robot.urdf.\ntappet: 1\n"}}};
  return all;
}

class OutputFileTest : public FolderTest {
 protected:
  std::string said(const std::string& name, OutputKind kind, const std::vector<std::string>& inputs = {}) {
    try {
      write_output(path(name), kind, "new", inputs);
    } catch (const InputError& error) {
      return error.what();
    }
    return "written";
  }
  std::vector<std::string> names() const {
    std::vector<std::string> out;
    for (const auto& entry : fs::directory_iterator(folder_)) out.push_back(entry.path().filename().string());
    std::sort(out.begin(), out.end());
    return out;
  }
};

TEST_F(OutputFileTest, ForeignFilesStay) {
  for (const Kind& kind : kinds()) {
    EXPECT_EQ(said("new", kind.kind), "written") << kind.ours;
    fs::remove(path("new"));
    write("ours", kind.ours);
    EXPECT_EQ(said("ours", kind.kind), "written") << kind.ours;
    EXPECT_EQ(text("ours"), "new");
    write("empty", "");
    EXPECT_EQ(said("empty", kind.kind), "written");
    for (const std::string& foreign : kind.foreign) {
      write("foreign", foreign);
      EXPECT_THAT(said("foreign", kind.kind),
                  HasSubstr("that Tappet wrote: it is not overwritten; remove it or choose another name"))
          << foreign;
      EXPECT_EQ(text("foreign"), foreign);
      // Through a link likewise.
      fs::remove(path("link"));
      fs::create_symlink("foreign", path("link"));
      EXPECT_THAT(said("link", kind.kind), HasSubstr("not overwritten"));
      EXPECT_EQ(text("foreign"), foreign);
    }
  }
}

TEST_F(OutputFileTest, WhatIsReadIsNotWritten) {
  for (const Kind& kind : kinds()) {
    write("input", kind.ours);
    fs::remove(path("alias"));
    fs::create_symlink("input", path("alias"));
    for (const char* name : {"input", "alias"})
      EXPECT_THAT(said(name, kind.kind, {path("other"), path("input")}),
                  HasSubstr("is what is read: choose another name"));
    EXPECT_EQ(text("input"), kind.ours);
  }
}

TEST_F(OutputFileTest, OnlyOrdinaryFilesAreWritten) {
  fs::create_directory(path("folder"));
  ASSERT_EQ(::mkfifo(path("pipe").c_str(), 0600), 0);
  fs::create_symlink("/dev/full", path("device"));
  for (const Kind& kind : kinds()) {
    EXPECT_THAT(said("folder", kind.kind), HasSubstr("is a directory: give the name of"));
    EXPECT_THAT(said("pipe", kind.kind), HasSubstr("it is not an ordinary file"));
    EXPECT_THAT(said("device", kind.kind), HasSubstr("it is not an ordinary file"));
    EXPECT_THAT(said("no/folder/x", kind.kind), HasSubstr("No such file or directory"));
  }
  EXPECT_EQ(names(), (std::vector<std::string>{"device", "folder", "pipe"}));
}

// A link that the user made leads to where the file is to be.
TEST_F(OutputFileTest, LinksAreFollowedToOurOwn) {
  write("there", kinds()[0].ours);
  fs::create_symlink("there", path("link"));
  fs::create_symlink("nowhere", path("dangling"));
  EXPECT_EQ(said("link", OutputKind::table), "written");
  EXPECT_EQ(said("dangling", OutputKind::table), "written");
  EXPECT_TRUE(fs::is_symlink(path("link")));
  EXPECT_EQ(text("there"), "new");
  EXPECT_EQ(text("nowhere"), "new");
}

TEST_F(OutputFileTest, WhoeverReadsSeesAWholeFileOrTheOldOne) {
  write("a.csv", kinds()[0].ours);
  {
    OutputFile out(path("a.csv"), OutputKind::table);
    out.write("half of ");
    std::fflush(out.stream());
    EXPECT_EQ(text("a.csv"), kinds()[0].ours);
  }
  EXPECT_EQ(names(), std::vector<std::string>{"a.csv"}) << "nothing is left of what was not finished";
  EXPECT_EQ(text("a.csv"), kinds()[0].ours);
}

TEST_F(OutputFileTest, WhoMayReadItStays) {
  write("a.csv", kinds()[0].ours);
  fs::permissions(path("a.csv"), fs::perms::owner_read | fs::perms::owner_write);
  EXPECT_EQ(said("a.csv", OutputKind::table), "written");
  EXPECT_EQ(fs::status(path("a.csv")).permissions(), fs::perms::owner_read | fs::perms::owner_write);
}

// The disk is full, or the file as large as it may be: the old one stays, and a sentence says why.
TEST_F(OutputFileTest, AFailedWriteIsToldAndCostsNothing) {
  write("a.csv", kinds()[0].ours);
  rlimit before{};
  ASSERT_EQ(::getrlimit(RLIMIT_FSIZE, &before), 0);
  const auto old = std::signal(SIGXFSZ, SIG_IGN);
  const rlimit small{10'000, before.rlim_max};
  ::setrlimit(RLIMIT_FSIZE, &small);
  std::string words = "written";
  try {
    write_output(path("a.csv"), OutputKind::table, std::string(100'000, 'x'));
  } catch (const InputError& error) {
    words = error.what();
  }
  ::setrlimit(RLIMIT_FSIZE, &before);
  std::signal(SIGXFSZ, old);
  EXPECT_THAT(words, HasSubstr("cannot be written: File too large"));
  EXPECT_EQ(text("a.csv"), kinds()[0].ours);
  EXPECT_EQ(names(), std::vector<std::string>{"a.csv"});
}

// CRC-32 of "IEND" is AE 42 60 82 in every PNG file; the same sum stands behind our chunk.
TEST(MarkedPicture, IsStillAPicture) {
  const std::string marked = marked_picture(png("rest"));
  EXPECT_EQ(marked.substr(0, 33), png(""));
  EXPECT_EQ(marked.substr(33, 8), "\0\0\0\x0ftEXt"s);
  EXPECT_EQ(marked.substr(41, 15), "Software\0Tappet"s);
  EXPECT_EQ(marked.substr(60), "rest");
  EXPECT_EQ(marked_picture("<svg/>"), "<svg/>");
  EXPECT_EQ(marked_picture("<svg></svg>"), "<svg></svg><!-- Tappet -->\n");
}

TEST_F(OutputFileTest, AModelThatWasChangedStays) {
  for (const std::string& more : {"bodies: {}\n"s, "\n"s, "x"s}) {
    const std::string changed = marked_model("robot.urdf", "tappet: 1\n") + more;
    write("robot.yaml", changed);
    EXPECT_THAT(said("robot.yaml", OutputKind::model),
                HasSubstr("has been changed since `tappet import` wrote it: it is not overwritten"));
    EXPECT_EQ(text("robot.yaml"), changed);
  }
}

// A table of so many columns that its first line alone is long.
TEST_F(OutputFileTest, LongFirstLinesAreReadToTheirEnd) {
  std::string line = "run";
  for (int i = 0; i < 50'000; ++i) line += ",p" + std::to_string(i);
  write("ours.csv", line + ",status,reason\n");
  EXPECT_EQ(said("ours.csv", OutputKind::table), "written");
  write("foreign.csv", line + "\n");
  EXPECT_THAT(said("foreign.csv", OutputKind::table), HasSubstr("not overwritten"));
}

}  // namespace
}  // namespace tappet::output_file_test
