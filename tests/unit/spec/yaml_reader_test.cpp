#include <cstdio>
#include <filesystem>
#include <fstream>
#include <unistd.h>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tappet/spec/value.hpp"

namespace tappet::yaml_reader_test {

using ::testing::HasSubstr;
namespace fs = std::filesystem;

namespace {

std::string fault(const std::string& text) {
  try {
    read_yaml_text(text, "m.yaml");
  } catch (const InputError& error) {
    return error.what();
  }
  return "no error";
}

std::string file_fault(const std::string& path) {
  try {
    read_yaml_file(path);
  } catch (const InputError& error) {
    return error.what();
  }
  return "no error";
}

/// A directory of its own, removed at the end.
struct Scratch {
  fs::path path = fs::temp_directory_path() / ("tappet_yaml_" + std::to_string(::getpid()));
  Scratch() { fs::create_directories(path); }
  ~Scratch() { fs::remove_all(path); }
};

}  // namespace

TEST(YamlReader, TreeWithPlaces) {
  const Value root = read_yaml_text("a: 1\nb:\n  c: [x, 'y z']\n  d: {e: 2 mm}\nf:\n", "m.yaml");
  ASSERT_EQ(root.kind, Value::Kind::mapping);
  ASSERT_EQ(root.map.size(), 3u);
  EXPECT_EQ(root.key_pos[1].line, 2);
  EXPECT_EQ(root.key_pos[1].column, 1);
  const Value* c = root.find("b")->find("c");
  ASSERT_TRUE(c);
  EXPECT_EQ(c->pos.line, 3);
  EXPECT_EQ(c->pos.column, 6);
  EXPECT_EQ(c->items[0].text, "x");
  EXPECT_FALSE(c->items[0].quoted);
  EXPECT_EQ(c->items[1].text, "y z");
  EXPECT_TRUE(c->items[1].quoted);
  EXPECT_EQ(c->items[1].pos.column, 10);
  EXPECT_EQ(root.find("b")->find("d")->find("e")->text, "2 mm");
  EXPECT_EQ(root.find("f")->kind, Value::Kind::null);
  EXPECT_EQ(root.find("f")->pos.line, 5);
  EXPECT_EQ(root.find("g"), nullptr);
  EXPECT_EQ(*root.pos.file, "m.yaml");
}

TEST(YamlReader, DuplicateKeys) {
  EXPECT_EQ(fault("a: 1\nb: 2\na: 3\n"), "m.yaml:3:1: error: duplicate key 'a' (first at line 1)");
  EXPECT_EQ(fault("x:\n  - {a: 1, a: 2}\n"), "m.yaml:2:12: error: duplicate key 'a' (first at line 2)");
  // What commas leave of a function's arguments.
  EXPECT_EQ(fault("m: {speed: step(t, 0, 0, 1)}\n"),
            "m.yaml:1:23: error: duplicate key '0' (first at line 1); a comma ends a value, so a text with "
            "commas is written in "
            "quotes");
  // all of them in one run
  EXPECT_THAT(fault("a: 1\na: 2\nb: 1\nb: 2\n"), ::testing::AllOf(HasSubstr(":2:1:"), HasSubstr(":4:1:")));
}

TEST(YamlReader, NotYaml) {
  EXPECT_THAT(fault("a: [1, 2\n"), HasSubstr("m.yaml:"));
  EXPECT_THAT(fault("a: [1, 2\n"), HasSubstr("not valid YAML"));
  EXPECT_THAT(fault("a: b: c\n"), HasSubstr("m.yaml:1:5: error: not valid YAML"));
  EXPECT_THAT(fault("\ta: 1\n"), HasSubstr("not valid YAML"));
  EXPECT_THAT(fault("a: \"unfinished\n"), HasSubstr("not valid YAML"));
  EXPECT_EQ(fault("a: 1\nb: \"unfinished\nc: 3\n"),
            "m.yaml:2:4: error: not valid YAML: the quoted text that begins here has no end");
  EXPECT_THAT(fault("a: 'it''s unfinished"), HasSubstr("has no end"));
  EXPECT_THAT(fault("a: \"x\\\"\n"), HasSubstr("has no end"));
  EXPECT_EQ(fault("a: &anchor 'x''y'\nb: \"x\\\"\"\n"), "no error");
  EXPECT_EQ(fault("a: |\n  it's\nb: >\n  it's\n"), "no error");
  EXPECT_THAT(fault("- a\nb: c\n"), HasSubstr("does not belong"));
  EXPECT_THAT(fault("a: *nobody\n"), HasSubstr("not valid YAML"));
  EXPECT_THAT(fault("}"), HasSubstr("not valid YAML"));
}

TEST(YamlReader, NothingThere) {
  for (const char* text : {"", "\n\n", "# only a comment\n", "---\n", "---\n...\n", "~\n", "null"})
    EXPECT_THAT(fault(text), HasSubstr("the file is empty")) << text;
}

TEST(YamlReader, TopLevelIsAMapping) {
  EXPECT_EQ(fault("- 1\n- 2\n"),
            "m.yaml:1:1: error: a model is a mapping of keys such as 'tappet: 1', not a list");
  EXPECT_THAT(fault("hello\n"), HasSubstr("not a single value"));
}

TEST(YamlReader, Keys) {
  EXPECT_THAT(fault("? [a, b]\n: 1\n"), HasSubstr("a key must be a name"));
  EXPECT_THAT(fault("? {a: b}\n: 1\n"), HasSubstr("a key must be a name"));
  EXPECT_THAT(fault(": 1\n"), HasSubstr("a key is missing"));
  EXPECT_THAT(fault("a: &x b\n*x : 1\n"), HasSubstr("alias cannot be a key"));
}

TEST(YamlReader, OneDocument) {
  EXPECT_EQ(fault("a: 1\n---\nb: 2\n"),
            "m.yaml:2:1: error: a second document begins here; a model file holds one document");
  EXPECT_EQ(fault("---\na: 1\n...\n"), "no error");
}

TEST(YamlReader, TextOnly) {
  using namespace std::string_literals;
  EXPECT_EQ(fault("a: 1\nb: \0\n"s), "m.yaml:2:4: error: not a text file: it contains a zero byte");
  EXPECT_THAT(fault("a: \xff\n"), HasSubstr("m.yaml:1:4: error: not UTF-8 text"));
  EXPECT_THAT(fault("a: \xc0\xaf\n"), HasSubstr("not UTF-8"));
  EXPECT_THAT(fault("a: \xe2\x82"), HasSubstr("not UTF-8"));
  EXPECT_THAT(fault("a: \xed\xa0\x80\n"), HasSubstr("not UTF-8"));
  EXPECT_THAT(fault("a: \x01\n"), HasSubstr("control character 0x01"));
  EXPECT_THAT(fault("\xff\xfe"
                    "a\0"s),
              HasSubstr("m.yaml:1:1"));
  EXPECT_EQ(fault("a: µs €\n"), "no error");
  EXPECT_EQ(fault("\xef\xbb\xbf"
                  "a: 1\n"),
            "no error");
}

TEST(YamlReader, AliasesAreCopies) {
  const Value root = read_yaml_text("a: &p {x: 1, y: [2, 3]}\nb: *p\n", "m.yaml");
  EXPECT_EQ(root.find("b")->find("y")->items[1].text, "3");
}

TEST(YamlReader, MergeKeys) {
  const Value root = read_yaml_text(
      "a: &p {x: 1, y: 2}\nq: &q {y: 7, z: 8}\nb: {<<: *p, y: 3}\nc: {<<: [*p, *q]}\n", "m.yaml");
  EXPECT_EQ(root.find("b")->find("x")->text, "1");
  EXPECT_EQ(root.find("b")->find("y")->text, "3");
  EXPECT_EQ(root.find("b")->find("<<"), nullptr);
  EXPECT_EQ(root.find("c")->find("y")->text, "2");
  EXPECT_EQ(root.find("c")->find("z")->text, "8");
  EXPECT_THAT(fault("a: {<<: 3}\n"), HasSubstr("needs a mapping"));
}

TEST(YamlReader, AliasBomb) {
  std::string bomb = "a0: &a0 [x, x, x, x, x, x, x, x, x, x]\n";
  for (int i = 1; i < 12; ++i)
    bomb += fmt::format("a{0}: &a{0} [*a{1}, *a{1}, *a{1}, *a{1}, *a{1}, *a{1}]\n", i, i - 1);
  EXPECT_THAT(fault(bomb), HasSubstr("more than 2000000 values"));
  EXPECT_THAT(fault("a: &a [*a]\n"), HasSubstr("inside the value that it repeats"));
}

TEST(YamlReader, DeepNesting) {
  EXPECT_THAT(fault("a: " + std::string(100000, '[')), HasSubstr("is a bracket left open?"));
  EXPECT_THAT(fault("a: " + std::string(5000, '[') + std::string(5000, ']')), HasSubstr("nested deeper"));
  std::string braces;
  for (int i = 0; i < 5000; ++i) braces += "{a: ";
  braces += '1';
  braces.append(5000, '}');
  EXPECT_THAT(fault(braces), HasSubstr("nested deeper"));
  std::string dashes = "a:\n  ";
  for (int i = 0; i < 5000; ++i) dashes += "- ";
  EXPECT_THAT(fault(dashes), HasSubstr("nested deeper"));
  // and by aliases, each of them shallow
  std::string ladder = "a0: &a0 [[[[[[[[[[x]]]]]]]]]]\n";
  for (int i = 1; i < 20; ++i) ladder += fmt::format("a{0}: &a{0} [[[[[[[[[[*a{1}]]]]]]]]]]\n", i, i - 1);
  EXPECT_THAT(fault(ladder), HasSubstr("nested deeper"));
}

TEST(YamlReader, Tags) {
  EXPECT_THAT(fault("a: !!python/object:os.system x\n"), HasSubstr("is not supported"));
  EXPECT_THAT(fault("a: !thing {x: 1}\n"), HasSubstr("is not supported"));
  EXPECT_EQ(fault("a: !!str 12\nb: !!float 3\n"), "no error");
}

TEST(YamlReader, Files) {
  const Scratch scratch;
  EXPECT_EQ(file_fault(scratch.path / "none.yaml"),
            (scratch.path / "none.yaml").string() + ": error: no such file");
  EXPECT_THAT(file_fault(scratch.path), HasSubstr("this is a directory"));
  EXPECT_THAT(file_fault(""), HasSubstr("error"));
  EXPECT_THAT(file_fault("/dev/null"), HasSubstr("the file is empty"));
  EXPECT_THAT(file_fault("/dev/zero"), HasSubstr("too large"));

  // 100 MB that take no space on the disk, and no time, because they are not read
  const fs::path large = scratch.path / "large.yaml";
  std::ofstream(large) << "a: 1\n";
  fs::resize_file(large, 100u << 20);
  EXPECT_THAT(file_fault(large), HasSubstr("too large for a model: 101 MB, at most 32 MB are read"));

  const fs::path locked = scratch.path / "locked.yaml";
  std::ofstream(locked) << "a: 1\n";
  fs::permissions(locked, fs::perms::none);
  if (::geteuid() != 0) {
    EXPECT_THAT(file_fault(locked), HasSubstr("cannot be read: Permission denied"));
  }

  const fs::path good = scratch.path / "good.yaml";
  std::ofstream(good) << "a: 1\r\nb: 2\r\n";
  EXPECT_EQ(read_yaml_file(good).find("b")->text, "2");
}

TEST(YamlReader, TooLargeText) {
  EXPECT_THAT(fault(std::string((32u << 20) + 1, ' ')), HasSubstr("too large"));
}

// A megabyte of text, named eight thousand times: eight gigabytes, if nobody counted.
TEST(YamlReader, LongTextsThatAreRepeatedAreCounted) {
  std::string text = "a: &a " + std::string(500'000, 'x') + "\nb: [";
  for (int k = 0; k < 8000; ++k) text += "*a, ";
  EXPECT_THAT(fault(text + "1]\n"), HasSubstr("the file holds more than 64 MB of text, aliases expanded"));
  // Keys as well.
  std::string keys = "a: &a {" + std::string(900, 'x') + ": 1}\nb: [";
  for (int k = 0; k < 100'000; ++k) keys += "*a, ";
  EXPECT_THAT(fault(keys + "1]\n"), HasSubstr("more than 64 MB of text"));
}

}  // namespace tappet::yaml_reader_test
